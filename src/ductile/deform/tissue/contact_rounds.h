// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/tissue_contact.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ductile {

/// Visits contacts one after the other, many times; two that share nothing that moves go side by
/// side. What each finds is what it would in the order in which contacts were given: only those
/// change places that cannot feel each other.
class ContactRounds {
public:
    /// `firsts`: at which number the particles of each coat begin, and the end of all. What
    /// contacts and gains are made of is written to by `run`: all of it must stay in place.
    void plan(std::span<TissueContact* const> contacts, std::span<const std::size_t> firsts,
              std::span<BodyGain> gains);

    /// Visits all so many times, in their order or in the opposite one, and tells the contacts
    /// their pushes.
    void run(int rounds, bool is_backwards);

private:
    using Doubles = simd::Doubles;
    template <class T>
    struct Row {
        Lanes3<T> axis, arm, body_turn;
        T start, mass, push, by_normal;
    };
    /// One contact, or two side by side.
    template <class T>
    struct Visit {
        static constexpr int kCount = std::is_same_v<T, double> ? 1 : 2;
        TissueContact* contacts[kCount];
        Vec3 *own[kCount], *other[kCount], *turn[kCount];
        T inverse_mass, other_inverse_mass, friction;
        Row<T> normal, side, up;
    };
    void sort_by_level(std::span<TissueContact* const> contacts,
                       std::span<const std::size_t> firsts, std::span<const BodyGain> gains);
    template <class T>
    Visit<T> make_visit(TissueContact* const* contacts, std::span<BodyGain> gains);
    template <class T>
    static void solve(Visit<T>& visit);
    template <class T>
    static void tell(const Visit<T>& visit);

    std::vector<Visit<double>> singles_;
    std::vector<Visit<Doubles>> pairs_;
    std::vector<std::int32_t> order_;  ///< Of visits: a pair's number, or -1 - that of a single.
    std::vector<TissueContact*> sorted_;
    std::vector<std::int32_t> level_of_, level_ends_;
    std::vector<std::int32_t> particle_levels_, body_levels_;
    Vec3 no_turn_ = Vec3::Zero();
};

}  // namespace ductile
