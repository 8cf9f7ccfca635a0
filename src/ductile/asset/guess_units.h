// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_report.h>
#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <optional>
#include <span>
#include <string_view>

namespace ductile {

/// What a file says about itself.
struct PlacementHints {
    std::string_view format;
    std::optional<double> metres_per_unit;
    std::optional<int> up_axis;
};

/// Decides what a unit of the file stands for and which axis points up: as the options say, else as
/// the file says, else by these guesses, each with its reason in words.
///
/// Up: y, but z in STL files, which come from machine shops. Where the shape mirrors itself along
/// the usual axis (its area is balanced about the middle of its box) and not along the other, the
/// other one is up: things are built alike to the left and right, not above and below. Likewise
/// where it stands on 0 along the other axis and not along the usual one.
/// Unit: the metre if the largest extent is then 1 mm to 50 m. Larger numbers are inches where z is
/// up (SketchUp, American CAD) and centimetres where y is (Maya, Unreal) up to 2,000 of them,
/// millimetres beyond.
/// Error: a body smaller than 0.1 mm or larger than 100 km, a surface without extent.
/// Requires: valid indices.
Result<PlacementReport> place_model(std::span<const Vec3> points,
                                    std::span<const Triangle> triangles,
                                    const PlacementHints& hints, const AssetOptions& options);

/// A point or direction of the file with y up: a proper rotation that only renames axes and signs.
Vec3 with_y_up(const Vec3& v, UpAxis up);

}  // namespace ductile
