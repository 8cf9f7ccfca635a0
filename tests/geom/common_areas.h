// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ductile::test {

/// By a part of one cut and a part of another: the area that both have.
using CommonAreas = std::map<std::pair<std::int32_t, std::int32_t>, double>;

/// Share of the area on which the two cuts agree, parts matched one to one, the largest common area
/// first.
inline double matched_share(const CommonAreas& common) {
    std::vector<std::tuple<double, std::int32_t, std::int32_t>> pairs;
    double whole = 0.0, matched = 0.0;
    for (const auto& [pair, area] : common) {
        pairs.emplace_back(area, pair.first, pair.second);
        whole += area;
    }
    std::sort(pairs.rbegin(), pairs.rend());
    std::set<std::int32_t> firsts, seconds;
    for (const auto& [area, first, second] : pairs) {
        if (firsts.count(first) + seconds.count(second) > 0) continue;
        firsts.insert(first);
        seconds.insert(second);
        matched += area;
    }
    return matched / whole;
}

}  // namespace ductile::test
