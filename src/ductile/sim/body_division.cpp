// SPDX-License-Identifier: MIT
#include <ductile/sim/body_division.h>

#include <algorithm>

namespace ductile {
namespace {

// All that stands fast does so together.
BoneGroups groups_with_anchor(const Skeleton& skeleton, std::span<const std::uint8_t> is_awake) {
    BoneGroups groups = bone_groups(skeleton, is_awake);
    std::int32_t fast = -1;
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        if (!skeleton.bones[b].is_anchored) continue;
        if (fast < 0) fast = groups.group[b];
        const std::int32_t other = groups.group[b];
        for (std::int32_t& g : groups.group) g = g == other ? fast : g;
    }
    std::vector<std::int32_t> number(static_cast<std::size_t>(groups.count), -1);
    groups.count = 0;
    for (std::int32_t& g : groups.group) {
        std::int32_t& n = number[static_cast<std::size_t>(g)];
        if (n < 0) n = groups.count++;
        g = n;
    }
    return groups;
}

}  // namespace

Result<BodyDivision> divide_body(const BentBody& body, const JointedBody& skeleton,
                                 std::span<const std::uint8_t> is_awake, const WokenBody& woken) {
    BodyDivision out;
    out.bones = groups_with_anchor(skeleton.skeleton(), is_awake);
    out.triangles = triangle_bones(body.shape.triangles(), skeleton.weights());
    for (std::int32_t& t : out.triangles) t = out.bones.group[static_cast<std::size_t>(t)];
    const auto group = [&](std::int32_t b) { return out.bones.group[static_cast<std::size_t>(b)]; };
    std::vector<SeamJoint> joints;
    for (std::size_t j = 0; j < is_awake.size(); ++j) {
        const SkeletonJoint& joint = skeleton.skeleton().joints[j];
        if (!is_awake[j]) continue;
        joints.push_back({woken.turns[static_cast<std::size_t>(joint.a)].point(joint.place),
                          group(joint.a), group(joint.b)});
    }
    GroupedSurface surface;
    surface.points = woken.points;
    surface.triangles = body.shape.triangles();
    surface.neighbours = skeleton.data().neighbours();
    surface.group = out.triangles;
    surface.group_count = out.bones.count;
    surface.model = body.shape.mass_model;
    surface.is_sheet = body.shape.asset->is_sheet;
    surface.joints = joints;
    Result<GroupMasses> masses = group_masses(surface);
    if (!masses) return masses.error();
    out.masses = std::move(masses.value().groups);
    out.notes = std::move(masses.value().notes);
    surface.points = body.state.points();
    out.pieces = group_pieces(body.shape.pieces, body.cut, surface);
    return out;
}

std::vector<ColliderPiece> part_colliders(const BentBody& body, const BodyDivision& parts,
                                          std::int32_t group, const Transform& by) {
    std::vector<ColliderPiece> out;
    const std::span<const Vec3> points = body.state.points();
    for (const std::int32_t id : parts.pieces[static_cast<std::size_t>(group)]) {
        ColliderPiece& piece = out.emplace_back(ColliderPiece{id, {}});
        piece_points(body.shape.pieces.pieces[static_cast<std::size_t>(id)], points, piece.points,
                     body.state.frames());
    }
    if (out.empty()) {
        std::vector<std::int32_t> own;
        for (std::size_t f = 0; f < parts.triangles.size(); ++f) {
            if (parts.triangles[f] != group) continue;
            const Triangle& t = body.shape.triangles()[f];
            own.insert(own.end(), t.begin(), t.end());
        }
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        const auto beyond = static_cast<std::int32_t>(body.shape.pieces.pieces.size());
        ColliderPiece& piece = out.emplace_back(ColliderPiece{beyond + group, {}});
        for (const std::int32_t v : own)
            piece.points.push_back(points[static_cast<std::size_t>(v)]);
    }
    for (ColliderPiece& piece : out) {
        for (Vec3& p : piece.points) p = by.point(p);
    }
    return out;
}

std::vector<ColliderPiece> whole_colliders(const BentBody& body) {
    std::vector<ColliderPiece> out;
    for (const std::int32_t id : body.cut.active) {
        piece_points(body.shape.pieces.pieces[static_cast<std::size_t>(id)], body.state.points(),
                     out.emplace_back(ColliderPiece{id, {}}).points, body.state.frames());
    }
    return out;
}

std::vector<std::int32_t> piece_ids(std::span<const ColliderPiece> pieces) {
    std::vector<std::int32_t> ids;
    for (const ColliderPiece& piece : pieces) ids.push_back(piece.id);
    return ids;
}

}  // namespace ductile
