// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/hit.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Damage that fades out again: from `time` on, over `duration`, every hit made before it loses
/// `amount`.
struct Repair {
    double time = 0.0;      ///< [s]
    double duration = 0.0;  ///< [s]
    double amount = 1.0;    ///< Share of the damage that goes, in [0, 1].
};
template <class Visitor>
void visit_fields(Repair& r, Visitor&& field) {
    field(Field{"time", "s", -1e9, 1e9, "from when on damage fades"}, r.time);
    field(Field{"duration", "s", 0.0, 1e9, "how long the fading takes"}, r.duration);
    field(Field{"amount", "", 0.0, 1.0, "share of the damage that goes"}, r.amount);
}

/// All damage a body ever took, in order. With the rest shape and a time it determines the
/// shape, bit for bit.
class Journal {
public:
    std::span<const Hit> hits() const { return hits_; }
    std::span<const Repair> repairs() const { return repairs_; }
    bool is_empty() const { return hits_.empty(); }

    /// Appends a record and returns the id it got. Files take it back if `check_hit` passes it.
    std::int64_t add(double time, double duration, HitRecord record,
                     HitGrowth growth = HitGrowth::Smooth);

    /// Puts what has become of a hit in its place: one that is still under way. Requires: its id.
    void continue_hit(std::int64_t id, double duration, HitRecord record);

    /// Takes a hit out, as if it had never been. False if there is none of that id.
    bool remove(std::int64_t id);

    void repair(const Repair& repair);

    /// How much of hit i acts at time t, repairs included, in [0, 1].
    double amount(std::size_t i, double t) const;

    /// Whether nothing will change after time t.
    bool is_settled(double t) const;

    /// Puts in an entry read from a file. Error: an id that is not above the last one; what
    /// `check_hit` refuses.
    Status restore(Hit hit);

private:
    std::vector<Hit> hits_;
    std::vector<Repair> repairs_;
    std::int64_t next_id_ = 1;
};

}  // namespace ductile
