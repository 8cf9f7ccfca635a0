// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/repair/weld.h>
#include <ductile/geom/tri_mesh.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace ductile {
namespace {

// Cells this many tolerances wide: larger ones are looked up less often (a point near a wall looks
// behind it), smaller ones bound how many places fit into one however a file crowds them.
constexpr double kCellWidth = 4.0;
// Cell numbers beyond this would lose their last digit in a double.
constexpr double kMostCells = 1e15;
constexpr std::size_t kWeldGrain = 4096;

using Cell = std::array<std::int64_t, 3>;

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0x9fb21c651e98df25ULL;
    h ^= h >> 29;
    return h * 0x9ddfea08eb382d69ULL;
}

std::uint64_t hash_of(const Cell& cell, std::int32_t group) {
    std::uint64_t h = static_cast<std::uint64_t>(group) + 0x9e3779b97f4a7c15ULL;
    for (const std::int64_t c : cell) h = mixed(h ^ static_cast<std::uint64_t>(c));
    return h ^ (h >> 31);
}

// A grid over space whose cells list their places; cells that share a slot share a list, which
// costs a comparison and nothing else.
class PlaceGrid {
public:
    PlaceGrid(const Box& box, double tolerance, std::size_t count)
        : origin_(box.lower), tolerance_sq_(tolerance * tolerance) {
        const double extent = (box.upper - box.lower).maxCoeff();
        const double width = std::max(kCellWidth * tolerance, extent / kMostCells);
        per_metre_ = width > 0 ? 1.0 / width : 1.0;
        reach_ = tolerance * per_metre_;
        head_.assign(std::bit_ceil(std::max<std::size_t>(16, count)), -1);
    }

    Vec3 scaled(const Vec3& p) const { return (p - origin_) * per_metre_; }

    std::uint64_t home(const Vec3& p, std::int32_t group) const {
        return hash_of(cell_of(scaled(p)), group);
    }

    // The nearest place within the tolerance, or -1.
    std::int32_t find(const Vec3& p, std::int32_t group, std::uint64_t home) const {
        Best best{-1, tolerance_sq_};
        const Vec3 s = scaled(p);
        const Cell low = cell_of(s - Vec3::Constant(reach_));
        const Cell high = cell_of(s + Vec3::Constant(reach_));
        if (low == high) {
            look(home, p, group, best);
            return best.place;
        }
        for (std::int64_t x = low[0]; x <= high[0]; ++x) {
            for (std::int64_t y = low[1]; y <= high[1]; ++y) {
                for (std::int64_t z = low[2]; z <= high[2]; ++z) {
                    look(hash_of({x, y, z}, group), p, group, best);
                }
            }
        }
        return best.place;
    }

    std::int32_t add(const Vec3& p, std::int32_t group, std::uint64_t home) {
        const auto made = static_cast<std::int32_t>(points.size());
        std::int32_t& head = head_[home & (head_.size() - 1)];
        points.push_back(p);
        places_.push_back({group, head});
        head = made;
        return made;
    }

    std::vector<Vec3> points;

private:
    struct Place {
        std::int32_t group, next;
    };
    struct Best {
        std::int32_t place;
        double distance_sq;
    };

    static Cell cell_of(const Vec3& s) {
        return {static_cast<std::int64_t>(std::floor(s.x())),
                static_cast<std::int64_t>(std::floor(s.y())),
                static_cast<std::int64_t>(std::floor(s.z()))};
    }

    void look(std::uint64_t home, const Vec3& p, std::int32_t group, Best& best) const {
        for (std::int32_t i = head_[home & (head_.size() - 1)]; i >= 0; i = places_[i].next) {
            if (places_[i].group != group) continue;
            const double distance_sq = (points[i] - p).squaredNorm();
            const bool is_nearer =
                distance_sq < best.distance_sq ||
                (distance_sq == best.distance_sq && (best.place < 0 || i < best.place));
            if (is_nearer) best = {i, distance_sq};
        }
    }

    Vec3 origin_;
    double tolerance_sq_;
    double per_metre_ = 1.0;
    double reach_ = 0.0;
    std::vector<std::int32_t> head_;
    std::vector<Place> places_;
};

}  // namespace

Weld weld_points(std::span<const Vec3> points, double tolerance,
                 std::span<const std::int32_t> groups) {
    DUCTILE_ASSERT(tolerance >= 0, "a tolerance is not negative");
    DUCTILE_ASSERT(groups.empty() || groups.size() == points.size(), "one group each");
    Weld weld;
    if (points.empty()) return weld;
    PlaceGrid grid(bounds(points), tolerance, points.size());
    const auto group_of = [&](std::size_t i) { return groups.empty() ? 0 : groups[i]; };
    std::vector<std::uint64_t> home(points.size());
    parallel_for(points.size(), kWeldGrain,
                 [&](std::size_t i) { home[i] = grid.home(points[i], group_of(i)); });
    weld.place.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int32_t found = grid.find(points[i], group_of(i), home[i]);
        weld.place[i] = found >= 0 ? found : grid.add(points[i], group_of(i), home[i]);
    }
    weld.points = std::move(grid.points);
    return weld;
}

}  // namespace ductile
