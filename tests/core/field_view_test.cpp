// SPDX-License-Identifier: MIT
#include <ductile/core/field.h>
#include <ductile/core/field_view.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace ductile;

namespace field_view_test {

enum class Mood { Calm, Wild };
std::span<const std::string_view> enum_names(Mood) {
    static constexpr std::string_view names[] = {"calm", "wild"};
    return names;
}

struct Leg {
    std::string name;
    double length = 1.0;
};
std::string& key_of(Leg& leg) { return leg.name; }
template <class Visitor>
void visit_fields(Leg& l, Visitor&& field) {
    field(Field{"length", "m", 0.0, 2.0, "from hip to floor"}, l.length);
}

struct Table {
    Mood mood = Mood::Calm;
    std::vector<Leg> legs;
    std::optional<double> weight;
    std::array<double, 2> size = {1.0, 2.0};
};
template <class Visitor>
void visit_fields(Table& t, Visitor&& field) {
    field(Field{"mood", "", 0, 0, "how it stands"}, t.mood);
    field(Field{"legs", "", 0, 0, "what it stands on"}, t.legs);
    field(Field{"weight", "kg", 0, 100, "if known"}, t.weight);
    field(Field{"size", "m", 0, 10, "across and along"}, t.size);
}

}  // namespace field_view_test

using namespace field_view_test;

TEST_CASE("a field without a range takes every number") {
    const Field field{.name = "anything"};
    CHECK(std::isinf(field.min));
    CHECK(std::isinf(field.max));
    CHECK(field.min < field.max);
}

TEST_CASE("a view shows a struct's fields in the order of its list, and writes into the struct") {
    Table table;
    const auto view = std::get<StructView>(view_of(table));
    REQUIRE(view.fields.size() == 4);
    CHECK(view.fields[0].field.name == "mood");
    CHECK(view.fields[2].field.unit == "kg");
    const auto mood = std::get<EnumView>(view.fields[0].value);
    CHECK(mood.names[mood.index()] == "calm");
    mood.set(1);
    CHECK(table.mood == Mood::Wild);
}

TEST_CASE("containers are seen by their kind, and grow by items with their defaults") {
    Table table;
    const auto view = std::get<StructView>(view_of(table));
    const auto legs = std::get<ContainerView>(view.fields[1].value);
    CHECK(legs.kind() == ContainerKind::Keyed);
    CHECK(legs.size() == 0);
    legs.append();
    REQUIRE(table.legs.size() == 1);
    *legs.key(0) = "left";
    CHECK(table.legs[0].name == "left");
    const auto leg = std::get<StructView>(legs.item(0));
    CHECK(*std::get<double*>(leg.fields[0].value) == 1.0);
    legs.clear();
    CHECK(table.legs.empty());

    const auto weight = std::get<ContainerView>(view.fields[2].value);
    CHECK(weight.kind() == ContainerKind::Optional);
    CHECK(weight.size() == 0);
    weight.append();
    CHECK(table.weight == 0.0);

    const auto size = std::get<ContainerView>(view.fields[3].value);
    CHECK(size.kind() == ContainerKind::Fixed);
    size.append();
    size.clear();
    CHECK(size.size() == 2);
    CHECK(*std::get<double*>(size.item(1)) == 2.0);
}
