// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

enum class PaintChannel { Red, Green, Blue, Alpha, Mean };

inline std::span<const std::string_view> enum_names(PaintChannel) {
    static constexpr std::string_view names[] = {"red", "green", "blue", "alpha", "mean"};
    return names;
}

/// Factors of an option that an artist paints on a body, one per point of its surface. Given by
/// exactly one of formula, file, colour and values; `read_maps` turns the others into values.
struct PaintedMap {
    std::string formula{};                 ///< Of x, y and z in the body's frame [m].
    std::string file{};                    ///< Numbers, one per vertex of the body's mesh file.
    std::optional<PaintChannel> colour{};  ///< Of the vertex colours.
    double black = 0.0;                    ///< The factor where a colour is 0.
    double white = 1.0;                    ///< The factor where a colour is 1.
    std::vector<double> values{};          ///< One per point. No knob: not in the list below.
};
template <class Visitor>
void visit_fields(PaintedMap& m, Visitor&& field) {
    field(Field{"formula", "", 0, 0, "of x, y and z in the body's own frame [m]"}, m.formula);
    field(file_field("file", "numbers, one per vertex of the body's mesh file"), m.file);
    field(Field{"colour", "", 0, 0, "a channel of the mesh's vertex colours"}, m.colour);
    field(Field{"black", "", 0.0, 100.0, "what a colour of 0 stands for"}, m.black);
    field(Field{"white", "", 0.0, 100.0, "what a colour of 1 stands for"}, m.white);
}

/// The maps of one body. None: 1 everywhere, to the bit.
struct PaintedMaps {
    std::optional<PaintedMap> stiffness{};  ///< Of the ball's radius, in [0.01, 100].
    /// Of the bulge's height there, in [0, 20]. The volume is kept by what the map leaves to bulge.
    std::optional<PaintedMap> bulge{};
    /// What may be pressed: the paper's working region, chosen by hand. In [0, 1]; triangles with a
    /// corner below a half take no part: nothing of them is inside, in the way, or bulges.
    std::optional<PaintedMap> region{};
};
template <class Visitor>
void visit_fields(PaintedMaps& m, Visitor&& field) {
    field(Field{"stiffness", "", 0, 0, "factors of the stiffness, 0.01 to 100"}, m.stiffness);
    field(Field{"bulge", "", 0, 0, "factors of the bulge's height, 0 to 20"}, m.bulge);
    field(Field{"region", "", 0, 0, "what may be pressed: 1 yes, 0 no"}, m.region);
}

/// The values of a map; empty for none.
inline std::span<const double> factors_of(const std::optional<PaintedMap>& map) {
    return map ? std::span<const double>(map->values) : std::span<const double>();
}

/// Whether each map has exactly one source, and a formula that can be read. Errors name the field.
Status check(const PaintedMaps& maps);

/// Whether the values of each map fit a body of so many points. Errors name the map and the first
/// bad entry; a map without values has not been read.
Status check_values(const PaintedMaps& maps, std::size_t point_count);

/// Reads the text of a map's file, given the name that stands in the map.
using ReadMapFile = std::function<Result<std::string>(const std::string& name)>;

/// Turns formulas, files and colours into values for a body of this shape, and checks them.
/// Error: what cannot be read, or does not fit; `where` is the map's field.
Status read_maps(const SurfaceAsset& asset, const ReadMapFile& read_file, PaintedMaps& maps);

/// Map files are read up to this size: some ten million numbers.
inline constexpr std::size_t kMostMapBytes = 256 << 20;

/// A map written as numbers, one per vertex in the file's order, with white space, commas or
/// semicolons between them; `#` begins a comment. Error: another count, something that is no
/// number.
Result<std::vector<double>> map_from_text(std::string_view text, std::size_t point_count);

/// The same for a body's shape: a number per vertex of its file, per drawn vertex, or per point of
/// its surface.
Result<std::vector<double>> map_from_text(std::string_view text, const SurfaceAsset& asset);

/// What a map's formula may name, in this order: a point's place at rest, in the body's frame [m].
inline constexpr std::array<std::string_view, 3> kMapVariables = {"x", "y", "z"};

/// A map given by a formula (docs/formulas.md), such as "1 + 3 * (x > 0)". Error: a formula that
/// cannot be read; a point where it has no value.
Result<std::vector<double>> map_from_formula(std::string_view formula,
                                             std::span<const Vec3> points);

/// A map painted as vertex colours: `black` where the channel is 0, `white` where it is 1, between
/// them linearly (colours are linear already). Vertices that share a surface point count alike.
/// Error: no colours; a surface point that no vertex is anchored to gets `white`.
Result<std::vector<double>> map_from_colours(const SurfaceAsset& asset, PaintChannel channel,
                                             double black = 0.0, double white = 1.0);

}  // namespace ductile
