// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/deform/bend/bone_skin.h>
#include <ductile/deform/bend/skeleton.h>

#include <vector>

namespace ductile {

/// How a body with a skeleton bends where it is struck. Without bones it has those that its form
/// tells: one along its middle for a bar, more where it branches or turns.
struct BendOptions {
    /// Their places are given from the middle of the body's box at rest; joints are where they
    /// meet.
    std::vector<Bone> bones{};
    /// Its bones are the joints of its mesh file's skin, and weights those of the file.
    bool uses_file_joints = false;
    double speed = 2.0;        ///< Slower approaches bend nothing [m/s], >= 0.
    bool makes_joints = true;  ///< An impact makes a joint where it falls.
    bool wakes_all = false;    ///< An impact wakes all joints, not only those of the struck bone.
    double strength =
        0.0;  ///< Moment at which a joint turns [N m]; 0: by the matter's yield stress.
    double yield_impulse = 0.0;  ///< Angular impulse that an impact spends before it bends [N m s].
    double hardening = 0.0;      ///< What the moment grows by per radian turned [N m].
    double damping = 0.0;        ///< Moment beside it per speed of turning [N m s].
    double angle_limit_deg = 150.0;  ///< The furthest one impact turns a joint.
    double stiffness = 0.0;       ///< Of a spring in every joint [N m/rad]; 0: none springs back.
    double spring_damping = 0.0;  ///< Of that spring [N m s].
    double blend_length = 0.0;  ///< Over which a bend is spread [m]; 0: as wide as the body there.
    BoneBlend blend = BoneBlend::DualQuaternions;
};
template <class Visitor>
void visit_fields(BendOptions& o, Visitor&& field) {
    field(Field{"bones", "", 0, 0, "by their names; none: as the body's form tells, one for a bar"},
          o.bones);
    field(Field{"uses_file_joints", "", 0, 0,
                "bones and weights are those of the skin in its mesh file"},
          o.uses_file_joints);
    field(Field{"speed", "m/s", 0.0, 1e4, "slower approaches bend nothing"}, o.speed);
    field(Field{"makes_joints", "", 0, 0, "an impact makes a joint where it falls"},
          o.makes_joints);
    field(Field{"wakes_all", "", 0, 0, "an impact wakes all joints, not only the struck bone's"},
          o.wakes_all);
    field(Field{"strength", "N m", 0.0, 1e12,
                "moment at which a joint turns; 0: by the yield stress and the cross-section"},
          o.strength);
    field(Field{"yield_impulse", "N m s", 0.0, 1e9,
                "angular impulse that an impact spends before anything bends"},
          o.yield_impulse);
    field(Field{"hardening", "N m", 0.0, 1e12, "what the moment grows by per radian turned"},
          o.hardening);
    field(Field{"damping", "N m s", 0.0, 1e9, "moment beside it per speed of turning"}, o.damping);
    field(Field{"angle_limit_deg", "deg", 0.1, 180.0, "the furthest that one impact turns a joint"},
          o.angle_limit_deg);
    field(Field{"stiffness", "N m/rad", 0.0, 1e12,
                "of a spring in every joint, which yields at the strength; 0: no spring"},
          o.stiffness);
    field(Field{"spring_damping", "N m s", 0.0, 1e9, "of that spring"}, o.spring_damping);
    field(Field{"blend_length", "m", 0.0, 1e6,
                "over which a bend is spread; 0: as wide as the body there"},
          o.blend_length);
    field(Field{"blend", "", 0, 0, "how the turns of bones are blended"}, o.blend);
}

}  // namespace ductile
