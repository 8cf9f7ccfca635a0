// SPDX-License-Identifier: MIT
// Section 3.2 of Brunel et al. 2020, which wants both regions parametrised by hand, fits an affine
// map between the planes to the curve of contact and spreads what it leaves as a harmonic field:
// `affine_flat`. By default the soft region is laid out in the rigid plane at once: as rigid as
// possible (Liu et al. 2008) but for one scale, the curve being a least squares constraint. Where
// the soft region can be unrolled both agree but for shears; where it cannot, the paper's sum
// depends on how the soft plane was made, and this does not.
#include <ductile/core/index_set.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/mapping/affine_map.h>
#include <ductile/deform/press/mapping/press_mapping.h>
#include <ductile/geom/flatten/flatten_patch.h>
#include <ductile/geom/flatten/rigid_fit.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr int kRounds = 3;
// Of the soft mesh's edges. No round number, so that regular meshes seldom have a vertex at it.
constexpr double kPlaneMargin = 2.0717;
// How many times larger than what the curve encloses a soft region may be and keep its proportions
// in the plane; from the second number on it is spread as a harmonic field, which a stocking on a
// disc needs so as not to fold.
constexpr double kRigidUpTo = 3.0, kHarmonicFrom = 6.0;
// A map that folds more of its triangles than this is of no use.
constexpr double kMostFolded = 0.02;
// Overlaps with a curve shorter than this many edges are small, not thin.
constexpr double kThinLength = 15.0;

/// Whether faces of `set` meet at a vertex in the point alone: each fan of them has two sides there
/// that only one of them has.
bool is_pinched(const PressSurface& surface, const IndexSet& set, std::int32_t vertex,
                std::vector<std::int32_t>& ends) {
    ends.clear();
    bool is_open = false;
    for (const std::int32_t f : surface.faces[vertex]) is_open |= !set.contains(f);
    if (!is_open) return false;
    for (const std::int32_t f : surface.faces[vertex]) {
        if (!set.contains(f)) continue;
        for (const std::int32_t v : surface.triangles[f]) {
            if (v != vertex) ends.push_back(v);
        }
    }
    std::sort(ends.begin(), ends.end());
    int sides = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const bool is_twin =
            (i > 0 && ends[i - 1] == ends[i]) || (i + 1 < ends.size() && ends[i + 1] == ends[i]);
        sides += !is_twin;
    }
    return sides > 2;
}

/// A rigid piece laid flat.
struct FoundPlane {
    std::shared_ptr<const RigidPlane> plane;
    bool keeps_sizes = true;
};

Result<FoundPlane> find_plane(const PressSurface& soft, const PressSurface& rigid,
                              const PressOverlap& overlap, RigidPlanes* planes) {
    const auto ask = [&](std::vector<std::int32_t> triangles, bool keeps_sizes) {
        return planes ? planes->find_or_make(rigid, std::move(triangles), keeps_sizes)
                      : RigidPlane::make(rigid, std::move(triangles), keeps_sizes);
    };
    // Neighbours of the overlap's vertices map to just beyond it: a margin of the soft mesh's edges
    // keeps them on the plane, where it can still be laid flat.
    IndexSet corners(rigid.points.size()), faces(rigid.triangles.size());
    for (const std::int32_t f : overlap.under) {
        for (const std::int32_t v : rigid.triangles[f]) corners.insert(v);
    }
    std::vector<std::int32_t> seeds;
    corners.take(seeds);
    const EdgeReach reached =
        edge_reach(rigid.points, rigid.graph, seeds, kPlaneMargin * soft.mean_edge_length());
    for (const std::int32_t v : reached.vertices) {
        for (const std::int32_t f : rigid.faces[v]) faces.insert(f);
    }
    std::vector<std::int32_t> wide;
    faces.take(wide);
    Result<std::shared_ptr<const RigidPlane>> plane =
        ask(without_pinches(rigid, std::move(wide)), true);
    if (plane) return FoundPlane{std::move(plane.value())};
    const std::vector<std::int32_t> under = without_pinches(rigid, overlap.under);
    plane = ask(under, true);
    const bool keeps_sizes = plane.ok();
    if (!keeps_sizes) plane = ask(under, false);
    if (!plane) return plane.error();
    return FoundPlane{std::move(plane.value()), keeps_sizes};
}

/// What share of the triangles that lie inside as a whole is turned over. Seen from outside the
/// rigid body, the soft surface shows its back: they run clockwise.
double folded_share(const SoftPatch& patch, std::span<const Vec2> flat) {
    std::size_t folded = 0, count = 0;
    for (const Triangle& t : patch.triangles) {
        if (!patch.is_inside[t[0]] || !patch.is_inside[t[1]] || !patch.is_inside[t[2]]) continue;
        ++count;
        folded += flat_area(flat, t) > 0;
    }
    return count > 0 ? static_cast<double>(folded) / static_cast<double>(count) : 0.0;
}

/// How much of its own proportions a region `ratio` times what encloses it may keep, in [0, 1].
double rigid_share(double ratio) {
    return 1.0 - smooth_step((ratio - kRigidUpTo) / (kHarmonicFrom - kRigidUpTo));
}

Result<std::vector<Vec2>> spread(const PressSurface& soft, const SoftPatch& patch,
                                 const CurveConstraints& curve, bool is_closed) {
    const std::vector<Vec3> cotangents = enclosed_cotangents(soft, patch);
    Result<PatchSolver> made = PatchSolver::make(soft, patch, cotangents, curve);
    if (!made) return made.error();
    PatchSolver& solver = made.value();
    std::vector<Vec2> flat;
    solver.solve({}, flat);
    const double ratio = is_closed ? patch.area / curve.area : 1.0;
    const double scale = rigid_share(ratio) / std::sqrt(ratio);
    if (!(scale > 0)) return flat;
    const RigidFit fit(patch.points, patch.triangles, cotangents, true);
    std::vector<Vec2> rigid = flat, right(flat.size()), solved;
    for (int round = 0; round < kRounds; ++round) {
        fit.pull(rigid, scale, right);
        solver.solve(right, solved);
        const double further = round > 0 ? kRigidRelaxation : 1.0;
        for (std::size_t i = 0; i < rigid.size(); ++i) rigid[i] += further * (solved[i] - rigid[i]);
    }
    return folded_share(patch, rigid) <= folded_share(patch, flat) ? rigid : flat;
}

/// A soft patch in a rigid plane.
struct SpreadPatch {
    std::shared_ptr<const RigidPlane> plane;
    std::vector<Vec2> flat;
};

/// Both sides drawn into one circle, the curve on it, for a plane whose own outline makes the map
/// fold: sizes are lost, order is kept.
Result<SpreadPatch> draw_round(const PressSurface& rigid, const PressOverlap& overlap,
                               const SoftPatch& patch, bool is_clockwise) {
    double total = 0.0, along = 0.0;
    for (const CurvePoint& p : overlap.curve) total += p.length;
    std::vector<PlanePlace> places;
    std::vector<RealConstraint> constraints;
    Eigen::MatrixX2d targets(static_cast<Eigen::Index>(overlap.curve.size()), 2);
    for (const CurvePoint& p : overlap.curve) {
        const double turn = 2.0 * kPi * (along + 0.5 * p.length) / total;
        along += p.length;
        const double angle = is_clockwise ? -turn : turn;
        const Vec2 at(std::cos(angle), std::sin(angle));
        places.push_back({p.rigid_triangle, p.rigid_weights, at});
        RealConstraint constraint = p.soft;
        for (std::int32_t& v : constraint.points) v = patch.local(v);
        const bool is_mapped = std::all_of(constraint.points.begin(), constraint.points.end(),
                                           [](std::int32_t v) { return v >= 0; });
        if (!is_mapped) continue;
        targets.row(static_cast<Eigen::Index>(constraints.size())) = at.transpose();
        constraints.push_back(constraint);
    }
    targets.conservativeResize(static_cast<Eigen::Index>(constraints.size()), 2);
    Result<std::shared_ptr<const RigidPlane>> plane =
        RigidPlane::make_drawn(rigid, overlap.under, places);
    if (!plane) return plane.error();
    Result<std::vector<Vec2>> flat =
        draw_patch(patch.points, patch.triangles, constraints, targets);
    if (!flat) return flat.error();
    return SpreadPatch{std::move(plane.value()), std::move(flat.value())};
}

/// Solves of meshes of very few or very thin triangles may come to nothing.
bool is_everywhere(std::span<const Vec2> flat) {
    return std::all_of(flat.begin(), flat.end(), [](const Vec2& p) { return p.allFinite(); });
}

/// How far the curve is from itself at the worst once it is mapped [m].
double curve_error(const PressOverlap& overlap, const SoftPatch& patch, const SpreadPatch& map) {
    double worst = 0.0;
    for (const CurvePoint& p : overlap.curve) {
        Vec2 at = Vec2::Zero();
        bool is_mapped = true;
        for (int k = 0; k < 3 && is_mapped; ++k) {
            const std::int32_t v = patch.local(p.soft.points[k]);
            is_mapped = v >= 0;
            if (is_mapped) at += p.soft.weights[k] * map.flat[v];
        }
        if (is_mapped) worst = std::max(worst, (map.plane->lift(at).position - p.position).norm());
    }
    return worst;
}

/// A map that folds is drawn anew in a circle, if that folds less and keeps the curve in its place.
/// Error: the better of both still folds too much.
Status mend_folds(const PressSurface& soft, const PressSurface& rigid, const PressOverlap& overlap,
                  const SoftPatch& patch, bool is_clockwise, SpreadPatch& map) {
    double folded = folded_share(patch, map.flat);
    if (folded > 0 && overlap.is_closed && overlap.loops.size() == 1) {
        Result<SpreadPatch> round = draw_round(rigid, overlap, patch, is_clockwise);
        const double least = round && is_everywhere(round.value().flat)
                                 ? folded_share(patch, round.value().flat)
                                 : 1.0;
        if (least < folded &&
            curve_error(overlap, patch, round.value()) < soft.mean_edge_length()) {
            map = std::move(round.value());
            folded = least;
        }
    }
    if (folded <= kMostFolded) return {};
    return Error{fmt::format("the map onto the rigid surface folds over itself ({:.0f} % of it)",
                             100.0 * folded),
                 "", "a shallower pose or a rounder rigid body may help"};
}

bool is_narrow(const PressSurface& soft, const PressOverlap& overlap, const SoftPatch& patch) {
    double length = 0.0;
    for (const CurvePoint& p : overlap.curve) length += p.length;
    return length > kThinLength * soft.mean_edge_length() &&
           2.0 * patch.area < soft.mean_edge_length() * length;
}

}  // namespace

Result<PressMapping> PressMapping::make(const PressSurface& soft, const PressSurface& rigid,
                                        const PressOverlap& overlap, RigidPlanes* planes,
                                        PressMappingKind kind) {
    if (!overlap.trouble.empty()) return Error{overlap.trouble, "", ""};
    Result<FoundPlane> found = find_plane(soft, rigid, overlap, planes);
    if (!found) return found.error();
    std::shared_ptr<const RigidPlane>& plane = found.value().plane;
    SoftPatch patch = make_soft_patch(soft, overlap);
    const Result<CurveConstraints> curve = curve_constraints(overlap, patch, *plane);
    if (!curve) return curve.error();
    Result<std::vector<Vec2>> flat = kind == PressMappingKind::Affine
                                         ? affine_flat(soft, patch, curve.value())
                                         : spread(soft, patch, curve.value(), overlap.is_closed);
    if (!flat) return flat.error();
    if (!is_everywhere(flat.value())) {
        return Error{"the map onto the rigid surface has no solution", "",
                     "a finer soft mesh helps, or one without thin triangles"};
    }
    SpreadPatch map{std::move(plane), std::move(flat.value())};
    const Status mended = mend_folds(soft, rigid, overlap, patch, curve.value().is_clockwise, map);
    if (!mended) return mended.error();
    PressMapping mapping;
    mapping.is_thin_ = is_narrow(soft, overlap, patch);
    mapping.is_squashed_ = !found.value().keeps_sizes;
    mapping.points_ = std::move(patch.vertices);
    mapping.flat_ = std::move(map.flat);
    mapping.plane_ = std::move(map.plane);
    return mapping;
}

std::vector<std::int32_t> without_pinches(const PressSurface& surface,
                                          std::vector<std::int32_t> triangles) {
    IndexSet set(surface.triangles.size());
    for (const std::int32_t f : triangles) set.insert(f);
    IndexSet corners(surface.points.size());
    std::vector<std::int32_t> added = triangles, vertices, ends;
    while (!added.empty()) {
        for (const std::int32_t f : added) {
            for (const std::int32_t v : surface.triangles[f]) corners.insert(v);
        }
        corners.take(vertices);
        added.clear();
        for (const std::int32_t v : vertices) {
            if (!is_pinched(surface, set, v, ends)) continue;
            for (const std::int32_t f : surface.faces[v]) {
                if (set.insert(f)) added.push_back(f);
            }
        }
    }
    set.take(triangles);
    return triangles;
}

}  // namespace ductile
