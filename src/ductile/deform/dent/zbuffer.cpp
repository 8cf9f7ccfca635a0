// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/zbuffer.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Twice the area below which a triangle seen from the front is a line [samples^2].
constexpr double kLine = 1e-12;

class DepthPicture {
public:
    explicit DepthPicture(DentMap& map)
        : map_(map), columns_(map.columns), rows_(map.rows), depths_(map.depths) {
        std::fill(depths_.begin(), depths_.end(), -kInfinity);
    }

    /// Coordinates in samples, depth in metres.
    Vec3 to_samples(const Vec3& local) const {
        return {local.x() / map_.cell + 0.5 * (columns_ - 1),
                local.y() / map_.cell + 0.5 * (rows_ - 1), local.z()};
    }

    void draw(const Vec3& p) {
        const double i = std::round(p.x()), j = std::round(p.y());
        if (!(i >= 0.0 && j >= 0.0 && i < columns_ && j < rows_)) return;
        raise(depths_[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(i)],
              p.z());
    }

    void draw(const Vec3& a, const Vec3& b, const Vec3& c) {
        const double left = std::min({a.x(), b.x(), c.x()}),
                     right = std::max({a.x(), b.x(), c.x()});
        const double top = std::min({a.y(), b.y(), c.y()}),
                     bottom = std::max({a.y(), b.y(), c.y()});
        const double first_row = std::max(0.0, std::ceil(top));
        const double last_row = std::min(rows_ - 1.0, std::floor(bottom));
        if (first_row > last_row || right < 0.0 || left > columns_ - 1.0) return;
        if (std::ceil(left) > std::floor(right)) return;  // between two columns of samples
        const double area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
        if (!(std::abs(area) > kLine)) return;
        // The plane of the triangle, as depth over the map.
        const double along_x =
            ((b.z() - a.z()) * (c.y() - a.y()) - (c.z() - a.z()) * (b.y() - a.y())) / area;
        const double along_y =
            ((c.z() - a.z()) * (b.x() - a.x()) - (b.z() - a.z()) * (c.x() - a.x())) / area;
        const double deepest = std::max({a.z(), b.z(), c.z()});
        for (double y = first_row; y <= last_row; y += 1.0) {
            double from = -kInfinity, to = kInfinity;
            clip(a, b, y, area, from, to);
            clip(b, c, y, area, from, to);
            clip(c, a, y, area, from, to);
            const double begin = std::max({0.0, std::ceil(from), std::ceil(left)});
            const double end = std::min({columns_ - 1.0, std::floor(to), std::floor(right)});
            if (!(begin <= end)) continue;
            const double start = a.z() + along_x * (begin - a.x()) + along_y * (y - a.y());
            double* row = depths_.data() + static_cast<std::ptrdiff_t>(y) * columns_ +
                          static_cast<std::ptrdiff_t>(begin);
            const auto count = static_cast<std::int32_t>(end - begin) + 1;
            for (std::int32_t i = 0; i < count; ++i) {
                // Rounding must not carry a steep triangle beyond its own corners.
                raise(row[i], std::min(deepest, start + along_x * i));
            }
        }
    }

private:
    static void raise(double& depth, double z) { depth = depth < z ? z : depth; }

    // Narrows the samples of a row to one side of an edge.
    static void clip(const Vec3& p, const Vec3& q, double y, double area, double& from,
                     double& to) {
        const double dy = q.y() - p.y();
        if (dy == 0.0) return;
        const double x = p.x() + (y - p.y()) * ((q.x() - p.x()) / dy);
        // The inside of a triangle of positive area lies to the left of its edges.
        if ((dy > 0.0) == (area > 0.0)) {
            to = std::min(to, x);
        } else {
            from = std::max(from, x);
        }
    }

    DentMap& map_;
    std::int32_t columns_, rows_;
    std::vector<double>& depths_;
};

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
    std::vector<Vec3> seen(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        seen[v] = picture.to_samples(frame.to_local(points[v]));
    }
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) picture.draw(seen[v]);
        picture.draw(seen[t[0]], seen[t[1]], seen[t[2]]);
    }
    const double foremost = *std::max_element(map.depths.begin(), map.depths.end());
    if (!(foremost > -kInfinity)) {
        std::fill(map.depths.begin(), map.depths.end(), 0.0);
        return;
    }
    for (double& z : map.depths) z = std::max(0.0, distance - (foremost - z));
}

}  // namespace ductile
