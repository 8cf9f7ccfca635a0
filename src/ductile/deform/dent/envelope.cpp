// SPDX-License-Identifier: MIT
// The upper envelope of equal Gaussians over a grid. In logarithms a Gaussian over sample i is the
// parabola f_i - c (x - x_i)^2, and the largest of parabolas of one width is found like a distance
// transform (Felzenszwalb and Huttenlocher 2012), first along rows, then along columns.
//
// Where we differ, for speed: logarithms only tell which hill is the highest where; depths are
// products with a table of one Gaussian, so that no exponential is taken per sample. Samples
// without a depth are no hills, and rows without a hill do not take part in the second pass. Hills
// that are nowhere the highest *at a sample* are left out.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_map.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ductile {
namespace {

// Columns that are gone through together, so that each line of memory is fetched once. What goes
// from rows to columns is kept strip by strip: large maps would have every row on another page.
constexpr std::int32_t kStrip = 8;

// Flatter hills are as wide as any map, steeper ones a sample wide. Beyond these, products with
// differences of logarithms would not be numbers.
constexpr double kLeastCurvature = 1e-290, kMostCurvature = 1e290;

// Everything about the Gaussian at whole distances in samples.
class GaussianTable {
public:
    GaussianTable(std::int32_t longest, double curvature)
        : middle_(longest - 1),
          falls_(2 * std::size_t(longest) - 1),
          factors_(falls_.size()),
          crossings_(std::size_t(longest) + 1) {
        for (std::int32_t d = 0; d < longest; ++d) {
            const double fall = curvature * d * d, factor = std::exp(-fall);
            falls_[middle_ - d] = falls_[middle_ + d] = fall;
            factors_[middle_ - d] = factors_[middle_ + d] = factor;
            crossings_[d + 1] = 0.5 / (curvature * (d + 1));
        }
    }

    /// By how much the logarithm falls, `d` samples away, for |d| < longest: an array around 0.
    const double* falls() const { return falls_.data() + middle_; }
    /// What is left of the height there.
    const double* factors() const { return factors_.data() + middle_; }
    /// How far two equal hills' crossing moves away from a hill that grows by 1 in logarithms.
    const double* crossings() const { return crossings_.data(); }

private:
    std::ptrdiff_t middle_;
    std::vector<double> falls_, factors_, crossings_;
};

// Samples of a line that have a depth, from left to right, with logarithms.
struct Hills {
    const std::int32_t* places;
    const double *heights, *depths;
    std::int32_t count;
};

// The hills that are the highest somewhere along a line of samples.
class Skyline {
public:
    Skyline(std::int32_t longest, const GaussianTable& table)
        : places_(longest + 1),
          firsts_(longest + 1),
          heights_(longest + 1),
          depths_(longest + 1),
          marks_(longest),
          crossings_(table.crossings()) {
        // A hill before all others that is never the highest and ends every search.
        places_[0] = firsts_[0] = -1;
        heights_[0] = -kInfinity;
    }

    /// Finds them along a line of `end` samples. Requires: at least one hill.
    void find(const Hills& hills, std::int32_t end) {
        // Everything is in local names: members might be changed by any store, as far as a
        // compiler knows, and this loop is half of the work.
        std::int32_t *places = places_.data(), *firsts = firsts_.data();
        double *heights = heights_.data(), *depths = depths_.data();
        const double* crossings = crossings_;
        std::int32_t last = 0, last_place = -1, last_first = -1;
        double last_height = -kInfinity;
        for (std::int32_t k = 0; k < hills.count; ++k) {
            const std::int32_t place = hills.places[k];
            const double height = hills.heights[k];
            std::int32_t first = 0;
            for (;;) {
                // Where both are equally high; in this form no digits are lost.
                const double even = 0.5 * (last_place + place) +
                                    (last_height - height) * crossings[place - last_place];
                first =
                    static_cast<std::int32_t>(std::min<double>(std::max(even, -1.0), end) + 1.0);
                if (first > last_first) break;
                --last;
                last_place = places[last];
                last_first = firsts[last];
                last_height = heights[last];
            }
            if (first >= end) continue;
            ++last;
            places[last] = last_place = place;
            firsts[last] = last_first = first;
            heights[last] = last_height = height;
            depths[last] = hills.depths[k];
        }
        count_ = last;
    }

    /// Calls fill(i, d, height, depth) for each sample i of the line, from left to right: the
    /// highest hill there and its distance, d samples.
    template <class Fill>
    void each_sample(std::int32_t end, Fill&& fill) {
        // Stretches are short and of no regular length; marks need no guess where they end.
        for (std::int32_t k = 2; k <= count_; ++k) marks_[firsts_[k]] = 1;
        const std::int32_t* places = places_.data();
        const double *heights = heights_.data(), *depths = depths_.data();
        std::int32_t *marks = marks_.data(), k = 1;
        for (std::int32_t i = 0; i < end; ++i) {
            k += marks[i];
            marks[i] = 0;
            fill(i, i - places[k], heights[k], depths[k]);
        }
    }

private:
    std::vector<std::int32_t> places_, firsts_;  // the highest from its first sample on
    std::vector<double> heights_, depths_;
    std::vector<std::int32_t> marks_;  // 1 where a hill begins to be the highest, while filling
    const double* crossings_;
    std::int32_t count_ = 0;
};

class Broadening {
public:
    Broadening(DentMap& map, double curvature)
        : columns_(map.columns),
          rows_(map.rows),
          depths_(map.depths.data()),
          table_(std::max(columns_, rows_), curvature),
          skyline_(std::max(columns_, rows_), table_),
          live_(find_live_rows()),
          strips_(std::make_unique_for_overwrite<double[]>(
              2 * live_.size() * kStrip * std::size_t((columns_ + kStrip - 1) / kStrip))) {}

    void run() {
        if (live_.empty()) return;
        along_rows();
        along_columns();
    }

private:
    double* row(std::int32_t j) { return depths_ + std::ptrdiff_t(j) * columns_; }
    // Where live row r crosses the strip of columns from `left` on: its heights, then its depths.
    double* crossing(std::int32_t left, std::size_t r) {
        return strips_.get() + 2 * (std::size_t(left) * live_.size() + r * kStrip);
    }

    std::vector<std::int32_t> find_live_rows() {
        std::vector<std::int32_t> live;
        for (std::int32_t j = 0; j < rows_; ++j) {
            if (std::any_of(row(j), row(j) + columns_, [](double z) { return z > 0.0; })) {
                live.push_back(j);
            }
        }
        return live;
    }

    void along_rows() {
        std::vector<std::int32_t> places(columns_);
        std::vector<double> logs(columns_), raw(columns_);
        std::vector<double> heights(columns_ + kStrip), depths(columns_ + kStrip);
        const double *falls = table_.falls(), *factors = table_.factors();
        for (std::size_t r = 0; r < live_.size(); ++r) {
            const double* in = row(live_[r]);
            std::int32_t count = 0;
            for (std::int32_t i = 0; i < columns_; ++i) {
                places[count] = i;
                raw[count] = in[i];
                count += in[i] > 0.0;
            }
            for (std::int32_t k = 0; k < count; ++k) logs[k] = std::log(raw[k]);
            skyline_.find({places.data(), logs.data(), raw.data(), count}, columns_);
            skyline_.each_sample(
                columns_, [&](std::int32_t i, std::ptrdiff_t d, double height, double depth) {
                    heights[i] = height - falls[d];
                    depths[i] = depth * factors[d];
                });
            for (std::int32_t left = 0; left < columns_; left += kStrip) {
                double* out = crossing(left, r);
                std::copy_n(heights.data() + left, kStrip, out);
                std::copy_n(depths.data() + left, kStrip, out + kStrip);
            }
        }
    }

    void along_columns() {
        const std::size_t live = live_.size(), rows = std::size_t(rows_);
        std::vector<double> heights(live * kStrip), depths(live * kStrip), out(rows * kStrip);
        const double* factors = table_.factors();
        for (std::int32_t left = 0; left < columns_; left += kStrip) {
            const std::size_t width = std::size_t(std::min(kStrip, columns_ - left));
            for (std::size_t r = 0; r < live; ++r) {
                const double* in = crossing(left, r);
                for (std::size_t i = 0; i < kStrip; ++i) {
                    heights[i * live + r] = in[i];
                    depths[i * live + r] = in[kStrip + i];
                }
            }
            for (std::size_t i = 0; i < width; ++i) {
                skyline_.find({live_.data(), heights.data() + i * live, depths.data() + i * live,
                               static_cast<std::int32_t>(live)},
                              rows_);
                double* column = out.data() + i * rows;
                skyline_.each_sample(rows_, [&](std::int32_t j, std::ptrdiff_t d, double,
                                                double depth) { column[j] = depth * factors[d]; });
            }
            for (std::int32_t j = 0; j < rows_; ++j) {
                double* z = row(j) + left;
                for (std::size_t i = 0; i < width; ++i) z[i] = out[i * rows + std::size_t(j)];
            }
        }
    }

    std::int32_t columns_, rows_;
    double* depths_;
    GaussianTable table_;
    Skyline skyline_;
    std::vector<std::int32_t> live_;    // rows that have a depth somewhere
    std::unique_ptr<double[]> strips_;  // what the first pass leaves, in the order of the second
};

}  // namespace

void broaden(DentMap& map, double sharpness) {
    DUCTILE_ASSERT(sharpness > 0.0, "Gaussians of a width");
    const double curvature = sharpness * map.cell * map.cell;
    Broadening(map, std::clamp(curvature, kLeastCurvature, kMostCurvature)).run();
}

}  // namespace ductile
