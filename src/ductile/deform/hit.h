// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/kinds.h>

#include <cstdint>

namespace ductile {

/// One entry of a body's damage journal.
struct Hit {
    std::int64_t id = 0;    ///< Unique within a journal, ascending.
    double time = 0.0;      ///< From when on it acts [s].
    double duration = 0.0;  ///< How long it takes to come to its full amount [s], >= 0.
    HitRecord record;

    /// How much of it acts at time t, in [0, 1]: never falls with time.
    double amount(double t) const;
};

}  // namespace ductile
