// SPDX-License-Identifier: MIT
#include <ductile/core/staged.h>
#include <ductile/deform/tissue/contact_rounds.h>

#include <algorithm>

namespace ductile {

void ContactRounds::plan(std::span<TissueContact* const> contacts,
                         std::span<const std::uint8_t> sets, std::span<const std::size_t> firsts,
                         std::span<BodyGain> gains) {
    for (auto& own : contacts_) own.clear();
    for (std::size_t k = 0; k < contacts.size(); ++k) contacts_[sets[k]].push_back(contacts[k]);
    firsts_ = firsts;
    gains_ = gains;
    is_planned_ = false;
}

// The first thing done is to plan the sets, the last to tell pushes: two more rounds.
void ContactRounds::run(int rounds, bool is_backwards) {
    // Of a round's tasks, the first of the same stage.
    constexpr std::array<std::int32_t, kSets> kForwards{0, 0, 2, 2, 4}, kBackwards{0, 1, 1, 3, 3};
    const auto run_task = [&](std::int32_t task) {
        const std::int32_t round = task / kSets - 1, place = task % kSets;
        const auto k = static_cast<std::size_t>(is_backwards ? kSets - 1 - place : place);
        if (contacts_[k].empty()) return;
        if (round < 0) {
            if (!is_planned_) sets_[k].plan(contacts_[k], firsts_, gains_);
        } else if (round < rounds) {
            sets_[k].visit_all(is_backwards);
        } else {
            sets_[k].tell_pushes();
        }
    };
    const auto stage_begin = [&](std::int32_t task) {
        const std::int32_t round = task / kSets - 1, place = task % kSets;
        if (round < 0 || round == rounds) return task - place;
        return task - place + (is_backwards ? kBackwards : kForwards)[place];
    };
    const std::int32_t tasks = kSets * (rounds + 2);
    const auto is_used = [](const auto& own) { return !own.empty(); };
    if (std::count_if(contacts_.begin(), contacts_.end(), is_used) > 1) {
        run_staged(tasks, stage_begin, run_task);
    } else {
        for (std::int32_t task = 0; task < tasks; ++task) run_task(task);
    }
    is_planned_ = true;
}

}  // namespace ductile
