// SPDX-License-Identifier: MIT
// A struct with one field of every type that a list of fields may name.
#pragma once

#include <ductile/core/json_fields.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ductile::test {

enum class Colour { Red, Green, Blue };
inline std::span<const std::string_view> enum_names(Colour) {
    static constexpr std::string_view names[] = {"red", "green", "blue"};
    return names;
}

struct Inner {
    double reach = 0.5;
    std::int32_t count = 3;
    bool operator==(const Inner&) const = default;
};
template <class Visitor>
void visit_fields(Inner& o, Visitor&& field) {
    field(Field{"reach", "m", 0.0, 10.0, "how far it goes"}, o.reach);
    field(Field{"count", "", 1, 100, "how many"}, o.count);
}

struct Named {
    std::string label;
    Inner inner;
    std::optional<Inner> extra;
};
inline std::string& key_of(Named& n) { return n.label; }
template <class Visitor>
void visit_fields(Named& o, Visitor&& field) {
    field(Field{"inner", "", 0, 0, "a struct"}, o.inner);
    field(Field{"extra", "", 0, 0, "a struct or nothing"}, o.extra);
}

struct Outer {
    double mass = 1.0;
    std::int64_t id = 0;
    std::uint64_t seed = 0;
    bool is_on = false;
    std::string title = "none";
    Vec3 velocity = Vec3(1, 2, 3);
    Quat turn = Quat::Identity();
    Colour colour = Colour::Green;
    std::array<std::int32_t, 3> counts = {1, 1, 1};
    std::vector<Inner> parts;
    std::vector<Named> bodies;
};
template <class Visitor>
void visit_fields(Outer& o, Visitor&& field) {
    field(Field{"mass", "kg", 0.001, 1e6, "how heavy"}, o.mass);
    field(Field{.name = "id", .unit = "", .help = "a number of its own"}, o.id);
    field(Field{.name = "seed", .unit = "", .help = "where chance begins"}, o.seed);
    field(Field{"is_on", "", 0, 0, "whether"}, o.is_on);
    field(Field{"title", "", 0, 0, "words"}, o.title);
    field(Field{"velocity", "m/s", -100.0, 100.0, "how fast"}, o.velocity);
    field(Field{"turn", "", 0, 0, "which way round"}, o.turn);
    field(Field{"colour", "", 0, 0, "which colour"}, o.colour);
    field(Field{"counts", "", 1, 10, "how often along each axis"}, o.counts);
    field(Field{"parts", "", 0, 0, "a list"}, o.parts);
    field(Field{"bodies", "", 0, 0, "by name"}, o.bodies);
}

}  // namespace ductile::test
