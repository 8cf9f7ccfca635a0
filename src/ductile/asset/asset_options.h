// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// What becomes of a part of a file.
enum class PartRole {
    Deform,  ///< It is surface, and hits move it.
    Rigid,   ///< It is surface, but keeps its form: a wheel.
    Ride,    ///< It is drawn only, and goes along with the surface it sits on: a lamp, a trim.
    Drop,    ///< It is left out.
};
inline std::span<const std::string_view> enum_names(PartRole) {
    static constexpr std::string_view names[] = {"deform", "rigid", "ride", "drop"};
    return names;
}

/// A role for all parts whose name, or path ("body/door_left"), fits a pattern: * stands for any
/// text, ? for one letter, case does not count. Of several that fit, the last counts.
struct PartRule {
    std::string name{};
    PartRole role = PartRole::Rigid;
};
inline std::string& key_of(PartRule& rule) { return rule.name; }
template <class Visitor>
void visit_fields(PartRule& r, Visitor&& field) {
    field(Field{"role", "", 0, 0, "what becomes of the parts with such a name"}, r.role);
}

/// The axis of a file that becomes +y.
enum class UpAxis { Auto, X, Y, Z };
inline std::span<const std::string_view> enum_names(UpAxis) {
    static constexpr std::string_view names[] = {"auto", "x", "y", "z"};
    return names;
}

/// What a surface is inside.
enum class Fill {
    Auto,   ///< Closed components are solid, open ones sheets.
    Solid,  ///< All are solid; an open one is an error.
    Sheet,  ///< All are sheets: a car body, a can.
};
inline std::span<const std::string_view> enum_names(Fill) {
    static constexpr std::string_view names[] = {"auto", "solid", "sheet"};
    return names;
}

/// How a mesh file becomes a body's shape. Every default is usable as it stands.
struct AssetOptions {
    double scale = 0.0;  ///< Metres per unit of the file; 0: as the file says, else guessed.
    UpAxis up = UpAxis::Auto;
    Fill fill = Fill::Auto;
    double thickness = 0.0;  ///< Of sheets [m]; 0: 1 mm, or a 500th of the size if that is less.
    double weld = 1e-6;      ///< Points this close are one place, as a share of the diagonal.
    bool join_parts =
        false;  ///< Deforming parts are welded to each other, not each to itself only.
    /// Points of the simulation surface at most; 0 stands for `kSurfacePointLimit`. A denser mesh
    /// is drawn as it is and follows a simplified surface.
    std::int32_t surface_points = 0;
    /// Longer edges are halved, in what is drawn and in its surface, until none is left [m]; 0: the
    /// file's own. Splits keep the shape: they give coarse triangles points that can move.
    double longest_edge = 0.0;
    double crease_deg = 40.0;  ///< Sharper edges stay sharp where a file has no normals.
    std::vector<PartRule> parts{};
};
inline constexpr std::int32_t kSurfacePointLimit = 50'000;

template <class Visitor>
void visit_fields(AssetOptions& o, Visitor&& field) {
    field(Field{"scale", "m", 0.0, 1e35, "metres per unit of the file; 0: as it says, or guessed"},
          o.scale);
    field(Field{"up", "", 0, 0, "the file's axis that points up"}, o.up);
    field(Field{"fill", "", 0, 0, "solid, sheet, or closed parts solid and open ones sheets"},
          o.fill);
    field(Field{"thickness", "m", 0.0, 10.0, "of sheets; 0: guessed"}, o.thickness);
    field(Field{"weld", "", 0.0, 0.01, "points this close are one, as a share of the diagonal"},
          o.weld);
    field(Field{"join_parts", "", 0, 0, "weld deforming parts to each other"}, o.join_parts);
    field(Field{"surface_points", "", 0, 5e6, "limit of the simulation surface; 0: 50,000"},
          o.surface_points);
    field(Field{"longest_edge", "m", 0.0, 1e4, "longer edges are halved; 0: none"}, o.longest_edge);
    field(Field{"crease_deg", "deg", 0.0, 180.0, "sharper edges stay sharp without normals"},
          o.crease_deg);
    field(Field{"parts", "", 0, 0, "roles of parts, by name or pattern"}, o.parts);
}

}  // namespace ductile
