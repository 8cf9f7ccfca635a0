// SPDX-License-Identifier: MIT
// Section 3.2 of Brunel et al. 2020, which wants both regions parametrised by hand, fits an affine
// map between the planes to the curve of contact and spreads what it leaves as a harmonic field.
// Here the soft region is laid out in the rigid plane at once: as rigid as possible (Liu et al.
// 2008) but for one scale, the curve being a least squares claim. An affine map stays one where the
// soft region can be unrolled (all its triangles are turned alike, and what is left is harmonic);
// where it cannot, the paper's sum depends on how the soft plane was made, and this does not.
#include <ductile/core/index_set.h>
#include <ductile/deform/press/press_mapping.h>
#include <ductile/geom/flatten_patch.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr int kRounds = 4;
// Of the soft mesh's edges. No round number, so that regular meshes seldom have a vertex at it.
constexpr double kPlaneMargin = 2.0717;
// A triangle that the curve all but cuts off still holds on to the others by this share.
constexpr double kLeastShare = 0.02;
// How many times larger than what the curve encloses a soft region may be and keep its proportions
// in the plane; from the second number on it is spread as a harmonic field, which a stocking on a
// disc needs so as not to fold.
constexpr double kRigidUpTo = 3.0, kHarmonicFrom = 6.0;

/// The soft triangles that an overlap reaches, as a mesh of its own.
struct SoftPatch {
    std::vector<std::int32_t> vertices;  ///< Of the soft surface, ascending.
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;      ///< Into `points`.
    std::vector<double> shares;           ///< Per triangle: what part of it the curve encloses.
    std::vector<std::uint8_t> is_inside;  ///< Per point.
    double area = 0.0;                    ///< Enclosed by the curve [m^2].

    std::int32_t local(std::int32_t v) const {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), v);
        return at != vertices.end() && *at == v ? static_cast<std::int32_t>(at - vertices.begin())
                                                : -1;
    }
};

/// Where the curve leaves each soft edge, seen from its end inside.
class EdgeCuts {
public:
    explicit EdgeCuts(const PressOverlap& overlap) {
        for (const CurvePoint& p : overlap.curve) {
            if (p.soft.points[2] != p.soft.points[0]) continue;
            cuts_.push_back({p.soft.points[0], p.soft.points[1], p.soft.weights[1]});
        }
        std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) {
            return std::tie(a.low, a.high, a.along) < std::tie(b.low, b.high, b.along);
        });
    }

    double first(std::int32_t inner, std::int32_t outer) const {
        const std::pair edge(std::min(inner, outer), std::max(inner, outer));
        auto at = std::lower_bound(
            cuts_.begin(), cuts_.end(), edge,
            [](const Cut& c, const auto& e) { return std::pair(c.low, c.high) < e; });
        double least = 1.0;
        for (; at != cuts_.end() && std::pair(at->low, at->high) == edge; ++at) {
            least = std::min(least, inner < outer ? at->along : 1.0 - at->along);
        }
        return least;
    }

private:
    struct Cut {
        std::int32_t low, high;
        double along;
    };
    std::vector<Cut> cuts_;
};

/// What part of a triangle the curve encloses, its corners inside or not.
double enclosed_share(const Triangle& t, const std::array<bool, 3>& is_in, const EdgeCuts& cuts) {
    const int count = is_in[0] + is_in[1] + is_in[2];
    if (count == 3) return 1.0;
    int odd = 0;  // The corner that is alone on its side.
    while (is_in[odd] != (count == 1)) ++odd;
    double cut_off = 1.0;
    for (const int k : {(odd + 1) % 3, (odd + 2) % 3}) {
        cut_off *= count == 1 ? cuts.first(t[odd], t[k]) : 1.0 - cuts.first(t[k], t[odd]);
    }
    return count == 1 ? cut_off : 1.0 - cut_off;
}

SoftPatch soft_patch(const PressSurface& soft, const PressOverlap& overlap) {
    IndexSet faces(soft.triangles.size()), vertices(soft.points.size());
    for (const std::int32_t v : overlap.inside) {
        for (const std::int32_t f : soft.faces.of(v)) faces.insert(f);
    }
    std::vector<std::int32_t> sources;
    faces.take(sources);
    for (const std::int32_t f : sources) {
        for (const std::int32_t v : soft.triangles[f]) vertices.insert(v);
    }
    SoftPatch patch;
    vertices.take(patch.vertices);
    std::vector<std::int32_t> local(soft.points.size(), -1);
    for (std::size_t i = 0; i < patch.vertices.size(); ++i) {
        local[patch.vertices[i]] = static_cast<std::int32_t>(i);
        patch.points.push_back(soft.points[patch.vertices[i]]);
    }
    patch.is_inside.assign(patch.vertices.size(), 0);
    for (const std::int32_t v : overlap.inside) patch.is_inside[local[v]] = 1;
    const EdgeCuts cuts(overlap);
    patch.triangles.reserve(sources.size());
    patch.shares.reserve(sources.size());
    for (const std::int32_t f : sources) {
        const Triangle& t = soft.triangles[f];
        const Triangle own = {local[t[0]], local[t[1]], local[t[2]]};
        const double share =
            enclosed_share(t,
                           {patch.is_inside[own[0]] != 0, patch.is_inside[own[1]] != 0,
                            patch.is_inside[own[2]] != 0},
                           cuts);
        patch.triangles.push_back(own);
        patch.shares.push_back(std::max(share, kLeastShare));
        patch.area += share * 0.5 * area_vector(soft.points, t).norm();
    }
    return patch;
}

Result<std::shared_ptr<const RigidPlane>> find_plane(const PressSurface& soft,
                                                     const PressSurface& rigid,
                                                     const PressOverlap& overlap,
                                                     RigidPlanes* planes) {
    const auto ask = [&](std::vector<std::int32_t> triangles) {
        return planes ? planes->find_or_make(rigid, std::move(triangles))
                      : RigidPlane::make(rigid, std::move(triangles));
    };
    // Neighbours of the overlap's vertices map to just beyond it: a margin of the soft mesh's edges
    // keeps them on the plane, where it can still be laid flat.
    std::vector<std::int32_t> seeds;
    for (const std::int32_t f : overlap.under) {
        for (const std::int32_t v : rigid.triangles[f]) seeds.push_back(v);
    }
    const std::vector<double> distance =
        edge_distances(rigid.points, rigid.graph, seeds, kPlaneMargin * soft.edge);
    IndexSet faces(rigid.triangles.size());
    for (std::size_t v = 0; v < distance.size(); ++v) {
        if (!(distance[v] < kInfinity)) continue;
        for (const std::int32_t f : rigid.faces.of(v)) faces.insert(f);
    }
    std::vector<std::int32_t> wide;
    faces.take(wide);
    Result<std::shared_ptr<const RigidPlane>> plane = ask(std::move(wide));
    return plane ? plane : ask(overlap.under);
}

/// The curve as claims on the soft patch and where it lies in the rigid plane.
struct CurveClaims {
    std::vector<RealClaim> claims;  ///< Each times the root of its weight.
    Eigen::MatrixXd targets;        ///< The same.
    double area = 0.0;              ///< That the curve encloses in the plane [m^2].
};

// The outermost of several curves, less the islands in it.
double enclosed_area(const PressOverlap& overlap, std::span<const Vec2> at) {
    double largest = 0.0, sum = 0.0;
    for (std::size_t l = 0; l < overlap.loops.size(); ++l) {
        const std::size_t first = overlap.loops[l];
        const std::size_t end = l + 1 < overlap.loops.size() ? overlap.loops[l + 1] : at.size();
        double twice = 0.0;
        for (std::size_t i = first; i < end; ++i) {
            const Vec2 a = at[i] - at[first], b = at[i + 1 < end ? i + 1 : first] - at[first];
            twice += a.x() * b.y() - a.y() * b.x();
        }
        largest = std::max(largest, 0.5 * std::abs(twice));
        sum += 0.5 * std::abs(twice);
    }
    return 2.0 * largest - sum;
}

Result<CurveClaims> curve_claims(const PressOverlap& overlap, const SoftPatch& patch,
                                 const RigidPlane& plane) {
    CurveClaims made;
    const auto count = static_cast<Eigen::Index>(overlap.curve.size());
    made.targets.resize(count, 2);
    // Weighing by length, in units of the soft mesh's edges, makes no difference of how many edges
    // the curve happens to cross; a crossing that comes or goes comes or goes with weight 0.
    double total = 0.0;
    for (const Triangle& t : patch.triangles) total += area_vector(patch.points, t).norm();
    const double unit = std::sqrt(total / static_cast<double>(patch.triangles.size()));
    std::vector<Vec2> at;
    for (const CurvePoint& p : overlap.curve) {
        const std::int32_t triangle = plane.find(p.rigid_triangle);
        at.push_back(triangle >= 0 ? plane.flat(triangle, p.rigid_weights) : Vec2::Zero());
        RealClaim claim = p.soft;
        bool is_whole = triangle >= 0;
        const double root = std::sqrt(p.length / unit);
        for (int k = 0; k < 3; ++k) {
            claim.points[k] = patch.local(claim.points[k]);
            is_whole = is_whole && claim.points[k] >= 0;
            claim.weights[k] *= root;
        }
        if (!is_whole) continue;
        made.targets.row(static_cast<Eigen::Index>(made.claims.size())) =
            root * at.back().transpose();
        made.claims.push_back(claim);
    }
    made.targets.conservativeResize(static_cast<Eigen::Index>(made.claims.size()), 2);
    made.area = enclosed_area(overlap, at);
    if (made.claims.size() < 3 || !(made.area > 0) || !(unit > 0)) {
        return Error{"the curve of contact is too short to tell a map from", "",
                     "a finer soft mesh helps"};
    }
    return made;
}

/// Seen from outside the rigid body, the soft surface shows its back: triangles run clockwise.
std::size_t count_folds(const SoftPatch& patch, std::span<const Vec2> flat) {
    std::size_t folds = 0;
    for (const Triangle& t : patch.triangles) {
        if (!patch.is_inside[t[0]] || !patch.is_inside[t[1]] || !patch.is_inside[t[2]]) continue;
        folds += flat_area(flat, t) > 0;
    }
    return folds;
}

std::vector<Vec2> rows_of(const Eigen::MatrixXd& solved) {
    std::vector<Vec2> flat;
    flat.reserve(static_cast<std::size_t>(solved.rows()));
    for (Eigen::Index v = 0; v < solved.rows(); ++v) flat.push_back(solved.row(v).transpose());
    return flat;
}

/// How much of its own proportions a region `ratio` times what encloses it may keep, in [0, 1].
double rigid_share(double ratio) {
    const double t = std::clamp((ratio - kRigidUpTo) / (kHarmonicFrom - kRigidUpTo), 0.0, 1.0);
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

Result<std::vector<Vec2>> spread(const SoftPatch& patch, const CurveClaims& curve, bool is_closed) {
    std::vector<Vec3> cotangents = half_cotangents(patch.points, patch.triangles);
    const auto laplacian =
        cotangent_laplacian(patch.points.size(), patch.triangles, cotangents, patch.shares);
    const std::vector<std::uint8_t> none(patch.points.size(), 0);
    const auto solver = SmoothSolver<double>::make(laplacian, none, curve.claims, kClaimWeight);
    if (!solver) return solver.error();
    const Eigen::MatrixXd given =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(patch.points.size()), 2);
    std::vector<Vec2> flat = rows_of(solver.value().solve(given, curve.targets));
    const double ratio = is_closed ? patch.area / curve.area : 1.0;
    const double scale = rigid_share(ratio) / std::sqrt(ratio);
    if (!(scale > 0)) return flat;
    for (std::size_t f = 0; f < cotangents.size(); ++f) cotangents[f] *= patch.shares[f];
    const RigidFit fit(patch.points, patch.triangles, cotangents, true);
    std::vector<Vec2> rigid = flat;
    for (int round = 0; round < kRounds; ++round) {
        rigid = rows_of(solver.value().solve(given, curve.targets, fit.pull(rigid, scale)));
    }
    return count_folds(patch, rigid) <= count_folds(patch, flat) ? rigid : flat;
}

}  // namespace

Result<PressMapping> PressMapping::make(const PressSurface& soft, const PressSurface& rigid,
                                        const PressOverlap& overlap, RigidPlanes* planes) {
    if (!overlap.trouble.empty()) return Error{overlap.trouble, "", ""};
    PressMapping mapping;
    Result<std::shared_ptr<const RigidPlane>> plane = find_plane(soft, rigid, overlap, planes);
    if (!plane) return plane.error();
    mapping.plane_ = std::move(plane.value());
    SoftPatch patch = soft_patch(soft, overlap);
    const Result<CurveClaims> curve = curve_claims(overlap, patch, *mapping.plane_);
    if (!curve) return curve.error();
    Result<std::vector<Vec2>> flat = spread(patch, curve.value(), overlap.is_closed);
    if (!flat) return flat.error();
    mapping.flat_ = std::move(flat.value());
    mapping.points_ = std::move(patch.vertices);
    return mapping;
}

std::int32_t PressMapping::place(std::int32_t vertex) const {
    const auto at = std::lower_bound(points_.begin(), points_.end(), vertex);
    return at != points_.end() && *at == vertex ? static_cast<std::int32_t>(at - points_.begin())
                                                : -1;
}

}  // namespace ductile
