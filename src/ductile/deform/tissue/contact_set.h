// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/tissue_contact.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ductile {

/// Contacts that are visited one after the other, many times; two that share nothing that moves go
/// side by side. What each finds is what it would in the order in which contacts were given: only
/// those change places that cannot feel each other.
class ContactSet {
public:
    /// `firsts`: at which number the particles of each coat begin, and the end of all. What
    /// contacts and gains are made of is written to by `visit_all`: all of it must stay in place.
    /// Requires: no gain of a body that cannot be moved.
    void plan(std::span<TissueContact* const> contacts, std::span<const std::size_t> firsts,
              std::span<BodyGain> gains);

    /// Once, in their order or in the opposite one.
    void visit_all(bool is_backwards);

    /// Tells the contacts their pushes.
    void tell_pushes() const;

private:
    using Doubles = simd::Doubles;
    template <class T, bool kTurns>
    struct Row {
        Lanes3<T> axis;
        T start, mass, push;
    };
    /// Of a body that turns, pushes are measured by how far they move it: all that is multiplied by
    /// a push is over its inverse mass. `by_normal` is times the row's mass.
    template <class T>
    struct Row<T, true> {
        Lanes3<T> axis;
        T start, mass, push, by_normal;
        Lanes3<T> arm, body_turn;
    };
    /// One contact, or two side by side, with bodies that turn or with what only moves.
    template <class T, bool kTurns>
    struct Visit {
        static constexpr int kCount = std::is_same_v<T, double> ? 1 : 2;
        Vec3 *own[kCount], *other[kCount], *turn[kTurns ? kCount : 1];
        Row<T, kTurns> normal;
        T inverse_mass, other_inverse_mass, friction;
        Row<T, kTurns> side, up;
        TissueContact* contacts[kCount];
    };
    /// Those of a level, two by two and an odd one.
    template <bool kTurns>
    struct Visits {
        std::vector<Visit<Doubles, kTurns>> pairs;
        std::vector<Visit<double, kTurns>> singles;
    };
    /// Visits [begin, end) of those that turn or do not, pairs or single ones.
    struct Run {
        bool turns, is_paired;
        std::int32_t begin, end;
    };
    void sort_by_level(std::span<TissueContact* const> contacts,
                       std::span<const std::size_t> firsts, std::span<const BodyGain> gains);
    template <bool kTurns>
    void add_visits(std::span<TissueContact* const> contacts, std::span<BodyGain> gains,
                    Visits<kTurns>& to);
    template <class T, bool kTurns>
    Visit<T, kTurns> make_visit(TissueContact* const* contacts, std::span<BodyGain> gains);
    template <class T, bool kTurns>
    static void solve(Visit<T, kTurns>& visit);
    template <class T, bool kTurns>
    static void visit_range(std::vector<Visit<T, kTurns>>& visits, const Run& run,
                            bool is_backwards);
    template <class T, bool kTurns>
    static void tell(const std::vector<Visit<T, kTurns>>& visits);

    Visits<true> turning_;
    Visits<false> moving_;
    std::vector<Run> runs_;
    std::vector<TissueContact*> sorted_;
    std::vector<std::int32_t>
        slot_of_;  ///< Of each contact: twice its level, and whether it turns.
    std::vector<std::int32_t> slot_ends_;  ///< Of each slot among the sorted ones.
    std::vector<std::int32_t> particle_levels_, body_levels_;
    Vec3 no_move_ = Vec3::Zero();  ///< Of all that cannot be moved.
};

}  // namespace ductile
