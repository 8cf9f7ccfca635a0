// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/bend/voxel_march.h>
#include <ductile/render/image.h>
#include <ductile/scene/build_rig.h>

#include "picture.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ductile::cli {

/// How large the pictures of a rig are, and from where they are taken.
struct RigPictureOptions {
    std::int32_t width = 640;
    std::int32_t height = 480;
    std::int32_t samples = 32;
    ViewArgs view;
};

/// Draws a rig: every picture from one place, so that they can be compared. The body stands on the
/// ground; what it stands on in a pose is its lowest point there.
class RigPictures {
public:
    /// Requires: `built` outlives this.
    RigPictures(const BuiltRig& built, RigPictureOptions options);

    Result<Image> draw_body() const;
    /// The first `count` handles as balls (bones and cages with bars) in a body of glass.
    Result<Image> draw_handles(std::size_t count) const;
    /// The lattice's outside as bars around the body. Requires: a rig with a lattice.
    Result<Image> draw_lattice() const;
    /// Every place in the colours of the handles that it follows, as far as it follows them.
    Result<Image> draw_weights() const;
    /// The body as it is in a pose, painted as it is; with handles where they are then.
    Result<Image> draw_pose(std::size_t pose, bool shows_handles) const;
    /// Every triangle of the surface in the colour of one handle. Requires: one of each.
    Result<Image> draw_parts(std::span<const std::int32_t> handles) const;
    /// The body as cubes, each in the colour of its group, cut open through its middle.
    Result<Image> draw_cubes(const VoxelGroups& cubes) const;

private:
    Result<Image> draw(std::vector<RecordedBody> bodies) const;
    RecordedBody body() const;
    RecordedBody glass_body() const;
    std::vector<RecordedBody> marked_body() const;
    std::vector<RecordedBody> handle_marks(std::size_t count, const RigPose* pose) const;

    const BuiltRig& built_;
    RigPictureOptions options_;
    std::vector<std::vector<Vec3>> posed_;  ///< Surface points, per pose.
    double ball_ = 0.0;                     ///< Radius of a handle's mark [m].
    Box frame_;                             ///< Around all that is drawn, on the ground.
    std::vector<Vec3> framed_;              ///< What is in `frame_`.
};

}  // namespace ductile::cli
