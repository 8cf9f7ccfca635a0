// SPDX-License-Identifier: MIT
#include <ductile/geom/section.h>
#include <ductile/sim/hinge.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

// Where a bone meets a ball it is cut this far out of the ball, in its radii.
constexpr double kBesideBall = 1.05;
// An impact that goes less across a bone than this, as a sine, goes along it.
constexpr double kAcross = 1e-3;
// Where a body cannot be cut a bend is spread over this share of its size.
constexpr double kWidthPerSize = 0.1;

Vec3 direction_of(const Bone& bone) {
    return bone.is_ball() ? Vec3(Vec3::UnitY()) : Vec3((bone.to - bone.from).normalized());
}

/// A cross-section's axes, the one along last, and its plastic moduli about them.
struct BarSection {
    Mat3 axes;
    Vec3 moduli = Vec3::Ones();  ///< [m^3]
};

BarSection bar_section(const PlasticSection& section, const Vec3& along) {
    BarSection out;
    out.axes.col(0) = section.weak_axis;
    out.axes.col(1) = along.cross(section.weak_axis);
    out.axes.col(2) = along;
    out.moduli[0] = section.weak_modulus;
    out.moduli[1] = section.strong_modulus;
    // Twisted, as a round bar of the same moduli is, by the shear stress of von Mises.
    out.moduli[2] = 0.25 * kPi * (out.moduli[0] + out.moduli[1]) / std::numbers::sqrt3;
    return out;
}

Result<PlasticSection> section_at(const BodyShape& shape, const Vec3& place, const Vec3& along) {
    return plastic_section(shape.rest(), shape.triangles(), {place, along},
                           shape.mass_model.thickness, shape.asset->is_sheet);
}

// With a spring along it, that alone holds it.
Hinge sliding_hinge(const SkeletonJoint& joint) {
    const BoneSlide& slide = joint.way->slide;
    Mat3 axes;
    axes.col(0) = joint.way->axis;
    axes.col(1) = any_perpendicular(joint.way->axis);
    axes.col(2) = axes.col(0).cross(axes.col(1));
    Hinge hinge;
    hinge.frame = {Quat(axes), joint.place};
    hinge.desc.slide_limit = slide.limit;
    hinge.desc.slide_force = slide.stiffness > 0 ? 0.0 : slide.force;
    return hinge;
}

}  // namespace

Result<Hinge> make_hinge(const BodyShape& shape, const JointedBody& skeleton, std::int32_t number,
                         const Vec3& impact_normal) {
    const BendOptions& options = skeleton.data().options();
    const SkeletonJoint& joint = skeleton.skeleton().joints[static_cast<std::size_t>(number)];
    if (joint.way) return sliding_hinge(joint);
    const Bone& a = skeleton.skeleton().bones[static_cast<std::size_t>(joint.a)];
    const Bone& b = skeleton.skeleton().bones[static_cast<std::size_t>(joint.b)];
    const Bone& bar = b.is_ball() ? a : b;
    const Vec3 along = direction_of(bar);
    Vec3 place = joint.place;
    if (const Bone& ball = b.is_ball() ? b : a; ball.is_ball() && !bar.is_ball()) {
        const Vec3 inward = (0.5 * (bar.from + bar.to) - ball.from).normalized();
        place = ball.from + kBesideBall * ball.radius * inward;
    }
    // Where the strength is given any axes will do: what the impact bends about, if it bends.
    const Vec3 about = along.cross(impact_normal);
    PlasticSection section;
    section.weak_axis = about.norm() > kAcross ? about.normalized() : any_perpendicular(along);
    if (!(options.strength > 0)) {
        const Result<PlasticSection> cut = section_at(shape, place, along);
        if (!cut) return cut.error();
        section = cut.value();
    }
    auto [axes, moduli] = bar_section(section, along);
    Hinge hinge;
    // Of the two axes across, the one that the impact bends about comes first.
    if (std::abs(axes.col(1).dot(about)) > std::abs(axes.col(0).dot(about))) {
        const Vec3 first = axes.col(1), second = -axes.col(0);
        axes.col(0) = first;
        axes.col(1) = second;
        std::swap(moduli[0], moduli[1]);
    }
    hinge.frame = {Quat(axes), joint.place};
    hinge.desc.moment_limit = options.strength;
    if (!(options.strength > 0)) {
        hinge.desc.moment_limit = shape.material.yield_stress * moduli[0];
        hinge.desc.axis_strength = moduli / moduli[0];
    }
    hinge.desc.yield_impulse = options.yield_impulse;
    hinge.desc.hardening = options.hardening;
    hinge.desc.damping = options.damping;
    hinge.desc.angle_limit = options.angle_limit_deg * (kPi / 180.0);
    return hinge;
}

double default_blend_length(const BodyShape& shape, const JointedBody& skeleton,
                            const BonePlace& at) {
    const Bone& bone = skeleton.skeleton().bones[static_cast<std::size_t>(at.bone)];
    const Result<PlasticSection> section =
        section_at(shape, bone.place(at.along), direction_of(bone));
    // That of a rectangle of this area and modulus.
    const double width = section ? 4.0 * section.value().strong_modulus / section.value().area
                                 : kWidthPerSize * shape.size;
    return std::max(width, 2.0 * shape.edge);
}

}  // namespace ductile
