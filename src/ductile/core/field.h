// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <limits>
#include <string_view>

namespace ductile {

/// What there is to say about one knob: the only place where its name, unit and range stand.
///
/// An options struct lists its fields once, in a function found by argument-dependent lookup:
///
///     template <class Visitor>
///     void visit_fields(DentOptions& o, Visitor&& field) {
///         field(Field{"radius", "m", 1e-4, 10.0, "how far a dent reaches"}, o.radius);
///     }
///
/// Scene files, schema, command line, journals and later sliders and Python all read that list
/// (core/json_fields.h). Values may be double, std::int32_t, bool, std::string, Vec3, Quat, an
/// enum with `enum_names`, a type with `to_text` and `from_text`, a struct with `visit_fields`, or
/// a std::vector of such structs.
struct Field {
    std::string_view name{};
    std::string_view unit{};                                ///< SI unit, or "" for none.
    double min = -std::numeric_limits<double>::infinity();  ///< Of each number, inclusive.
    double max = std::numeric_limits<double>::infinity();   ///< Of each number, inclusive.
    std::string_view help{};                                ///< One line, lower case, no full stop.
    bool is_file = false;  ///< Its text names a file: what is moved or replayed elsewhere finds it.
};

/// A text that names a file.
inline Field file_field(std::string_view name, std::string_view help) {
    return {name, "", 0, 0, help, true};
}

/// Of a rotation around an axis: beyond some thousand turns a double has few digits left for the
/// angle itself.
inline constexpr Field kAngleField{"angle_deg", "deg", -1e6, 1e6, "how far it is turned"};

}  // namespace ductile
