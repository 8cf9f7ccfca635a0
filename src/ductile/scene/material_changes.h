// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/assert.h>
#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/material/material.h>

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace ductile {

/// What differs from a material card: any of its fields, by the card's own list.
struct MaterialChanges {
    std::array<std::optional<double>, 16> numbers{};  ///< In the order of Material's field list.
    std::array<std::optional<Vec3>, 4> vectors{};     ///< In the order of Material's field list.
};

/// Calls pair(field, member, change) for every field of `material` that can be changed.
template <class Visitor>
void visit_changes(MaterialChanges& changes, Material& material, Visitor&& pair) {
    std::size_t number = 0, vector = 0;
    visit_fields(material, [&](const Field& field, auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, double>) {
            DUCTILE_ASSERT(number < changes.numbers.size(), "MaterialChanges has room");
            pair(field, member, changes.numbers[number++]);
        } else if constexpr (std::is_same_v<Member, Vec3>) {
            DUCTILE_ASSERT(vector < changes.vectors.size(), "MaterialChanges has room");
            pair(field, member, changes.vectors[vector++]);
        }
    });
}

template <class Visitor>
void visit_fields(MaterialChanges& changes, Visitor&& field) {
    Material names_only;
    visit_changes(changes, names_only,
                  [&](const Field& f, auto&, auto& change) { field(f, change); });
}

/// The card with the changes made.
inline Material changed(Material card, const MaterialChanges& changes) {
    MaterialChanges copy = changes;
    visit_changes(copy, card, [](const Field&, auto& member, auto& change) {
        if (change) member = *change;
    });
    return card;
}

}  // namespace ductile
