// SPDX-License-Identifier: MIT
#include <ductile/geom/query/find_places.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace ductile {
namespace {

class PlaceIndex {
public:
    explicit PlaceIndex(std::span<const Vec3> places) : places_(places), order_(places.size()) {
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair(key(places_[a]), a) < std::pair(key(places_[b]), b);
        });
    }

    std::int32_t find(const Vec3& p, double tolerance) const {
        const auto exact = first_from(key(p));
        if (exact != order_.end() && key(places_[*exact]) == key(p)) return *exact;
        const Vec3 low = p - Vec3(tolerance, 0, 0);
        std::int32_t nearest = -1;
        double least_sq = tolerance * tolerance;
        for (auto at = first_from({static_cast<float>(low.x()), -INFINITY, -INFINITY});
             at != order_.end() && places_[*at].x() <= p.x() + tolerance; ++at) {
            const double distance_sq = (places_[*at] - p).squaredNorm();
            if (distance_sq > least_sq || (nearest >= 0 && distance_sq == least_sq)) continue;
            least_sq = distance_sq;
            nearest = *at;
        }
        return nearest;
    }

private:
    using Key = std::array<float, 3>;
    static Key key(const Vec3& p) {
        return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
    }
    std::vector<std::int32_t>::const_iterator first_from(const Key& wanted) const {
        return std::lower_bound(order_.begin(), order_.end(), wanted,
                                [&](std::int32_t i, const Key& k) { return key(places_[i]) < k; });
    }

    std::span<const Vec3> places_;
    std::vector<std::int32_t> order_;
};

}  // namespace

std::vector<std::int32_t> find_places(std::span<const Vec3> wanted, std::span<const Vec3> places,
                                      double tolerance) {
    const PlaceIndex index(places);
    std::vector<std::int32_t> found;
    found.reserve(wanted.size());
    for (const Vec3& p : wanted) found.push_back(index.find(p, tolerance));
    return found;
}

}  // namespace ductile
