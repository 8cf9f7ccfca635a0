// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/simd.h>
#include <ductile/deform/example/example_row.h>

#include <array>
#include <span>

namespace ductile {

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
