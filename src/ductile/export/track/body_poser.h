// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/damage_map.h>
#include <ductile/record/recording.h>
#include <ductile/skin/render_skin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Shows one body frame by frame, as it is drawn.
///
/// At a frame at which the body is absent it is as it was last, or else as it will be first. Going
/// from frame to frame costs nothing while the shape stays; a new shape costs O(surface
/// points) to compare it with the last one, and what hangs on the points that differ.
class BodyPoser {
public:
    /// Requires: check_recording is content, and the recording stays; the body has an asset and is
    /// present at some frame. Shows frame 0.
    BodyPoser(const Recording& recording, std::size_t body);

    /// Whether a body can be shown: it has an asset, and a frame at which it is there.
    static bool can_show(const Recording& recording, std::size_t body);

    void show(std::size_t frame);

    bool is_present() const;
    const Transform& pose_w() const;
    const SurfaceAsset& asset() const { return skin_.asset(); }
    /// In the body's own frame, per render vertex; unit normals.
    std::span<const Vec3> points() const { return skin_.points(); }
    std::span<const Vec3> normals() const { return normals_; }
    /// Of the surface below, in the body's own frame.
    std::span<const Vec3> surface_points() const;
    /// Index of the shape shown: equal numbers, equal points.
    std::int32_t shape() const { return shape_; }
    /// Per render vertex. Worked out once per shape, when asked for.
    const DamageMap& damage();

private:
    void take_normal(std::size_t vertex);

    const Recording& recording_;
    std::size_t body_;
    PosedSkin skin_;
    std::vector<std::size_t> source_;
    std::size_t frame_ = 0;
    std::int32_t shape_ = -1;
    std::int32_t damage_shape_ = -1;
    std::vector<Vec3> normals_;
    DamageMap damage_;
};

}  // namespace ductile
