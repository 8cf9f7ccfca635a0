// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/deform/body_state.h>

#include <algorithm>

namespace ductile {

BodyState::BodyState(std::shared_ptr<const BodyShape> shape)
    : shape_(std::move(shape)),
      points_(shape_->rest().begin(), shape_->rest().end()),
      base_(points_) {}

Result<bool> BodyState::update(const Journal& journal, double t) {
    const std::span<const Hit> hits = journal.hits();
    const auto settled = [&](std::size_t i) {
        // Settled when neither the hit nor a repair of it is still under way.
        if (t < hits[i].time + hits[i].duration) return false;
        for (const Repair& r : journal.repairs()) {
            if (hits[i].time <= r.time && t < r.time + r.duration) return false;
        }
        return true;
    };

    // The base holds only if the journal still begins with just those hits, by just those amounts.
    bool base_holds = pressed_.size() <= hits.size();
    for (std::size_t i = 0; base_holds && i < pressed_.size(); ++i) {
        base_holds = pressed_[i].id == hits[i].id && pressed_[i].amount == journal.amount(i, t) &&
                     settled(i);
    }
    std::size_t next = base_holds ? pressed_.size() : 0;
    std::vector<Pressed> moving;
    for (std::size_t i = next; i < hits.size(); ++i) {
        moving.push_back({hits[i].id, journal.amount(i, t)});
    }
    const auto same = [](const Pressed& a, const Pressed& b) {
        return a.id == b.id && a.amount == b.amount;
    };
    if (base_holds &&
        std::equal(moving.begin(), moving.end(), moving_.begin(), moving_.end(), same)) {
        return false;
    }

    if (!base_holds) {
        base_.assign(shape_->rest().begin(), shape_->rest().end());
        pressed_.clear();
    }
    while (next < hits.size() && settled(next)) {
        const double amount = journal.amount(next, t);
        shape_->press(hits[next].record, amount, base_);
        pressed_.push_back({hits[next].id, amount});
        ++next;
    }
    moving.erase(moving.begin(), moving.begin() + (moving.size() - (hits.size() - next)));
    scratch_ = base_;
    for (std::size_t i = next; i < hits.size(); ++i) {
        shape_->press(hits[i].record, journal.amount(i, t), scratch_);
    }
    if (!std::all_of(scratch_.begin(), scratch_.end(),
                     [](const Vec3& p) { return p.allFinite(); })) {
        base_.assign(shape_->rest().begin(), shape_->rest().end());
        pressed_.clear();
        moving_.clear();
        return Error{"a hit moved a surface point to nowhere", "", ""};
    }
    moving_ = std::move(moving);
    dirty_ = {};
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (scratch_[i] == points_[i]) continue;
        if (dirty_.last == 0) dirty_.first = i;
        dirty_.last = i + 1;
    }
    const bool has_moved = dirty_.last > 0;
    if (has_moved) {
        points_.swap(scratch_);
        ++revision_;
    }
    return has_moved;
}

std::uint64_t BodyState::hash() const {
    Hasher hasher;
    hasher.add(std::span<const Vec3>(points_));
    return hasher.value();
}

std::vector<Vec3> shape_at(const BodyShape& shape, const Journal& journal, double t) {
    std::vector<Vec3> points(shape.rest().begin(), shape.rest().end());
    for (std::size_t i = 0; i < journal.hits().size(); ++i) {
        shape.press(journal.hits()[i].record, journal.amount(i, t), points);
    }
    return points;
}

std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest) {
    std::vector<double> lengths(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) lengths[i] = (points[i] - rest[i]).norm();
    return lengths;
}

}  // namespace ductile
