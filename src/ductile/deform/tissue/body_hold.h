// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/pushed_body.h>

namespace ductile {

/// Many particles that all hold on to one body, each the less the more it gives way: how it moves
/// when all of them and the body itself move at once. Answering them one after the other would
/// throw a body to and fro that is lighter than what holds on to it.
class BodyHold {
public:
    using Doubles = simd::Doubles;

    /// Two particles, each of which takes on a share of the motion that it lacks; `weight` is its
    /// mass times that share, `lack` how the body would have to move at the lever to get there by
    /// itself.
    EIGEN_ALWAYS_INLINE void add(const Doubles& weight, const Pair3& lever, const Pair3& lack) {
        const Pair3 heavy = weight * lever;
        weight_ += weight;
        lever_ += heavy;
        lack_ += weight * lack;
        turning_lack_ += heavy.cross(lack);
        squares_ += {heavy.x * lever.x, heavy.y * lever.y, heavy.z * lever.z};
        products_ += {heavy.y * lever.z, heavy.x * lever.z, heavy.x * lever.y};
    }
    /// The same of their turns.
    EIGEN_ALWAYS_INLINE void add_turn(const Doubles& weight, const Pair3& lack) {
        turning_lack_ += weight * lack;
        turning_weight_ += weight;
    }
    /// The motion of the body that goes with what the particles take from it.
    struct Motion {
        Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
        Vec3 at(const Vec3& lever_w) const { return move + turn.cross(lever_w); }
    };
    Motion motion(const PushedBody& body) const;

private:
    Doubles weight_ = 0.0, turning_weight_ = 0.0;
    Pair3 lever_{0.0, 0.0, 0.0}, lack_ = lever_;  ///< Weighted.
    Pair3 turning_lack_ = lever_;
    Pair3 squares_ = lever_, products_ = lever_;  ///< Of levers: xx, yy, zz; yz, xz, xy.
};

}  // namespace ductile
