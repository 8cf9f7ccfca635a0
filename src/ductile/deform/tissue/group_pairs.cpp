// SPDX-License-Identifier: MIT
// Mueller and Chentanez 2011, "Solid Simulation with Oriented Particles". Where this differs:
// - Turning the centre alone, and shares that differ, make momentum from nothing. It is given back
//   within the group as a rigid motion. Levers are those from before the part: then the angular
//   momentum sum m x_old x v is kept to the last digits, since x_new x v = x_old x v.
// - With only the centres turning, angular momentum kept, a chain would resist changes of its twist
//   and not the twist itself. With `torsion` all members of a group turn towards it.
#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/group_pairs.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/particle_pairs.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using simd::Doubles;

/// Sums of m x x^T.
template <class T>
struct Spread {
    T xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;

    EIGEN_ALWAYS_INLINE void add(const T& mass, const Lanes3<T>& at) {
        const Lanes3<T> heavy = mass * at;
        xx += heavy.x * at.x;
        yy += heavy.y * at.y;
        zz += heavy.z * at.z;
        xy += heavy.x * at.y;
        xz += heavy.x * at.z;
        yz += heavy.y * at.z;
    }
};

/// The inverse of an inertia given by its spread and by spins. False where it has none, to
/// rounding.
template <class T>
EIGEN_ALWAYS_INLINE bool invert_inertia(const Spread<T>& s, const T& spin, Lanes33<T>& out) {
    const T xx = s.yy + s.zz + spin, yy = s.xx + s.zz + spin, zz = s.xx + s.yy + spin;
    const T xy = -s.xy, xz = -s.xz, yz = -s.yz;
    const T c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
    const T over = T(1.0) / (xx * c0 + xy * c1 + xz * c2);
    out(0, 0) = over * c0;
    out(0, 1) = out(1, 0) = over * c1;
    out(0, 2) = out(2, 0) = over * c2;
    out(1, 1) = over * (xx * zz - xz * xz);
    out(1, 2) = out(2, 1) = over * (xy * xz - xx * yz);
    out(2, 2) = over * (xx * yy - xy * xy);
    // The diagonal of an inverse bounds all of it, where it is positive at all.
    const T trace = out(0, 0) + out(1, 1) + out(2, 2);
    return simd::is_above(out(0, 0), 0.0) && simd::is_above(out(1, 1), 0.0) &&
           simd::is_above(out(2, 2), 0.0) && simd::is_above(T(1e12), trace * (xx + yy + zz));
}

/// 0 about axes about which there is no inertia: a point, or a line of points.
Mat3 inverse_inertia(const Spread<double>& spread, double spin) {
    Lanes33<double> out;
    if (invert_inertia(spread, spin, out)) return matrix_of(out);
    const double size = 2.0 * (spread.xx + spread.yy + spread.zz) + 3.0 * spin;
    if (!(size > 0)) return Mat3::Zero();
    invert_inertia(spread, spin + 1e-9 * size, out);
    return matrix_of(out);
}

Pair33 inverse_inertias(const Spread<Doubles>& spread, const Doubles& spin) {
    Pair33 out;
    if (invert_inertia(spread, spin, out)) return out;
    const auto one = [&](int k) {
        return inverse_inertia(
            {spread.xx[k], spread.yy[k], spread.zz[k], spread.xy[k], spread.xz[k], spread.yz[k]},
            spin[k]);
    };
    return pair_of(one(0), one(1));
}

/// x = sin(a/2)^2 of turns whose vector a series gives: up to 0.45 rad.
constexpr double kSmallTurn = 0.05;

/// The vector of the turn from one rotation to another where that is small; false elsewhere.
template <class T>
EIGEN_ALWAYS_INLINE bool small_turn(const Lanes33<T>& from, const Lanes33<T>& to,
                                    Lanes3<T>& vector) {
    const auto row_dot = [&](int i, int k) {
        return to(i, 0) * from(k, 0) + to(i, 1) * from(k, 1) + to(i, 2) * from(k, 2);
    };
    const T trace = row_dot(0, 0) + row_dot(1, 1) + row_dot(2, 2);
    const T x = T(0.25) * (T(3.0) - trace);
    if (!simd::is_above(T(kSmallTurn), x)) return false;
    const Lanes3<T> twice_sine{row_dot(2, 1) - row_dot(1, 2), row_dot(0, 2) - row_dot(2, 0),
                               row_dot(1, 0) - row_dot(0, 1)};
    // a / sin(a) = 1 + 2/3 x (1 + 4/5 x (1 + 6/7 x (1 + ...))), to 1e-12.
    T share = 1.0;
    for (int n = 8; n > 0; --n) share = T(1.0) + T(2.0 * n / (2.0 * n + 1.0)) * x * share;
    vector = (T(0.5) * share) * twice_sine;
    return true;
}

Vec3 turn_vector(const Mat3& from, const Mat3& to) {
    Lanes3<double> small;
    if (small_turn(lanes_of(from), lanes_of(to), small)) return {small.x, small.y, small.z};
    return angle_of(Quat(Mat3(to * from.transpose())));
}

Pair3 turn_vectors(const Pair33& from, const Pair33& to) {
    Pair3 small;
    if (small_turn(from, to, small)) return small;
    const Vec3 two[] = {turn_vector(matrix_of(from, 0), matrix_of(to, 0)),
                        turn_vector(matrix_of(from, 1), matrix_of(to, 1))};
    return gather(two, 0, 1);
}

// Numbers of a Pair33.
constexpr std::size_t kTurn = 18;

Pair33 load33(const double* at) {
    Pair33 m;
    for (int k = 0; k < 9; ++k) m.at[k] = Doubles::load(at + 2 * k);
    return m;
}

void store(const Pair33& m, double* to) {
    for (int k = 0; k < 9; ++k) m.at[k].store(to + 2 * k);
}

Doubles both(double first, double second) {
    const double two[] = {first, second};
    return Doubles::gather(two, 1);
}

}  // namespace

GroupPairs::GroupPairs(const TissueRig& rig, const Mat3& turn) {
    const auto count = static_cast<std::int32_t>(rig.group_count());
    std::vector<std::uint8_t> is_paired(static_cast<std::size_t>(count), 0);
    std::vector<std::int32_t> used_by(rig.size(), -1);
    std::int32_t first_left = 0;
    for (std::int32_t g = 0; g < count; ++g) {
        if (is_paired[g]) continue;
        for (const std::int32_t i : rig.group(g)) used_by[i] = g;
        first_left = std::max(first_left, g + 1);
        std::int32_t other = first_left;
        for (; other < count; ++other) {
            if (is_paired[other]) continue;
            const std::span<const std::int32_t> members = rig.group(other);
            if (std::none_of(members.begin(), members.end(),
                             [&](std::int32_t i) { return used_by[i] == g; })) {
                break;
            }
        }
        if (other < count) is_paired[other] = 1;
        add_pair(rig, g, other < count ? other : -1);
    }
    std::int32_t longest = 0;
    for (const Pair& pair : pairs_) longest = std::max(longest, pair.end - pair.begin);
    visited_.resize(static_cast<std::size_t>(longest));
    turns_.resize(2 * kTurn * pairs_.size());
    for (std::size_t k = 0; k < turns_.size(); k += kTurn) store(pair_of(turn, turn), &turns_[k]);
}

void GroupPairs::add_pair(const TissueRig& rig, std::int32_t first, std::int32_t second) {
    Pair pair;
    pair.groups[0] = first;
    pair.groups[1] = second;
    pair.begin = static_cast<std::int32_t>(slots_.size());
    const auto nobody = static_cast<std::int32_t>(rig.size());
    double mass[2] = {}, spin[2] = {1.0, 1.0}, middle_spin[2] = {};
    const auto spin_of = [&](std::int32_t i) {
        return rig.masses[i] * spin_inertia(rig.shapes[i]);
    };
    std::size_t size = 0;
    for (int k = 0; k < 2; ++k) {
        if (pair.groups[k] < 0) continue;
        const std::span<const std::int32_t> members = rig.group(pair.groups[k]);
        size = std::max(size, members.size());
        spin[k] = 0.0;
        for (const std::int32_t i : members) {
            mass[k] += rig.masses[i];
            spin[k] += spin_of(i);
        }
        middle_spin[k] = rig.attached[members[0]] ? 0.0 : spin_of(members[0]);
    }
    for (std::size_t place = 0; place < size; ++place) {
        Slot slot;
        std::int32_t particle[2] = {nobody, nobody};
        double masses[2] = {};
        for (int k = 0; k < 2; ++k) {
            if (pair.groups[k] < 0 || place >= rig.group(pair.groups[k]).size()) continue;
            slot.members[k] = rig.firsts[pair.groups[k]] + static_cast<std::int32_t>(place);
            particle[k] = rig.members[slot.members[k]];
            masses[k] = rig.masses[particle[k]];
        }
        slot.first = particle[0];
        slot.second = particle[1];
        slot.mass = both(masses[0], masses[1]);
        slots_.push_back(slot);
    }
    pair.end = static_cast<std::int32_t>(slots_.size());
    pair.inverse_mass = both(1.0 / mass[0], second < 0 ? 0.0 : 1.0 / mass[1]);
    pair.spin = both(spin[0], spin[1]);
    pair.blank = both(0.0, second < 0 ? 1.0 : 0.0);
    pair.middle_spin = both(middle_spin[0], middle_spin[1]);
    pairs_.push_back(pair);
}

void GroupPairs::set_offsets(std::span<const Vec3> offsets) {
    for (Slot& slot : slots_) {
        Vec3 two[2] = {Vec3::Zero(), Vec3::Zero()};
        for (int k = 0; k < 2; ++k) {
            if (slot.members[k] >= 0) two[k] = offsets[slot.members[k]];
        }
        slot.offset = gather(two, 0, 1);
    }
}

void GroupPairs::set_shares(const TissueRig& rig, const PartParticles& particles) {
    for (Slot& slot : slots_) {
        slot.share = both(particles.shares[slot.first], particles.shares[slot.second]);
    }
    for (Pair& pair : pairs_) {
        const Slot& middle = slots_[pair.begin];
        const auto share = [&](std::int32_t i) {
            const bool is_outer = static_cast<std::size_t>(i) < rig.size() && !rig.attached[i];
            return is_outer ? particles.shares[i] : 0.0;
        };
        pair.middle_share = both(share(middle.first), share(middle.second));
    }
}

void GroupPairs::visit(const TissueRig& rig, bool is_backwards, PartParticles& particles) {
    const std::size_t count = pairs_.size();
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = is_backwards ? count - 1 - k : k;
        visit_pair(rig, pairs_[at], &turns_[kTurn * (2 * at + (is_backwards ? 1 : 0))], particles);
    }
}

Pair3 GroupPairs::turn_middles(const Pair& pair, const Pair33& goal,
                               PartParticles& particles) const {
    const Slot& middle = slots_[pair.begin];
    const Pair33 from = matrices_of(gather(particles.old_turns[middle.first],
                                           4 * std::ptrdiff_t{middle.second - middle.first}));
    const Pair3 so_far = gather(particles.angles.data(), middle.first, middle.second);
    const Pair3 angle = pair.middle_share * (turn_vectors(from, goal) - so_far);
    scatter(so_far + angle, particles.angles.data(), middle.first, middle.second);
    return pair.middle_spin * angle;
}

Pair3 GroupPairs::turn_members(const Pair& pair, const Pair33& goal,
                               PartParticles& particles) const {
    Vec3 angular[2] = {Vec3::Zero(), Vec3::Zero()};
    const Mat3 goals[2] = {matrix_of(goal, 0), matrix_of(goal, 1)};
    for (std::int32_t s = pair.begin + 1; s < pair.end; ++s) {
        for (int k = 0; k < 2; ++k) {
            if (slots_[s].members[k] < 0) continue;
            const std::int32_t i = k == 0 ? slots_[s].first : slots_[s].second;
            const Mat3 from = particles.old_turns[i].toRotationMatrix();
            const Vec3 way = turn_vector(from, goals[k]) - particles.angles[i];
            const Vec3 angle = particles.turn_shares[i] * way;
            particles.angles[i] += angle;
            angular[k] += particles.spins[i] * angle;
        }
    }
    return gather(angular, 0, 1);
}

Doubles GroupPairs::limited_share(const Slot& slot, const Pair3& way, double most) {
    const Doubles off = sqrt(way.dot(way)), arm = sqrt(slot.offset.dot(slot.offset));
    double limited[2];
    for (int k = 0; k < 2; ++k) {
        const double share = slot.share[k], allowed = most * arm[k];
        const bool is_far = (1.0 - share) * off[k] > allowed && slot.members[k] >= 0;
        limited[k] = is_far ? 1.0 - allowed / off[k] : share;
    }
    return both(limited[0], limited[1]);
}

void GroupPairs::visit_pair(const TissueRig& rig, const Pair& pair, double* last_turn,
                            PartParticles& particles) {
    const Slot* slots = slots_.data() + pair.begin;
    const int count = pair.end - pair.begin;
    const Vec3* old = particles.old.data();
    Vec3 *next = particles.next.data(), *angles = particles.angles.data();

    Pair33 moment = gather(particles.moments.data(), slots[0].first, slots[0].second);
    Pair3 centre{0.0, 0.0, 0.0}, old_centre = centre;
    for (int k = 0; k < count; ++k) {
        const Slot& slot = slots[k];
        Visited& v = visited_[k];
        v.next = gather(next, slot.first, slot.second);
        v.lever = gather(old, slot.first, slot.second);
        const Pair3 weighted = slot.mass * v.next;
        centre += weighted;
        old_centre += slot.mass * v.lever;
        add_moment(weighted, slot.offset, moment);
        if (k > 0) {
            moment = moment + gather(particles.moments.data(), slot.first, slot.second);
        }
    }
    for (int j = 0; j < 3; ++j) moment(j, j) += pair.blank;
    centre = pair.inverse_mass * centre;
    old_centre = pair.inverse_mass * old_centre;
    const Pair33 turn = matched_rotations(moment, load33(last_turn));
    store(turn, last_turn);

    const double most = rig.response.stretch_limit;
    Pair3 momentum{0.0, 0.0, 0.0}, angular = momentum;
    Spread<Doubles> spread;
    for (int k = 0; k < count; ++k) {
        const Slot& slot = slots[k];
        Visited& v = visited_[k];
        const Pair3 lever = v.lever - old_centre, way = turn * slot.offset + centre - v.next;
        const Doubles share = most > 0 ? limited_share(slot, way, most) : slot.share;
        const Pair3 move = share * way, weighted = slot.mass * move;
        momentum += weighted;
        angular += lever.cross(weighted);
        spread.add(slot.mass, lever);
        v.next += move;
        v.lever = lever;
    }
    angular += turn_middles(pair, turn, particles);
    if (rig.response.torsion > 0) angular += turn_members(pair, turn, particles);
    const Pair3 shift = pair.inverse_mass * momentum;
    const Pair3 back = inverse_inertias(spread, pair.spin) * angular;
    for (int k = 0; k < count; ++k) {
        const Slot& slot = slots[k];
        const Visited& v = visited_[k];
        scatter(v.next - shift - back.cross(v.lever), next, slot.first, slot.second);
        scatter(gather(angles, slot.first, slot.second) - back, angles, slot.first, slot.second);
    }
}

}  // namespace ductile
