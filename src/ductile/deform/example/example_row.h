// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace ductile {

/// How much of each example pose a surface point has: a row of Jones et al.'s E without its first
/// column. Shares are >= 0 and their sum is <= 1; what is left to 1 is the rest pose's. All zero:
/// at rest.
struct ExampleRow {
    /// Poses that a body can have; those beyond the rig's stay 0.
    static constexpr std::size_t kMostPoses = 16;

    std::array<double, kMostPoses> shares{};

    double rest_share() const {
        double sum = 0.0;
        for (const double s : shares) sum += s;
        return 1.0 - sum;
    }
    std::span<const double> first(std::size_t count) const {
        return std::span(shares).first(count);
    }
    bool operator==(const ExampleRow&) const = default;
};

inline bool is_finite(const ExampleRow& row) {
    for (const double s : row.shares) {
        if (!std::isfinite(s)) return false;
    }
    return true;
}

/// Adds `amount` of a change per pose; the rest pose loses what they gain. Negative shares become
/// 0, then all are divided by their sum: what would lead out of the examples is dropped. A row that
/// nothing is added to keeps its bits. Requires: shares beyond those of `change` are 0.
inline void add_change(std::span<const double> change, double amount, ExampleRow& row) {
    double rest = 0.0;
    for (const double s : row.first(change.size())) rest += s;
    rest = 1.0 - rest;
    bool is_changed = false;
    for (std::size_t e = 0; e < change.size(); ++e) {
        const double added = amount * change[e];
        is_changed = is_changed || added != 0.0;
        row.shares[e] += added;
        rest -= added;
    }
    if (!is_changed) return;
    double sum = rest > 0.0 ? rest : 0.0;
    const std::span<double> shares = std::span(row.shares).first(change.size());
    for (double& s : shares) {
        s = s > 0.0 ? s : 0.0;
        sum += s;
    }
    // All of a row's shares can only be gone together where nothing sensible was added.
    if (!(sum > 0.0)) {
        row = {};
        return;
    }
    // Most of a rig's poses have no share at most points, and dividing takes longest.
    for (double& s : shares) {
        if (s != 0.0) s /= sum;
    }
}

}  // namespace ductile
