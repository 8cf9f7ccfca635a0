// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A surface as a smooth base and what lies over it (section 6 of Brunel et al. 2020): the base is
/// pressed, the detail comes back where there is no contact.
struct PressDetail {
    TriMesh base;
    std::vector<Vec3> offsets;  ///< Per point: from the base to the surface, at rest [m].
    std::vector<Vec3> points;   ///< The surface at rest [m].
};

/// Takes the detail off a surface: the base is smoothed by so many rounds that do not shrink it
/// (Taubin 1995). Points on the border of an open surface stay. Requires: valid indices.
PressDetail split_detail(const TriMesh& surface, std::int32_t rounds = 10);

/// The same from a base and heights over it along its normals, as a displacement map gives them.
/// Requires: a height per point.
PressDetail detail_over(const TriMesh& base, std::span<const double> heights);

/// Lays the detail over the pressed base again: turned with the surface, and scaled by a smooth
/// function of the radial parameter, 0 in contact and 1 from `fade` on. What the press left alone,
/// neighbours and all, is the surface at rest, bit for bit.
/// Requires: the press of `detail.base`; fade in (0, 1].
std::vector<Vec3> restore_detail(const PressDetail& detail, const Pressed& pressed,
                                 double fade = 0.3);

}  // namespace ductile
