// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/tissue_contact.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Deals contacts out to the sets of ContactRounds: a plane that halves them parts the bodies, and
/// a second one those contacts that lie across the first. A coat goes with its bone. Fewer than are
/// worth it all go to set 0.
class ContactSplit {
public:
    /// `bones`: of each coat, among the bodies. `centres`: of bodies.
    void split(std::span<TissueContact* const> contacts, std::span<const std::int32_t> bones,
               std::span<const Vec3> centres, std::span<const BodyGain> gains);

    /// Of each contact.
    std::span<const std::uint8_t> sets() const { return sets_; }

private:
    void halve(std::span<const Vec3> centres, int axis, std::vector<std::uint8_t>& is_upper);

    std::vector<std::uint8_t> sets_;
    std::vector<std::int32_t> weights_;              ///< Of bodies: how many contacts they feel.
    std::vector<std::int32_t> order_;                ///< Of bodies with contacts.
    std::vector<std::uint8_t> is_upper_, is_right_;  ///< Of bodies.
};

}  // namespace ductile
