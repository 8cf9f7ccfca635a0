// SPDX-License-Identifier: MIT
#include <ductile/core/math.h>
#include <ductile/deform/tissue/contact_split.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// A round of as many takes some microseconds, and threads wait for each other for a tenth of that.
constexpr std::size_t kLeastContacts = 256;

/// The two bodies that feel a contact; both times the first where the other cannot be moved.
struct Felt {
    std::int32_t first, second;

    Felt(const TissueContact& c, std::span<const std::int32_t> bones,
         std::span<const BodyGain> gains)
        : first(bones[c.coat]), second(c.body < 0 ? bones[c.other_coat] : c.body) {
        if (!(gains[second].inverse_mass > 0) && c.body >= 0) second = first;
    }
};

}  // namespace

void ContactSplit::halve(std::span<const Vec3> centres, int axis,
                         std::vector<std::uint8_t>& is_upper) {
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
        return std::pair(centres[a][axis], a) < std::pair(centres[b][axis], b);
    });
    const std::int64_t all = std::accumulate(weights_.begin(), weights_.end(), std::int64_t{0});
    is_upper.assign(centres.size(), 0);
    std::int64_t below = 0;
    for (const std::int32_t b : order_) {
        is_upper[b] = 2 * below + weights_[b] > all;
        below += weights_[b];
    }
}

void ContactSplit::split(std::span<TissueContact* const> contacts,
                         std::span<const std::int32_t> bones, std::span<const Vec3> centres,
                         std::span<const BodyGain> gains) {
    sets_.assign(contacts.size(), 0);
    if (contacts.size() < kLeastContacts) return;
    weights_.assign(centres.size(), 0);
    for (const TissueContact* c : contacts) {
        const Felt felt(*c, bones, gains);
        ++weights_[felt.first];
        ++weights_[felt.second];
    }
    order_.clear();
    Box box;
    for (std::size_t b = 0; b < centres.size(); ++b) {
        if (weights_[b] == 0) continue;
        order_.push_back(static_cast<std::int32_t>(b));
        box.add(centres[b]);
    }
    // Along the longest side the fewest lie across.
    Vec3 size = box.upper - box.lower;
    int longest = 0, second = 0;
    size.maxCoeff(&longest);
    size[longest] = -1.0;
    size.maxCoeff(&second);
    halve(centres, longest, is_upper_);
    halve(centres, second, is_right_);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Felt felt(*contacts[k], bones, gains);
        if (is_upper_[felt.first] == is_upper_[felt.second]) {
            sets_[k] = is_upper_[felt.first];
        } else if (is_right_[felt.first] == is_right_[felt.second]) {
            sets_[k] = 2 + is_right_[felt.first];
        } else {
            sets_[k] = 4;
        }
    }
}

}  // namespace ductile
