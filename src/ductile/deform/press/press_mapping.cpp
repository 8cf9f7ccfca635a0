// SPDX-License-Identifier: MIT
// Section 3.2 of Brunel et al. 2020. The seed wants both regions parametrised by hand; here they
// are found around the overlap and laid flat anew for every frame.
#include <ductile/deform/press/press_mapping.h>
#include <ductile/geom/flatten_patch.h>
#include <ductile/geom/triangle.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Faces that meet at a sharper angle have normals of their own: a box's sides stay flat.
constexpr double kCreaseCosine = 0.7071;

/// The triangles that `is_wanted` names, as a mesh of its own.
struct SubMesh {
    std::vector<std::int32_t> vertices;  ///< Ascending.
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
};

SubMesh sub_mesh(const PressSurface& surface, std::span<const std::int32_t> triangles) {
    SubMesh sub;
    for (const std::int32_t f : triangles) {
        for (const std::int32_t v : surface.triangles[f]) sub.vertices.push_back(v);
    }
    std::sort(sub.vertices.begin(), sub.vertices.end());
    sub.vertices.erase(std::unique(sub.vertices.begin(), sub.vertices.end()), sub.vertices.end());
    for (const std::int32_t v : sub.vertices) sub.points.push_back(surface.points[v]);
    const auto local = [&](std::int32_t v) {
        const auto at = std::lower_bound(sub.vertices.begin(), sub.vertices.end(), v);
        return static_cast<std::int32_t>(at - sub.vertices.begin());
    };
    for (const std::int32_t f : triangles) {
        const Triangle& t = surface.triangles[f];
        sub.triangles.push_back({local(t[0]), local(t[1]), local(t[2])});
    }
    return sub;
}

std::vector<std::int32_t> faces_around(const PressSurface& surface,
                                       std::span<const std::int32_t> vertices) {
    std::vector<std::int32_t> faces;
    for (const std::int32_t v : vertices) {
        const auto of = surface.faces.of(v);
        faces.insert(faces.end(), of.begin(), of.end());
    }
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    return faces;
}

Vec3 corner_normal(const PressSurface& surface, std::int32_t face, int corner) {
    const Vec3 own = area_vector(surface.points, surface.triangles[face]).normalized();
    const std::int32_t v = surface.triangles[face][corner];
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t f : surface.faces.of(v)) {
        const Triangle& t = surface.triangles[f];
        const Vec3 normal = area_vector(surface.points, t).normalized();
        if (!(normal.dot(own) > kCreaseCosine)) continue;
        const int k = t[0] == v ? 0 : t[1] == v ? 1 : 2;
        const Vec3 a = surface.points[t[(k + 1) % 3]] - surface.points[v];
        const Vec3 b = surface.points[t[(k + 2) % 3]] - surface.points[v];
        sum += std::atan2(a.cross(b).norm(), a.dot(b)) * normal;
    }
    return sum.norm() > 0 ? Vec3(sum.normalized()) : own;
}

std::vector<Vec3> on_plane(std::span<const Vec2> flat) {
    std::vector<Vec3> points;
    for (const Vec2& p : flat) points.emplace_back(p.x(), p.y(), 0.0);
    return points;
}

/// Takes one plane to another.
struct AffineMap {
    Eigen::Matrix2d linear;
    Vec2 from, to;  ///< A place and where it goes.
    Vec2 operator()(const Vec2& q) const { return to + linear * (q - from); }
};

/// The one that comes nearest in the sense of least squares. About the means it is a matrix of two
/// by two, so a far origin costs no digits.
Result<AffineMap> fit_affine(std::span<const Vec2> from, std::span<const Vec2> to) {
    AffineMap map{Eigen::Matrix2d::Identity(), Vec2::Zero(), Vec2::Zero()};
    const auto count = static_cast<double>(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        map.from += from[i] / count;
        map.to += to[i] / count;
    }
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero(), both = Eigen::Matrix2d::Zero();
    for (std::size_t i = 0; i < from.size(); ++i) {
        spread += (from[i] - map.from) * (from[i] - map.from).transpose();
        both += (to[i] - map.to) * (from[i] - map.from).transpose();
    }
    const double det = spread.determinant();
    if (from.size() < 3 || !(det > 1e-12 * spread.squaredNorm())) {
        return Error{"the curve of contact is too short to tell a map from", "",
                     "a finer soft mesh helps"};
    }
    map.linear = both * spread.inverse();
    return map;
}

}  // namespace

Result<PressMapping::RigidPatch> PressMapping::make_patch(const PressSurface& rigid,
                                                          std::vector<std::int32_t> triangles) {
    SubMesh sub = sub_mesh(rigid, triangles);
    Result<std::vector<Vec2>> flat = flatten_patch(sub.points, sub.triangles);
    if (!flat) return Error{"the rigid side: " + flat.error().what, "", flat.error().hint};
    RigidPatch patch{std::move(sub.points),
                     std::move(flat.value()),
                     std::move(sub.triangles),
                     std::move(triangles),
                     {}};
    for (const std::int32_t f : patch.source) {
        patch.normals.push_back(
            {corner_normal(rigid, f, 0), corner_normal(rigid, f, 1), corner_normal(rigid, f, 2)});
    }
    return patch;
}

Result<PressMapping::RigidPatch> PressMapping::find_patch(
    const PressSurface& soft, const PressSurface& rigid, const PressOverlap& overlap,
    std::span<const std::uint8_t> rigid_is_inside) {
    std::vector<std::int32_t> core, open;
    for (const CurvePoint& p : overlap.curve) core.push_back(p.rigid_triangle);
    std::vector<std::uint8_t> is_reached(rigid.points.size(), 0);
    const auto reach = [&](std::int32_t v) {
        if (!rigid_is_inside[v] || is_reached[v]) return;
        is_reached[v] = 1;
        open.push_back(v);
    };
    for (const CurvePoint& p : overlap.curve) {
        for (const std::int32_t v : rigid.triangles[p.rigid_triangle]) reach(v);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const std::int32_t w : rigid.graph.of(open[i])) reach(w);
    }
    const std::vector<std::int32_t> inner = faces_around(rigid, open);
    core.insert(core.end(), inner.begin(), inner.end());
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());

    // Neighbours of the overlap's vertices map to just beyond it: a margin of the soft mesh's edges
    // keeps them on the patch, where it can still be laid flat.
    const SubMesh sub = sub_mesh(rigid, core);
    const std::vector<double> distance =
        edge_distances(rigid.points, rigid.graph, sub.vertices, 2.0 * soft.edge);
    std::vector<std::int32_t> near;
    for (std::size_t v = 0; v < distance.size(); ++v) {
        if (distance[v] < kInfinity) near.push_back(static_cast<std::int32_t>(v));
    }
    Result<RigidPatch> wide = make_patch(rigid, faces_around(rigid, near));
    return wide ? std::move(wide) : make_patch(rigid, core);
}

PressMapping::PressMapping(std::vector<std::int32_t> points, std::vector<Vec2> flat,
                           RigidPatch patch)
    : points_(std::move(points)),
      flat_(std::move(flat)),
      patch_(std::move(patch)),
      plane_(on_plane(patch_.flat), patch_.triangles) {}

Result<PressMapping> PressMapping::make(const PressSurface& soft, const PressSurface& rigid,
                                        const PressOverlap& overlap,
                                        std::span<const std::uint8_t> rigid_is_inside) {
    const SubMesh sub = sub_mesh(soft, faces_around(soft, overlap.inside));
    const Result<std::vector<Vec2>> soft_flat = flatten_patch(sub.points, sub.triangles);
    if (!soft_flat) {
        return Error{"the soft side: " + soft_flat.error().what, "", soft_flat.error().hint};
    }
    Result<RigidPatch> patch = find_patch(soft, rigid, overlap, rigid_is_inside);
    if (!patch) return patch.error();
    const auto local = [&](std::int32_t v) {
        const auto at = std::lower_bound(sub.vertices.begin(), sub.vertices.end(), v);
        return static_cast<std::int32_t>(at - sub.vertices.begin());
    };
    const RigidPatch& under = patch.value();
    std::vector<RealClaim> claims;
    std::vector<Vec2> from, to;
    for (const CurvePoint& p : overlap.curve) {
        const auto at =
            std::lower_bound(under.source.begin(), under.source.end(), p.rigid_triangle);
        if (at == under.source.end() || *at != p.rigid_triangle) continue;
        const Triangle& t = under.triangles[at - under.source.begin()];
        Vec2 q = Vec2::Zero(), r = Vec2::Zero();
        RealClaim claim = p.soft;
        for (int k = 0; k < 3; ++k) {
            claim.points[k] = local(claim.points[k]);
            q += claim.weights[k] * soft_flat.value()[claim.points[k]];
            r += p.rigid_weights[k] * under.flat[t[k]];
        }
        claims.push_back(claim);
        from.push_back(q);
        to.push_back(r);
    }
    const auto affine = fit_affine(from, to);
    if (!affine) return affine.error();
    const AffineMap& place = affine.value();

    const auto n = static_cast<Eigen::Index>(sub.points.size());
    Eigen::MatrixXd errors(static_cast<Eigen::Index>(claims.size()), 2);
    for (std::size_t c = 0; c < claims.size(); ++c) {
        errors.row(static_cast<Eigen::Index>(c)) = (to[c] - place(from[c])).transpose();
    }
    const auto laplacian = cotangent_laplacian(sub.points.size(), sub.triangles,
                                               half_cotangents(sub.points, sub.triangles));
    const std::vector<std::uint8_t> none(sub.points.size(), 0);
    const auto solver = SmoothSolver<double>::make(laplacian, none, claims, kClaimWeight);
    if (!solver) return solver.error();
    const Eigen::MatrixXd field = solver.value().solve(Eigen::MatrixXd::Zero(n, 2), errors);
    std::vector<Vec2> flat;
    for (Eigen::Index v = 0; v < n; ++v) {
        flat.push_back(place(soft_flat.value()[v]) + field.row(v).transpose());
    }
    return PressMapping(sub.vertices, std::move(flat), std::move(patch.value()));
}

std::int32_t PressMapping::place(std::int32_t vertex) const {
    const auto at = std::lower_bound(points_.begin(), points_.end(), vertex);
    return at != points_.end() && *at == vertex ? static_cast<std::int32_t>(at - points_.begin())
                                                : -1;
}

RigidPlace PressMapping::lift(const Vec2& flat) const {
    const SurfacePoint hit = plane_.closest_point({flat.x(), flat.y(), 0.0});
    const Triangle& t = patch_.triangles[hit.triangle];
    RigidPlace place;
    Vec3 normal = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        place.position += hit.barycentric[k] * patch_.points[t[k]];
        normal += hit.barycentric[k] * patch_.normals[hit.triangle][k];
    }
    place.normal = normal.norm() > 0 ? Vec3(normal.normalized()) : patch_.normals[hit.triangle][0];
    return place;
}

}  // namespace ductile
