// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/pieces/convex.h>
#include <ductile/geom/pieces/piece_tracking.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ductile {
namespace {

// Below this length of its mean normal (areas against their vector sum) a patch closes on itself.
constexpr double kClosedPatch = 0.05;
// Sheets of one's own patch that a ray may pass on its way in; more means a tangle.
constexpr int kOwnSheets = 32;

// The cloud so far and what is known of every vertex' distance to its hull. Distances only shrink
// as the cloud grows, so an old one is a bound: only the largest are measured again.
class CloudGrowth {
public:
    CloudGrowth(std::span<const Vec3> points, std::span<const std::int32_t> vertices,
                const Vec3& inner)
        : points_(points), vertices_(vertices), is_chosen_(vertices.size(), 0), cloud_{inner} {}

    void take(std::size_t i) {
        if (is_chosen_[i]) return;
        is_chosen_[i] = 1;
        cloud_.push_back(points_[vertices_[i]]);
        chosen_.push_back(vertices_[i]);
    }

    void take_extreme(const Vec3& direction) {
        std::size_t best = 0;
        double furthest = -kInfinity;
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            const double along = points_[vertices_[i]].dot(direction);
            if (along > furthest) {
                furthest = along;
                best = i;
            }
        }
        take(best);
    }

    // Takes the vertex furthest outside, if it is further than `slack`.
    bool take_furthest(double slack) {
        if (!has_heap_) make_heap();
        while (!heap_.empty() && heap_.front().bound > slack) {
            std::pop_heap(heap_.begin(), heap_.end());
            Bound& furthest = heap_.back();
            const double before = furthest.bound;
            furthest.bound = hull_distance(cloud_, points_[vertices_[furthest.vertex]]).distance;
            const double next = heap_.size() > 1 ? heap_.front().bound : -1.0;
            const bool is_behind = furthest.bound < before && next > furthest.bound;
            if (is_behind || furthest.bound <= slack) {
                const bool is_last = !is_behind;
                std::push_heap(heap_.begin(), heap_.end());
                if (is_last) return false;
                continue;
            }
            const std::size_t taken = furthest.vertex;
            heap_.pop_back();
            take(taken);
            return true;
        }
        return false;
    }

    // Takes the vertex furthest from its nearest chosen one.
    bool take_loneliest() {
        std::size_t best = 0;
        double furthest = 0.0;
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            if (is_chosen_[i]) continue;
            double nearest = kInfinity;
            for (std::size_t c = 1; c < cloud_.size(); ++c) {
                nearest = std::min(nearest, (cloud_[c] - points_[vertices_[i]]).squaredNorm());
            }
            if (nearest > furthest) {
                furthest = nearest;
                best = i;
            }
        }
        if (!(furthest > 0.0)) return false;
        take(best);
        return true;
    }

    std::size_t count() const { return chosen_.size(); }
    std::vector<std::int32_t> chosen() && { return std::move(chosen_); }

private:
    // The largest comes first; of equal ones the first vertex.
    struct Bound {
        double bound = 0.0;
        std::size_t vertex = 0;
        friend bool operator<(const Bound& a, const Bound& b) {
            return a.bound != b.bound ? a.bound < b.bound : a.vertex > b.vertex;
        }
    };

    void make_heap() {
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            if (!is_chosen_[i]) heap_.push_back({kInfinity, i});
        }
        std::make_heap(heap_.begin(), heap_.end());
        has_heap_ = true;
    }

    std::span<const Vec3> points_;
    std::span<const std::int32_t> vertices_;
    std::vector<std::uint8_t> is_chosen_;
    std::vector<Bound> heap_;  // of those not chosen, once it is made
    bool has_heap_ = false;
    std::vector<Vec3> cloud_;
    std::vector<std::int32_t> chosen_;
};

struct PatchShape {
    Vec3 centre = Vec3::Zero();  // of area
    Vec3 normal = Vec3::Zero();  // mean of the faces' unit normals by area; zero if closed
    double size = 0.0;           // diagonal of its box
};

PatchShape patch_shape(const SurfaceQuery& surface, std::span<const std::int32_t> faces) {
    PatchShape shape;
    Box box;
    Vec3 vector = Vec3::Zero(), plain = Vec3::Zero();
    double area = 0.0;
    for (const std::int32_t f : faces) {
        const Triangle& t = surface.triangles()[f];
        const Vec3 face_vector = area_vector(surface.points(), t);
        Vec3 centre = Vec3::Zero();
        for (const std::int32_t v : t) {
            centre += surface.points()[v] / 3.0;
            box.add(surface.points()[v]);
        }
        vector += face_vector;
        plain += centre;
        area += face_vector.norm();
        shape.centre += face_vector.norm() * centre;
    }
    shape.centre = area > 0.0 ? Vec3(shape.centre / area) : Vec3(plain / double(faces.size()));
    if (vector.norm() > kClosedPatch * area) shape.normal = vector.normalized();
    shape.size = box.diagonal();
    return shape;
}

// The centre of a patch that closes on itself; beside it if the patch has no inside to speak of: a
// plate with both of its sides.
Vec3 beside_flat(const SurfaceQuery& surface, std::span<const std::int32_t> faces,
                 const Vec3& centre, double floor) {
    Mat3 spread = Mat3::Zero();
    double count = 0.0;
    for (const std::int32_t f : faces) {
        for (const std::int32_t v : surface.triangles()[f]) {
            const Vec3 d = surface.points()[v] - centre;
            spread += d * d.transpose();
            count += 1.0;
        }
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread / count);
    const double thickness = std::sqrt(std::max(0.0, axes.eigenvalues()[0]));
    if (thickness > floor) return centre;
    return centre - floor * axes.eigenvectors().col(0);
}

}  // namespace

std::vector<std::int32_t> track_points(std::span<const Vec3> points,
                                       std::span<const std::int32_t> vertices, const Vec3& inner,
                                       const TrackOptions& options) {
    DUCTILE_ASSERT(!vertices.empty() && options.limit >= 1, "a piece tracks points");
    CloudGrowth growth(points, vertices, inner);
    const auto limit = std::min(static_cast<std::size_t>(options.limit), vertices.size());
    Vec3 mean = Vec3::Zero();
    for (const std::int32_t v : vertices) mean += points[v];
    mean /= static_cast<double>(vertices.size());
    const Vec3 outward = mean - inner;
    const Vec3 n = outward.norm() > 0.0 ? Vec3(outward.normalized()) : Vec3(Vec3::UnitY());
    const Vec3 u = any_perpendicular(n), v = n.cross(u);
    const std::array<Vec3, 4> sides = {u, v, Vec3(-u), Vec3(-v)};
    for (const Vec3& side : sides) {
        if (growth.count() < limit) growth.take_extreme(side);
    }
    // Three points and the inner one at least, or the piece would be flat.
    while (growth.count() < std::min<std::size_t>(limit, 3) && growth.take_furthest(0.0)) continue;
    while (growth.count() < limit && growth.take_furthest(options.slack)) continue;
    while (options.fills_up && growth.count() < limit && growth.take_loneliest()) continue;
    std::vector<std::int32_t> chosen = std::move(growth).chosen();
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

Vec3 inner_point(const SurfaceQuery& surface, std::span<const std::int32_t> faces, double inset,
                 double floor) {
    const PatchShape shape = patch_shape(surface, faces);
    if (shape.normal.isZero()) return beside_flat(surface, faces, shape.centre, floor);
    double depth = inset * shape.size;
    double travelled = 0.0;
    for (int sheet = 0; sheet < kOwnSheets && travelled < 2.0 * depth; ++sheet) {
        const Vec3 start = shape.centre - travelled * shape.normal;
        const SurfacePoint hit = surface.first_hit(start, -shape.normal, 2.0 * depth - travelled);
        if (hit.triangle < 0) break;
        travelled += hit.distance;
        // A patch's own front may lie below its centre of area, where it is hollow. Its own back is
        // the other side of a thin body that it laps around.
        const Triangle& t = surface.triangles()[hit.triangle];
        const bool is_front = area_vector(surface.points(), t).dot(shape.normal) > 0.0;
        if (!is_front || !std::binary_search(faces.begin(), faces.end(), hit.triangle)) {
            depth = 0.5 * travelled;
            break;
        }
        travelled += 1e-9 * shape.size;
    }
    return shape.centre - std::max(depth, floor) * shape.normal;
}

}  // namespace ductile
