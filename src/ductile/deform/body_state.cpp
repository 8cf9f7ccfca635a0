// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/joint_skin.h>
#include <ductile/deform/record_fold.h>
#include <ductile/skin/blend_skin.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace ductile {
namespace {

// A place without a skin keeps its bits, the sign of a zero included.
Vec3 skinned(const SkinFrame& frame, const Vec3& p) {
    return frame == SkinFrame{} ? p : frame.point(p);
}

bool has_stage(const Journal& journal, Stage stage) {
    return std::any_of(journal.hits().begin(), journal.hits().end(),
                       [&](const Hit& h) { return record_stage(h.record) == stage; });
}

bool has_skin(const Journal& journal) {
    return has_stage(journal, Stage::Skin) || has_stage(journal, Stage::Joint) ||
           has_stage(journal, Stage::Blend);
}

// Where the example poses take the surroundings of some points: those of their anchors.
// `row_of(i)`: the shares of points[i].
template <class RowOf>
std::vector<SkinFrame> example_frames(const BodyShape& shape, std::span<const std::int32_t> points,
                                      RowOf&& row_of) {
    std::vector<SkinFrame> frames(points.size());
    const auto* data = shape.data<ExampleData>();
    if (!data) return frames;
    const auto asked = [&](std::size_t i) {
        const std::int32_t v = points[i];
        const std::int32_t at = shape.skin_anchor.empty() ? v : shape.skin_anchor[v];
        return BlendFrames::PointShares{static_cast<std::size_t>(at),
                                        row_of(i).first(data->pose_count())};
    };
    std::optional<std::size_t> waiting;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (row_of(i) == ExampleRow{}) continue;
        if (!waiting) {
            waiting = i;
            continue;
        }
        std::tie(frames[*waiting], frames[i]) =
            data->frames().two_frames(asked(*waiting), asked(i));
        waiting.reset();
    }
    if (waiting) {
        const BlendFrames::PointShares last = asked(*waiting);
        frames[*waiting] = data->frames().frame(last.point, last.shares);
    }
    return frames;
}

// The second happens first. One of the two alone keeps its bits.
SkinFrame joined(const SkinFrame& bend, const SkinFrame& blend) {
    if (blend == SkinFrame{}) return bend;
    return bend == SkinFrame{} ? blend : bend * blend;
}

// The joints' row that moves a point: that of its anchor.
SkinFrame joint_row(const BodyShape& shape, std::span<const SkinFrame> rows, std::size_t v) {
    if (rows.empty()) return {};
    return rows[shape.skin_anchor.empty() ? v : static_cast<std::size_t>(shape.skin_anchor[v])];
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
    for (const std::size_t i : hits_of_stage(journal, RecordFold<Row>::kStage)) {
        const HitRecord& record = journal.hits()[i].record;
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
    std::unique_ptr<RecordFold<ExampleRow>> blend;  ///< Null until the journal has a record for it.
    std::unique_ptr<JointSkin> joints;              ///< Likewise.
    std::vector<SkinFrame> frames;                  ///< Of all; empty without those two.
    std::vector<Vec3> points;                       ///< x
    PointBoxes boxes;                               ///< Of those.

    std::span<const SkinFrame> all_frames() const {
        return frames.empty() ? fold.rows() : std::span<const SkinFrame>(frames);
    }
    /// The skin around point v, which example poses take where `blended` does.
    SkinFrame frame_at(const BodyShape& shape, std::int32_t v, const SkinFrame& blended) const {
        const auto at = static_cast<std::size_t>(v);
        return joined(fold.rows()[at], joined(joint_row(shape, joint_rows(), at), blended));
    }
    std::span<const SkinFrame> joint_rows() const {
        return joints ? joints->rows() : std::span<const SkinFrame>();
    }
    void take_back() {
        fold.take_back();
        if (blend) blend->take_back();
        if (joints) joints->take_back();
    }
    void take_frames() {
        if (frames.empty()) frames.assign(fold.rows().begin(), fold.rows().end());
    }

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

bool BodyState::is_settled(const Journal& journal) const { return offsets_->is_settled(journal); }

auto BodyState::settle(const Journal& journal) -> std::optional<Settled> {
    if (!ends_) ends_ = std::make_unique<RecordFold<Vec3>>(shape_);
    if (ends_->update(journal, kInfinity)) return Settled{ends_->rows(), ends_->touched()};
    ends_->take_back();
    return std::nullopt;
}

std::span<const SkinFrame> BodyState::frames() const {
    return skin_ ? skin_->all_frames() : std::span<const SkinFrame>();
}

std::span<const ExampleRow> BodyState::rows() const {
    return skin_ && skin_->blend ? skin_->blend->rows() : std::span<const ExampleRow>();
}

const PointBoxes& BodyState::boxes() const { return skin_ ? skin_->boxes : offsets_->boxes(); }

BodyState::Range BodyState::dirty() const {
    if (touched_.empty()) return {};
    return {static_cast<std::size_t>(touched_.front()),
            static_cast<std::size_t>(touched_.back()) + 1};
}

Result<bool> BodyState::update(const Journal& journal, double t) {
    if (!skin_ && has_skin(journal)) skin_ = std::make_unique<Skin>(*this);
    if (skin_ && !skin_->blend && has_stage(journal, Stage::Blend)) {
        skin_->take_frames();
        skin_->blend = std::make_unique<RecordFold<ExampleRow>>(shape_);
    }
    if (skin_ && !skin_->joints && has_stage(journal, Stage::Joint) && shape_->data<BendData>()) {
        skin_->take_frames();
        skin_->joints = std::make_unique<JointSkin>(*shape_);
    }
    const bool has_offsets = offsets_->update(journal, t);
    const bool has_frames = has_offsets && update_skin(journal, t);
    if (!has_frames) {
        offsets_->take_back();
        if (has_offsets) skin_->take_back();
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
    const bool is_bent = s.fold.update(journal, t);
    const bool is_blended = !s.blend || s.blend->update(journal, t);
    const bool is_turned = !s.joints || s.joints->update(journal, t);
    if (!is_bent || !is_blended || !is_turned) return false;
    for (const std::int32_t v : s.fold.touched()) s.moved.insert(v);
    if (s.blend) {
        for (const std::int32_t v : s.blend->touched()) s.moved.insert(v);
    }
    if (s.joints && !s.joints->touched().empty()) {
        // A rigid part goes along with a point that may be none of its own.
        for (std::size_t v = 0; v < s.frames.size(); ++v)
            s.moved.insert(static_cast<std::int32_t>(v));
    }
    std::vector<std::int32_t> turned;
    if (!s.frames.empty()) s.moved.for_each([&](std::int32_t v) { turned.push_back(v); });
    for (const std::int32_t v : offsets_->touched()) s.moved.insert(v);
    s.moved.take(s.candidates);
    std::vector<SkinFrame> frames(turned.size());
    if (s.blend) {
        frames = example_frames(*shape_, turned, [&](std::size_t i) -> const ExampleRow& {
            return s.blend->rows()[turned[i]];
        });
    }
    for (std::size_t i = 0; i < turned.size(); ++i) {
        frames[i] = s.frame_at(*shape_, turned[i], frames[i]);
        if (!is_finite(frames[i])) return false;
    }
    for (std::size_t i = 0; i < turned.size(); ++i) {
        std::swap(s.frames[static_cast<std::size_t>(turned[i])], frames[i]);
    }
    std::vector<Vec3> places;
    places.reserve(s.candidates.size());
    bool is_fine = true;
    for (const std::int32_t v : s.candidates) {
        places.push_back(skinned(s.all_frames()[v], offsets_->rows()[v]));
        is_fine = is_fine && is_finite(places.back());
    }
    if (!is_fine) {
        for (std::size_t i = 0; i < turned.size(); ++i) {
            s.frames[static_cast<std::size_t>(turned[i])] = frames[i];
        }
        return false;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::int32_t v = s.candidates[i];
        if (has_same_bits(places[i], s.points[v])) continue;
        s.points[v] = places[i];
        s.leaves.insert(s.boxes.tree().leaf_of(v));
        s.candidates[kept++] = v;
    }
    s.candidates.resize(kept);
    s.leaves.take(s.changed_leaves);
    s.boxes.refit(s.points, s.changed_leaves);
    return true;
}

bool BodyState::peek(const Journal& journal, double t, std::span<const std::int32_t> points,
                     Peeked& out) {
    if (!skin_ || !skin_->blend || skin_->joints) return false;
    const Skin& s = *skin_;
    if (!offsets_->is_current(journal, t) || !s.fold.is_current(journal, t)) return false;
    if (!skin_->blend->peek(journal, t, points, out.rows)) return false;
    std::vector<std::size_t> changed;
    std::vector<std::int32_t> changed_points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (has_same_bits(out.rows[i], s.blend->rows()[points[i]])) continue;
        changed.push_back(i);
        changed_points.push_back(points[i]);
    }
    const std::vector<SkinFrame> blended =
        example_frames(*shape_, changed_points,
                       [&](std::size_t k) -> const ExampleRow& { return out.rows[changed[k]]; });
    out.points.clear();
    out.frames.clear();
    for (const std::int32_t v : points) {
        out.points.push_back(s.points[v]);
        out.frames.push_back(s.frames[v]);
    }
    for (std::size_t k = 0; k < changed.size(); ++k) {
        const std::int32_t v = changed_points[k];
        const SkinFrame frame = s.frame_at(*shape_, v, blended[k]);
        const Vec3 place = skinned(frame, offsets_->rows()[v]);
        if (!is_finite(frame) || !is_finite(place)) return false;
        out.frames[changed[k]] = frame;
        out.points[changed[k]] = place;
    }
    return true;
}

void BodyState::restart() {
    offsets_->restart();
    if (ends_) ends_->restart();
    if (!skin_) return;
    skin_->fold.restart();
    if (skin_->blend) skin_->blend->restart();
    if (skin_->joints) skin_->joints->restart();
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
    const std::vector<ExampleRow> rows = rows_at(shape, journal, t);
    const std::vector<SkinFrame> joints = has_stage(journal, Stage::Joint)
                                              ? joint_frames(shape, journal, t)
                                              : std::vector<SkinFrame>();
    std::vector<SkinFrame> blended(points.size());
    if (!rows.empty()) {
        std::vector<std::int32_t> all(points.size());
        std::iota(all.begin(), all.end(), 0);
        blended =
            example_frames(shape, all, [&](std::size_t v) -> const ExampleRow& { return rows[v]; });
    }
    for (std::size_t v = 0; v < frames.size(); ++v) {
        frames[v] = joined(frames[v], joined(joint_row(shape, joints, v), blended[v]));
    }
    for (std::size_t v = 0; v < points.size(); ++v) points[v] = skinned(frames[v], points[v]);
    return points;
}

std::vector<ExampleRow> rows_at(const BodyShape& shape, const Journal& journal, double t) {
    if (!has_stage(journal, Stage::Blend)) return {};
    std::vector<ExampleRow> rows(shape.rest().size());
    execute_all(shape, journal, t, rows);
    return rows;
}

Status check_journal_fits(const Journal& journal, const BodyShape& shape) {
    for (const Hit& hit : journal.hits()) {
        if (const Status fine = record_fits(hit.record, shape); !fine) {
            const std::string where = "/hits/" + std::to_string(hit.id) + fine.error().where;
            return Error{fine.error().what, where, fine.error().hint};
        }
    }
    return {};
}

Transform pull_back(const BodyState& state, const SurfacePoint& place) {
    const std::span<const SkinFrame> frames = state.frames();
    if (frames.empty() || place.triangle < 0) return {};
    const Triangle& corners = state.shape().triangles()[static_cast<std::size_t>(place.triangle)];
    // By how much of the place is each corner's: what lies on an edge is turned alike from both of
    // its triangles, of which last digits may name either.
    Vec3 unskinned = Vec3::Zero();
    Mat3 turned = Mat3::Zero();
    for (int k = 0; k < 3; ++k) {
        const auto corner = static_cast<std::size_t>(corners[k]);
        unskinned += place.barycentric[k] * state.unskinned()[corner];
        turned += place.barycentric[k] * frames[corner].linear;
    }
    Transform back;
    back.rotation = Quat(Mat3(nearest_rotation(turned).transpose()));
    back.translation = unskinned - back.rotation * place.position;
    return back;
}

std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest) {
    std::vector<double> lengths(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) lengths[i] = (points[i] - rest[i]).norm();
    return lengths;
}

}  // namespace ductile
