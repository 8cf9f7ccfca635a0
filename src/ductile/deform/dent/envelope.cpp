// SPDX-License-Identifier: MIT
// The upper envelope of equal Gaussians over a grid. In logarithms a Gaussian over sample i is the
// parabola f_i - c (x - x_i)^2, and the largest of parabolas of one width is found like a distance
// transform (Felzenszwalb and Huttenlocher 2012), first along rows, then along columns.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_map.h>

#include <cmath>

namespace ductile {
namespace {

// Columns that are gone through together, so that each line of memory is fetched once.
constexpr std::int32_t kStrip = 8;

// The envelope of one row of parabolas. Memory is kept from row to row.
class RowEnvelope {
public:
    RowEnvelope(std::int32_t longest, double curvature)
        : hill_(longest), begin_(longest), height_(longest), curvature_(curvature) {}

    // Reads f at steps of `stride`, writes there what is largest; c is in samples.
    void run(double* f, std::int32_t count, std::int32_t stride) {
        std::int32_t hills = 0;
        for (std::int32_t q = 0; q < count; ++q) {
            const double height = f[std::ptrdiff_t(q) * stride];
            if (!(height > -kInfinity)) continue;
            double from = -kInfinity;
            while (hills > 0) {
                const std::int32_t p = hill_[hills - 1];
                // Where both are equally high; in this form no digits are lost.
                from = 0.5 * (p + q) + (height_[hills - 1] - height) / (2.0 * curvature_ * (q - p));
                if (from > begin_[hills - 1]) break;
                --hills;
            }
            if (hills == 0) from = -kInfinity;
            hill_[hills] = q;
            begin_[hills] = from;
            height_[hills] = height;
            ++hills;
        }
        if (hills == 0) return;
        std::int32_t k = 0;
        for (std::int32_t q = 0; q < count; ++q) {
            while (k + 1 < hills && begin_[k + 1] < q) ++k;
            const double d = q - hill_[k];
            f[std::ptrdiff_t(q) * stride] = height_[k] - curvature_ * d * d;
        }
    }

private:
    std::vector<std::int32_t> hill_;
    std::vector<double> begin_, height_;
    double curvature_;
};

}  // namespace

void broaden(DentMap& map, double sharpness) {
    DUCTILE_ASSERT(sharpness > 0.0, "Gaussians of a width");
    for (double& z : map.depths) z = z > 0.0 ? std::log(z) : -kInfinity;
    const std::int32_t columns = map.columns, rows = map.rows;
    RowEnvelope envelope(std::max(columns, rows), sharpness * map.cell * map.cell);
    for (std::int32_t j = 0; j < rows; ++j) {
        envelope.run(map.depths.data() + std::ptrdiff_t(j) * columns, columns, 1);
    }
    std::vector<double> strip(static_cast<std::size_t>(rows) * kStrip);
    for (std::int32_t first = 0; first < columns; first += kStrip) {
        const std::int32_t width = std::min(kStrip, columns - first);
        for (std::int32_t j = 0; j < rows; ++j) {
            const double* row = map.depths.data() + std::ptrdiff_t(j) * columns + first;
            for (std::int32_t i = 0; i < width; ++i) strip[std::ptrdiff_t(i) * rows + j] = row[i];
        }
        for (std::int32_t i = 0; i < width; ++i) {
            envelope.run(strip.data() + std::ptrdiff_t(i) * rows, rows, 1);
        }
        for (std::int32_t j = 0; j < rows; ++j) {
            double* row = map.depths.data() + std::ptrdiff_t(j) * columns + first;
            for (std::int32_t i = 0; i < width; ++i) row[i] = strip[std::ptrdiff_t(i) * rows + j];
        }
    }
    for (double& z : map.depths) z = std::exp(z);
}

}  // namespace ductile
