// SPDX-License-Identifier: MIT
// What the tracker of impacts asks about surfaces.
#include <ductile/sim/simulation_object.h>

#include <cmath>

namespace ductile {
namespace {

// Places reported per impact: enough for the rim of a barrel, half a footprint's radius apart.
constexpr std::size_t kMostStarts = 16;
constexpr double kStartSpacing = 0.5;
// Surface points asked about per impact: enough to find where a rim stands and where the middle of
// what touches lies, few enough to be cheap. They are chosen among so many times as many.
constexpr std::size_t kMostProbes = 64;
constexpr std::size_t kTimesLookedAt = 8;
// Far below the square of any length that a body has [m^2].
constexpr double kLeastArea = 1e-100;

/// A body's surface as it is.
struct Struck {
    const BodyShape& shape;
    std::span<const Vec3> points;
    const SurfaceQuery& surface;
};

/// Area of the faces around a point that face a way, its third of each [m^2].
double facing_area(const Struck& b, std::int32_t point, const Vec3& facing) {
    double sum = 0.0;
    for (const std::int32_t f : b.shape.vertex_faces[point]) {
        sum += std::max(0.0, area_vector(b.points, b.shape.triangles()[f]).dot(facing));
    }
    return sum / 3.0;
}

/// A place of a surface that is asked about.
struct Probe {
    Vec3 place = Vec3::Zero();
    std::int32_t point = -1;  ///< Of the surface; -1 between points.
    double area = 0.0;        ///< What it stands for [m^2].
    double gap = 0.0;         ///< From there to the other body [m].
};

/// Few that are far apart, each for those that lie nearest to it: chosen by their numbers alone
/// they could leave out one end of an edge that touches.
std::vector<Probe> spread_probes(const Struck& b, std::span<const std::int32_t> candidates,
                                 const Vec3& facing) {
    const std::size_t stride = candidates.size() / (kTimesLookedAt * kMostProbes) + 1;
    std::vector<Probe> all;
    for (std::size_t i = 0; i < candidates.size(); i += stride) {
        const std::int32_t c = candidates[i];
        all.push_back({b.points[c], c, facing_area(b, c, facing)});
    }
    if (all.size() <= kMostProbes) return all;
    std::vector<Vec3> places;
    for (const Probe& p : all) places.push_back(p.place);
    std::vector<Probe> out;
    for (const std::size_t i : spread_out(places, 0, 0.0, kMostProbes)) {
        out.push_back({places[i], all[i].point});
    }
    for (const Probe& p : all) {
        const auto distance = [&](const Probe& x) { return (x.place - p.place).squaredNorm(); };
        std::min_element(out.begin(), out.end(), [&](const Probe& x, const Probe& y) {
            return distance(x) < distance(y);
        })->area += p.area;
    }
    return out;
}

/// 1 for what touches, 0 at the window's edge.
double touching_share(double behind, double window) {
    if (!(window > 0)) return behind > 0 ? 0.0 : 1.0;
    return std::clamp(1.0 - behind / window, 0.0, 1.0);
}

/// The first probe is where the engine saw them touch.
ImpactSurfaces::Footprint footprint_of(const Struck& b, std::span<const Probe> probes,
                                       const SurfacePoint& seen, const Vec3& facing_b,
                                       const ImpactSurfaces::Touching& t) {
    const std::size_t first =
        std::min_element(probes.begin(), probes.end(),
                         [](const Probe& x, const Probe& y) { return x.gap < y.gap; }) -
        probes.begin();
    const auto share = [&](const Probe& p) {
        return touching_share(p.gap - probes[first].gap, t.window);
    };
    std::vector<Vec3> places;
    for (const Probe& p : probes) places.push_back(p.place);
    ImpactSurfaces::Footprint footprint;
    for (const std::size_t i : spread_out(places, first, kStartSpacing * t.radius, kMostStarts)) {
        if (share(probes[i]) > 0) footprint.starts_b.push_back(places[i]);
    }
    // The middle of the area that touches. A place between points stands for as much as the corners
    // around it do, as far as they do not touch: told by the corners' areas, not by its triangle's,
    // since of those beside an edge last digits choose one.
    const Triangle& around = b.shape.triangles()[seen.triangle];
    double alone = 1.0, between = 0.0, sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        between += seen.barycentric[c] * facing_area(b, around[c], facing_b);
    }
    for (const Probe& p : probes) {
        const double area = p.area * share(p);
        footprint.position_b += area * p.place;
        sum += area;
        for (int c = 0; c < 3; ++c) {
            if (around[c] == p.point) alone -= seen.barycentric[c] * share(p);
        }
    }
    const double own = std::max(between * alone * share(probes[0]), kLeastArea);
    footprint.position_b = (footprint.position_b + own * probes[0].place) / (sum + own);

    // Where no face faces the other, or nothing around the place counts.
    Vec3 normal = std::max(1e-9 * t.radius * t.radius, kLeastArea) * facing_b;
    if (!(t.radius > 0)) {
        footprint.normal_b = normal.normalized();
        return footprint;
    }
    Box box;
    for (const Vec3& start : footprint.starts_b) {
        box.add(Vec3(start.array() - t.radius));
        box.add(Vec3(start.array() + t.radius));
    }
    for (std::int32_t f : b.surface.overlapping(box)) {
        const Triangle& corners = b.shape.triangles()[f];
        const Vec3 area = area_vector(b.points, corners);
        const double facing = area.dot(facing_b);
        if (!(facing > 0)) continue;
        const Vec3 centre =
            (b.points[corners[0]] + b.points[corners[1]] + b.points[corners[2]]) / 3.0;
        double near = 0.0;
        for (const Vec3& start : footprint.starts_b) {
            near = std::max(near, 1.0 - (centre - start).squaredNorm() / (t.radius * t.radius));
        }
        normal += area * (near * near * facing / area.norm());
    }
    footprint.normal_b = normal.normalized();
    return footprint;
}

}  // namespace

double Simulation::size(BodyId id) const { return slot(id).size; }

double Simulation::yield_speed(BodyId id) const { return slot(id).yield_speed; }

std::int32_t Simulation::owner(BodyId id) const {
    const Object* found = find(id);
    return found ? found->owner_key : id.value;
}

void Simulation::normals_at(BodyId id, std::int32_t piece, std::size_t point,
                            std::vector<Vec3>& normals_b) const {
    const Object* o = find(id);
    if (!o) return;
    if (o->rigid_normals) o->rigid_normals->append(piece, point, normals_b);
    // The parts of what bends have frames of their own.
    if (!o->state || !o->shape->is_closed || o->is_bending()) return;
    const std::vector<std::int32_t>& tracked =
        o->shape->pieces.pieces[static_cast<std::size_t>(piece)].tracked;
    if (point >= tracked.size()) return;  // the one behind the surface
    // Not the state's: those hang on who looked at the surface within a fade.
    append_face_normals(o->followed_points, o->shape->triangles(),
                        o->shape->vertex_faces[tracked[point]], normals_b);
}

std::optional<Simulation::Footprint> Simulation::footprint(const Touching& t) const {
    const Object* b = find(t.body);
    if (!b || !b->state) return std::nullopt;
    const Vec3 facing_b = t.body_pose_w.inverse_direction(t.facing_w);
    const SurfacePoint seen =
        b->surface().closest_point(t.body_pose_w.inverse_point(t.point_w - t.shift_w));
    if (seen.triangle < 0) return std::nullopt;

    // The engine has moved on since: ask about the other body where it is now.
    const Transform other_now = frame_of(t.other) * t.other_pose_w.inverse();
    const Vec3 out_w = other_now.direction(Vec3(-t.facing_w));
    const auto gap = [&](const Vec3& p_b, double reach) {
        const Vec3 p_w = t.body_pose_w.point(p_b) + t.shift_w;
        return engine_.gap(t.other, other_now.point(p_w), out_w, reach);
    };
    const Struck struck{*b->shape, b->state->points(), b->surface()};
    Probe touch{seen.position};
    touch.gap = gap(seen.position, t.radius);
    // An engine whose shapes are not where it says they touch gets the one place it named.
    const bool is_consistent = std::abs(touch.gap) < t.radius;
    if (!is_consistent) touch.gap = 0.0;
    std::vector<Probe> probes;
    if (is_consistent) {
        // What lies further back than the window along the normal is at least that far from
        // anything convex beyond the touch: the rest of the surface need not be asked about.
        const double behind = facing_b.dot(seen.position) - t.window;
        probes = spread_probes(struck, b->points_beyond(facing_b, behind, near_other(t)), facing_b);
    }
    for (Probe& p : probes) p.gap = gap(p.place, touch.gap + t.window);
    std::erase_if(probes, [](const Probe& p) { return !std::isfinite(p.gap); });
    probes.insert(probes.begin(), touch);
    return footprint_of(struck, probes, seen, facing_b, t);
}

// Where the other body may be met, in this body's frame: of a wide floor's points few are asked
// about, and those are near. Everywhere, if the other's extent is not known.
Box Simulation::near_other(const Touching& t) const {
    const Object* other = find(t.other);
    const SurfaceQuery* surface = other ? other->known_surface() : nullptr;
    if (!surface) return {Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
    Transform other_pose = t.other_pose_w;
    other_pose.translation -= t.shift_w;
    return moved_box(surface->box(), t.body_pose_w.inverse() * other_pose, t.radius);
}

}  // namespace ductile
