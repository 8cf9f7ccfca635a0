// SPDX-License-Identifier: MIT
// Triangles that cuts pass by together.
#include <ductile/geom/cut/cell_complex.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// What a box reaches, with some room for rounding.
constexpr double kReachSlack = 1.0 + 1e-6;
// Triangles of the smallest bundles: a cut near one of them looks at all.
constexpr std::int32_t kSmallBundle = 4;

// Interleaves the bits of three numbers below 1024.
std::uint32_t interleaved(const Vec3& share) {
    std::uint32_t code = 0;
    for (int bit = 9; bit >= 0; --bit) {
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<std::uint32_t>(1023.0 * std::clamp(share[k], 0.0, 1.0));
            code = code << 1 | (at >> bit & 1U);
        }
    }
    return code;
}

}  // namespace

// By the curve of Morton through the middles of the triangles.
void CellComplex::make_bundles() {
    const Box box = bounds(points_);
    const Vec3 size = (box.upper - box.lower).cwiseMax(1e-300);
    std::vector<std::pair<std::uint32_t, std::int32_t>> order;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
        Vec3 middle = Vec3::Zero();
        for (const CellEdge& e : edges(facets_[f])) middle += points_[e[0]] / 3.0;
        order.emplace_back(interleaved((middle - box.lower).cwiseQuotient(size)),
                           static_cast<std::int32_t>(f));
    }
    std::sort(order.begin(), order.end());
    for (const auto& entry : order) bundled_.push_back(entry.second);
    bundles_.push_back({0, static_cast<std::int32_t>(order.size()), -1, {}});
    cells_[0].bundles.push_back(0);
    for (std::size_t b = 0; b < bundles_.size(); ++b) {
        const auto [first, count, none, box_of] = bundles_[b];
        if (count <= kSmallBundle) continue;
        bundles_[b].half = static_cast<std::int32_t>(bundles_.size());
        bundles_.push_back({first, count / 2, -1, {}});
        bundles_.push_back({first + count / 2, count - count / 2, -1, {}});
    }
    measure_bundles();
}

// Halves come after their wholes.
void CellComplex::measure_bundles() {
    for (std::size_t b = bundles_.size(); b-- > 0;) {
        Bundle& bundle = bundles_[b];
        bundle.box = {};
        if (bundle.half >= 0) {
            bundle.box.add(bundles_[bundle.half].box);
            bundle.box.add(bundles_[bundle.half + 1].box);
            continue;
        }
        for (const std::int32_t f : std::span(bundled_).subspan(bundle.first, bundle.count)) {
            for (const CellEdge& e : edges(facets_[f])) bundle.box.add(mapped_[e[0]]);
        }
    }
}

void CellComplex::open_bundle(const Bundle& bundle, std::int32_t cell) {
    for (const std::int32_t f : std::span(bundled_).subspan(bundle.first, bundle.count)) {
        facets_[f].cells[0] = cell;
        facets_[f].normal = ductile::area_vector(mesh_.points, mesh_.triangles[f]);
        cells_[cell].facets.push_back(f);
        for (const CellEdge& e : edges(facets_[f])) {
            const std::int32_t p = e[0];
            if (sites_.empty() || owner_[p] >= 0) continue;
            owner_[p] = cell;
            owner_sq_[p] = (mapped_[p] - sites_[cell]).squaredNorm();
        }
    }
}

// On, where some of it may be.
CellComplex::Side CellComplex::side_of_box(const Box& box, std::int32_t cell,
                                           const Cut& cut) const {
    Vec3 normal = cut.plane.normal;
    double offset = cut.plane.offset;
    if (cut.site >= 0) {
        const Vec3 &from = sites_[cell], &to = sites_[cut.site];
        const double apart = (to - from).norm();
        if (!(apart > 0)) return Side::Stays;
        normal = (to - from) / apart;
        offset = 0.5 * normal.dot(from + to);
    }
    const double height = normal.dot(box.centre()) - offset;
    const double half = 0.5 * normal.cwiseAbs().dot(box.upper - box.lower);
    const double reach = half * kReachSlack + 2.0 * snap_;
    return height > reach ? Side::Goes : height < -reach ? Side::Stays : Side::On;
}

// Takes apart what the cut may go through, and returns the bundles that go over.
std::vector<std::int32_t> CellComplex::sort_bundles(std::int32_t cell, const Cut& cut) {
    std::vector<std::int32_t> kept, going;
    std::vector<std::int32_t> left = std::move(cells_[cell].bundles);
    while (!left.empty()) {
        const std::int32_t b = left.back();
        left.pop_back();
        const Side side = side_of_box(bundles_[b].box, cell, cut);
        if (side == Side::Stays) {
            kept.push_back(b);
        } else if (side == Side::Goes) {
            going.push_back(b);
        } else if (bundles_[b].half >= 0) {
            left.push_back(bundles_[b].half);
            left.push_back(bundles_[b].half + 1);
        } else {
            open_bundle(bundles_[b], cell);
        }
    }
    cells_[cell].bundles = std::move(kept);
    return going;
}

}  // namespace ductile
