// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

enum class Colour { Red, Green, Blue };
std::span<const std::string_view> enum_names(Colour) {
    static constexpr std::string_view names[] = {"red", "green", "blue"};
    return names;
}

struct Paint {
    double mass = 1.0;
    std::int64_t id = 0;
    std::string title = "none";
    Colour colour = Colour::Green;
};
template <class Visitor>
void visit_fields(Paint& p, Visitor&& field) {
    field(Field{"mass", "kg", 0.0, 10.0, "how heavy"}, p.mass);
    field(Field{"id", "", 0, 100, "which one"}, p.id);
    field(Field{"title", "", 0, 0, "what it is called"}, p.title);
    field(Field{"colour", "", 0, 0, "of all"}, p.colour);
}

}  // namespace

TEST_CASE("of several overrides every mistake is told, and the good ones are set") {
    Paint paint;
    const std::vector<std::string> assignments = {"mass=heavy", "id=7", "colour=ornage", "tilte=a"};
    const std::vector<Error> errors = set_fields(paint, assignments);
    REQUIRE(errors.size() == 3);
    CHECK(errors[0].where == "--set mass");
    CHECK(errors[1].where == "--set colour");
    CHECK(errors[2].where.starts_with("--set tilte"));
    CHECK(paint.id == 7);
    CHECK(paint.colour == Colour::Green);
}

TEST_CASE("names that a message lists are not listed again as a hint") {
    Paint paint;
    std::vector<Error> errors;
    read_fields(parse_json(R"({"colour": "ochre"})", "").value(), paint, "", errors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].what == R"("ochre" is none of red, green, blue)");
    CHECK(errors[0].hint.empty());
    errors.clear();
    read_fields(parse_json(R"({"colour": "blu"})", "").value(), paint, "", errors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].hint == "did you mean 'blue'?");
}
