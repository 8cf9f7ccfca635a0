// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/record_fold.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// A place without a skin keeps its bits, the sign of a zero included.
Vec3 skinned(const SkinFrame& frame, const Vec3& p) {
    return frame == SkinFrame{} ? p : frame.point(p);
}

bool has_skin(const Journal& journal) {
    return std::any_of(journal.hits().begin(), journal.hits().end(),
                       [](const Hit& h) { return record_stage(h.record) == Stage::Skin; });
}

// All rows of a stage from scratch.
template <class Row>
void execute_all(const BodyShape& shape, const Journal& journal, double t, std::vector<Row>& rows) {
    std::vector<std::int32_t> indices = shape.skin_anchor;
    std::span<const Vec3> rest = shape.skin_rest;
    if (RecordFold<Row>::kIsOffset || indices.empty()) {
        indices.resize(rows.size());
        std::iota(indices.begin(), indices.end(), 0);
        rest = shape.rest();
    }
    for (std::size_t i = 0; i < journal.hits().size(); ++i) {
        const HitRecord& record = journal.hits()[i].record;
        if (record_stage(record) != RecordFold<Row>::kStage) continue;
        apply_record(record, {shape, indices, rest}, journal.amount(i, t), std::span<Row>(rows));
        if constexpr (RecordFold<Row>::kIsOffset) {
            for (const std::int32_t v : shape.rigid_points) rows[v] = shape.rest()[v];
        }
    }
}

}  // namespace

struct BodyState::Skin {
    explicit Skin(const BodyState& state)
        : fold(state.shape_),
          points(state.unskinned().begin(), state.unskinned().end()),
          boxes(state.offsets_->boxes()),
          moved(points.size()),
          leaves(boxes.tree().nodes().size()) {}

    RecordFold<SkinFrame> fold;
    std::vector<Vec3> points;  ///< x
    PointBoxes boxes;          ///< Of those.

    // Working memory of an update.
    IndexSet moved, leaves;
    std::vector<std::int32_t> candidates, changed_leaves;
};

BodyState::BodyState(std::shared_ptr<const BodyShape> shape, std::uint64_t revision)
    : shape_(std::move(shape)),
      offsets_(std::make_unique<RecordFold<Vec3>>(shape_)),
      revision_(revision) {}

BodyState::BodyState(BodyState&&) noexcept = default;
BodyState& BodyState::operator=(BodyState&&) noexcept = default;
BodyState::~BodyState() = default;

std::span<const Vec3> BodyState::points() const {
    return skin_ ? std::span<const Vec3>(skin_->points) : offsets_->rows();
}

std::span<const Vec3> BodyState::unskinned() const { return offsets_->rows(); }

std::span<const SkinFrame> BodyState::frames() const {
    return skin_ ? skin_->fold.rows() : std::span<const SkinFrame>();
}

const PointBoxes& BodyState::boxes() const { return skin_ ? skin_->boxes : offsets_->boxes(); }

BodyState::Range BodyState::dirty() const {
    if (touched_.empty()) return {};
    return {static_cast<std::size_t>(touched_.front()),
            static_cast<std::size_t>(touched_.back()) + 1};
}

Result<bool> BodyState::update(const Journal& journal, double t) {
    if (!skin_ && has_skin(journal)) skin_ = std::make_unique<Skin>(*this);
    const bool has_offsets = offsets_->update(journal, t);
    const bool has_frames = has_offsets && update_skin(journal, t);
    if (!has_frames) {
        offsets_->take_back();
        if (has_offsets) skin_->fold.take_back();
        return Error{"a hit moved a surface point to nowhere", "", ""};
    }
    const std::span<const std::int32_t> touched = skin_ ? skin_->candidates : offsets_->touched();
    if (touched.empty()) return false;
    touched_.assign(touched.begin(), touched.end());
    ++revision_;
    return true;
}

// Leaves the points that moved in `candidates`. False: one is not finite, and none has moved.
bool BodyState::update_skin(const Journal& journal, double t) {
    if (!skin_) return true;
    Skin& s = *skin_;
    if (!s.fold.update(journal, t)) return false;
    for (const std::int32_t v : offsets_->touched()) s.moved.insert(v);
    for (const std::int32_t v : s.fold.touched()) s.moved.insert(v);
    s.moved.take(s.candidates);
    std::vector<Vec3> places;
    for (const std::int32_t v : s.candidates) {
        places.push_back(skinned(s.fold.rows()[v], offsets_->rows()[v]));
        if (!is_finite(places.back())) return false;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::int32_t v = s.candidates[i];
        if (places[i] == s.points[v]) continue;
        s.points[v] = places[i];
        s.leaves.insert(s.boxes.tree().leaf_of(v));
        s.candidates[kept++] = v;
    }
    s.candidates.resize(kept);
    s.leaves.take(s.changed_leaves);
    s.boxes.refit(s.points, s.changed_leaves);
    return true;
}

void BodyState::restart() {
    offsets_->restart();
    if (skin_) skin_->fold.restart();
}

std::uint64_t BodyState::hash() const {
    Hasher hasher;
    hasher.add(points());
    return hasher.value();
}

std::vector<Vec3> unskinned_at(const BodyShape& shape, const Journal& journal, double t) {
    std::vector<Vec3> points(shape.rest().begin(), shape.rest().end());
    execute_all(shape, journal, t, points);
    return points;
}

std::vector<Vec3> shape_at(const BodyShape& shape, const Journal& journal, double t) {
    std::vector<Vec3> points = unskinned_at(shape, journal, t);
    if (!has_skin(journal)) return points;
    std::vector<SkinFrame> frames(points.size());
    execute_all(shape, journal, t, frames);
    for (std::size_t v = 0; v < points.size(); ++v) points[v] = skinned(frames[v], points[v]);
    return points;
}

Transform pull_back(const BodyState& state, const SurfacePoint& place) {
    const std::span<const SkinFrame> frames = state.frames();
    if (frames.empty() || place.triangle < 0) return {};
    const Triangle& corners = state.shape().triangles()[static_cast<std::size_t>(place.triangle)];
    Vec3 unskinned = Vec3::Zero();
    for (int k = 0; k < 3; ++k) unskinned += place.barycentric[k] * state.unskinned()[corners[k]];
    Transform back;
    back.rotation = Quat(Mat3(mean_turn(frames, corners).transpose()));
    back.translation = unskinned - back.rotation * place.position;
    return back;
}

std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest) {
    std::vector<double> lengths(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) lengths[i] = (points[i] - rest[i]).norm();
    return lengths;
}

}  // namespace ductile
