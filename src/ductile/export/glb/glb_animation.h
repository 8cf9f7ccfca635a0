// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/glb/glb_builder.h>
#include <ductile/export/track/body_track.h>
#include <ductile/export/track/shape_track.h>

#include <span>

namespace ductile {

/// Writes the channels of one GLB file's only animation.
class GlbAnimation {
public:
    /// `times` are those of the frames [s], from 0 on, strictly ascending.
    GlbAnimation(GlbBuilder& builder, std::vector<float> times)
        : builder_(builder), times_(std::move(times)) {}

    /// Adds the channels of one node; none for a body that stays as it is.
    void add_motion(int node, const BodyTrack& track, const std::vector<bool>& is_present);
    /// `keys` are those of the track's keys that the node's mesh has targets for, in order.
    void add_shapes(int node, const ShapeTrack& track, std::span<const std::size_t> keys);

    /// Puts the animation into the document, if it has a channel.
    void finish();

private:
    using Json = GlbBuilder::Json;
    void add_channel(int node, const char* path, const char* interpolation,
                     std::span<const std::size_t> keys, std::span<const float> values, int width);

    GlbBuilder& builder_;
    std::vector<float> times_;
    Json channels_ = Json::array();
    Json samplers_ = Json::array();
};

}  // namespace ductile
