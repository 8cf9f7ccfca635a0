// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_guard.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Rays along each side of the footprint.
constexpr int kRays = 5;
// Sheets that one ray may meet; beyond that the body is foam.
constexpr int kMostSheets = 12;
// Of the distance between two sheets, what must stay.
constexpr double kLeastGap = 0.1;
// A triangle that faces the blow may lose this much of what it shows to it.
constexpr double kLeastFacing = 0.02;
// What shows less of itself to the blow is seen edge-on: it has no front to lose.
constexpr double kEdgeOn = 1e-4;
constexpr int kMostTrials = 24;
// In units of the fade; a logistic push has fallen to a thousandth.
constexpr double kFaded = 7.6;
constexpr double kSofter = 1.5;
constexpr double kLeastLean = 0.05;
constexpr double kShallower = 0.8;
constexpr int kRimRounds = 4;

std::vector<std::int32_t> touched_triangles(const DentHit& hit, const SurfaceQuery& surface) {
    const DentPress press(hit, 1.0);
    return surface.within([&](const Box& box) { return press.may_move(box); });
}

// Sheets of the surface that one ray along the dent meets, front to back.
using Sheets = std::vector<SurfacePoint>;

std::vector<Sheets> sheets_under(const DentHit& hit, const SurfaceQuery& surface) {
    const DentPress press(hit, 1.0);
    Vec3 x = hit.from_b;
    if (x.isZero()) x = any_perpendicular(hit.direction_b);
    const Vec3 y = hit.direction_b.cross(x);
    const double before = surface.box().diagonal() + hit.depth;
    const double step_over = 1e-9 * before;
    std::vector<Vec3> centres = {hit.position_b};
    for (const DentStart& s : hit.starts) centres.push_back(s.position_b);
    std::vector<Sheets> all;
    for (const Vec3& centre : centres) {
        for (int i = 0; i < kRays; ++i) {
            for (int j = 0; j < kRays; ++j) {
                const double u = hit.radius * (2.0 * (i + 0.5) / kRays - 1.0);
                const double v = hit.radius * (2.0 * (j + 0.5) / kRays - 1.0);
                const Vec3 place = centre + u * x + v * y;
                if (press.share((place - hit.position_b).dot(x), (place - hit.position_b).dot(y)) ==
                    0.0) {
                    continue;
                }
                Sheets sheets;
                Vec3 start = place - before * hit.direction_b;
                double left = 2.0 * before;
                while (left > 0.0 && sheets.size() < kMostSheets) {
                    const SurfacePoint met = surface.first_hit(start, hit.direction_b, left);
                    if (met.triangle < 0) break;
                    if (sheets.empty() || met.triangle != sheets.back().triangle) {
                        sheets.push_back(met);
                    }
                    start = met.position + step_over * hit.direction_b;
                    left -= met.distance + step_over;
                }
                if (sheets.size() > 1) all.push_back(std::move(sheets));
            }
        }
    }
    return all;
}

bool crosses(const DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest,
             const std::vector<Sheets>& all) {
    const DentPress press(hit, 1.0);
    const auto pressed = [&](const SurfacePoint& at) {
        const Triangle& corners = surface.triangles()[at.triangle];
        Vec3 sum = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            const std::int32_t v = corners[static_cast<std::size_t>(k)];
            sum += at.barycentric[k] * press(surface.points()[v], rest[v]);
        }
        return sum;
    };
    for (const Sheets& sheets : all) {
        Vec3 last = pressed(sheets[0]);
        for (std::size_t k = 1; k < sheets.size(); ++k) {
            const Vec3 now = pressed(sheets[k]);
            const double gap = (sheets[k].position - sheets[k - 1].position).dot(hit.direction_b);
            if ((now - last).dot(hit.direction_b) < kLeastGap * gap) return true;
            last = now;
        }
    }
    return false;
}

bool turns_over(const DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    const DentPress press(hit, 1.0);
    const std::span<const Vec3> points = surface.points();
    // Deeper than this next to nothing is left of the push, and cannot turn anything over.
    const double fade = hit.fade > 0 ? hit.fade : hit.radius;
    const double deepest = hit.attenuation == Attenuation::None ? kInfinity : kFaded * fade;
    const std::vector<std::int32_t> triangles = surface.within([&](const Box& box) {
        const Vec3 half = 0.5 * (box.upper - box.lower);
        const double nearest = (box.centre() - hit.position_b).dot(hit.direction_b) -
                               half.dot(hit.direction_b.cwiseAbs());
        return nearest < deepest && press.may_move(box);
    });
    for (const std::int32_t t : triangles) {
        const Triangle& c = surface.triangles()[t];
        const Vec3 area = area_vector(points, c);
        const double before = -area.dot(hit.direction_b);
        if (!(before > kEdgeOn * area.norm())) continue;
        const Vec3 p = press(points[c[0]], rest[c[0]]), q = press(points[c[1]], rest[c[1]]),
                   r = press(points[c[2]], rest[c[2]]);
        if (-(q - p).cross(r - p).dot(hit.direction_b) < kLeastFacing * before) return true;
    }
    return false;
}

// Volume below the triangles, from the struck place: only its change means something.
double volume_under(const DentPress& press, const Vec3& origin, const SurfaceQuery& surface,
                    std::span<const Vec3> rest, std::span<const std::int32_t> triangles) {
    double sum = 0.0;
    for (const std::int32_t t : triangles) {
        const Triangle& c = surface.triangles()[t];
        const auto at = [&](int k) {
            const std::int32_t v = c[static_cast<std::size_t>(k)];
            return Vec3(press(surface.points()[v], rest[v]) - origin);
        };
        sum += at(0).dot(at(1).cross(at(2)));
    }
    return sum / 6.0;
}

}  // namespace

void guard_dent(DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    DUCTILE_ASSERT(rest.size() == surface.points().size(), "a rest place per point");
    if (!(hit.depth > 0)) return;
    const std::vector<Sheets> sheets = sheets_under(hit, surface);
    for (int k = 0; k < kMostTrials; ++k) {
        if (crosses(hit, surface, rest, sheets)) {
            const double fade = hit.fade > 0 ? hit.fade : hit.radius;
            const double safe = safe_fade(hit.attenuation, hit.depth);
            if (fade < safe) {
                hit.fade = std::min(safe, kSofter * fade);
            } else {
                hit.depth *= kShallower;
            }
        } else if (hit.slant_deg > 0 && hit.lean > 0 && turns_over(hit, surface, rest)) {
            hit.lean = hit.lean > kLeastLean ? 0.5 * hit.lean : 0.0;
        } else {
            return;
        }
    }
    hit.lean = 0.0;  // what moves straight in turns nothing over
}

void fit_rim(DentHit& hit, double share, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    hit.rim = 0.0;
    if (!(share > 0) || !(hit.depth > 0)) return;
    const std::vector<std::int32_t> triangles = touched_triangles(hit, surface);
    const auto volume = [&](double rim, double amount) {
        hit.rim = rim;
        return volume_under(DentPress(hit, amount), hit.position_b, surface, rest, triangles);
    };
    const double whole = volume(0.0, 0.0);
    const double lost = whole - volume(0.0, 1.0);
    const double target = whole - (1.0 - share) * lost;
    // A Gaussian's edge holds a fifth of its volume; the rest is a secant on the true one, which is
    // smooth and all but straight in the rim.
    double a = 0.0, va = whole - lost, b = 5.0 * share, vb = volume(b, 1.0);
    for (int k = 0; k < kRimRounds && vb != va; ++k) {
        const double next = std::clamp(b + (target - vb) * (b - a) / (vb - va), 0.0, 50.0);
        a = b;
        va = vb;
        b = next;
        vb = volume(b, 1.0);
        if (std::abs(vb - target) <= 1e-4 * std::abs(lost)) break;
    }
    hit.rim = b;
}

}  // namespace ductile
