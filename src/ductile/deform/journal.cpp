// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/journal.h>

#include <algorithm>

namespace ductile {

std::int64_t Journal::add(double time, double duration, HitRecord record, HitGrowth growth) {
    hits_.push_back({next_id_, time, duration, std::move(record), growth});
    return next_id_++;
}

void Journal::continue_hit(std::int64_t id, double duration, HitRecord record) {
    const auto hit =
        std::find_if(hits_.begin(), hits_.end(), [&](const Hit& h) { return h.id == id; });
    DUCTILE_ASSERT(hit != hits_.end(), "a hit of this journal");
    hit->duration = duration;
    hit->record = std::move(record);
}

bool Journal::remove(std::int64_t id) {
    return std::erase_if(hits_, [&](const Hit& h) { return h.id == id; }) > 0;
}

void Journal::repair(const Repair& repair) { repairs_.push_back(repair); }

double Journal::amount(std::size_t i, double t) const {
    double amount = hits_[i].amount(t);
    for (const Repair& r : repairs_) {
        if (hits_[i].time > r.time || t < r.time) continue;
        const bool is_under_way = t < r.time + r.duration;
        amount *= 1.0 - r.amount * (is_under_way ? smooth_step((t - r.time) / r.duration) : 1.0);
    }
    return amount;
}

bool Journal::is_settled(double t) const {
    const auto settled = [&](const auto& entry) { return t >= entry.time + entry.duration; };
    return std::all_of(hits_.begin(), hits_.end(), settled) &&
           std::all_of(repairs_.begin(), repairs_.end(), settled);
}

Status Journal::restore(Hit hit) {
    if (hit.id < next_id_) return Error{"hit ids must ascend", "", ""};
    if (Status fine = check_hit(hit); !fine) return fine;
    next_id_ = hit.id + 1;
    hits_.push_back(std::move(hit));
    return {};
}

}  // namespace ductile
