// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/deform/body_state.h>

#include <algorithm>

namespace ductile {

void BodyState::SavedLeaves::save(const PointTree& tree, std::int32_t leaf,
                                  std::span<const Vec3> points) {
    if (!is_saved_.insert(leaf)) return;
    leaves_.push_back(leaf);
    for (const std::int32_t v : tree.points_of(leaf)) places_.push_back(points[v]);
}

void BodyState::SavedLeaves::put_back(const PointTree& tree, std::span<Vec3> points) const {
    std::size_t next = 0;
    for (const std::int32_t leaf : leaves_) {
        for (const std::int32_t v : tree.points_of(leaf)) points[v] = places_[next++];
    }
}

void BodyState::SavedLeaves::clear() {
    is_saved_.clear();
    leaves_.clear();
    places_.clear();
}

BodyState::BodyState(std::shared_ptr<const BodyShape> shape)
    : shape_(std::move(shape)),
      points_(shape_->rest().begin(), shape_->rest().end()),
      boxes_(*shape_->rest_boxes),
      displaced_(boxes_.tree().nodes().size()),
      lifted_(boxes_.tree()),
      before_(boxes_.tree()),
      moved_(points_.size()) {}

BodyState::Range BodyState::dirty() const {
    if (touched_.empty()) return {};
    return {static_cast<std::size_t>(touched_.front()),
            static_cast<std::size_t>(touched_.back()) + 1};
}

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
    bool base_holds = is_known_ && pressed_.size() <= hits.size();
    for (std::size_t i = 0; base_holds && i < pressed_.size(); ++i) {
        base_holds = pressed_[i] == Pressed{hits[i].id, journal.amount(i, t)} && settled(i);
    }
    std::size_t next = base_holds ? pressed_.size() : 0;
    std::vector<Pressed> moving;
    for (std::size_t i = next; i < hits.size(); ++i) {
        moving.push_back({hits[i].id, journal.amount(i, t)});
    }
    if (base_holds && moving == moving_) return false;

    before_.clear();
    uncover_base(base_holds);
    std::size_t now_settled = 0;
    for (; next < hits.size() && settled(next); ++next, ++now_settled) {
        press(hits[next].record, moving[now_settled].amount, Onto::Base);
        pressed_.push_back(moving[now_settled]);
    }
    moving.erase(moving.begin(), moving.begin() + now_settled);
    for (std::size_t i = next; i < hits.size(); ++i) {
        press(hits[i].record, moving[i - next].amount, Onto::Top);
    }
    moving_ = std::move(moving);
    std::vector<std::int32_t> touched;
    if (!find_touched(touched)) {
        forget();
        return Error{"a hit moved a surface point to nowhere", "", ""};
    }
    is_known_ = true;
    if (touched.empty()) return false;
    touched_ = std::move(touched);
    ++revision_;
    return true;
}

// Takes everything off that was pressed on top of the base; and the base too, where it is void.
void BodyState::uncover_base(bool base_holds) {
    const PointTree& tree = boxes_.tree();
    for (const std::int32_t leaf : lifted_.leaves()) before_.save(tree, leaf, points_);
    lifted_.put_back(tree, points_);
    changed_.assign(lifted_.leaves().begin(), lifted_.leaves().end());
    lifted_.clear();
    boxes_.refit(points_, changed_);
    if (base_holds) return;
    displaced_.take(changed_);
    for (const std::int32_t leaf : changed_) {
        before_.save(tree, leaf, points_);
        for (const std::int32_t v : tree.points_of(leaf)) points_[v] = shape_->rest()[v];
    }
    boxes_.refit(points_, changed_);
    pressed_.clear();
}

void BodyState::press(const HitRecord& record, double amount, Onto onto) {
    const PointTree& tree = boxes_.tree();
    reached_.clear();
    reached_points_.clear();
    reached_rest_.clear();
    boxes_.visit(reach_of(record), [&](std::int32_t leaf) {
        reached_.push_back(leaf);
        for (const std::int32_t v : tree.points_of(leaf)) {
            reached_points_.push_back(points_[v]);
            reached_rest_.push_back(shape_->rest()[v]);
        }
    });
    apply_record(record, reached_rest_, amount, reached_points_);
    changed_.clear();
    std::size_t first = 0;
    for (const std::int32_t leaf : reached_) {
        const std::span<const std::int32_t> held = tree.points_of(leaf);
        bool is_changed = false;
        for (std::size_t k = 0; k < held.size(); ++k) {
            Vec3& place = reached_points_[first + k];
            if (shape_->is_rigid(held[k])) place = points_[held[k]];
            is_changed = is_changed || place != points_[held[k]];
        }
        if (is_changed) {
            before_.save(tree, leaf, points_);
            if (onto == Onto::Top) lifted_.save(tree, leaf, points_);
            if (onto == Onto::Base) displaced_.insert(leaf);
            for (std::size_t k = 0; k < held.size(); ++k) {
                points_[held[k]] = reached_points_[first + k];
            }
            changed_.push_back(leaf);
        }
        first += held.size();
    }
    boxes_.refit(points_, changed_);
}

// False if a point is not finite.
bool BodyState::find_touched(std::vector<std::int32_t>& touched) {
    const PointTree& tree = boxes_.tree();
    bool is_fine = true;
    std::size_t next = 0;
    for (const std::int32_t leaf : before_.leaves()) {
        for (const std::int32_t v : tree.points_of(leaf)) {
            const Vec3& was = before_.places()[next++];
            is_fine = is_fine && is_finite(points_[v]);
            if (points_[v] != was) moved_.insert(v);
        }
    }
    moved_.take(touched);
    return is_fine;
}

// Back to the points of before the update. The base is gone by then; it is rest from here on, and
// what is not at rest lies on top of that: the next update takes it off and begins anew.
void BodyState::forget() {
    const PointTree& tree = boxes_.tree();
    before_.put_back(tree, points_);
    boxes_.refit(points_, before_.leaves());
    lifted_.clear();
    for (const std::int32_t leaf : before_.leaves()) lifted_.save(tree, leaf, shape_->rest());
    displaced_.for_each([&](std::int32_t leaf) { lifted_.save(tree, leaf, shape_->rest()); });
    displaced_.clear();
    pressed_.clear();
    moving_.clear();
    is_known_ = false;
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
