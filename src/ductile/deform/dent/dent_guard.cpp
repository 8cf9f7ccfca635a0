// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_guard.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Rays along each side of the footprint.
constexpr int kRays = 7;
// Sheets that one ray may meet; beyond that the body is foam.
constexpr int kMostSheets = 12;
// Sheets further apart than this many depths do not meet: the map is one-to-one, and what flat
// triangles make of it is off by less than a depth.
constexpr double kThick = 3.0;
// Of the distance between two sheets, what must stay.
constexpr double kLeastGap = 0.1;
// A triangle that faces the impact may lose this much of what it shows to it.
constexpr double kLeastFacing = 0.02;
// What shows less of itself to the impact is seen edge-on: it has no front to lose.
constexpr double kEdgeOn = 1e-4;
constexpr int kMostTrials = 24;
constexpr double kSofter = 1.5;
constexpr double kUpright = 0.75;
constexpr double kLeastLean = 0.05;
constexpr double kShallower = 0.8;

std::vector<std::int32_t> touched_triangles(const DentHit& hit, const SurfaceQuery& surface) {
    const DentPress press(hit, 1.0);
    return surface.within([&](const Box& box) { return press.may_move(box); });
}

// Sheets of the surface that one ray along the dent meets, front to back.
using Sheets = std::vector<SurfacePoint>;

// What a ray along the dent through a place of its plane meets.
Sheets sheets_at(const DentHit& hit, const SurfaceQuery& surface, const Vec3& place) {
    const double before = surface.box().diagonal() + hit.depth;
    const double step_over = 1e-9 * before;
    Sheets sheets =
        surface.all_hits(place - before * hit.direction_b, hit.direction_b, 2.0 * before);
    // Neighbours that meet at an edge under the ray are one sheet.
    const auto is_same = [&](const SurfacePoint& a, const SurfacePoint& b) {
        return b.distance - a.distance <= step_over;
    };
    sheets.erase(std::unique(sheets.begin(), sheets.end(), is_same), sheets.end());
    if (sheets.size() > kMostSheets) sheets.resize(kMostSheets);
    return sheets;
}

// Where the dent's own axes are: its place, or each of its starts.
std::vector<Vec3> middles(const DentHit& hit) {
    std::vector<Vec3> places;
    for (const DentStart& s : hit.starts) places.push_back(s.position_b);
    if (places.empty()) places.push_back(hit.position_b);
    return places;
}

// Whether the body is so thick under the dent that nothing behind can be in the way.
bool is_thick(const DentHit& hit, const SurfaceQuery& surface, const Vec3& x, const Vec3& y) {
    const double fade = hit.fade > 0 ? hit.fade : hit.radius;
    if (fade < safe_fade(hit.attenuation, hit.depth)) return false;
    constexpr double kOff[5][2] = {{0, 0}, {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}};
    for (const Vec3& middle : middles(hit)) {
        for (const auto& [u, v] : kOff) {
            const Sheets sheets = sheets_at(hit, surface, middle + hit.radius * (u * x + v * y));
            for (std::size_t k = 1; k < sheets.size(); ++k) {
                const Vec3 apart = sheets[k].position - sheets[k - 1].position;
                if (apart.dot(hit.direction_b) < kThick * hit.depth) return false;
            }
        }
    }
    return true;
}

std::vector<Sheets> sheets_under(const DentHit& hit, const SurfaceQuery& surface) {
    const DentPress press(hit, 1.0);
    Vec3 x = hit.from_b;
    if (x.isZero()) x = any_perpendicular(hit.direction_b);
    const Vec3 y = hit.direction_b.cross(x);
    std::vector<Sheets> all;
    if (is_thick(hit, surface, x, y)) return all;
    for (const Vec3& middle : middles(hit)) {
        for (int i = 0; i < kRays; ++i) {
            for (int j = 0; j < kRays; ++j) {
                const double u = hit.radius * (2.0 * (i + 0.5) / kRays - 1.0);
                const double v = hit.radius * (2.0 * (j + 0.5) / kRays - 1.0);
                const Vec3 place = middle + u * x + v * y;
                const Vec3 off = place - hit.position_b;
                if (press.share(off.dot(x), off.dot(y)) == 0.0) continue;
                Sheets sheets = sheets_at(hit, surface, place);
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

// Some triangles, and where a dent puts their corners: each is pressed once.
class Trial {
public:
    Trial(const DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest)
        : surface_(surface),
          triangles_(touched_triangles(hit, surface)),
          vertices_(corners_of(triangles_, surface)),
          place_(vertices_) {
        press(hit, 1.0, rest);
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    void press(const DentHit& hit, double amount, std::span<const Vec3> rest) {
        const DentPress pressing(hit, amount);
        pressed_.clear();
        vertices_.for_each(
            [&](std::int32_t v) { pressed_.push_back(pressing(surface_.points()[v], rest[v])); });
    }

    std::span<const std::int32_t> triangles() const { return triangles_; }
    const Vec3& pressed(std::int32_t vertex) const {
        return pressed_[static_cast<std::size_t>(place_(vertex))];
    }

private:
    static IndexSet corners_of(std::span<const std::int32_t> triangles,
                               const SurfaceQuery& surface) {
        IndexSet vertices(surface.points().size());
        for (const std::int32_t t : triangles) {
            for (const std::int32_t v : surface.triangles()[t]) vertices.insert(v);
        }
        return vertices;
    }

    const SurfaceQuery& surface_;
    std::vector<std::int32_t> triangles_;  // ascending
    IndexSet vertices_;
    IndexSet::Ranks place_;      // of each vertex ...
    std::vector<Vec3> pressed_;  // ... in here
};

bool turns_over(const DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    const Trial trial(hit, surface, rest);
    for (const std::int32_t t : trial.triangles()) {
        const Triangle& c = surface.triangles()[t];
        const Vec3 area = area_vector(surface.points(), c);
        const double before = -area.dot(hit.direction_b);
        if (!(before > kEdgeOn * area.norm())) continue;
        const Vec3 &p = trial.pressed(c[0]), &q = trial.pressed(c[1]), &r = trial.pressed(c[2]);
        if (-(q - p).cross(r - p).dot(hit.direction_b) < kLeastFacing * before) return true;
    }
    return false;
}

}  // namespace

void guard_dent(DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    DUCTILE_ASSERT(rest.size() == surface.points().size(), "a rest place per point");
    if (!(hit.depth > 0)) return;
    const std::vector<Sheets> sheets = sheets_under(hit, surface);
    const bool goes_aside = hit.slant_deg > 0 || (hit.map && hit.map->sideways());
    for (int k = 0; k < kMostTrials; ++k) {
        if (crosses(hit, surface, rest, sheets)) {
            const double fade = hit.fade > 0 ? hit.fade : hit.radius;
            const double safe = safe_fade(hit.attenuation, hit.depth);
            if (fade < safe) {
                hit.fade = std::min(safe, kSofter * fade);
            } else {
                hit.depth *= kShallower;
            }
        } else if (goes_aside && hit.lean > 0 && turns_over(hit, surface, rest)) {
            hit.lean = hit.lean > kLeastLean ? kUpright * hit.lean : 0.0;
        } else {
            return;
        }
    }
    hit.lean = 0.0;  // what moves straight in turns nothing over
}

}  // namespace ductile
