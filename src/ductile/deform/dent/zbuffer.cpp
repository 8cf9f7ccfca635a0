// SPDX-License-Identifier: MIT
// A picture of depths, drawn triangle by triangle (Patkar et al. 2014, section 3.2). Most triangles
// of a fine mesh are as small as a sample and most lie too far back to press anything, so what
// counts is to be done with those quickly; a large triangle is drawn by rows.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/zbuffer.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Twice the area below which a triangle seen from the front is a line [samples^2].
constexpr double kLine = 1e-12;
// Edges count as this much wider, so that no sample falls between two triangles [samples].
constexpr double kSlack = 1e-9;

// Whole numbers beside one that is not negative. (Not every machine has an instruction for floor.)
std::int32_t floor_of(double v) { return static_cast<std::int32_t>(v); }
std::int32_t ceil_of(double v) {
    const std::int32_t below = static_cast<std::int32_t>(v);
    return below + (below < v ? 1 : 0);
}

// Places this near to the middle between two samples are as near to either [samples].
constexpr double kTie = 1e-6;

// Coordinates in samples, depth in metres.
struct Seen {
    double x, y, z;
};

class DepthPicture {
public:
    explicit DepthPicture(DentMap& map)
        : columns_(map.columns), rows_(map.rows), depths_(map.depths.data()) {
        std::fill(map.depths.begin(), map.depths.end(), -kInfinity);
    }

    // Whether the sample nearest to a point is one of the map's.
    bool holds(const Seen& p) const {
        return p.x >= -0.5 && p.y >= -0.5 && p.x < columns_ - 0.5 && p.y < rows_ - 0.5;
    }

    // At the nearest sample; half way between two, as symmetric bodies have it, at both of them:
    // rounding must not choose.
    void draw(const Seen& p) {
        if (!holds(p)) return;
        const std::int32_t last_x = std::min(columns_ - 1, floor_of(p.x + (0.5 + kTie)));
        const std::int32_t last_y = std::min(rows_ - 1, floor_of(p.y + (0.5 + kTie)));
        for (std::int32_t j = floor_of(std::max(0.0, p.y + (0.5 - kTie))); j <= last_y; ++j) {
            for (std::int32_t i = floor_of(std::max(0.0, p.x + (0.5 - kTie))); i <= last_x; ++i) {
                raise(row(j)[i], p.z);
            }
        }
    }

    // Branches here would go either way at random, so corners are sorted without any.
    void draw(const Seen& a, const Seen& b, const Seen& c) {
        const Seen *p = &a, *q = &b, *r = &c;  // from top to bottom
        sort(p, q);
        sort(q, r);
        sort(p, q);
        const double left = std::max(0.0, std::min(std::min(a.x, b.x), c.x) - kSlack);
        const double right = std::min(columns_ - 1.0, std::max(std::max(a.x, b.x), c.x) + kSlack);
        const double above = std::max(0.0, p->y - kSlack);
        const double below = std::min(rows_ - 1.0, r->y + kSlack);
        if (!(left <= right && above <= below)) return;
        const std::int32_t top = ceil_of(above), bottom = floor_of(below);
        if (top > bottom || ceil_of(left) > floor_of(right)) return;  // between samples
        const double qx = q->x - p->x, qy = q->y - p->y, rx = r->x - p->x, ry = r->y - p->y;
        const double area = qx * ry - rx * qy;
        if (!(std::abs(area) > kLine)) return;
        // The plane of the triangle, as depth over the map.
        const double per_area = 1.0 / area, qz = q->z - p->z, rz = r->z - p->z;
        const double along_x = (qz * ry - rz * qy) * per_area;
        const double along_y = (rz * qx - qz * rx) * per_area;
        const double deepest = std::max(std::max(a.z, b.z), c.z);
        // One side goes from top to bottom, the other over the corner between. Where a slope is
        // infinite its edge lies along a row and the other two bound it.
        const double whole = rx / ry, upper = qx / qy, lower = (r->x - q->x) / (r->y - q->y);
        const int whole_is_right = area < 0.0;
        const double corner = q->y < r->y ? q->y : kInfinity;
        for (std::int32_t j = top; j <= bottom; ++j) {
            const double y = j;
            const bool is_above = y < corner;
            const double slope = is_above ? upper : lower;
            const Seen& start = is_above ? *p : *q;
            const double x0 = p->x + (y - p->y) * whole, x1 = start.x + (y - start.y) * slope;
            const double slack = kSlack * (2.0 + std::abs(whole) + std::abs(slope));
            const double sides[] = {x0, x1};
            const double from = std::max(left, sides[whole_is_right] - slack);
            const double to = std::min(right, sides[1 - whole_is_right] + slack);
            if (!(from <= to)) continue;
            const std::int32_t begin = ceil_of(from), end = floor_of(to);
            const double z = p->z + along_y * (y - p->y);
            double* out = row(j);
            for (std::int32_t i = begin; i <= end; ++i) {
                // Rounding must not carry a steep triangle beyond its own corners.
                raise(out[i], std::min(deepest, z + along_x * (i - p->x)));
            }
        }
    }

private:
    static void raise(double& depth, double z) { depth = depth < z ? z : depth; }

    double* row(std::int32_t j) { return depths_ + std::ptrdiff_t(j) * columns_; }

    static void sort(const Seen*& u, const Seen*& v) {
        const bool is_sorted = u->y <= v->y;
        const Seen *first = is_sorted ? u : v, *second = is_sorted ? v : u;
        u = first;
        v = second;
    }

    std::int32_t columns_, rows_;
    double* depths_;
};

std::vector<Seen> see(std::span<const Vec3> points, const DentFrame& frame, const DentMap& map) {
    std::vector<Seen> seen(points.size());
    const double per_cell = 1.0 / map.cell;
    const double middle_x = 0.5 * (map.columns - 1), middle_y = 0.5 * (map.rows - 1);
    for (std::size_t v = 0; v < points.size(); ++v) {
        const Vec3 local = frame.to_local(points[v]);
        seen[v] = {local.x() * per_cell + middle_x, local.y() * per_cell + middle_y, local.z()};
    }
    return seen;
}

}  // namespace

DentFrame dent_frame(const Vec3& origin, const Vec3& way_in, const Vec3& wanted_x) {
    DentFrame frame;
    frame.origin = origin;
    frame.z = way_in.normalized();
    Vec3 x = wanted_x - wanted_x.dot(frame.z) * frame.z;
    if (!(x.norm() > 1e-9 * wanted_x.norm())) x = any_perpendicular(frame.z);
    frame.x = x.normalized();
    frame.y = frame.z.cross(frame.x);
    return frame;
}

void press_profile(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   const DentFrame& frame, double distance, DentMap& map) {
    DUCTILE_ASSERT(distance >= 0.0, "a distance to press");
    DepthPicture picture(map);
    const std::vector<Seen> seen = see(points, frame, map);
    // Per point: belongs to a triangle, and then: is not too far back to press anything.
    std::vector<char> counts(points.size());
    for (const Triangle& t : triangles) counts[t[0]] = counts[t[1]] = counts[t[2]] = 1;
    double foremost = -kInfinity;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (counts[v] && picture.holds(seen[v])) foremost = std::max(foremost, seen[v].z);
    }
    // Triangles may reach even further ahead between their corners; nothing is further back.
    const double behind = foremost - distance;
    for (std::size_t v = 0; v < points.size(); ++v) {
        const bool is_ahead = seen[v].z >= behind;
        if (is_ahead && counts[v]) picture.draw(seen[v]);
        counts[v] = is_ahead;
    }
    for (const Triangle& t : triangles) {
        if (counts[t[0]] | counts[t[1]] | counts[t[2]]) {
            picture.draw(seen[t[0]], seen[t[1]], seen[t[2]]);
        }
    }
    foremost = map.deepest();
    if (!(foremost > -kInfinity)) {
        std::fill(map.depths.begin(), map.depths.end(), 0.0);
        return;
    }
    for (double& z : map.depths) z = std::max(0.0, distance - (foremost - z));
}

}  // namespace ductile
