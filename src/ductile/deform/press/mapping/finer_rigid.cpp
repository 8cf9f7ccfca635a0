// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/geom/repair/split_edges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// A surface is made finer up to so many points, or to so many times its own.
constexpr std::size_t kMostPoints = 20000, kMostGrowth = 4;
// How near an overlap a crease takes part in it, in lengths.
constexpr double kNear = 1.0;

double longest_side(const PressSurface& surface, std::int32_t face) {
    const Triangle& t = surface.triangles[face];
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        longest = std::max(longest, (surface.points[t[k]] - surface.points[t[(k + 1) % 3]]).norm());
    }
    return longest;
}

/// Whether the face across a side falls away from this one by more than a crease's angle.
bool juts_out(const PressSurface& surface, std::int32_t face, int side) {
    const Triangle& t = surface.triangles[face];
    const std::int32_t from = t[side], to = t[(side + 1) % 3];
    const Vec3 own = area_vector(surface.points, t).normalized();
    for (const std::int32_t f : surface.faces[from]) {
        const Triangle& other = surface.triangles[f];
        for (int k = 0; k < 3; ++k) {
            if (other[k] != to || other[(k + 1) % 3] != from) continue;
            const Vec3 across = area_vector(surface.points, other).normalized();
            const Vec3& tip = surface.points[other[(k + 2) % 3]];
            if (across.dot(own) < kCreaseCosine && own.dot(tip - surface.points[from]) < 0) {
                return true;
            }
        }
    }
    return false;
}

/// Where an overlap is, as a box that holds what is inside and its curve, and a margin.
Box box_around(const PressSurface& soft, const PressOverlap& overlap, double margin) {
    Box box;
    for (const std::int32_t v : overlap.inside) box.add(soft.points[v]);
    for (const CurvePoint& p : overlap.curve) box.add(p.position);
    return {box.lower - Vec3::Constant(margin), box.upper + Vec3::Constant(margin)};
}

bool takes_part(const PressSurface& rigid, const PressOverlaps& found, const Box& near,
                std::int32_t a, std::int32_t b) {
    if (found.rigid_is_inside[a] || found.rigid_is_inside[b]) return true;
    if (first_crossing(found.crossings.of_second, a, b) < 1.0) return true;
    Box edge;
    edge.add(rigid.points[a]);
    edge.add(rigid.points[b]);
    return (edge.lower.array() <= near.upper.array()).all() &&
           (near.lower.array() <= edge.upper.array()).all();
}

}  // namespace

std::shared_ptr<const PreparedRigid> prepare_rigid(TriMesh mesh) {
    const auto rest = std::make_shared<const RestSurface>(std::move(mesh));
    return std::make_shared<const PreparedRigid>(PreparedRigid{
        rest, SurfaceQuery(rest->mesh().points, rest->mesh().triangles, TreeBuild::Quick),
        std::make_shared<RigidPlanes>(), std::make_shared<FinerRigids>()});
}

std::shared_ptr<const PreparedRigid> FinerRigids::find_or_make(const PreparedRigid& coarse,
                                                               double length) {
    // A power of two, so that soft bodies of about the same edges share one.
    const int power = std::ilogb(length);
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const PreparedRigid>& made = made_[power];
    if (made) return made;
    const std::span<const Vec3> points = coarse.query.points();
    TriMesh mesh{{points.begin(), points.end()}, coarse.rest->mesh().triangles};
    const std::size_t most = std::max(kMostPoints, kMostGrowth * points.size());
    while (true) {
        const std::vector<MeshEdge> edges = longer_edges(mesh, std::ldexp(1.0, power));
        if (edges.empty() || mesh.points.size() + edges.size() > most) break;
        mesh = split_edges(mesh, edges).mesh;
    }
    made = prepare_rigid(std::move(mesh));
    return made;
}

bool has_coarse_creases(const PressSurface& soft, const PressSurface& rigid,
                        const PressOverlaps& found, double length) {
    for (const PressOverlap& overlap : found.overlaps) {
        const Box near = box_around(soft, overlap, kNear * length);
        for (const std::int32_t f : overlap.under) {
            if (!(longest_side(rigid, f) > length)) continue;
            const Triangle& t = rigid.triangles[f];
            for (int k = 0; k < 3; ++k) {
                if (takes_part(rigid, found, near, t[k], t[(k + 1) % 3]) && juts_out(rigid, f, k)) {
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace ductile
