// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/record_fold.h>

#include <algorithm>

namespace ductile {
namespace {

// Settled when neither the hit nor a repair of it is still under way.
bool is_hit_settled(const Journal& journal, const Hit& hit, double t) {
    if (t < hit.time + hit.duration) return false;
    return std::none_of(journal.repairs().begin(), journal.repairs().end(), [&](const Repair& r) {
        return hit.time <= r.time && t < r.time + r.duration;
    });
}

}  // namespace

std::vector<std::size_t> hits_of_stage(const Journal& journal, Stage stage) {
    const auto record = [&](std::size_t i) -> const HitRecord& { return journal.hits()[i].record; };
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < journal.hits().size(); ++i) {
        if (record_stage(record(i)) == stage) own.push_back(i);
    }
    if (stage != Stage::Skin || own.size() < 2) return own;
    std::vector<std::pair<std::size_t, std::size_t>> depth;  // how many carry it, and which it is
    for (const std::size_t i : own) {
        const Vec3 place = record_mark(record(i)).position_b;
        const auto carried_by = std::count_if(own.begin(), own.end(), [&](std::size_t k) {
            return k != i && record_carries(record(k), place);
        });
        depth.emplace_back(static_cast<std::size_t>(carried_by), i);
    }
    std::sort(depth.begin(), depth.end());
    std::transform(depth.begin(), depth.end(), own.begin(), [](const auto& d) { return d.second; });
    return own;
}

template <class Row>
void RecordFold<Row>::SavedLeaves::save(const PointTree& tree, std::int32_t leaf,
                                        std::span<const Row> rows) {
    if (!is_saved_.insert(leaf)) return;
    first_[leaf] = static_cast<std::int32_t>(rows_.size());
    leaves_.push_back(leaf);
    for (const std::int32_t v : tree.points_of(leaf)) rows_.push_back(rows[v]);
}

template <class Row>
void RecordFold<Row>::SavedLeaves::save_rest(const PointTree& tree, std::int32_t leaf,
                                             const RecordFold& fold) {
    if (!is_saved_.insert(leaf)) return;
    first_[leaf] = static_cast<std::int32_t>(rows_.size());
    leaves_.push_back(leaf);
    for (const std::int32_t v : tree.points_of(leaf)) rows_.push_back(fold.rest_row(v));
}

template <class Row>
void RecordFold<Row>::SavedLeaves::put_back(const PointTree& tree, std::span<Row> rows) const {
    std::size_t next = 0;
    for (const std::int32_t leaf : leaves_) {
        for (const std::int32_t v : tree.points_of(leaf)) rows[v] = rows_[next++];
    }
}

template <class Row>
const Row* RecordFold<Row>::SavedLeaves::find(const PointTree& tree, std::int32_t v) const {
    const std::int32_t leaf = tree.leaf_of(v);
    if (!is_saved_.contains(leaf)) return nullptr;
    const std::span<const std::int32_t> held = tree.points_of(leaf);
    return &rows_[first_[leaf] + (std::lower_bound(held.begin(), held.end(), v) - held.begin())];
}

template <class Row>
void RecordFold<Row>::SavedLeaves::clear() {
    is_saved_.clear();
    leaves_.clear();
    rows_.clear();
}

template <class Row>
RecordFold<Row>::RecordFold(std::shared_ptr<const BodyShape> shape)
    : shape_(std::move(shape)),
      boxes_(kIsOffset ? *shape_->rest_boxes : *shape_->skin_boxes),
      displaced_(boxes_.tree().nodes().size()),
      lifted_(boxes_.tree()),
      before_(boxes_.tree()),
      moved_(shape_->rest().size()) {
    if constexpr (kIsOffset) {
        rows_.assign(shape_->rest().begin(), shape_->rest().end());
    } else {
        rows_.resize(shape_->rest().size());
    }
}

template <class Row>
Row RecordFold<Row>::rest_row(std::int32_t v) const {
    if constexpr (kIsOffset) {
        return shape_->rest()[v];
    } else {
        return {};
    }
}

template <class Row>
void RecordFold<Row>::refit(std::span<const std::int32_t> leaves) {
    if constexpr (kIsOffset) boxes_.refit(rows_, leaves);
}

// The base holds only if the journal still begins with just those hits, by just those amounts.
template <class Row>
auto RecordFold<Row>::plan(const Journal& journal, double t) const -> Plan {
    Plan plan{hits_of_stage(journal, kStage), false, {}};
    const std::vector<std::size_t>& own = plan.own;
    const auto executed = [&](std::size_t k) {
        return Executed{journal.hits()[own[k]].id, journal.amount(own[k], t)};
    };
    plan.base_holds = is_known_ && base_.size() <= own.size();
    for (std::size_t k = 0; plan.base_holds && k < base_.size(); ++k) {
        plan.base_holds =
            base_[k] == executed(k) && is_hit_settled(journal, journal.hits()[own[k]], t);
    }
    for (std::size_t k = plan.base_holds ? base_.size() : 0; k < own.size(); ++k) {
        plan.top.push_back(executed(k));
    }
    return plan;
}

template <class Row>
bool RecordFold<Row>::is_current(const Journal& journal, double t) const {
    const Plan now = plan(journal, t);
    return now.base_holds && now.top == top_;
}

template <class Row>
bool RecordFold<Row>::update(const Journal& journal, double t) {
    before_.clear();
    touched_.clear();
    Plan now = plan(journal, t);
    std::vector<Executed>& top = now.top;
    if (now.base_holds && top == top_) return true;

    const auto hit = [&](std::size_t k) -> const Hit& { return journal.hits()[now.own[k]]; };
    uncover_base(now.base_holds);
    std::size_t next = now.own.size() - top.size(), now_settled = 0;
    for (; next < now.own.size() && is_hit_settled(journal, hit(next), t); ++next, ++now_settled) {
        execute(hit(next).record, top[now_settled].amount, Onto::Base);
        base_.push_back(top[now_settled]);
    }
    top.erase(top.begin(), top.begin() + now_settled);
    for (std::size_t k = next; k < now.own.size(); ++k) {
        execute(hit(k).record, top[k - next].amount, Onto::Top);
    }
    top_ = std::move(top);
    is_known_ = true;
    return find_touched();
}

template <class Row>
bool RecordFold<Row>::peek(const Journal& journal, double t, std::span<const std::int32_t> points,
                           std::vector<Row>& rows) {
    DUCTILE_ASSERT(!kIsOffset, "rows whose reach stays where it is");
    const Plan now = plan(journal, t);
    if (!now.base_holds) return false;
    rows.resize(points.size());
    reached_points_.clear();
    reached_rest_.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::int32_t v = points[i];
        const Row* base = lifted_.find(boxes_.tree(), v);
        rows[i] = base ? *base : rows_[v];
        if (!shape_->skin_anchor.empty()) v = shape_->skin_anchor[v];
        reached_points_.push_back(v);
        reached_rest_.push_back(shape_->rest()[v]);
    }
    for (std::size_t k = 0; k < now.top.size(); ++k) {
        apply_record(journal.hits()[now.own[base_.size() + k]].record,
                     {*shape_, reached_points_, reached_rest_}, now.top[k].amount,
                     std::span<Row>(rows));
    }
    return std::all_of(rows.begin(), rows.end(), [](const Row& r) { return is_finite(r); });
}

// Takes everything off that was executed on top of the base; and the base too, where it is void.
template <class Row>
void RecordFold<Row>::uncover_base(bool base_holds) {
    const PointTree& tree = boxes_.tree();
    for (const std::int32_t leaf : lifted_.leaves()) before_.save(tree, leaf, rows_);
    lifted_.put_back(tree, rows_);
    changed_.assign(lifted_.leaves().begin(), lifted_.leaves().end());
    lifted_.clear();
    refit(changed_);
    if (base_holds) return;
    displaced_.take(changed_);
    for (const std::int32_t leaf : changed_) {
        before_.save(tree, leaf, rows_);
        for (const std::int32_t v : tree.points_of(leaf)) rows_[v] = rest_row(v);
    }
    refit(changed_);
    base_.clear();
}

template <class Row>
void RecordFold<Row>::execute(const HitRecord& record, double amount, Onto onto) {
    const PointTree& tree = boxes_.tree();
    reached_.clear();
    std::size_t count = 0;
    boxes_.visit(record_reach(record), [&](std::int32_t leaf) {
        reached_.push_back(leaf);
        count += tree.points_of(leaf).size();
    });
    reached_points_.resize(count);
    reached_rest_.resize(count);
    // Rows may be large: what is there is written over, never cleared.
    if (reached_rows_.size() < count) reached_rows_.resize(count);
    std::size_t next = 0;
    for (const std::int32_t leaf : reached_) {
        for (std::int32_t v : tree.points_of(leaf)) {
            reached_rows_[next] = rows_[v];
            // A rigid part is moved by a skin as one of its points is.
            if (!kIsOffset && !shape_->skin_anchor.empty()) v = shape_->skin_anchor[v];
            reached_points_[next] = v;
            reached_rest_[next++] = shape_->rest()[v];
        }
    }
    apply_record(record, {*shape_, reached_points_, reached_rest_}, amount,
                 std::span<Row>(reached_rows_).first(count));
    changed_.clear();
    std::size_t first = 0;
    for (const std::int32_t leaf : reached_) {
        const std::span<const std::int32_t> held = tree.points_of(leaf);
        bool is_changed = false;
        for (std::size_t k = 0; k < held.size(); ++k) {
            Row& row = reached_rows_[first + k];
            if (kIsOffset && shape_->is_rigid(held[k])) row = rows_[held[k]];
            is_changed = is_changed || !has_same_bits(row, rows_[held[k]]);
        }
        if (is_changed) {
            before_.save(tree, leaf, rows_);
            if (onto == Onto::Top) lifted_.save(tree, leaf, rows_);
            if (onto == Onto::Base) displaced_.insert(leaf);
            for (std::size_t k = 0; k < held.size(); ++k) rows_[held[k]] = reached_rows_[first + k];
            changed_.push_back(leaf);
        }
        first += held.size();
    }
    refit(changed_);
}

template <class Row>
bool RecordFold<Row>::is_settled(const Journal& journal) const {
    std::size_t next = 0;
    for (const std::size_t i : hits_of_stage(journal, kStage)) {
        if (next == top_.size() || journal.hits()[i].id != top_[next].id) continue;
        if (journal.amount(i, kInfinity) != top_[next++].amount) return false;
    }
    return true;
}

// False if a row is not finite.
template <class Row>
bool RecordFold<Row>::find_touched() {
    const PointTree& tree = boxes_.tree();
    bool is_fine = true;
    std::size_t next = 0;
    for (const std::int32_t leaf : before_.leaves()) {
        for (const std::int32_t v : tree.points_of(leaf)) {
            const Row& was = before_.rows()[next++];
            is_fine = is_fine && is_finite(rows_[v]);
            if (!has_same_bits(rows_[v], was)) moved_.insert(v);
        }
    }
    moved_.take(touched_);
    return is_fine;
}

// The base is gone by now; it is rest from here on, and what is not at rest lies on top of that:
// the next update takes it off and begins anew.
template <class Row>
void RecordFold<Row>::take_back() {
    const PointTree& tree = boxes_.tree();
    before_.put_back(tree, rows_);
    refit(before_.leaves());
    changed_.assign(lifted_.leaves().begin(), lifted_.leaves().end());
    lifted_.clear();
    for (const std::int32_t leaf : changed_) lifted_.save_rest(tree, leaf, *this);
    for (const std::int32_t leaf : before_.leaves()) lifted_.save_rest(tree, leaf, *this);
    displaced_.for_each([&](std::int32_t leaf) { lifted_.save_rest(tree, leaf, *this); });
    displaced_.clear();
    base_.clear();
    top_.clear();
    before_.clear();
    touched_.clear();
    is_known_ = false;
}

template <class Row>
void RecordFold<Row>::restart() {
    before_.clear();
    take_back();
}

template class RecordFold<Vec3>;
template class RecordFold<ExampleRow>;
template class RecordFold<SkinFrame>;

}  // namespace ductile
