// SPDX-License-Identifier: MIT
// Bodies exchanged for others, momentum kept: sums over parts, and the residual given back as a
// common velocity and a common spin about the parts' own centre of mass, which disturb nothing
// else.
#include <ductile/engine/engine.h>

namespace ductile {

namespace {

// More than this share of the mass missing or added is not rounding of a cut but a mistake.
constexpr double kMassShare = 0.01;

struct Momentum {
    Vec3 linear = Vec3::Zero();   ///< [N s]
    Vec3 angular = Vec3::Zero();  ///< About the reference point [N m s].

    void add(const Momentum& m) {
        linear += m.linear;
        angular += m.angular;
    }
};

Mat3 inertia_w(const MassProperties& mass, const Transform& pose) {
    const Mat3 r = pose.rotation.toRotationMatrix();
    return r * mass.inertia_b * r.transpose();
}

Momentum momentum(const MassProperties& mass, const BodyMotion& motion, const Vec3& about) {
    const Vec3 linear = mass.mass * motion.velocity_w;
    return {linear, (motion.centre_w - about).cross(linear) +
                        inertia_w(mass, motion.pose_w) * motion.spin_w};
}

Mat3 point_inertia(double mass, const Vec3& r) {
    return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

/// Gives what parts lack of the momentum of others back to them, about their own centre.
void give_back(std::span<const FormerBody> others, std::span<const MassProperties> parts,
               std::span<BodyMotion> motions) {
    double mass = 0.0;
    Vec3 centre = Vec3::Zero();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        mass += parts[i].mass;
        centre += parts[i].mass * motions[i].centre_w;
    }
    centre /= mass;
    Momentum sum;
    Mat3 inertia = Mat3::Zero();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const MassProperties& part = parts[i];
        sum.add(momentum(part, motions[i], centre));
        inertia += inertia_w(part, motions[i].pose_w) +
                   point_inertia(part.mass, motions[i].centre_w - centre);
    }
    Momentum wanted;
    for (const FormerBody& other : others) wanted.add(momentum(other.mass, other.motion, centre));
    const Vec3 velocity = (wanted.linear - sum.linear) / mass;
    const Vec3 spin = inertia.ldlt().solve(wanted.angular - sum.angular);
    for (BodyMotion& m : motions) {
        m.velocity_w += velocity + spin.cross(m.centre_w - centre);
        m.spin_w += spin;
    }
}

/// Moves the parts on with the whole.
std::vector<BodyMotion> share_motion(const MassProperties& whole_mass, const BodyMotion& whole,
                                     std::span<const MassProperties> parts) {
    std::vector<BodyMotion> motions;
    for (const MassProperties& part : parts) {
        BodyMotion m;
        m.pose_w = whole.pose_w;
        m.centre_w = whole.pose_w.point(part.centre_b);
        m.spin_w = whole.spin_w;
        m.velocity_w = whole.velocity_w + whole.spin_w.cross(m.centre_w - whole.centre_w);
        motions.push_back(m);
    }
    const FormerBody former{whole_mass, whole};
    give_back(std::span(&former, 1), parts, motions);
    return motions;
}

Status check_parts(const MassProperties& whole, std::span<const PartDesc> parts) {
    if (parts.empty()) return Error{"a body must fall into at least one part", "", ""};
    double mass = 0.0;
    for (const PartDesc& part : parts) {
        if (part.body.motion != Motion::Dynamic) {
            return Error{"a part of a body must be Dynamic", part.body.name, ""};
        }
        if (Status status = check_mass(part.body.mass); !status) return status;
        mass += part.body.mass.mass;
    }
    if (!(std::abs(mass - whole.mass) <= kMassShare * whole.mass)) {
        return Error{"the parts' mass is not the whole's", "", "it may differ by 1 %"};
    }
    return {};
}

}  // namespace

Result<std::vector<BodyId>> split_body(Engine& engine, BodyId whole,
                                       std::span<const PartDesc> parts) {
    if (!engine.has(whole)) return Error{"no such body", "", ""};
    const MassProperties mass = engine.mass(whole);
    if (!(mass.mass > 0)) return Error{"only a Dynamic body can be split", "", ""};
    if (Status status = check_parts(mass, parts); !status) return status.error();
    std::vector<MassProperties> masses;
    for (const PartDesc& part : parts) masses.push_back(part.body.mass);
    const std::vector<BodyMotion> motions = share_motion(mass, engine.motion(whole), masses);
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        BodyDesc desc = parts[i].body;
        desc.pose_w = motions[i].pose_w;
        desc.velocity_w = motions[i].velocity_w;
        desc.spin_w = motions[i].spin_w;
        Result<BodyId> id = engine.add(desc);
        if (!id) {
            for (const BodyId added : ids) engine.remove(added);
            return id.error();
        }
        ids.push_back(id.value());
    }
    engine.remove(whole);
    return ids;
}

void go_on_as(Engine& engine, const MassProperties& whole_mass, const BodyMotion& whole,
              std::span<const BodyId> parts) {
    std::vector<MassProperties> masses;
    for (const BodyId id : parts) masses.push_back(engine.mass(id));
    const std::vector<BodyMotion> motions = share_motion(whole_mass, whole, masses);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        engine.set_motion(parts[i], whole.pose_w, motions[i].velocity_w, motions[i].spin_w);
    }
}

void take_over_momentum(Engine& engine, std::span<const FormerBody> others,
                        std::span<const BodyId> bodies) {
    std::vector<MassProperties> masses;
    std::vector<BodyMotion> motions;
    for (const BodyId id : bodies) {
        masses.push_back(engine.mass(id));
        motions.push_back(engine.motion(id));
    }
    give_back(others, masses, motions);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        engine.set_motion(bodies[i], motions[i].pose_w, motions[i].velocity_w, motions[i].spin_w);
    }
}

Result<BodyId> merge_bodies(Engine& engine, std::span<const BodyId> parts, BodyDesc whole) {
    if (parts.empty()) return Error{"there is nothing to merge", whole.name, ""};
    if (whole.motion != Motion::Dynamic) {
        return Error{"bodies merge into a Dynamic one", whole.name, ""};
    }
    if (Status status = check_mass(whole.mass); !status) return status.error();
    const Vec3 centre = whole.pose_w.point(whole.mass.centre_b);
    Momentum sum;
    for (const BodyId id : parts) {
        if (!engine.has(id)) return Error{"a body to merge is not there", whole.name, ""};
        sum.add(momentum(engine.mass(id), engine.motion(id), centre));
    }
    whole.velocity_w = sum.linear / whole.mass.mass;
    whole.spin_w = inertia_w(whole.mass, whole.pose_w).ldlt().solve(sum.angular);
    Result<BodyId> id = engine.add(whole);
    if (!id) return id;
    for (const BodyId part : parts) engine.remove(part);
    return id;
}

Result<std::vector<BodyId>> part_body(Engine& engine, BodyId whole, Reshape kept,
                                      std::span<const PartDesc> others) {
    if (!engine.has(whole)) return Error{"no such body", "", ""};
    const BodyMotion motion = engine.motion(whole);
    std::vector<BodyId> ids;
    const auto take_back = [&](const Error& problem) {
        for (const BodyId added : ids) engine.remove(added);
        return problem;
    };
    for (const PartDesc& part : others) {
        BodyDesc desc = part.body;
        desc.motion = Motion::Dynamic;
        if (!desc.part_of.is_valid()) desc.part_of = whole;
        desc.pose_w = motion.pose_w;
        desc.spin_w = motion.spin_w;
        const Vec3 arm = motion.pose_w.point(desc.mass.centre_b) - motion.centre_w;
        desc.velocity_w = motion.velocity_w + motion.spin_w.cross(arm);
        const Result<BodyId> id = engine.add(desc);
        if (!id) return take_back(id.error());
        ids.push_back(id.value());
    }
    kept.takes_mass = true;
    if (const Result<double> changed = engine.reshape(whole, kept); !changed) {
        return take_back(changed.error());
    }
    return ids;
}

Status rejoin_body(Engine& engine, BodyId kept, std::span<const BodyId> parts, Reshape whole) {
    if (!engine.has(kept)) return Error{"a body to merge is not there", "", ""};
    const Vec3 about = engine.motion(kept).centre_w;
    Momentum sum;
    double all = 0.0;
    Vec3 centre = Vec3::Zero();  // times their mass, from there
    const auto add = [&](BodyId id) {
        const MassProperties mass = engine.mass(id);
        const BodyMotion motion = engine.motion(id);
        sum.add(momentum(mass, motion, about));
        all += mass.mass;
        centre += mass.mass * (motion.centre_w - about);
    };
    for (const BodyId id : parts) {
        if (!engine.has(id)) return Error{"a body to merge is not there", "", ""};
        add(id);
    }
    add(kept);
    whole.takes_mass = true;
    if (const Result<double> changed = engine.reshape(kept, whole); !changed) {
        return changed.error();
    }
    for (const BodyId id : parts) engine.remove(id);
    const MassProperties mass = engine.mass(kept);
    if (!(mass.mass > 0)) return {};
    const BodyMotion now = engine.motion(kept);
    // About the centre that they had. That of the whole may be another: shapes are only about what
    // bodies are; taken about that, a common drift would turn it.
    const Vec3 about_centre = sum.angular - (centre / all).cross(sum.linear);
    engine.set_motion(kept, now.pose_w, sum.linear / mass.mass,
                      inertia_w(mass, now.pose_w).ldlt().solve(about_centre));
    return {};
}

}  // namespace ductile
