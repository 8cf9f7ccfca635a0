// SPDX-License-Identifier: MIT
// Tonon's sum over a triangle's corners, d (s s^T + a a^T + b b^T + c c^T) with the sum of corners
// s and the determinant d, taken apart: what the corners add is d summed up per point, times the
// point's own product, which is reckoned once per point instead of six times. Two triangles go
// side by side.
#include <ductile/core/simd.h>
#include <ductile/deform/bend/group_integrals.h>

#include <array>
#include <cmath>

namespace ductile {
namespace {

using simd::Doubles;

/// Places of two points side by side.
struct TwoPoints {
    Doubles x, y, z;

    static EIGEN_ALWAYS_INLINE TwoPoints of(const Vec3& first, const Vec3& second) {
        const double* at = first.data();
        const std::ptrdiff_t stride = second.data() - at;
        return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
                Doubles::gather(at + 2, stride)};
    }
    friend EIGEN_ALWAYS_INLINE TwoPoints operator+(const TwoPoints& p, const TwoPoints& q) {
        return {p.x + q.x, p.y + q.y, p.z + q.z};
    }
    friend EIGEN_ALWAYS_INLINE TwoPoints operator-(const TwoPoints& p, const TwoPoints& q) {
        return {p.x - q.x, p.y - q.y, p.z - q.z};
    }
    EIGEN_ALWAYS_INLINE TwoPoints cross(const TwoPoints& q) const {
        return {y * q.z - z * q.y, z * q.x - x * q.z, x * q.y - y * q.x};
    }
    EIGEN_ALWAYS_INLINE Doubles dot(const TwoPoints& q) const {
        return x * q.x + y * q.y + z * q.z;
    }
};

double sum_of(const Doubles& two) { return two[0] + two[1]; }

/// x x^T of two, summed up with weights: xx, yy, zz, xy, xz, yz.
struct ProductSums {
    std::array<Doubles, 6> sums{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

    /// `weighted`: the place times its weight.
    EIGEN_ALWAYS_INLINE void add(const TwoPoints& weighted, const TwoPoints& p) {
        sums[0] += weighted.x * p.x;
        sums[1] += weighted.y * p.y;
        sums[2] += weighted.z * p.z;
        sums[3] += weighted.x * p.y;
        sums[4] += weighted.x * p.z;
        sums[5] += weighted.y * p.z;
    }
    void add_to(MassIntegrals& integrals) const {
        for (std::size_t i = 0; i < 6; ++i) {
            integrals.second[i] += (1.0 / 120.0) * sum_of(sums[i]);
        }
    }
};

/// What neighbouring triangles of one group add up to: kept in registers.
struct RunSums {
    Doubles determinant = 0.0, area = 0.0;
    TwoPoints first{0.0, 0.0, 0.0}, open{0.0, 0.0, 0.0};
    ProductSums products;

    /// Two triangles; their determinants are returned.
    EIGEN_ALWAYS_INLINE Doubles add(const TwoPoints& a, const TwoPoints& b, const TwoPoints& c) {
        const TwoPoints v = (b - a).cross(c - a), s = a + b + c;
        const Doubles d = a.dot(v);
        const TwoPoints weighted{d * s.x, d * s.y, d * s.z};
        determinant += d;
        area += abs(v.x) + abs(v.y) + abs(v.z);
        open = open + v;
        first = first + weighted;
        products.add(weighted, s);
        return d;
    }
};

class IntegralSummer {
public:
    IntegralSummer(const GroupedSurface& surface, const Vec3& reference) : surface_(surface) {
        const auto count = static_cast<std::size_t>(surface.group_count);
        out_.sums.assign(count, {});
        out_.boxes.assign(count, {});
        places_.reserve(surface.points.size());
        for (const Vec3& p : surface.points) places_.push_back(p - reference);
        point_group_.assign(surface.points.size(), -1);
        weights_.assign(surface.points.size(), 0.0);
        for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
            for (const std::int32_t v : surface.triangles[t]) point_group_[v] = surface.group[t];
        }
    }

    GroupIntegrals sums() {
        for (std::size_t t = 0; t < surface_.triangles.size();) {
            std::size_t end = t + 1;
            while (end < surface_.triangles.size() && is_same(t, end)) ++end;
            is_sheet(t) ? add_sheets(t, end) : add_solids(t, end);
            t = end;
        }
        add_points();
        for (const MassIntegrals& sum : out_.sums) add_integrals(out_.whole, sum, 1.0);
        return std::move(out_);
    }

private:
    bool is_sheet(std::size_t t) const {
        return surface_.is_sheet.empty() ? surface_.model.thickness > 0 : surface_.is_sheet[t] != 0;
    }
    bool is_same(std::size_t t, std::size_t other) const {
        return surface_.group[t] == surface_.group[other] && is_sheet(t) == is_sheet(other);
    }

    void add_sheets(std::size_t from, std::size_t end) {
        MassIntegrals& sum = out_.sums[surface_.group[from]];
        for (std::size_t t = from; t < end; ++t) {
            const Triangle& corners = surface_.triangles[t];
            const Vec3 &a = places_[corners[0]], &b = places_[corners[1]], &c = places_[corners[2]];
            add_sheet_triangle(sum, a, b, c, (b - a).cross(c - a), surface_.model.thickness);
            for (const std::int32_t v : corners) add_weight(surface_.group[from], v, 0.0);
        }
    }

    // The last of an odd number goes beside a triangle without a size.
    void add_solids(std::size_t from, std::size_t end) {
        const std::int32_t group = surface_.group[from];
        RunSums run;
        for (std::size_t t = from; t < end; t += 2) {
            const Triangle& one = surface_.triangles[t];
            const bool is_last = t + 1 == end;
            const Triangle two =
                is_last ? Triangle{one[0], one[0], one[0]} : surface_.triangles[t + 1];
            const Doubles d = run.add(TwoPoints::of(places_[one[0]], places_[two[0]]),
                                      TwoPoints::of(places_[one[1]], places_[two[1]]),
                                      TwoPoints::of(places_[one[2]], places_[two[2]]));
            for (const std::int32_t v : one) add_weight(group, v, d[0]);
            for (const std::int32_t v : two) add_weight(group, v, d[1]);
        }
        MassIntegrals& sum = out_.sums[group];
        const double area = 0.5 * sum_of(run.area);
        sum.zeroth += sum_of(run.determinant) * (1.0 / 6.0);
        sum.first +=
            (1.0 / 24.0) * Vec3(sum_of(run.first.x), sum_of(run.first.y), sum_of(run.first.z));
        sum.area += area;
        run.products.add_to(sum);
        out_.open += 0.5 * Vec3(sum_of(run.open.x), sum_of(run.open.y), sum_of(run.open.z));
        out_.solid_area += area;
    }

    // Where groups meet, a point is one of them, and what it is to the others is added at once.
    void add_weight(std::int32_t group, std::int32_t v, double weight) {
        if (point_group_[v] == group) {
            weights_[v] += weight;
            return;
        }
        add_product(out_.sums[group], places_[v], weight);
        out_.boxes[group].add(places_[v]);
    }
    static void add_product(MassIntegrals& sum, const Vec3& p, double weight) {
        const Vec3 q = (weight * (1.0 / 120.0)) * p;
        sum.second[0] += q.x() * p.x();
        sum.second[1] += q.y() * p.y();
        sum.second[2] += q.z() * p.z();
        sum.second[3] += q.x() * p.y();
        sum.second[4] += q.x() * p.z();
        sum.second[5] += q.y() * p.z();
    }

    void add_points() {
        for (std::size_t v = 0; v < places_.size();) {
            const std::int32_t group = point_group_[v];
            std::size_t end = v + 1;
            while (end < places_.size() && point_group_[end] == group) ++end;
            if (group >= 0) add_points(v, end, out_.sums[group], out_.boxes[group]);
            v = end;
        }
    }
    void add_points(std::size_t from, std::size_t end, MassIntegrals& sum, Box& box) const {
        ProductSums products;
        std::size_t v = from;
        for (; v + 1 < end; v += 2) {
            const TwoPoints p = TwoPoints::of(places_[v], places_[v + 1]);
            const Doubles w = Doubles::gather(&weights_[v], 1);
            products.add({w * p.x, w * p.y, w * p.z}, p);
        }
        products.add_to(sum);
        if (v < end) add_product(sum, places_[v], weights_[v]);
        Box own;
        for (v = from; v < end; ++v) own.add(places_[v]);
        box.add(own);
    }

    const GroupedSurface& surface_;
    GroupIntegrals out_;
    std::vector<Vec3> places_;               ///< Relative to the reference.
    std::vector<std::int32_t> point_group_;  ///< One of those that a point belongs to; -1: none.
    std::vector<double> weights_;            ///< Per point, for that group.
};

}  // namespace

GroupIntegrals group_integrals(const GroupedSurface& surface, const Vec3& reference) {
    return IntegralSummer(surface, reference).sums();
}

}  // namespace ductile
