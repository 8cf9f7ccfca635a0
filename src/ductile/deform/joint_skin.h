// SPDX-License-Identifier: MIT
// Private to BodyState.
#pragma once

#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/journal.h>
#include <ductile/geom/skin_frame.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// Where all joint records of a journal together take a body's points: impacts turn joints, joints
/// turn bones, and points follow those.
///
/// A pure function of shape, journal and time: joints that were made are kept while the journal
/// still has them, in order, and nothing is done while none has turned.
class JointSkin {
public:
    /// Requires: the shape outlives it and has a skeleton.
    explicit JointSkin(const BodyShape& shape);

    std::span<const SkinFrame> rows() const { return rows_; }

    /// Brings the rows to what the journal says at time t. False: one is not finite.
    bool update(const Journal& journal, double t);
    /// The points whose rows the last update changed, ascending.
    std::span<const std::int32_t> touched() const { return touched_; }
    /// Back to the rows of before the last update; the next one begins anew.
    void take_back();
    void restart() { turns_.clear(); }

private:
    void take_joints(const Journal& journal);

    const BodyShape& shape_;
    JointedBody body_;
    std::vector<JointName> made_;   ///< What was asked of it, in order.
    std::vector<Transform> turns_;  ///< That the rows were made with; empty: unknown.
    std::vector<SkinFrame> rows_, before_;
    std::vector<std::int32_t> touched_;
};

/// The same from scratch; identities where the journal has no joint records.
std::vector<SkinFrame> joint_frames(const BodyShape& shape, const Journal& journal, double t);

}  // namespace ductile
