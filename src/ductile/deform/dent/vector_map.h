// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_map.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// A dent map whose samples also go sideways: (dx, dy, dz) over the plane of an impact, as an
/// artist draws them or finite elements give them (Patkar et al. 2014, section 3.1).
///
/// x points to where the impact came from, z into the body. Samples lie as those of the map `in`.
struct VectorMap {
    DentMap in;               ///< dz: how far each sample goes in, negative where it is raised [m].
    std::vector<Vec2> aside;  ///< dx and dy of each sample [m].
};

/// A vector map as a file has it.
struct VectorFile {
    VectorMap map;
    bool is_picture = false;  ///< Without a size of its own; its top at +y, green pointing up.
};

/// Error: sides or cell out of range, a sample too many or too few, a number that is not finite,
/// nothing that goes in, what goes aside by more than kMostSideways times the deepest.
Status check_vectors(const VectorMap& map);

/// A vector map from the text of a table, one sample a line, [m]:
///
///     x,y,dx,dy,dz      a grid of places, evenly spaced or not, in any order; or
///     r,dr,dz           a round one: how far places at r go outwards and in, by rising r from 0
///
/// The first line names the columns, in any order; numbers are parted by commas, semicolons, blanks
/// or tabs; what stands after a # is skipped. Between places it goes in straight lines, beyond the
/// last it falls to 0 within a cell; it is sampled `side` times along its longer side. The middle
/// of the table's x and y lies under the impact.
/// Error (`where`: the line): other columns, what is no number, a place that is missing or there
/// twice, what check_vectors refuses.
/// Requires: 5 <= side <= kDentMapSide.
Result<VectorMap> vector_table(std::string_view text, std::int32_t side);

/// A vector map from a picture of (dx, dy, dz), `width` [m] wide; rows as heights_map has them
/// (height_map.h), large pictures averaged in the same way, a frame of zeros around it.
/// Error: sides out of range, another number of vectors, what check_vectors refuses.
/// Requires: width > 0; 1 <= side <= kDentMapSide - 2.
Result<VectorMap> vector_picture(std::int32_t columns, std::int32_t rows,
                                 std::span<const Vec3> vectors, double width, std::int32_t side);

}  // namespace ductile
