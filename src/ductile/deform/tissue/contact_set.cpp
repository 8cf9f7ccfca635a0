// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/contact_set.h>

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

/// Whether it will push at once. Such ones go side by side: two that do not are soon done with.
bool overlaps(const TissueContact* c) {
    const Vec3 apart = c->other ? Vec3(*c->own - *c->other) : *c->own;
    return c->normal.start + c->normal.axis.dot(apart) < 0;
}

}  // namespace

void ContactSet::sort_by_level(std::span<TissueContact* const> contacts,
                               std::span<const std::size_t> firsts,
                               std::span<const BodyGain> gains) {
    particle_levels_.assign(firsts.back(), 0);
    body_levels_.assign(gains.size(), 0);
    slot_of_.clear();
    slot_ends_.clear();
    for (const TissueContact* c : contacts) {
        const auto particle_level = [&](std::int32_t coat, std::int32_t particle) {
            return &particle_levels_[firsts[coat] + static_cast<std::size_t>(particle)];
        };
        std::int32_t* own = particle_level(c->coat, c->particle);
        std::int32_t* other = own;
        const bool turns = c->body >= 0 && gains[c->body].inverse_mass > 0;
        if (c->body < 0) {
            other = particle_level(c->other_coat, c->other_particle);
        } else if (turns) {
            other = &body_levels_[c->body];
        }
        const std::int32_t level = std::max(*own, *other), slot = 2 * level + (turns ? 1 : 0);
        *own = *other = level + 1;
        slot_of_.push_back(slot);
        if (static_cast<std::size_t>(slot) >= slot_ends_.size()) slot_ends_.resize(2 * level + 2);
        ++slot_ends_[slot];
    }
    std::int32_t begin = 0;
    for (std::int32_t& end : slot_ends_) {
        const std::int32_t count = end;
        end = begin;
        begin += count;
    }
    sorted_.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        sorted_[slot_ends_[slot_of_[k]]++] = contacts[k];
    }
}

template <class T, bool kTurns>
ContactSet::Visit<T, kTurns> ContactSet::make_visit(TissueContact* const* contacts,
                                                    std::span<BodyGain> gains) {
    using Made = Visit<T, kTurns>;
    Made v;
    const TissueContact *first = contacts[0], *second = contacts[Made::kCount - 1];
    for (int k = 0; k < Made::kCount; ++k) {
        TissueContact& c = *contacts[k];
        v.contacts[k] = &c;
        v.own[k] = c.own;
        v.other[k] = c.body < 0 ? c.other : kTurns ? &gains[c.body].move : &no_move_;
        if constexpr (kTurns) v.turn[k] = &gains[c.body].turn;
    }
    const auto other_inverse_mass = [&](const TissueContact& c) {
        return c.body < 0 ? c.other_inverse_mass : gains[c.body].inverse_mass;
    };
    v.inverse_mass = both<T>(first->inverse_mass, second->inverse_mass);
    v.other_inverse_mass = both<T>(other_inverse_mass(*first), other_inverse_mass(*second));
    v.friction = both<T>(first->friction, second->friction);
    const T unit = kTurns ? T(1.0) / v.other_inverse_mass : T(1.0);
    if constexpr (kTurns) v.inverse_mass = v.inverse_mass * unit;
    const auto make_row = [&](const ContactRow& a, const ContactRow& b) {
        const auto vector = [](const Vec3& x, const Vec3& y) {
            return Lanes3<T>{both<T>(x.x(), y.x()), both<T>(x.y(), y.y()), both<T>(x.z(), y.z())};
        };
        Row<T, kTurns> row;
        row.axis = vector(a.axis, b.axis);
        row.start = both<T>(a.start, b.start);
        row.mass = both<T>(a.mass, b.mass);
        row.push = both<T>(a.push, b.push);
        if constexpr (kTurns) {
            row.by_normal = row.mass * both<T>(a.by_normal, b.by_normal);
            row.mass = row.mass * v.other_inverse_mass;
            row.push = row.push * v.other_inverse_mass;
            row.arm = vector(a.arm, b.arm);
            row.body_turn = unit * vector(a.body_turn, b.body_turn);
        }
        return row;
    };
    v.normal = make_row(first->normal, second->normal);
    v.side = make_row(first->across[0], second->across[0]);
    v.up = make_row(first->across[1], second->across[1]);
    return v;
}

template <bool kTurns>
void ContactSet::add_visits(std::span<TissueContact* const> contacts, std::span<BodyGain> gains,
                            Visits<kTurns>& to) {
    const auto begin = static_cast<std::int32_t>(to.pairs.size());
    std::size_t k = 0;
    for (; k + 1 < contacts.size(); k += 2) {
        to.pairs.push_back(make_visit<Doubles, kTurns>(&contacts[k], gains));
    }
    const auto end = static_cast<std::int32_t>(to.pairs.size());
    if (begin < end) runs_.push_back({kTurns, true, begin, end});
    if (k == contacts.size()) return;
    const auto single = static_cast<std::int32_t>(to.singles.size());
    to.singles.push_back(make_visit<double, kTurns>(&contacts[k], gains));
    runs_.push_back({kTurns, false, single, single + 1});
}

void ContactSet::plan(std::span<TissueContact* const> contacts, std::span<const std::size_t> firsts,
                      std::span<BodyGain> gains) {
    sort_by_level(contacts, firsts, gains);
    turning_.pairs.clear();
    turning_.singles.clear();
    moving_.pairs.clear();
    moving_.singles.clear();
    runs_.clear();
    std::int32_t begin = 0;
    for (std::size_t slot = 0; slot < slot_ends_.size(); ++slot) {
        const auto count = static_cast<std::size_t>(slot_ends_[slot] - begin);
        const std::span<TissueContact*> level(sorted_.data() + begin, count);
        std::partition(level.begin(), level.end(), overlaps);
        begin = slot_ends_[slot];
        if (slot % 2 == 0) {
            add_visits(level, gains, moving_);
        } else {
            add_visits(level, gains, turning_);
        }
    }
}

// Many contacts push one body, each waits for the one before: what waits for nothing is summed
// first, what is needed of the body is read once and written once, and with pushes measured by how
// far they move the body it takes no product more to move it.
template <class T, bool kTurns>
EIGEN_ALWAYS_INLINE void ContactSet::solve(Visit<T, kTurns>& v) {
    Row<T, kTurns>&normal = v.normal, &side = v.side, &up = v.up;
    const Lanes3<T> own = load<T>(v.own), other = load<T>(v.other);
    Lanes3<T> turn;
    if constexpr (kTurns) turn = load<T>(v.turn);
    // The push that would close the gap, or undo the slip, along a row.
    const auto wanted = [&](const Row<T, kTurns>& row) {
        const T ahead = row.push - row.mass * (row.start + row.axis.dot(own));
        T back = row.axis.x * other.x + row.axis.y * other.y;
        if constexpr (kTurns) {
            back = (back + (row.axis.z * other.z + row.arm.x * turn.x)) +
                   (row.arm.y * turn.y + row.arm.z * turn.z);
        } else {
            back = back + row.axis.z * other.z;
        }
        return ahead + row.mass * back;
    };
    const T push = not_negative(wanted(normal));
    if (!is_any_positive(push + normal.push)) return;
    const T more = push - normal.push;
    T drag = wanted(side), lift = wanted(up);
    if constexpr (kTurns) {
        drag -= more * side.by_normal;
        lift -= more * up.by_normal;
    }
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
    const Lanes3<T> across = side_more * side.axis + up_more * up.axis;
    if constexpr (kTurns) {
        store((other - more * normal.axis) - across, v.other);
        store((turn - more * normal.body_turn) -
                  (side_more * side.body_turn + up_more * up.body_turn),
              v.turn);
        store(own + v.inverse_mass * (more * normal.axis + across), v.own);
    } else {
        const Lanes3<T> pushed = more * normal.axis + across;
        store(own + v.inverse_mass * pushed, v.own);
        store(other - v.other_inverse_mass * pushed, v.other);
    }
}

template <class T, bool kTurns>
void ContactSet::visit_range(std::vector<Visit<T, kTurns>>& visits, const Run& run,
                             bool is_backwards) {
    if (is_backwards) {
        for (std::int32_t k = run.end; k-- > run.begin;) solve(visits[k]);
    } else {
        for (std::int32_t k = run.begin; k < run.end; ++k) solve(visits[k]);
    }
}

void ContactSet::visit_all(bool is_backwards) {
    const std::size_t count = runs_.size();
    for (std::size_t k = 0; k < count; ++k) {
        const Run& run = runs_[is_backwards ? count - 1 - k : k];
        if (run.turns) {
            run.is_paired ? visit_range(turning_.pairs, run, is_backwards)
                          : visit_range(turning_.singles, run, is_backwards);
        } else {
            run.is_paired ? visit_range(moving_.pairs, run, is_backwards)
                          : visit_range(moving_.singles, run, is_backwards);
        }
    }
}

template <class T, bool kTurns>
void ContactSet::tell(const std::vector<Visit<T, kTurns>>& visits) {
    const auto at = [](const T& x, int k) {
        if constexpr (std::is_same_v<T, double>) {
            (void)k;
            return x;
        } else {
            return x[k];
        }
    };
    for (const Visit<T, kTurns>& v : visits) {
        for (int k = 0; k < Visit<T, kTurns>::kCount; ++k) {
            TissueContact& c = *v.contacts[k];
            const double unit = kTurns ? 1.0 / at(v.other_inverse_mass, k) : 1.0;
            c.normal.push = unit * at(v.normal.push, k);
            c.across[0].push = unit * at(v.side.push, k);
            c.across[1].push = unit * at(v.up.push, k);
        }
    }
}

void ContactSet::tell_pushes() const {
    tell(turning_.pairs);
    tell(turning_.singles);
    tell(moving_.pairs);
    tell(moving_.singles);
}

}  // namespace ductile
