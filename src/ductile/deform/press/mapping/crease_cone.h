// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <array>
#include <span>
#include <vector>

namespace ductile {

/// Area that a triangle shares with the disc of a radius about the origin; 0 for one that runs
/// clockwise. Exact to rounding, so it changes smoothly when either moves.
double disc_overlap(const std::array<Vec2, 3>& triangle, double radius);

/// The normals of a surface near a place, each with the share of the neighbourhood that has it.
/// Where several meet, as at an edge or a corner, a ball may rest along any mean of them.
class NormalCone {
public:
    /// Requires: a unit normal, area >= 0. Parts of one face count as one.
    void add(const Vec3& normal, double area);

    /// The unit normal nearest to a unit vector among the means in which no face has more than a
    /// few times its share: all normals of the cone at its edge, only the face's own away from it,
    /// and nothing jumps between them. `own` where no mean is of use.
    Vec3 nearest(const Vec3& wanted, const Vec3& own) const;

private:
    struct Face {
        Vec3 normal;
        double area;
    };
    std::vector<Face> faces_;
};

}  // namespace ductile
