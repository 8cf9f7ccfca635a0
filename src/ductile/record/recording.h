// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// One body of a recording: what it looks like, and every shape it took.
struct RecordedBody {
    std::string name;
    std::shared_ptr<const SurfaceAsset> asset;  ///< At rest, in the body's frame.
    bool is_static = false;
    /// Surface points of each shape the body took; shape 0 is the rest shape.
    std::vector<std::vector<Vec3>> shapes;
};

/// One body at one frame.
struct BodyFrame {
    Transform pose_w;
    std::int32_t shape = 0;  ///< Index into RecordedBody::shapes.
    bool is_present = true;
};

/// All bodies at one time, in the order of Recording::bodies.
struct Frame {
    double time = 0.0;  ///< [s]
    std::vector<BodyFrame> bodies;
};

/// A hit, for marks on a timeline and reports.
struct RecordedHit {
    double time = 0.0;      ///< [s]
    std::int32_t body = 0;  ///< Index into Recording::bodies.
    Vec3 position_b = Vec3::Zero();
    double depth = 0.0;  ///< [m]
};

/// A film before it is drawn: everything exporters and the renderer need, and nothing of the
/// engine.
struct Recording {
    double frame_rate = 30.0;  ///< [1/s]
    std::vector<RecordedBody> bodies;
    std::vector<Frame> frames;
    std::vector<RecordedHit> hits;
};

}  // namespace ductile
