// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
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

/// Tells the machine that what is there will be asked for soon; any address will do.
template <class T>
inline void prefetch(const T* at) {
    Eigen::internal::prefetch(at);
}

/// Two doubles in as many registers as they need, reckoned with place by place and never fused: the
/// same bits as of two doubles, on every machine. Uninitialised like a number.
class Doubles {
public:
    static constexpr int kCount = 2;

    Doubles() = default;
    EIGEN_ALWAYS_INLINE Doubles(double x) {
        for (int i = 0; i < kParts; ++i) part_[i] = all(x);
    }  ///< In both places.
    EIGEN_ALWAYS_INLINE Doubles(double first, double second) {
        if constexpr (kParts == 1) {
            part_[0] = Lane{first, second};  // through memory it would wait for both stores
        } else {
            part_.front() = all(first);
            part_.back() = all(second);
        }
    }
    /// One from `at`, the other from `stride` numbers further on; and back.
    static EIGEN_ALWAYS_INLINE Doubles gather(const double* at, std::ptrdiff_t stride) {
        Doubles x;
        if constexpr (kParts == 1) {
            x.part_[0] = Eigen::internal::pgather<double, Lane>(at, stride);
        } else {
            x.part_.front() = all(at[0]);
            x.part_.back() = all(at[stride]);
        }
        return x;
    }
    EIGEN_ALWAYS_INLINE void scatter(double* to, std::ptrdiff_t stride) const {
        if constexpr (kParts == 1) {
            Eigen::internal::pscatter<double, Lane>(to, part_[0], stride);
        } else {
            to[0] = (*this)[0];
            to[stride] = (*this)[1];
        }
    }
    /// Two that lie side by side; and back.
    static EIGEN_ALWAYS_INLINE Doubles load(const double* at) {
        Doubles x;
        for (int i = 0; i < kParts; ++i) x.part_[i] = simd::load(at + i * kLane);
        return x;
    }
    EIGEN_ALWAYS_INLINE void store(double* to) const {
        for (int i = 0; i < kParts; ++i) simd::store(to + i * kLane, part_[i]);
    }
    EIGEN_ALWAYS_INLINE double operator[](int place) const {
        return std::bit_cast<std::array<double, kCount>>(part_)[static_cast<std::size_t>(place)];
    }

    friend EIGEN_ALWAYS_INLINE Doubles operator+(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return add(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Doubles operator-(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return subtract(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Doubles operator*(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return multiply(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Doubles operator/(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return Eigen::internal::pdiv(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Doubles operator-(const Doubles& x) {
        Doubles z;
        for (int i = 0; i < kParts; ++i) z.part_[i] = Eigen::internal::pnegate(x.part_[i]);
        return z;
    }
    friend EIGEN_ALWAYS_INLINE Doubles abs(const Doubles& x) {
        Doubles z;
        for (int i = 0; i < kParts; ++i) z.part_[i] = Eigen::internal::pabs(x.part_[i]);
        return z;
    }
    friend EIGEN_ALWAYS_INLINE Doubles sqrt(const Doubles& x) {
        Doubles z;
        for (int i = 0; i < kParts; ++i) z.part_[i] = Eigen::internal::psqrt(x.part_[i]);
        return z;
    }
    /// Requires: no NaN.
    friend EIGEN_ALWAYS_INLINE Doubles larger(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return Eigen::internal::pmax(a, b); });
    }
    friend EIGEN_ALWAYS_INLINE Doubles smaller(const Doubles& x, const Doubles& y) {
        return each(x, y, [](const Lane& a, const Lane& b) { return Eigen::internal::pmin(a, b); });
    }
    EIGEN_ALWAYS_INLINE Doubles& operator+=(const Doubles& y) { return *this = *this + y; }
    EIGEN_ALWAYS_INLINE Doubles& operator-=(const Doubles& y) { return *this = *this - y; }
    EIGEN_ALWAYS_INLINE Doubles& operator*=(const Doubles& y) { return *this = *this * y; }

private:
    static constexpr int kParts = kCount / kLane;
    template <class Combine>
    EIGEN_ALWAYS_INLINE static Doubles each(const Doubles& x, const Doubles& y, Combine&& combine) {
        Doubles z;
        for (int i = 0; i < kParts; ++i) z.part_[i] = combine(x.part_[i], y.part_[i]);
        return z;
    }

    std::array<Lane, kParts> part_;
};

/// Whether x is above y, in both places where there are two; not where either is no number.
inline bool is_above(double x, double y) { return x > y; }
EIGEN_ALWAYS_INLINE bool is_above(const Doubles& x, double y) { return x[0] > y && x[1] > y; }
EIGEN_ALWAYS_INLINE bool is_above(const Doubles& x, const Doubles& y) {
    return x[0] > y[0] && x[1] > y[1];
}

/// Eight floats in as many registers as they need, added and multiplied place by place and never
/// fused: the same bits on every machine. Uninitialised like a number.
class Floats {
public:
    static constexpr int kCount = 8;

    Floats() = default;
    EIGEN_ALWAYS_INLINE Floats(float x) {
        part_.fill(Eigen::internal::pset1<Part>(x));
    }  ///< In all places.
    static EIGEN_ALWAYS_INLINE Floats load(const float* at) {
        Floats x;
        for (int i = 0; i < kParts; ++i) x.part_[i] = Eigen::internal::ploadu<Part>(at + i * kPart);
        return x;
    }
    EIGEN_ALWAYS_INLINE void store(float* at) const {
        for (int i = 0; i < kParts; ++i) Eigen::internal::pstoreu(at + i * kPart, part_[i]);
    }

    /// Four numbers of each of eight rows, turned: those at `from`, those behind them, and so on.
    using Rows = std::array<const float*, kCount>;
    static EIGEN_ALWAYS_INLINE std::array<Floats, 4> load_rows(const Rows& rows, int from) {
        if constexpr (kParts == 2) {
            const Four a =
                turned_rows(rows[0] + from, rows[1] + from, rows[2] + from, rows[3] + from);
            const Four b =
                turned_rows(rows[4] + from, rows[5] + from, rows[6] + from, rows[7] + from);
            return {Floats(a.packet[0], b.packet[0]), Floats(a.packet[1], b.packet[1]),
                    Floats(a.packet[2], b.packet[2]), Floats(a.packet[3], b.packet[3])};
        } else {
            return {gathered(rows, from), gathered(rows, from + 1), gathered(rows, from + 2),
                    gathered(rows, from + 3)};
        }
    }
    /// One number of each of eight rows.
    static Floats gathered(const Rows& rows, int k) {
        std::array<float, kCount> numbers;
        for (int row = 0; row < kCount; ++row) numbers[row] = rows[row][k];
        return load(numbers.data());
    }

    /// x, y and z of eight places, each less those of `from`, then rounded.
    using Places = std::array<const double*, kCount>;
    static EIGEN_ALWAYS_INLINE std::array<Floats, 3> load_places(const Places& at,
                                                                 const double* from) {
        if constexpr (kParts == 2 && kLane == 2) {
            const Four a = turned_places(at[0], at[1], at[2], at[3], from);
            const Four b = turned_places(at[4], at[5], at[6], at[7], from);
            return {Floats(a.packet[0], b.packet[0]), Floats(a.packet[1], b.packet[1]),
                    Floats(a.packet[3], b.packet[3])};
        } else {
            std::array<Floats, 3> turned;
            for (int a = 0; a < 3; ++a) {
                std::array<float, kCount> numbers;
                for (int k = 0; k < kCount; ++k) numbers[k] = float(at[k][a] - from[a]);
                turned[a] = load(numbers.data());
            }
            return turned;
        }
    }

    /// Whether all are 0, of either sign.
    EIGEN_ALWAYS_INLINE bool is_zero() const {
        const auto bits = std::bit_cast<std::array<std::uint64_t, kCount / 2>>(part_);
        return ((bits[0] | bits[1] | bits[2] | bits[3]) & 0x7fffffff7fffffffU) == 0;
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
    EIGEN_ALWAYS_INLINE Floats& operator+=(const Floats& y) { return *this = *this + y; }

private:
    using Part = Eigen::internal::find_best_packet<float, 4>::type;
    static constexpr int kPart = Eigen::internal::unpacket_traits<Part>::size;
    static constexpr int kParts = kCount / kPart;
    using Four = Eigen::internal::PacketBlock<Part, 4>;

    EIGEN_ALWAYS_INLINE Floats(const Part& a, const Part& b) : part_{a, b} {}
    // Written out, since a compiler that keeps a loop keeps its numbers in memory, too.
    static EIGEN_ALWAYS_INLINE Four turned_rows(const float* a, const float* b, const float* c,
                                                const float* d) {
        using Eigen::internal::ploadu;
        Four four{{ploadu<Part>(a), ploadu<Part>(b), ploadu<Part>(c), ploadu<Part>(d)}};
        Eigen::internal::ptranspose(four);
        return four;
    }
    // Rows x, y, y, z: nothing beyond z is touched.
    static EIGEN_ALWAYS_INLINE Part near_place(const double* at, const double* from) {
        return Eigen::internal::pcast<Lane, Part>(
            subtract(simd::load(at), simd::load(from)),
            subtract(simd::load(at + 1), simd::load(from + 1)));
    }
    static EIGEN_ALWAYS_INLINE Four turned_places(const double* a, const double* b, const double* c,
                                                  const double* d, const double* from) {
        Four four{
            {near_place(a, from), near_place(b, from), near_place(c, from), near_place(d, from)}};
        Eigen::internal::ptranspose(four);
        return four;
    }
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
