// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/simd.h>

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

/// `add_change` to two rows side by side: the same bits.
inline void add_change(std::span<const double> change_a, double amount_a, ExampleRow& a,
                       std::span<const double> change_b, double amount_b, ExampleRow& b) {
    using simd::Doubles;
    const std::size_t count = change_a.size();
    const Doubles amount(amount_a, amount_b);
    std::array<Doubles, ExampleRow::kMostPoses> shares;
    Doubles rest(0.0);
    for (std::size_t e = 0; e < count; ++e) {
        shares[e] = Doubles(a.shares[e], b.shares[e]);
        rest += shares[e];
    }
    rest = Doubles(1.0) - rest;
    std::array<bool, 2> is_changed = {false, false};
    for (std::size_t e = 0; e < count; ++e) {
        const Doubles added = amount * Doubles(change_a[e], change_b[e]);
        is_changed[0] = is_changed[0] || added[0] != 0.0;
        is_changed[1] = is_changed[1] || added[1] != 0.0;
        shares[e] += added;
        rest -= added;
    }
    const Doubles none(0.0);
    Doubles sum = larger(none, rest);
    for (std::size_t e = 0; e < count; ++e) {
        shares[e] = larger(none, shares[e]);
        sum += shares[e];
    }
    if (!is_changed[0] || !is_changed[1] || !is_above(sum, 0.0)) {
        add_change(change_a, amount_a, a);
        add_change(change_b, amount_b, b);
        return;
    }
    for (std::size_t e = 0; e < count; ++e) {
        const Doubles share = shares[e] / sum;
        a.shares[e] = share[0];
        b.shares[e] = share[1];
    }
}

}  // namespace ductile
