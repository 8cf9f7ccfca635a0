// SPDX-License-Identifier: MIT
// Objects that move as several bodies for a while.
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/object_parts.h>
#include <ductile/sim/simulation_object.h>

namespace ductile {
void Simulation::split(Object& o, const SplitBody& request) {
    if (o.is_split()) merge(o);
    if (o.is_split()) return;  // told of already
    const std::size_t count = part_count(request.part_of_point);
    if (request.part_of_point.size() != o.shape->rest().size() || count < 2) {
        add_incident(o.name, "a split needs a part per surface point, and at least two parts");
        return;
    }
    for (const PartJoint& joint : request.joints) {
        const auto last = static_cast<std::int32_t>(count) - 1;
        if (joint.a < 0 || joint.b < 0 || joint.a > last || joint.b > last || joint.a == joint.b) {
            add_incident(o.name, "a joint of a split names parts that are not there");
            return;
        }
    }
    o.catch_up();
    const double mass = engine_.mass(o.bodies[0]).mass;
    const Result<std::vector<MassProperties>> masses =
        part_masses(o.shape->triangles(), o.state->points(), request.part_of_point, mass);
    if (!masses) {
        add_incident(o.name, "it cannot be split: " + masses.error().text());
        return;
    }
    std::vector<PartDesc> parts(count);
    for (std::size_t k = 0; k < count; ++k) {
        BodyDesc& desc = parts[k].body;
        desc = o.desc;
        desc.name = o.name;
        desc.mass = masses.value()[k];
        desc.collider = PieceCollider{{}, o.margin};
    }
    for (const std::int32_t piece : o.cut.active) {
        const std::int32_t part = part_of_piece(
            o.shape->pieces.pieces[static_cast<std::size_t>(piece)], request.part_of_point);
        std::get<PieceCollider>(parts[static_cast<std::size_t>(part)].body.collider)
            .pieces.push_back(o.cloud(piece));
    }
    const Transform frame_w = engine_.motion(o.bodies[0]).pose_w;
    const double before = kinetic_energy(engine_, o.bodies);
    const Result<std::vector<BodyId>> bodies = split_body(engine_, o.bodies[0], parts);
    if (!bodies) {
        add_incident(o.name, "it cannot be split: " + bodies.error().text());
        return;
    }
    clear_slots(o);
    o.bodies = bodies.value();
    o.inertia_excess.clear();
    o.part_of_point = request.part_of_point;
    set_slots(o);
    if (book_exchange(engine_, o.bodies, before, ledger_)) {
        add_incident(o.name, "its split would have added energy: its parts were slowed");
    }
    for (const PartJoint& joint : request.joints) {
        JointDesc desc;
        desc.a = o.bodies[static_cast<std::size_t>(joint.a)];
        desc.b = o.bodies[static_cast<std::size_t>(joint.b)];
        desc.frame_w = {frame_w.rotation, frame_w.point(joint.position_b)};
        desc.force_limit = joint.force_limit;
        desc.moment_limit = joint.moment_limit;
        const Result<JointId> made = engine_.add_joint(desc);
        if (made) {
            o.joints.push_back(made.value());
        } else {
            add_incident(o.name, "its parts are not tied: " + made.error().text());
        }
    }
}

void Simulation::merge(Object& o) {
    if (!o.is_split()) return;
    BodyDesc whole = o.desc;
    const Result<MassProperties> mass = o.weigh();
    if (mass) whole.mass = mass.value();
    whole.mass.inertia_b *= o.shape->mass.mass / whole.mass.mass;
    whole.mass.mass = o.shape->mass.mass;
    whole.pose_w = engine_.motion(o.bodies[0]).pose_w;
    PieceCollider collider;
    collider.margin = o.margin;
    for (const std::int32_t piece : o.cut.active) collider.pieces.push_back(o.cloud(piece));
    whole.collider = std::move(collider);
    for (const JointId joint : o.joints) engine_.remove_joint(joint);
    const double before = kinetic_energy(engine_, o.bodies);
    const Result<BodyId> body = merge_bodies(engine_, o.bodies, std::move(whole));
    if (!body) {
        add_incident(o.name, "its parts cannot be made one: " + body.error().text());
        return;
    }
    clear_slots(o);
    o.bodies = {body.value()};
    o.inertia_excess.clear();
    o.joints.clear();
    o.part_of_point.clear();
    set_slots(o);
    if (book_exchange(engine_, o.bodies, before, ledger_)) {
        add_incident(o.name, "its merge would have added energy: it was slowed");
    }
}

}  // namespace ductile
