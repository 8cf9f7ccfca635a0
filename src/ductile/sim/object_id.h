// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <compare>
#include <cstdint>

namespace ductile {

/// Names a thing of a simulation: what has a name, a journal, a surface and a place in a recording.
/// It is one body of the engine or, while it is split, several; those come and go, the object
/// stays. Never reused within one simulation's life.
struct ObjectId {
    std::int32_t value = -1;
    auto operator<=>(const ObjectId&) const = default;
    bool is_valid() const { return value >= 0; }
};

}  // namespace ductile
