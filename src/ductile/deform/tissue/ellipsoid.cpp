// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/lanes.h>

#include <type_traits>

namespace ductile {
namespace {

using simd::Doubles;

// Directions looked at at most; a step that does not part them better is shortened.
constexpr int kDirections = 12;
// Squared angle of a step after which the next would change nothing that counts.
constexpr double kLastStep = 1e-5;
// Squared angle of a step at most: beyond it the quadratic model is not trusted.
constexpr double kLongestStep = 0.25;

// Each direction waits for the one before, mostly for roots and quotients: two pairs of ellipsoids
// side by side take hardly longer than one. T is a double, or one double of each pair.
template <class T>
constexpr int kCount = std::is_same_v<T, double> ? 1 : 2;

EIGEN_ALWAYS_INLINE double place_of(double x, int) { return x; }
EIGEN_ALWAYS_INLINE double place_of(const Doubles& x, int k) { return x[k]; }

/// One number per place.
template <class T, class Number>
EIGEN_ALWAYS_INLINE T each_place(Number&& number) {
    if constexpr (kCount<T> == 1) {
        return number(0);
    } else {
        return Doubles(number(0), number(1));
    }
}

template <class T>
EIGEN_ALWAYS_INLINE Lanes3<T> vectors_of(const Vec3* vectors) {
    const auto along = [&](int axis) {
        return each_place<T>([&](int k) { return vectors[k][axis]; });
    };
    return {along(0), along(1), along(2)};
}

/// What is true of each place.
template <class T>
struct Places {
    bool at[kCount<T>];

    EIGEN_ALWAYS_INLINE bool any() const { return at[0] || at[kCount<T> - 1]; }
    EIGEN_ALWAYS_INLINE bool all() const { return at[0] && at[kCount<T> - 1]; }
};

template <class T>
EIGEN_ALWAYS_INLINE T choose(const Places<T>& where, const T& yes, const T& no) {
    return each_place<T>([&](int k) { return where.at[k] ? place_of(yes, k) : place_of(no, k); });
}
template <class T>
EIGEN_ALWAYS_INLINE Lanes3<T> choose(const Places<T>& where, const Lanes3<T>& yes,
                                     const Lanes3<T>& no) {
    return {choose(where, yes.x, no.x), choose(where, yes.y, no.y), choose(where, yes.z, no.z)};
}

template <class T>
struct Ellipsoids {
    Lanes33<T> first, second;
    Lanes3<T> apart;
};

/// Both ellipsoids of a pair along n.
template <class T>
struct Between {
    Lanes3<T> n, first_along, second_along;  ///< Shapes times n.
    T first_inverse, second_inverse;         ///< Of reaches [1/m].
    T gap, size;                             ///< [m]; both reaches together.
    Lanes3<T> way;                           ///< From one support point to the other.
};

template <class T>
EIGEN_ALWAYS_INLINE Between<T> between_along(const Ellipsoids<T>& two, const Lanes3<T>& n) {
    using std::sqrt;
    Between<T> out;
    out.n = n;
    out.first_along = two.first * n;
    out.second_along = two.second * n;
    const T first = sqrt(n.dot(out.first_along)), second = sqrt(n.dot(out.second_along));
    out.first_inverse = T(1.0) / first;
    out.second_inverse = T(1.0) / second;
    out.size = first + second;
    out.gap = n.dot(two.apart) - out.size;
    out.way =
        two.apart - (out.first_inverse * out.first_along + out.second_inverse * out.second_along);
    return out;
}

template <class T>
Between<T> choose(const Places<T>& where, const Between<T>& yes, const Between<T>& no) {
    return {choose(where, yes.n, no.n),
            choose(where, yes.first_along, no.first_along),
            choose(where, yes.second_along, no.second_along),
            choose(where, yes.first_inverse, no.first_inverse),
            choose(where, yes.second_inverse, no.second_inverse),
            choose(where, yes.gap, no.gap),
            choose(where, yes.size, no.size),
            choose(where, yes.way, no.way)};
}

/// From n on, square to it: Newton's step to where the gap is greatest, or one along its slope
/// where the gap has no such place near by.
///
/// With n tilted by w the gap is that of now plus w.way - 1/2 w.(K w), K being gap plus, summed
/// over both, S / reach - (S n)(S n)^T / reach^3, seen along two directions square to n (Duff et
/// al. 2017, "Building an Orthonormal Basis, Revisited").
template <class T>
EIGEN_ALWAYS_INLINE Lanes3<T> tilt_of(const Ellipsoids<T>& two, const Between<T>& now) {
    const Lanes3<T>& n = now.n;
    const T sign = each_place<T>([&](int k) { return place_of(n.z, k) < 0 ? -1.0 : 1.0; });
    const T over = T(-1.0) / (sign + n.z), xy = n.x * n.y * over;
    const Lanes3<T> side{T(1.0) + sign * n.x * n.x * over, sign * xy, T(0.0) - sign * n.x};
    const Lanes3<T> up{xy, sign + n.y * n.y * over, T(0.0) - n.y};
    T ss = now.gap, uu = now.gap, su = 0.0;
    const auto add = [&](const Lanes33<T>& shape, const Lanes3<T>& along, const T& inverse) {
        const Lanes3<T> shaped_s = shape * side, shaped_u = shape * up;
        const T s_along = inverse * side.dot(along), u_along = inverse * up.dot(along);
        ss += inverse * (side.dot(shaped_s) - s_along * s_along);
        uu += inverse * (up.dot(shaped_u) - u_along * u_along);
        su += inverse * (side.dot(shaped_u) - s_along * u_along);
    };
    add(two.first, now.first_along, now.first_inverse);
    add(two.second, now.second_along, now.second_inverse);
    const T g_s = side.dot(now.way), g_u = up.dot(now.way), det = ss * uu - su * su;
    T by_side = (uu * g_s - su * g_u) / det, by_up = (ss * g_u - su * g_s) / det;
    const T least = T(1e-6) * now.size * now.size;
    Places<T> has_top;
    for (int k = 0; k < kCount<T>; ++k) {
        has_top.at[k] = place_of(ss, k) > 0 && place_of(det, k) > place_of(least, k);
    }
    if (!has_top.all()) {
        by_side = choose(has_top, by_side, T(g_s / now.size));
        by_up = choose(has_top, by_up, T(g_u / now.size));
    }
    return by_side * side + by_up * up;
}

template <class T>
EIGEN_ALWAYS_INLINE Between<T> best_between(const Ellipsoids<T>& two, const Lanes3<T>& start,
                                            double far) {
    using std::sqrt;
    Between<T> now = between_along(two, start);
    Lanes3<T> tilt = tilt_of(two, now);
    Places<T> looks;  // Which are still looked at.
    for (bool& one : looks.at) one = true;
    for (int i = 0; i < kDirections; ++i) {
        const T angle_sq = tilt.dot(tilt);
        bool is_long = false;
        for (int k = 0; k < kCount<T>; ++k) {
            looks.at[k] = looks.at[k] && !(place_of(angle_sq, k) < 1e-10);
            is_long = is_long || place_of(angle_sq, k) > kLongestStep;
        }
        if (!looks.any()) break;
        if (is_long) {
            tilt = each_place<T>([&](int k) {
                       const double angle = place_of(angle_sq, k);
                       return angle > kLongestStep ? std::sqrt(kLongestStep / angle) : 1.0;
                   }) *
                   tilt;
        }
        const Lanes3<T> tilted = now.n + tilt;
        const Between<T> then = between_along(two, (T(1.0) / sqrt(tilted.dot(tilted))) * tilted);
        Places<T> is_better;
        for (int k = 0; k < kCount<T>; ++k) {
            is_better.at[k] = looks.at[k] && place_of(then.gap, k) > place_of(now.gap, k);
        }
        now = is_better.all() ? then : choose(is_better, then, now);
        for (int k = 0; k < kCount<T>; ++k) {
            const bool is_last = place_of(angle_sq, k) < kLastStep ||
                                 place_of(now.gap, k) > far * place_of(now.size, k);
            looks.at[k] = looks.at[k] && !(is_better.at[k] && is_last);
        }
        if (!looks.any()) break;
        const Lanes3<T> next = tilt_of(two, now);
        tilt = is_better.all() ? next : choose(is_better, next, T(0.3) * tilt);
    }
    return now;
}

/// Of as many pairs as T has places.
template <class T>
void measure(const EllipsoidPair* pairs, double far, EllipsoidGap* out) {
    constexpr int kLast = kCount<T> - 1;
    Ellipsoids<T> two;
    Vec3 starts[kCount<T>], aparts[kCount<T>];
    for (int k = 0; k < kCount<T>; ++k) {
        const double distance = pairs[k].apart.norm();
        starts[k] = distance > 0 ? Vec3(pairs[k].apart / distance) : Vec3::UnitY();
        aparts[k] = pairs[k].apart;
    }
    for (int i = 0; i < 9; ++i) {
        two.first.at[i] = each_place<T>([&](int k) { return pairs[k].first.data()[i]; });
        two.second.at[i] = each_place<T>([&](int k) { return pairs[k].second.data()[i]; });
    }
    two.apart = vectors_of<T>(aparts);
    const Between<T> best = best_between(two, vectors_of<T>(starts), far);
    for (int k = 0; k <= kLast; ++k) {
        out[k].normal = {place_of(best.n.x, k), place_of(best.n.y, k), place_of(best.n.z, k)};
        out[k].gap = place_of(best.gap, k);
    }
}

}  // namespace

EllipsoidGap ellipsoid_gap(const Mat3& first, const Mat3& second, const Vec3& apart, double far) {
    EllipsoidGap out;
    const EllipsoidPair pair{first, second, apart};
    measure<double>(&pair, far, &out);
    return out;
}

void ellipsoid_gaps(std::span<const EllipsoidPair> pairs, double far, std::span<EllipsoidGap> out) {
    std::size_t k = 0;
    for (; k + 1 < pairs.size(); k += 2) measure<Doubles>(&pairs[k], far, &out[k]);
    if (k < pairs.size()) measure<double>(&pairs[k], far, &out[k]);
}

}  // namespace ductile
