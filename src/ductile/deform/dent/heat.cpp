// SPDX-License-Identifier: MIT
// Heat flow over a dent map (Patkar et al. 2014, section 3.2). One round needs a row, the one above
// and the one below, so several rounds follow each other down the map, each a row behind the one
// before: the map passes through the cache once for all of them.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_map.h>

#include <algorithm>

namespace ductile {
namespace {

// The largest step of explicit heat flow that turns no wave upside down, not even the shortest
// one, a chequerboard: 1 - 8 step >= 0. (Up to twice that would be stable.)
constexpr double kStep = 0.125;
constexpr double kKept = 1.0 - 4.0 * kStep;

// Rounds that go down the map together: their rows stay in the innermost caches.
constexpr std::int32_t kTogether = 16;

// New values of a row from the old ones: its own, those above and those below.
// (Not inlined: then the compiler still knows that rows do not overlap.)
template <bool only_deepens>
[[gnu::noinline]] void flow_row(const double* __restrict above, const double* __restrict row,
                                const double* __restrict below, double* __restrict out,
                                std::int32_t columns) {
    const auto flow = [&](std::int32_t i, std::int32_t left, std::int32_t right) {
        const double moved =
            kKept * row[i] + kStep * ((row[left] + row[right]) + (above[i] + below[i]));
        out[i] = only_deepens && moved < row[i] ? row[i] : moved;
    };
    const std::int32_t last = columns - 1;
    flow(0, 0, std::min(1, last));
    for (std::int32_t i = 1; i < last; ++i) flow(i, i - 1, i + 1);
    if (last > 0) flow(last, last - 1, last);
}

// Lets heat flow over a map; what is 0 at the border at first stays 0, or a dent would end in a
// step.
class HeatFlow {
public:
    explicit HeatFlow(DentMap& map)
        : columns_(map.columns),
          rows_(map.rows),
          depths_(map.depths.data()),
          rings_(3 * std::size_t(kTogether) * map.columns),
          ends_(2 * std::size_t(map.rows)),
          top_(row(0), row(0) + map.columns),
          bottom_(row(map.rows - 1), row(map.rows - 1) + map.columns) {
        for (std::int32_t j = 0; j < rows_; ++j) {
            ends_[2 * std::size_t(j)] = row(j)[0];
            ends_[2 * std::size_t(j) + 1] = row(j)[columns_ - 1];
        }
    }

    template <bool only_deepens>
    void run(std::int32_t rounds) {
        for (; rounds > 0; rounds -= kTogether) {
            const std::int32_t together = std::min(rounds, kTogether);
            for (std::int32_t step = 0; step < rows_ + together; ++step) {
                const std::int32_t first = std::max(0, step - rows_ + 1);
                for (std::int32_t k = first; k < together && k <= step; ++k) {
                    advance<only_deepens>(k, step - k);
                }
                // A row of the map itself is written when no round reads it any more.
                const std::int32_t done = step - together;
                if (done >= 0) std::copy_n(after(together - 1, done), columns_, row(done));
            }
        }
    }

private:
    double* row(std::int32_t j) { return depths_ + std::ptrdiff_t(j) * columns_; }

    // Row j after round k: the last three rows of each round are kept. Before round 0: the map.
    double* after(std::int32_t k, std::int32_t j) {
        return k < 0 ? row(j) : rings_.data() + (3 * k + j % 3) * std::ptrdiff_t(columns_);
    }

    template <bool only_deepens>
    void advance(std::int32_t k, std::int32_t j) {
        double* out = after(k, j);
        flow_row<only_deepens>(after(k - 1, std::max(j - 1, 0)), after(k - 1, j),
                               after(k - 1, std::min(j + 1, rows_ - 1)), out, columns_);
        if (ends_[2 * std::size_t(j)] == 0.0) out[0] = 0.0;
        if (ends_[2 * std::size_t(j) + 1] == 0.0) out[columns_ - 1] = 0.0;
        if (j == 0) hold(top_, out);
        if (j == rows_ - 1) hold(bottom_, out);
    }

    static void hold(const std::vector<double>& first, double* now) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (first[i] == 0.0) now[i] = 0.0;
        }
    }

    std::int32_t columns_, rows_;
    double* depths_;
    std::vector<double> rings_;
    std::vector<double> ends_, top_, bottom_;  // the border, as it was at first
};

}  // namespace

void smooth(DentMap& map, std::int32_t rounds, std::span<const double> floor) {
    DUCTILE_ASSERT(floor.empty() || floor.size() == map.depths.size(), "a floor of the map's size");
    const double deepest = map.deepest();
    if (rounds <= 0 || !(deepest > 0.0)) return;
    HeatFlow heat(map);
    heat.run<false>(rounds);
    const double now = map.deepest();
    if (now > 0.0) {
        const double scale = deepest / now;
        for (double& z : map.depths) z = std::min(deepest, z * scale);
    }
    heat.run<true>(rounds);
    for (std::size_t i = 0; i < floor.size(); ++i) {
        map.depths[i] = std::min(deepest, std::max(map.depths[i], floor[i]));
    }
}

}  // namespace ductile
