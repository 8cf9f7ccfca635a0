// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/joint_skin.h>

#include <algorithm>

namespace ductile {
namespace {

bool is_still(const Transform& turn) {
    return turn.rotation.coeffs() == Quat::Identity().coeffs() && turn.translation.isZero(0);
}

bool is_equal(const Transform& a, const Transform& b) {
    return a.rotation.coeffs() == b.rotation.coeffs() && a.translation == b.translation;
}

// A body whose bones all lie still keeps its bits.
void pose_rows(const JointedBody& body, std::span<const Transform> turns,
               std::vector<SkinFrame>& rows) {
    if (std::all_of(turns.begin(), turns.end(), is_still)) {
        std::fill(rows.begin(), rows.end(), SkinFrame{});
        return;
    }
    BoneSkin(turns, body.data().options().blend).frames(body.weights(), rows);
}

}  // namespace

JointSkin::JointSkin(const BodyShape& shape)
    : shape_(shape), body_(*shape.data<BendData>(), shape.rest()), rows_(shape.rest().size()) {}

// Joints of impacts that were taken back go, too: the order in which bones are split must not show.
void JointSkin::take_joints(const Journal& journal) {
    const std::vector<JointName> made = made_joints(journal);
    const auto is_kept = [](const JointName& a, const JointName& b) {
        return a.is_same(b) && a.length == b.length;
    };
    if (made_.size() > made.size() ||
        !std::equal(made_.begin(), made_.end(), made.begin(), is_kept)) {
        body_ = JointedBody(body_.data(), shape_.rest());
        made_.clear();
    }
    for (std::size_t k = made_.size(); k < made.size(); ++k) (void)body_.take(made[k]);
    made_ = made;
}

bool JointSkin::update(const Journal& journal, double t) {
    touched_.clear();
    before_.clear();
    take_joints(journal);
    std::vector<Transform> turns = body_.turns(journal, t);
    if (turns.size() == turns_.size() &&
        std::equal(turns.begin(), turns.end(), turns_.begin(), is_equal)) {
        return true;
    }
    before_ = rows_;
    pose_rows(body_, turns, rows_);
    turns_ = std::move(turns);
    bool is_fine = true;
    for (std::size_t v = 0; v < rows_.size(); ++v) {
        if (rows_[v] == before_[v]) continue;
        touched_.push_back(static_cast<std::int32_t>(v));
        is_fine = is_fine && is_finite(rows_[v]);
    }
    return is_fine;
}

void JointSkin::take_back() {
    if (before_.size() == rows_.size()) rows_ = before_;
    touched_.clear();
    turns_.clear();
}

std::vector<SkinFrame> joint_frames(const BodyShape& shape, const Journal& journal, double t) {
    std::vector<SkinFrame> rows(shape.rest().size());
    const auto* data = shape.data<BendData>();
    if (!data) return rows;
    const JointedBody body = jointed_body(*data, shape.rest(), journal);
    pose_rows(body, body.turns(journal, t), rows);
    return rows;
}

}  // namespace ductile
