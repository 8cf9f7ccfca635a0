// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/contact_rounds.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using simd::Doubles;

template <class T>
EIGEN_ALWAYS_INLINE T both(double first, double second) {
    if constexpr (std::is_same_v<T, double>) {
        return first;
    } else {
        return Doubles(first, second);
    }
}

template <class T>
EIGEN_ALWAYS_INLINE Lanes3<T> load(const Vec3* const* from) {
    const Vec3 &first = *from[0], &second = *from[std::is_same_v<T, double> ? 0 : 1];
    return {both<T>(first.x(), second.x()), both<T>(first.y(), second.y()),
            both<T>(first.z(), second.z())};
}

EIGEN_ALWAYS_INLINE void store(const Lanes3<double>& v, Vec3* const* to) {
    *to[0] = Vec3(v.x, v.y, v.z);
}
EIGEN_ALWAYS_INLINE void store(const Lanes3<Doubles>& v, Vec3* const* to) {
    for (int k = 0; k < 2; ++k) *to[k] = Vec3(v.x[k], v.y[k], v.z[k]);
}

EIGEN_ALWAYS_INLINE bool is_any_positive(double x) { return x > 0; }
EIGEN_ALWAYS_INLINE bool is_any_positive(const Doubles& x) { return x[0] > 0 || x[1] > 0; }

EIGEN_ALWAYS_INLINE double not_negative(double x) { return std::max(0.0, x); }
EIGEN_ALWAYS_INLINE Doubles not_negative(const Doubles& x) { return larger(Doubles(0.0), x); }

// Squared, far below any drag: 0 over 0 would be no share.
constexpr double kNoDrag = 1e-300;

/// What of a drag is left where it is more than the limit.
EIGEN_ALWAYS_INLINE double drag_share(double limit, double held_sq) {
    return std::min(1.0, limit / std::sqrt(held_sq + kNoDrag));
}
EIGEN_ALWAYS_INLINE Doubles drag_share(const Doubles& limit, const Doubles& held_sq) {
    return smaller(Doubles(1.0), limit / sqrt(held_sq + Doubles(kNoDrag)));
}

}  // namespace

void ContactRounds::sort_by_level(std::span<TissueContact* const> contacts,
                                  std::span<const std::size_t> firsts,
                                  std::span<const BodyGain> gains) {
    particle_levels_.assign(firsts.back(), 0);
    body_levels_.assign(gains.size(), 0);
    level_of_.clear();
    level_ends_.clear();
    for (const TissueContact* c : contacts) {
        const auto particle_level = [&](std::int32_t coat, std::int32_t particle) {
            return &particle_levels_[firsts[coat] + static_cast<std::size_t>(particle)];
        };
        std::int32_t* own = particle_level(c->coat, c->particle);
        std::int32_t* other = own;
        if (c->body < 0) {
            other = particle_level(c->other_coat, c->other_particle);
        } else if (gains[c->body].inverse_mass > 0) {
            other = &body_levels_[c->body];
        }
        const std::int32_t level = std::max(*own, *other);
        *own = *other = level + 1;
        level_of_.push_back(level);
        if (static_cast<std::size_t>(level) >= level_ends_.size()) level_ends_.push_back(0);
        ++level_ends_[level];
    }
    std::int32_t begin = 0;
    for (std::int32_t& end : level_ends_) {
        const std::int32_t count = end;
        end = begin;
        begin += count;
    }
    sorted_.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        sorted_[level_ends_[level_of_[k]]++] = contacts[k];
    }
}

template <class T>
ContactRounds::Visit<T> ContactRounds::make_visit(TissueContact* const* contacts,
                                                  std::span<BodyGain> gains) {
    Visit<T> v;
    const TissueContact *first = contacts[0], *second = contacts[Visit<T>::kCount - 1];
    for (int k = 0; k < Visit<T>::kCount; ++k) {
        TissueContact& c = *contacts[k];
        v.contacts[k] = &c;
        v.own[k] = c.own;
        v.other[k] = c.body < 0 ? c.other : &gains[c.body].move;
        v.turn[k] = c.body < 0 ? &no_turn_ : &gains[c.body].turn;
    }
    const auto other_inverse_mass = [&](const TissueContact& c) {
        return c.body < 0 ? c.other_inverse_mass : gains[c.body].inverse_mass;
    };
    v.inverse_mass = both<T>(first->inverse_mass, second->inverse_mass);
    v.other_inverse_mass = both<T>(other_inverse_mass(*first), other_inverse_mass(*second));
    v.friction = both<T>(first->friction, second->friction);
    const auto make_row = [](const ContactRow& a, const ContactRow& b) {
        const auto vector = [](const Vec3& x, const Vec3& y) {
            return Lanes3<T>{both<T>(x.x(), y.x()), both<T>(x.y(), y.y()), both<T>(x.z(), y.z())};
        };
        return Row<T>{vector(a.axis, b.axis),           vector(a.arm, b.arm),
                      vector(a.body_turn, b.body_turn), both<T>(a.start, b.start),
                      both<T>(a.mass, b.mass),          both<T>(a.push, b.push),
                      both<T>(a.by_normal, b.by_normal)};
    };
    v.normal = make_row(first->normal, second->normal);
    v.side = make_row(first->across[0], second->across[0]);
    v.up = make_row(first->across[1], second->across[1]);
    return v;
}

void ContactRounds::plan(std::span<TissueContact* const> contacts,
                         std::span<const std::size_t> firsts, std::span<BodyGain> gains) {
    sort_by_level(contacts, firsts, gains);
    singles_.clear();
    pairs_.clear();
    order_.clear();
    std::int32_t begin = 0;
    for (const std::int32_t end : level_ends_) {
        for (; begin + 1 < end; begin += 2) {
            order_.push_back(static_cast<std::int32_t>(pairs_.size()));
            pairs_.push_back(make_visit<Doubles>(&sorted_[begin], gains));
        }
        if (begin == end) continue;
        order_.push_back(-1 - static_cast<std::int32_t>(singles_.size()));
        singles_.push_back(make_visit<double>(&sorted_[begin++], gains));
    }
}

// Many contacts push one body, each waits for the one before: sums that wait for nothing come
// first, and what is needed of the body is read once and written once.
template <class T>
EIGEN_ALWAYS_INLINE void ContactRounds::solve(Visit<T>& v) {
    Row<T>&normal = v.normal, &side = v.side, &up = v.up;
    const Lanes3<T> own = load<T>(v.own), other = load<T>(v.other), turn = load<T>(v.turn);
    const auto way_along = [&](const Row<T>& row) {
        const T back = (row.axis.x * other.x + row.axis.y * other.y) +
                       (row.axis.z * other.z + row.arm.x * turn.x) +
                       (row.arm.y * turn.y + row.arm.z * turn.z);
        return (row.start + row.axis.dot(own)) - back;
    };
    const T push = not_negative(normal.push - way_along(normal) * normal.mass);
    if (!is_any_positive(push + normal.push)) return;
    const T more = push - normal.push;
    T drag = side.push - (way_along(side) + more * side.by_normal) * side.mass;
    T lift = up.push - (way_along(up) + more * up.by_normal) * up.mass;
    const T limit = v.friction * push, held_sq = drag * drag + lift * lift;
    if (is_any_positive(held_sq - limit * limit)) {
        const T share = drag_share(limit, held_sq);
        drag = share * drag;
        lift = share * lift;
    }
    const T side_more = drag - side.push, up_more = lift - up.push;
    normal.push = push;
    side.push = drag;
    up.push = lift;
    const Lanes3<T> pushed = more * normal.axis + side_more * side.axis + up_more * up.axis;
    store(own + v.inverse_mass * pushed, v.own);
    store(other - v.other_inverse_mass * pushed, v.other);
    store(turn - (more * normal.body_turn + side_more * side.body_turn + up_more * up.body_turn),
          v.turn);
}

template <class T>
void ContactRounds::tell(const Visit<T>& v) {
    const auto at = [](const T& x, int k) {
        if constexpr (std::is_same_v<T, double>) {
            (void)k;
            return x;
        } else {
            return x[k];
        }
    };
    for (int k = 0; k < Visit<T>::kCount; ++k) {
        TissueContact& c = *v.contacts[k];
        c.normal.push = at(v.normal.push, k);
        c.across[0].push = at(v.side.push, k);
        c.across[1].push = at(v.up.push, k);
    }
}

void ContactRounds::run(int rounds, bool is_backwards) {
    const std::size_t count = order_.size();
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < count; ++k) {
            const std::int32_t visit = order_[is_backwards ? count - 1 - k : k];
            if (visit >= 0) {
                solve(pairs_[visit]);
            } else {
                solve(singles_[-1 - visit]);
            }
        }
    }
    for (const Visit<double>& v : singles_) tell(v);
    for (const Visit<Doubles>& v : pairs_) tell(v);
}

}  // namespace ductile
