// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/contact_set.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Visits contacts many times on two threads. A round visits set by set: both halves at once, then
/// what lies across both, itself in two halves, then the rest. What comes of it depends on the
/// sets, never on the threads.
class ContactRounds {
public:
    /// Sets of a round: contacts of 0 and 1 share nothing that moves, and those of 2 and 3 neither.
    static constexpr std::int32_t kSets = 5;

    /// `sets`: which one each contact belongs to. All else as of ContactSet::plan.
    void plan(std::span<TissueContact* const> contacts, std::span<const std::uint8_t> sets,
              std::span<const std::size_t> firsts, std::span<BodyGain> gains);

    /// Visits all so many times, in their order or in the opposite one, and tells the contacts
    /// their pushes.
    void run(int rounds, bool is_backwards);

private:
    std::array<ContactSet, kSets> sets_;
    std::array<std::vector<TissueContact*>, kSets> contacts_;
    std::span<const std::size_t> firsts_;
    std::span<BodyGain> gains_;
    bool is_planned_ = false;
};

}  // namespace ductile
