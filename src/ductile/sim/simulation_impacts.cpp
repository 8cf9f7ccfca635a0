// SPDX-License-Identifier: MIT
// What the tracker of impacts asks about surfaces.
#include <ductile/sim/simulation_object.h>

#include <cmath>

namespace ductile {
namespace {

// Places reported per impact: enough for the rim of a barrel, half a footprint's radius apart.
constexpr std::size_t kMostStarts = 16;
constexpr double kStartSpacing = 0.5;
// Surface points asked about per impact: enough to find where a rim stands, few enough to be cheap.
constexpr std::size_t kMostProbes = 32;
// Far below the square of any length that a body has [m^2].
constexpr double kLeastArea = 1e-100;

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
    // What lies further back than the window along the normal is at least that far from anything
    // convex beyond the touch: the rest of the surface need not be asked about.
    const std::span<const Vec3> points = b->state->points();
    const double behind = facing_b.dot(seen.position) - t.window;
    std::vector<Vec3> places = {seen.position};
    std::vector<double> gaps = {gap(seen.position, t.radius)};
    // An engine whose shapes are not where it says they touch gets the one place it named.
    const bool is_consistent = std::abs(gaps[0]) < t.radius;
    if (!is_consistent) gaps[0] = 0.0;
    std::vector<std::int32_t> candidates;
    if (is_consistent) candidates = b->points_beyond(facing_b, behind, near_other(t));
    const std::size_t stride = candidates.size() / kMostProbes + 1;
    for (std::size_t i = 0; i < candidates.size(); i += stride) {
        const Vec3& p = points[candidates[i]];
        const double g = gap(p, gaps[0] + t.window);
        if (!std::isfinite(g)) continue;
        places.push_back(p);
        gaps.push_back(g);
    }
    const std::size_t first = std::min_element(gaps.begin(), gaps.end()) - gaps.begin();
    const std::vector<std::size_t> starts =
        spread_out(places, first, kStartSpacing * t.radius, kMostStarts);
    return footprint_of(*b, places, gaps, starts, gaps[first], facing_b, t);
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

Simulation::Footprint Simulation::footprint_of(const Object& b, std::span<const Vec3> places,
                                               std::span<const double> gaps,
                                               std::span<const std::size_t> starts, double nearest,
                                               const Vec3& facing_b, const Touching& t) const {
    Footprint footprint;
    double sum = 0.0;
    for (std::size_t i : starts) {
        // Counts in full if it touches, not at all at the window's edge.
        const double behind = gaps[i] - nearest;
        const double weight =
            t.window > 0 ? std::max(0.0, 1.0 - behind / t.window) : (behind > 0 ? 0.0 : 1.0);
        if (!(weight > 0)) continue;
        footprint.starts_b.push_back(places[i]);
        footprint.position_b += weight * places[i];
        sum += weight;
    }
    footprint.position_b /= sum;

    const std::span<const Vec3> points = b.state->points();
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
    for (std::int32_t f : b.surface().overlapping(box)) {
        const Triangle& corners = b.shape->triangles()[f];
        const Vec3 area = area_vector(points, corners);
        const double facing = area.dot(facing_b);
        if (!(facing > 0)) continue;
        const Vec3 centre = (points[corners[0]] + points[corners[1]] + points[corners[2]]) / 3.0;
        double near = 0.0;
        for (const Vec3& start : footprint.starts_b) {
            near = std::max(near, 1.0 - (centre - start).squaredNorm() / (t.radius * t.radius));
        }
        normal += area * (near * near * facing / area.norm());
    }
    footprint.normal_b = normal.normalized();
    return footprint;
}

}  // namespace ductile
