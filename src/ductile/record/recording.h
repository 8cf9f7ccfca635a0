// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/record/energy_balance.h>

#include <array>
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
    /// The same before a skin bent them: where damage is measured. Empty for a body without a skin;
    /// an empty entry for a shape that no skin had changed.
    std::vector<std::vector<Vec3>> unskinned;
    /// Names of the example poses that its shapes are blends of; none: it has none.
    std::vector<std::string> poses;
    /// Of each shape, point by point, how much it has of each pose, in 255ths. An empty entry, and
    /// a missing one, for a shape with all points at rest.
    std::vector<std::vector<std::uint8_t>> shares;
    /// The body that it came from, which was there before it; -1: there from the start.
    std::int32_t parent = -1;
    bool is_hidden = false;  ///< Left out of pictures; files and the player have it.

    /// Surface points of a shape before any skin.
    const std::vector<Vec3>& unskinned_shape(std::size_t shape) const {
        return shape < unskinned.size() && !unskinned[shape].empty() ? unskinned[shape]
                                                                     : shapes[shape];
    }
};

/// One body at one frame.
struct BodyFrame {
    Transform pose_w{};
    std::int32_t shape = 0;  ///< Index into RecordedBody::shapes.
    bool is_present = true;
};

/// All bodies at one time, in the order of Recording::bodies.
struct Frame {
    double time = 0.0;  ///< [s]
    std::vector<BodyFrame> bodies{};
};

/// A hit, for marks on a timeline and reports.
struct RecordedHit {
    double time = 0.0;      ///< [s]
    std::int32_t body = 0;  ///< Index into Recording::bodies.
    Vec3 position_b = Vec3::Zero();
    std::string kind = "dent";  ///< Of its record.
    double size = 0.0;          ///< How large it is, in its kind's unit: a dent's depth [m].
    std::string unit = "m";     ///< Of the size.
};

/// An impact between two bodies, or the part by which it grew in one step, whether or not it left a
/// mark.
struct RecordedImpact {
    double time = 0.0;                              ///< [s]
    std::array<std::int32_t, 2> bodies = {-1, -1};  ///< Indices; -1: not among the filmed ones.
    Vec3 position_w = Vec3::Zero();                 ///< [m]
    Vec3 normal_w = Vec3::UnitY();                  ///< Unit, out of the first body.
    double approach_speed = 0.0;                    ///< Along the normal [m/s].
    double effective_mass = 0.0;                    ///< [kg]
    double damage_impulse = 0.0;                    ///< The largest of the impact so far [N s].
};

/// A film before it is drawn: everything exporters and the renderer need, and nothing of the
/// engine.
struct Recording {
    double frame_rate = 30.0;  ///< [1/s]
    std::vector<RecordedBody> bodies;
    std::vector<Frame> frames;
    std::vector<RecordedHit> hits;        ///< By ascending time.
    std::vector<RecordedImpact> impacts;  ///< In the order in which they happened; may be empty.
    std::vector<EnergyBalance> energy;    ///< One per frame, or none.
};

}  // namespace ductile
