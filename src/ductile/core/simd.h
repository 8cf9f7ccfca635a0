// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

// A few numbers in one register: the only place that sees how Eigen makes them (its packets have no
// public name). For loops in which Eigen's own expressions of small arrays are not always inlined.
namespace ductile::simd {

/// Two doubles, where the machine has registers for two; the same number with every flag, so that
/// sums over lanes are, too. Copied like a number, and uninitialised like one.
using Lane = Eigen::internal::find_best_packet<double, 2>::type;
inline constexpr int kLane = Eigen::internal::unpacket_traits<Lane>::size;

/// kLane numbers from and to anywhere: no alignment is asked for.
inline Lane load(const double* at) { return Eigen::internal::ploadu<Lane>(at); }
inline void store(double* at, const Lane& x) { Eigen::internal::pstoreu(at, x); }
/// The same number in all places.
inline Lane all(double x) { return Eigen::internal::pset1<Lane>(x); }
/// One of its numbers in all places: from a register, where a load of one's own would take longer.
template <int I>
inline Lane element(const Lane& x) {
    return all(std::bit_cast<std::array<double, kLane>>(x)[I]);
}

inline Lane add(const Lane& x, const Lane& y) { return Eigen::internal::padd(x, y); }
inline Lane subtract(const Lane& x, const Lane& y) { return Eigen::internal::psub(x, y); }
inline Lane multiply(const Lane& x, const Lane& y) { return Eigen::internal::pmul(x, y); }
/// Of its numbers.
inline double sum_of(const Lane& x) { return Eigen::internal::predux(x); }
// Fused on arm64, and on x86-64 when compiled for machines that can; a product and a sum elsewhere.
// Not the compiler's mood, but another machine's bits: ARCHITECTURE.md says what that means.
inline void add_product(Lane& to, const Lane& x, const Lane& y) {
    to = Eigen::internal::pmadd(x, y, to);
}
inline void subtract_product(Lane& to, const Lane& x, const Lane& y) {
    to = Eigen::internal::pmadd(Eigen::internal::pnegate(x), y, to);
}

/// Eight floats in as many registers as they need, added and multiplied place by place and never
/// fused: the same bits on every machine. Uninitialised like a number.
class Floats {
public:
    static constexpr int kCount = 8;

    Floats() = default;
    Floats(float x) { part_.fill(Eigen::internal::pset1<Part>(x)); }  ///< In all places.
    static Floats load(const float* at) {
        Floats x;
        for (int i = 0; i < kParts; ++i) x.part_[i] = Eigen::internal::ploadu<Part>(at + i * kPart);
        return x;
    }
    void store(float* at) const {
        for (int i = 0; i < kParts; ++i) Eigen::internal::pstoreu(at + i * kPart, part_[i]);
    }

    friend EIGEN_ALWAYS_INLINE Floats operator+(const Floats& x, const Floats& y) {
        return each(x, y, [](const Part& a, const Part& b) { return Eigen::internal::padd(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Floats operator-(const Floats& x, const Floats& y) {
        return each(x, y, [](const Part& a, const Part& b) { return Eigen::internal::psub(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Floats operator*(const Floats& x, const Floats& y) {
        return each(x, y, [](const Part& a, const Part& b) { return Eigen::internal::pmul(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Floats operator/(const Floats& x, const Floats& y) {
        return each(x, y, [](const Part& a, const Part& b) { return Eigen::internal::pdiv(a, b); });
    }
    /// Requires: no NaN.
    friend EIGEN_ALWAYS_INLINE Floats larger(const Floats& x, const Floats& y) {
        return each(x, y, [](const Part& a, const Part& b) { return Eigen::internal::pmax(a, b); });
    }
    Floats& operator+=(const Floats& y) { return *this = *this + y; }

private:
    using Part = Eigen::internal::find_best_packet<float, 4>::type;
    static constexpr int kPart = Eigen::internal::unpacket_traits<Part>::size;
    static constexpr int kParts = kCount / kPart;

    // Written out, since a compiler that keeps the loop keeps its numbers in memory, too.
    template <class Combine>
    EIGEN_ALWAYS_INLINE static Floats each(const Floats& x, const Floats& y, Combine&& combine) {
        Floats z;
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((z.part_[i] = combine(x.part_[i], y.part_[i])), ...);
        }
        (std::make_index_sequence<kParts>());
        return z;
    }

    std::array<Part, kParts> part_;
};

}  // namespace ductile::simd
