// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/dent/dent.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <variant>

namespace ductile {

class SurfaceQuery;

/// What each kind of layer writes into the journal: the one list of kinds. A new deformer adds its
/// record here, its name and its overloads below; saving, replay and export follow.
using HitRecord = std::variant<DentHit>;

inline std::string_view record_name(const DentHit&) { return "dent"; }

/// Executes `amount` (in [0, 1]) of a record on surface points, in the body's frame. Where a point
/// ends depends on that point and its rest place alone: some of them may be pressed without the
/// others.
void apply_record(const HitRecord& record, std::span<const Vec3> rest, double amount,
                  std::span<Vec3> points);

/// Softens a record that was placed by hand until it does no harm to the surface it is about to
/// act on (deform/dent/dent_guard.h).
void guard_record(HitRecord& record, const SurfaceQuery& surface, std::span<const Vec3> rest);

/// Says of boxes whether the record may move a point that lies in them now, by any amount. No is a
/// promise, bit for bit: what it rules out need not be looked at. The record must outlive it.
std::function<bool(const Box&)> reach_of(const HitRecord& record);

/// Whether the record makes sense; brings its directions to unit length. Error: says what does not.
Status check_record(HitRecord& record);

/// 0 up to share 0, 1 from share 1 on, with a smooth start and end between.
double eased(double share);

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
