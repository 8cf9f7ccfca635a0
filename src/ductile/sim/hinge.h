// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/body_shape.h>
#include <ductile/engine/engine.h>

namespace ductile {

/// A joint of a skeleton as an engine is to have it; bodies and place are left to the caller.
struct Hinge {
    JointDesc desc;
    /// At rest; x is the axis about which the impact is expected to bend it, or along which it
    /// slides.
    Transform frame;
};

/// One that slides holds all else. One that turns does so by the strength that the body's options
/// give, or by its yield stress and the cross-section there. Error: it has none.
Result<Hinge> make_hinge(const BodyShape& shape, const JointedBody& skeleton, std::int32_t joint,
                         const Vec3& impact_normal);

/// Over which a bend at a place of a bone is spread where nobody says [m]: as wide as the body is
/// there, and not less than two edges of its mesh.
double default_blend_length(const BodyShape& shape, const JointedBody& skeleton,
                            const BonePlace& at);

}  // namespace ductile
