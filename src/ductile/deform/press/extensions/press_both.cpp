// SPDX-License-Identifier: MIT
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/deform/press/mapping/press_mapping.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// Secants that a place on the middle surface may take, and how near it must be, as a share of its
// way.
constexpr int kMostSteps = 40;
constexpr double kNearEnough = 1e-9;
// Beside the overlap a body stands in for the middle surface as far as bulges go, and runs out from
// half of that on: so many depths of its own part of the overlap from the other body.
constexpr double kBeside = 4.0;

/// A body as it is at a frame, with its distances.
struct Placed {
    PressSurface surface;
    SurfaceQuery query;
    Placed(const RestSurface& rest, std::span<const Vec3> points)
        : surface(rest, points), query(points, rest.mesh().triangles) {}
};

/// The place between `from`, on `own`, and `to`, on `other`, whose distances to them are as
/// `share` to the rest: regula falsi as Illinois has it.
Vec3 middle_place(const Vec3& from, const Vec3& to, const Placed& own, const Placed& other,
                  double share) {
    const auto at = [&](double t) -> Vec3 { return from + t * (to - from); };
    const double way = (to - from).norm();
    // Neither surface is farther off than the end of the way that lies on it. What rounding puts a
    // hair beyond, or a point of no triangle, counts as that far.
    const auto distance = [](const Placed& to_body, const Vec3& p, double most) {
        return std::min(to_body.query.closest_point(p, most).distance, most);
    };
    const auto balance = [&](double t) {
        return (1.0 - share) * distance(own, at(t), t * way) -
               share * distance(other, at(t), (1.0 - t) * way);
    };
    double low = 0.0, high = 1.0, below = balance(0.0), above = balance(1.0);
    if (!(below < 0)) return from;
    if (!(above > 0)) return to;
    for (int i = 0; i < kMostSteps; ++i) {
        const double t = low + (high - low) * (below / (below - above));
        const double here = balance(t);
        if (std::abs(here) <= kNearEnough * way) return at(t);
        if (here < 0) {
            low = t, below = here, above *= 0.5;
        } else {
            high = t, above = here, below *= 0.5;
        }
    }
    return at(0.5 * (low + high));
}

/// Moves what is outside of both bodies but near the other one: there, too, the middle surface is
/// as far as the other body may come, or bulges would run into each other. `depth`: of the overlap.
void yield_beside(const Placed& own, const Placed& other, double share, double depth,
                  std::span<const std::uint8_t> is_inside, std::vector<Vec3>& points) {
    const double reach = kBeside * depth;
    const Box around = other.query.box();
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (is_inside[v] || around.distance_sq(points[v]) > reach * reach) continue;
        const SurfacePoint to = other.query.closest_point(points[v], reach);
        if (to.triangle < 0) continue;
        const double fade = 1.0 - smooth_step(2.0 * to.distance / reach - 1.0);
        const Vec3 middle = middle_place(points[v], to.position, own, other, share);
        points[v] += fade * (middle - points[v]);
    }
}

/// `own` as the other body meets it: what is inside that, or near it, moved to the middle surface.
/// `share`: what `own` gives way by.
std::vector<Vec3> yielded_points(const Placed& own, const Placed& other, double share,
                                 PressMappingKind kind, std::vector<std::string>& notes) {
    const PressOverlaps found = find_overlaps(own.surface, other.surface, other.query);
    const std::span<const Vec3> rest = own.surface.points;
    std::vector<Vec3> points(rest.begin(), rest.end());
    std::vector<std::uint8_t> is_inside(rest.size(), 0);
    double depth = 0.0;
    for (const PressOverlap& overlap : found.overlaps) {
        for (const std::int32_t v : overlap.inside) is_inside[v] = 1;
        const Result<PressMapping> mapping =
            PressMapping::make(own.surface, other.surface, overlap, nullptr, kind);
        if (!mapping) {
            notes.push_back("an overlap is left to the other body: " + mapping.error().text());
            continue;
        }
        const PressMapping& map = mapping.value();
        for (const std::int32_t v : overlap.inside) {
            const Vec3 onto = map.lift(map.flat(map.index_of(v))).position;
            points[v] = middle_place(rest[v], onto, own, other, share);
            depth = std::max(depth, (points[v] - rest[v]).norm());
        }
    }
    if (depth > 0) yield_beside(own, other, share, depth, is_inside, points);
    return points;
}

}  // namespace

Result<BothPresser::Body> BothPresser::Body::make(TriMesh mesh, const PressSetup& setup) {
    Result<Presser> soft = Presser::make(mesh, setup);
    if (!soft) return soft.error();
    Result<PressRigid> hard = PressRigid::make(mesh);
    if (!hard) return hard.error();
    return Body{std::move(soft.value()), std::move(hard.value()),
                std::make_shared<const RestSurface>(std::move(mesh))};
}

BothPresser::BothPresser(Body a, Body b, double share)
    : a_(std::move(a)), b_(std::move(b)), share_(share) {}

Result<BothPresser> BothPresser::make(TriMesh a, TriMesh b, PressSetup setup) {
    if (!setup.both) setup.both.emplace();
    if (const Status fine = check(setup); !fine) return fine.error();
    const double share = setup.both->share;
    Result<Body> other = Body::make(std::move(b), setup_of_other(setup));
    setup.both.reset();
    Result<Body> one = Body::make(std::move(a), setup);
    if (!one) return one.error();
    if (!other) return other.error();
    return BothPresser(std::move(one.value()), std::move(other.value()), share);
}

Result<BothPresser> BothPresser::with_options(const PressOptions& a, const PressOptions& b) const {
    Result<Presser> soft_a = a_.soft.with_options(a), soft_b = b_.soft.with_options(b);
    if (!soft_a) return soft_a.error();
    if (!soft_b) return soft_b.error();
    BothPresser changed = *this;
    changed.a_.soft = std::move(soft_a.value());
    changed.b_.soft = std::move(soft_b.value());
    return changed;
}

Result<PressedBoth> BothPresser::press_halfway(std::span<const Vec3> a, std::span<const Vec3> b,
                                               const Transform& b_pose) const {
    std::vector<Vec3> b_placed;
    for (const Vec3& p : b) b_placed.push_back(b_pose.point(p));
    const Placed at_a(*a_.rest, a), at_b(*b_.rest, b_placed);
    std::vector<std::string> notes_a, notes_b;
    const auto meet_a = a_.hard.with_points(
        yielded_points(at_a, at_b, share_, a_.soft.setup().options.mapping, notes_a));
    const auto meet_b = b_.hard.with_points(
        yielded_points(at_b, at_a, 1.0 - share_, b_.soft.setup().options.mapping, notes_b));
    if (!meet_a) return meet_a.error();
    if (!meet_b) return meet_b.error();
    Result<Pressed> on_a = a_.soft.press(a, meet_b.value());
    Result<Pressed> on_b = b_.soft.press(b, meet_a.value(), b_pose.inverse());
    if (!on_a) return on_a.error();
    if (!on_b) return on_b.error();
    PressedBoth both{std::move(on_a.value()), std::move(on_b.value())};
    both.a.report.notes.insert(both.a.report.notes.begin(), notes_a.begin(), notes_a.end());
    both.b.report.notes.insert(both.b.report.notes.begin(), notes_b.begin(), notes_b.end());
    return both;
}

Result<PressedBoth> BothPresser::press(std::span<const Vec3> a, std::span<const Vec3> b,
                                       const Transform& b_pose) const {
    // These check what they are given: nothing below is asked of points that are none.
    const Result<PressRigid> hard_a = a_.hard.with_points(a), hard_b = b_.hard.with_points(b);
    if (!hard_a) return hard_a.error();
    if (!hard_b) return hard_b.error();
    PressedBoth both{unpressed(a), unpressed(b)};
    if (share_ > 0 && share_ < 1) {
        Result<PressedBoth> halfway = press_halfway(a, b, b_pose);
        if (!halfway) return halfway.error();
        both = std::move(halfway.value());
    }
    // A body that cannot give way, or need not, stands as it is, and the other one yields alone.
    const auto has_stayed = [](const Pressed& pressed) {
        return pressed.report.zones == 0 && pressed.report.fallbacks > 0;
    };
    const bool is_a_fixed = share_ == 0 || has_stayed(both.a);
    const bool is_b_fixed = share_ == 1 || has_stayed(both.b);
    if (is_a_fixed == is_b_fixed) return both;
    Result<Pressed> alone = is_b_fixed ? a_.soft.press(a, hard_b.value(), b_pose)
                                       : b_.soft.press(b, hard_a.value(), b_pose.inverse());
    if (!alone) return alone.error();
    (is_b_fixed ? both.a : both.b) = std::move(alone.value());
    return both;
}

void BothPresser::measure(std::span<const Vec3> a, std::span<const Vec3> b, const Transform& b_pose,
                          PressedBoth& both) const {
    const auto placed = [&](std::span<const Vec3> points) {
        std::vector<Vec3> seen;
        seen.reserve(points.size());
        for (const Vec3& p : points) seen.push_back(b_pose.point(p));
        return seen;
    };
    const std::vector<Vec3> b_before = placed(b), b_pressed = placed(both.b.points);
    const auto measure_one = [](const Body& body, const Body& other, std::span<const Vec3> before,
                                std::span<const Vec3> pressed, std::span<const Vec3> others,
                                Pressed& result) {
        const SurfaceQuery query(others, other.rest->mesh().triangles);
        PressReport& report = result.report;
        report.left = press_residuals(before, pressed, body.rest->mesh().triangles, result.zone,
                                      query, other.rest->is_closed());
        for (std::string& note : residual_notes(*report.left, body.rest->size(), "the other one")) {
            report.notes.push_back(std::move(note));
        }
    };
    measure_one(a_, b_, a, both.a.points, b_pressed, both.a);
    measure_one(b_, a_, b_before, b_pressed, both.a.points, both.b);
}

Result<PressedBoth> press_both(const TriMesh& a, const TriMesh& b, const PressSetup& setup) {
    const Result<BothPresser> presser = BothPresser::make(a, b, setup);
    if (!presser) return presser.error();
    return presser.value().press(a.points, b.points);
}

}  // namespace ductile
