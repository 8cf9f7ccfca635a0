// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include <ductile/core/math.h>
#include <ductile/deform/dent/gaussian_dent.h>

namespace ductile {

/// What each kind of layer writes into the journal. The one list of kinds: a new deformer adds
/// its record here and its name below, and saving, replay and export follow.
using HitRecord = std::variant<DentHit>;

inline std::string_view record_name(const DentHit&) { return "dent"; }

/// One entry of a body's damage journal.
struct Hit {
    std::int64_t id = 0;      ///< Unique within a journal, ascending.
    double time = 0.0;        ///< From when on it acts [s].
    double duration = 0.0;    ///< How long it takes to come to its full amount [s].
    double strength = 1.0;    ///< The amount it comes to, in [0, 1]; less than 1 after a repair.
    HitRecord record;

    /// How much of it acts at time t, in [0, strength]; smooth, never falling.
    double amount(double t) const;
    bool is_settled(double t) const { return t >= time + duration; }
};

}  // namespace ductile
