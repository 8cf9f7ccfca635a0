// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ductile {

/// The furthest sample in (from, last] that `fits(from, it)` accepts, or from + 1 if none does.
///
/// Looks ahead in doubling strides, then halves: O(log) calls. What it returns was accepted;
/// where `fits` says no, then yes again further on, a further one may be missed.
/// Requires: from < last. `fits(from, from + 1)` is taken for granted and not asked.
template <class Fits>
std::size_t furthest_fit(std::size_t from, std::size_t last, Fits&& fits) {
    std::size_t good = from + 1;
    std::size_t bad = last + 1;
    for (std::size_t stride = 1; good < last; stride *= 2) {
        const std::size_t next = std::min(good + stride, last);
        if (!fits(from, next)) {
            bad = next;
            break;
        }
        good = next;
    }
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        (fits(from, middle) ? good : bad) = middle;
    }
    return good;
}

/// Few of the samples 0 .. count - 1, in order, the first and the last among them, so that
/// `fits(a, b)` holds for every two neighbours a, b that are not next to each other.
template <class Fits>
std::vector<std::size_t> pick_samples(std::size_t count, Fits&& fits) {
    std::vector<std::size_t> picked;
    if (count > 0) picked.push_back(0);
    while (!picked.empty() && picked.back() + 1 < count) {
        picked.push_back(furthest_fit(picked.back(), count - 1, fits));
    }
    return picked;
}

}  // namespace ductile
