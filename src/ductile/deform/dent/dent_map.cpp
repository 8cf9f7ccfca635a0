// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/record_kind.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A Gaussian profile of width radius / 3 is lowered by what is left of it at the radius.
constexpr double kGaussianEnd = 0.011108996538242306;  // exp(-4.5)

DentMap round_map(std::int32_t side, double radius, const std::function<double(double)>& depth) {
    DUCTILE_ASSERT(side >= 5 && radius > 0.0, "a grid and a reach");
    return map_of(side, side, 2.0 * radius / (side - 3), [&](double x, double y) {
        const double r = std::hypot(x, y);
        return r < radius ? depth(r) : 0.0;
    });
}

}  // namespace

double DentMap::deepest() const {
    if (depths.empty()) return 0.0;
    // Eight at once: no comparison waits for the one before, and there are lanes for that.
    constexpr std::size_t kLanes = 8;
    double most[kLanes];
    std::fill(most, most + kLanes, depths[0]);
    std::size_t i = 0;
    for (; i + kLanes <= depths.size(); i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const double z = depths[i + k];
            most[k] = most[k] < z ? z : most[k];
        }
    }
    for (; i < depths.size(); ++i) most[0] = std::max(most[0], depths[i]);
    return *std::max_element(most, most + kLanes);
}

double DentMap::depth(double px, double py) const {
    const double u = px / cell + 0.5 * (columns - 1), v = py / cell + 0.5 * (rows - 1);
    // Written so that NaN is outside.
    if (!(u > -1.0 && v > -1.0 && u < columns && v < rows)) return 0.0;
    const double fu = std::floor(u), fv = std::floor(v);
    const auto i = static_cast<std::int32_t>(fu), j = static_cast<std::int32_t>(fv);
    const double a = u - fu, b = v - fv;
    const auto sample = [&](std::int32_t k, std::int32_t l) {
        return k >= 0 && l >= 0 && k < columns && l < rows ? at(k, l) : 0.0;
    };
    return (1 - b) * ((1 - a) * sample(i, j) + a * sample(i + 1, j)) +
           b * ((1 - a) * sample(i, j + 1) + a * sample(i + 1, j + 1));
}

DentMap empty_map(std::int32_t columns, std::int32_t rows, double cell) {
    DUCTILE_ASSERT(columns >= 1 && rows >= 1 && columns <= kDentMapSide && rows <= kDentMapSide,
                   "a side in range");
    DUCTILE_ASSERT(cell > 0.0, "a cell with a size");
    DentMap map{columns, rows, cell, {}};
    map.depths.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0.0);
    return map;
}

Status check_map(const DentMap& map) {
    const auto refuse = [](const char* what) { return Error{what, "dent map", ""}; };
    if (map.columns < 1 || map.rows < 1 || map.columns > kDentMapSide || map.rows > kDentMapSide) {
        return refuse("the sides of its grid are out of range");
    }
    if (!(map.cell > 0.0) || !std::isfinite(map.cell)) return refuse("its cell has no size");
    if (map.depths.size() !=
        static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows)) {
        return refuse("it does not have one depth per sample");
    }
    for (const double z : map.depths) {
        if (!(z >= 0.0) || !std::isfinite(z)) return refuse("a depth is negative or not finite");
    }
    return {};
}

DentMap map_of(std::int32_t columns, std::int32_t rows, double cell,
               const std::function<double(double, double)>& depth) {
    DentMap map = empty_map(columns, rows, cell);
    std::size_t at = 0;
    for (std::int32_t j = 0; j < rows; ++j) {
        for (std::int32_t i = 0; i < columns; ++i, ++at) {
            const double z = depth(map.x(i), map.y(j));
            map.depths[at] = z > 0.0 && std::isfinite(z) ? z : 0.0;
        }
    }
    return map;
}

DentMap gaussian_map(std::int32_t side, double radius, double depth) {
    return round_map(side, radius, [&](double r) {
        const double t = 3.0 * r / radius;
        return depth * (std::exp(-0.5 * t * t) - kGaussianEnd) / (1.0 - kGaussianEnd);
    });
}

DentMap cosine_map(std::int32_t side, double radius, double depth) {
    return round_map(side, radius,
                     [&](double r) { return 0.5 * depth * (1.0 + std::cos(kPi * r / radius)); });
}

DentMap cap_map(std::int32_t side, double ball, double depth) {
    DUCTILE_ASSERT(depth >= 0.0 && depth <= ball, "a cap is at most half a ball");
    const double radius = std::max(std::sqrt(depth * (2.0 * ball - depth)), 1e-9 * ball);
    return round_map(side, radius,
                     [&](double r) { return std::sqrt(ball * ball - r * r) - (ball - depth); });
}

Result<DentMap> table_map(std::int32_t side, std::span<const std::pair<double, double>> table) {
    const auto refuse = [](const char* what) { return Error{what, "dent table", ""}; };
    if (table.size() < 2) return refuse("needs at least two pairs of distance and depth");
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!std::isfinite(table[i].first) || !std::isfinite(table[i].second)) {
            return refuse("a number is not finite");
        }
        if (i > 0 && !(table[i].first > table[i - 1].first)) {
            return refuse("the distances do not rise");
        }
    }
    if (!(table.back().first >= kLeastRecordLength)) {
        return refuse("the last distance is not above 1e-9 m");
    }
    return round_map(side, table.back().first, [&](double r) {
        if (r <= table[0].first) return table[0].second;
        std::size_t k = 1;
        while (table[k].first < r) ++k;
        const auto& [r0, z0] = table[k - 1];
        const auto& [r1, z1] = table[k];
        return z0 + (z1 - z0) * (r - r0) / (r1 - r0);
    });
}

double sharpness_for(double reach) { return std::log(100.0) / (reach * reach); }

}  // namespace ductile
