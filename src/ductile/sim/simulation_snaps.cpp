// SPDX-License-Identifier: MIT
// Bend, then snap: a joint that was turned further than the matter bears breaks along the faces of
// the pattern between what follows the bones on its two sides.
#include <ductile/core/joined_sets.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/simulation_object.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

double joint_angle(const JointMotion& joint) {
    return 2.0 * std::atan2(joint.turn.vec().norm(), std::abs(joint.turn.w()));
}

// The bones of a skeleton on the whole that an object is a part of: its pieces are the whole's.
JointedBody skeleton_of_whole(const FractureData& data, const BodyShape& own,
                              const Articulation& bend) {
    const BodyShape& whole = data.whole(own);
    return bend.skeleton_on(*whole.data<BendData>(), whole.rest());
}

}  // namespace

void Simulation::snap_bent() {
    std::vector<ObjectId> due;
    for (const auto& o : objects_) {
        const FractureData* data = o->breakable();
        if (!data || !o->is_bending() || !(data->options().snap_angle_deg > 0)) continue;
        due.push_back(o->id);
    }
    for (const ObjectId id : due) snap(object(id));
}

void Simulation::snap(Object& o) {
    const double limit = o.fracture->options().snap_angle_deg * (kPi / 180.0);
    const Skeleton& skeleton = o.bend->skeleton().skeleton();
    const std::vector<JointMotion> turns = o.bend->skeleton().joint_motions(o.journal, time_);
    std::vector<std::uint8_t> is_over(turns.size(), 0);
    std::size_t worst = 0;
    for (std::size_t j = 0; j < turns.size(); ++j) {
        is_over[j] = joint_angle(turns[j]) > limit;
        if (joint_angle(turns[j]) > joint_angle(turns[worst])) worst = j;
    }
    if (turns.empty() || !is_over[worst]) return;
    FractureHit hit;
    hit.position_b = skeleton.joints[worst].place;
    hit.radius = 0.0;
    const FractureData& data = scored_at(o, hit.position_b);
    const JointedBody whole = skeleton_of_whole(data, *o.base_shape, *o.bend);
    const BoneGroups sides = bone_groups(whole.skeleton(), is_over);
    std::vector<std::int32_t> side = data.score().piece_bones(whole.skeleton(), whole.weights());
    for (std::int32_t& s : side) s = sides.group[static_cast<std::size_t>(s)];
    hit.joints = data.glue_between(side, data.broken_glue(o.journal, time_));
    if (hit.joints.empty()) {
        // Of what snapped before the faces are broken, and all of its parts know that joint.
        const std::vector<CutJoint>& faces = data.score().cut().joints;
        const bool has_face = std::any_of(faces.begin(), faces.end(), [&](const CutJoint& face) {
            return side[face.pieces[0]] != side[face.pieces[1]];
        });
        if (!has_face && !std::exchange(o.cannot_snap, true)) {
            add_incident(o.name,
                         "a joint was turned too far, and no face of the pattern is there to "
                         "break: more cells along the bone would have one");
        }
        return;
    }
    for (const std::int32_t j : hit.joints) hit.area += data.score().cut().joints[j].area;
    if (write_break(o, data, std::move(hit))) ++report_.snaps;
}

// Gives a part the motion of what it has of each group: of one only, that of the group itself.
// Returns the groups.
std::vector<BodyId> Simulation::go_on_as_groups(const Object& o, const Object& part,
                                                const JointedBody& whole) {
    const Score& score = o.fracture->score();
    const std::vector<std::int32_t> bones = score.piece_bones(whole.skeleton(), whole.weights());
    const std::vector<Transform> turns = whole.turns(o.journal, time_);
    const Transform frame_w = engine_.motion(o.bodies[0]).pose_w;
    const MassProperties mass = engine_.mass(part.bodies[0]);
    const Vec3 centre = frame_w.point(mass.centre_b);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    std::vector<BodyId> from;
    for (const std::int32_t p : part.fracture->pieces()) {
        const std::int32_t bone = bones[static_cast<std::size_t>(p)];
        const GluePiece& piece = score.solver().pieces()[static_cast<std::size_t>(p)];
        const Transform pose_w = frame_w * turns[static_cast<std::size_t>(bone)];
        from.push_back(o.bend->body_of(bone));
        const BodyMotion m = engine_.motion(from.back());
        const Mat3 r = pose_w.rotation.toRotationMatrix();
        const Vec3 at = pose_w.point(piece.centre);
        const Vec3 push = piece.mass * (m.velocity_w + m.spin_w.cross(at - m.centre_w));
        linear += push;
        angular += (at - centre).cross(push) + r * piece.inertia * r.transpose() * m.spin_w;
    }
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    if (!(mass.mass > 0)) return from;
    Vec3 velocity = linear / mass.mass, spin = Vec3::Zero();
    if (from.size() == 1) {
        const BodyMotion m = engine_.motion(from[0]);
        velocity = m.velocity_w + m.spin_w.cross(centre - m.centre_w);
        spin = m.spin_w;
    } else {
        const Mat3 r = frame_w.rotation.toRotationMatrix();
        spin = (r * mass.inertia_b * r.transpose()).ldlt().solve(angular);
    }
    engine_.set_motion(part.bodies[0], frame_w, velocity, spin);
    return from;
}

// What the masses of parts differ by from those of the groups that they came of is given back to
// them, unless one of either stands fast.
void Simulation::go_on_as_groups(const Object& o, std::span<const ObjectId> parts) {
    const JointedBody whole = skeleton_of_whole(*o.fracture, *o.base_shape, *o.bend);
    std::vector<BodyId> ids = o.bodies;
    for (const ObjectId id : parts) ids.push_back(body(id));
    JoinedSets sets(ids.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
        for (const BodyId from : go_on_as_groups(o, object(parts[k]), whole)) {
            const auto group = std::find(o.bodies.begin(), o.bodies.end(), from);
            sets.join(static_cast<std::int32_t>(o.bodies.size() + k),
                      static_cast<std::int32_t>(group - o.bodies.begin()));
        }
    }
    const SetNumbers numbers = numbered(sets);
    for (std::int32_t set = 0; set < numbers.count; ++set) {
        std::vector<FormerBody> former;
        std::vector<BodyId> now;
        bool is_free = true;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            if (numbers.number[k] != set) continue;
            is_free = is_free && engine_.mass(ids[k]).mass > 0;
            if (k < o.bodies.size()) {
                former.push_back({engine_.mass(ids[k]), engine_.motion(ids[k])});
            } else {
                now.push_back(ids[k]);
            }
        }
        if (is_free && !now.empty()) take_over_momentum(engine_, former, now);
    }
}

}  // namespace ductile
