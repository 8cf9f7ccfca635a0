// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ductile {

/// Numbers from 0 on that are joined to sets (Tarjan 1975); the lowest of a set stands for it,
/// whatever the order in which they were joined.
class JoinedSets {
public:
    explicit JoinedSets(std::size_t count) : lower_(count) {
        std::iota(lower_.begin(), lower_.end(), 0);
    }
    /// The lowest number that i is joined with.
    std::int32_t of(std::int32_t i) {
        while (lower_[i] != i) i = lower_[i] = lower_[lower_[i]];
        return i;
    }
    void join(std::int32_t a, std::int32_t b) {
        a = of(a);
        b = of(b);
        lower_[std::max(a, b)] = std::min(a, b);
    }
    /// The next number, joined with none.
    std::int32_t add() {
        lower_.push_back(static_cast<std::int32_t>(lower_.size()));
        return lower_.back();
    }
    std::size_t size() const { return lower_.size(); }

private:
    std::vector<std::int32_t> lower_;  ///< A member that is not higher.
};

/// Per number, which set it is in: numbered by their lowest members.
struct SetNumbers {
    std::vector<std::int32_t> number;
    std::int32_t count = 0;
};
inline SetNumbers numbered(JoinedSets& sets) {
    SetNumbers out;
    for (std::size_t k = 0; k < sets.size(); ++k) {
        const auto i = static_cast<std::int32_t>(k);
        const std::int32_t lowest = sets.of(i);
        out.number.push_back(lowest == i ? out.count++ : out.number[lowest]);
    }
    return out;
}

}  // namespace ductile
