// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/geom/rig.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How a pose is fitted to a deformed copy of a surface.
struct FitOptions {
    std::int32_t most_sweeps = 400;  ///< Over all handles; >= 1.
    double progress = 1e-3;          ///< It ends when ten sweeps gain less than this share.
    double large = 0.02;  ///< A distance that asks for a handle, as a share of the surface's size.
    std::int32_t most_suggestions = 8;
};
template <class Visitor>
void visit_fields(FitOptions& o, Visitor&& field) {
    field(Field{"most_sweeps", "", 1, 100000, "sweeps over all handles at most"}, o.most_sweeps);
    field(Field{"progress", "", 0.0, 1.0, "ends when ten sweeps gain less than this share"},
          o.progress);
    field(Field{"large", "", 0.0, 10.0, "distance that asks for a handle, as a share of the size"},
          o.large);
    field(Field{"most_suggestions", "", 0, 1000, "places for handles named at most"},
          o.most_suggestions);
}

/// A place at rest where one more handle would help, and how far off the surface is there.
struct HandleSuggestion {
    Vec3 place = Vec3::Zero();  ///< [m]
    double distance = 0.0;      ///< [m]
};

/// A pose, and how near it comes to the copy.
struct FittedPose {
    RigPose pose;
    double rms = 0.0;    ///< Of the distances, by area [m].
    double worst = 0.0;  ///< The largest distance [m].
    std::int32_t sweeps = 0;
    std::vector<HandleSuggestion> suggestions;  ///< The worst first, well apart.
};

/// Finds the turns and moves of a rig's handles that take a surface nearest to `target`, where its
/// points are in a deformed copy of it: least squares by area.
///
/// Handles begin where the points next to them went (Jones et al. 2016, section 5), turned as what
/// follows them turned; then each in turn gets the rigid motion that is best while the others stay.
/// The error never grows. Requires: a rig and a target for `surface`, finite (`check_rig`). Same
/// input, same bits. O(weights) a sweep.
FittedPose fit_pose(const Rig& rig, const TriMesh& surface, std::span<const Vec3> target,
                    const FitOptions& options = {});

/// Where a pose takes the points of a surface, at weight 1 everywhere: in double precision.
std::vector<Vec3> pose_points(const Rig& rig, const RigPose& pose, std::span<const Vec3> rest);

}  // namespace ductile
