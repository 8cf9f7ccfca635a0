// SPDX-License-Identifier: MIT
// Bodies exchanged for others, momentum kept: sums over parts, and the residual given back as a
// common velocity and a common spin about the parts' own centre of mass, which disturb nothing
// else.
#include <ductile/engine/engine.h>

#include <algorithm>

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

/// Bodies that are about to be one.
struct Together {
    double mass = 0.0;
    Vec3 centre = Vec3::Zero();   ///< Their common one [m].
    Mat3 inertia = Mat3::Zero();  ///< About it, in the world's axes [kg m^2].
    Momentum momentum;            ///< About it.
    double energy = 0.0;          ///< Of all that is not their common velocity [J].

    Together(const Engine& engine, std::span<const BodyId> ids) {
        for (const BodyId id : ids) {
            mass += engine.mass(id).mass;
            centre += engine.mass(id).mass * engine.motion(id).centre_w;
        }
        if (!(mass > 0)) return;
        centre /= mass;
        for (const BodyId id : ids) {
            const MassProperties own = engine.mass(id);
            const BodyMotion m = engine.motion(id);
            if (!(own.mass > 0)) continue;
            const Mat3 turning = inertia_w(own, m.pose_w);
            inertia += turning + point_inertia(own.mass, m.centre_w - centre);
            momentum.add(ductile::momentum(own, m, centre));
            energy +=
                0.5 * (own.mass * m.velocity_w.squaredNorm() + m.spin_w.dot(turning * m.spin_w));
        }
        energy -= 0.5 * momentum.linear.squaredNorm() / mass;
    }

    /// How a body of this mass turns with their angular momentum. One that is quicker to turn than
    /// they were together would have more energy than they had: its inertia is raised by as much,
    /// which costs no momentum.
    Vec3 spin_of(MassProperties& whole, const Transform& pose) const {
        const Vec3 spin = inertia_w(whole, pose).ldlt().solve(momentum.angular);
        const double needed = 0.5 * momentum.angular.dot(spin);
        const double room =
            std::max(energy, 0.5 * momentum.angular.dot(inertia.ldlt().solve(momentum.angular)));
        if (!(needed > room) || !(room > 0)) return spin;
        whole.inertia_b *= needed / room;
        return spin * (room / needed);
    }
};

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
    for (const BodyId id : parts) {
        if (!engine.has(id)) return Error{"a body to merge is not there", whole.name, ""};
    }
    const Together together(engine, parts);
    if (together.mass > 0) {
        whole.pose_w.translation += together.centre - whole.pose_w.point(whole.mass.centre_b);
        whole.velocity_w = together.momentum.linear / whole.mass.mass;
        whole.spin_w = together.spin_of(whole.mass, whole.pose_w);
    }
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
    std::vector<BodyId> all(parts.begin(), parts.end());
    all.push_back(kept);
    for (const BodyId id : all) {
        if (!engine.has(id)) return Error{"a body to merge is not there", "", ""};
    }
    const bool can_move = engine.mass(kept).mass > 0;
    const Together together(engine, all);
    MassProperties mass = whole.mass != nullptr ? *whole.mass : engine.mass(kept);
    Vec3 spin = Vec3::Zero();
    if (can_move) spin = together.spin_of(mass, engine.motion(kept).pose_w);
    whole.takes_mass = true;
    if (whole.mass != nullptr) whole.mass = &mass;
    if (const Result<double> changed = engine.reshape(kept, whole); !changed) {
        return changed.error();
    }
    for (const BodyId id : parts) engine.remove(id);
    if (!can_move) return {};
    // Shapes are only about what bodies are: where the whole's centre is another one, its frame
    // goes there, as no motion within a body moves its centre.
    const BodyMotion now = engine.motion(kept);
    Transform pose = now.pose_w;
    pose.translation += together.centre - now.centre_w;
    engine.set_motion(kept, pose, together.momentum.linear / engine.mass(kept).mass, spin);
    return {};
}

MassProperties joined_mass(const Engine& engine, std::span<const BodyId> bodies,
                           const Transform& frame_w) {
    const Together together(engine, bodies);
    const Mat3 r = frame_w.rotation.toRotationMatrix();
    return {together.mass, frame_w.inverse_point(together.centre),
            r.transpose() * together.inertia * r};
}

}  // namespace ductile
