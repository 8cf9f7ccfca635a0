// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/journal.h>

#include <algorithm>
#include <numeric>

namespace ductile {

Result<std::shared_ptr<const FractureData>> FractureData::make(const FractureOptions& options,
                                                               const BodyShape& rest) {
    return scored(options, rest, rest.box.centre() + options.centre);
}

Result<std::shared_ptr<const FractureData>> FractureData::centred(const Vec3& centre_b,
                                                                  const BodyShape& rest) const {
    Result<std::shared_ptr<const FractureData>> made = scored(options_, rest, centre_b);
    if (!made) return made.error();
    auto data = std::make_shared<FractureData>(*made.value());
    data->has_centre_ = true;
    return std::shared_ptr<const FractureData>(std::move(data));
}

Result<std::shared_ptr<const FractureData>> FractureData::scored(const FractureOptions& options,
                                                                 const BodyShape& rest,
                                                                 const Vec3& centre_b) {
    const Vec3 middle = rest.box.centre();
    const auto is_held = [&](const Vec3& place) {
        return std::any_of(options.anchored.begin(), options.anchored.end(),
                           [&](const AnchorBox& box) {
                               const Vec3 p = place - middle;
                               return (p.array() >= box.lower.array()).all() &&
                                      (p.array() <= box.upper.array()).all();
                           });
    };
    Result<std::shared_ptr<const Score>> score = Score::make(rest, options, centre_b, is_held);
    if (!score) return score.error();
    auto made = std::make_shared<FractureData>();
    made->options_ = options;
    made->centre_b_ = centre_b;
    made->score_ = std::move(score.value());
    made->pieces_.resize(made->score_->cut().pieces.size());
    std::iota(made->pieces_.begin(), made->pieces_.end(), 0);
    if (!options.anchored.empty() && !made->is_held()) {
        return Error{"no piece has its middle in a box in which it is anchored", "/anchored",
                     "make the boxes larger, or leave them out"};
    }
    return std::shared_ptr<const FractureData>(std::move(made));
}

bool FractureData::is_held() const {
    return std::any_of(pieces_.begin(), pieces_.end(),
                       [&](std::int32_t p) { return score_->solver().pieces()[p].is_held; });
}

double FractureData::share_of_whole(const BodyShape& own) const {
    return whole_ ? own.mass.mass / whole_->mass.mass : 1.0;
}

std::vector<std::uint8_t> FractureData::broken_glue(const Journal& journal, double time) const {
    std::vector<std::uint8_t> is_broken(score_->cut().joints.size(), 0);
    for (const Hit& hit : journal.hits()) {
        const auto* broke = std::get_if<FractureHit>(&hit.record);
        if (!broke || hit.time > time) continue;
        for (const std::int32_t j : broke->joints) is_broken[j] = 1;
    }
    return is_broken;
}

std::vector<std::int32_t> FractureData::glue_near(const Vec3& place_b, double radius,
                                                  std::span<const std::uint8_t> is_broken) const {
    std::vector<std::int32_t> found;
    const std::vector<CutJoint>& joints = score_->cut().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (is_broken[j] || (joints[j].centre - place_b).norm() > radius) continue;
        if (is_own(joints[j])) found.push_back(static_cast<std::int32_t>(j));
    }
    return found;
}

std::vector<std::int32_t> FractureData::glue_between(
    std::span<const std::int32_t> side, std::span<const std::uint8_t> is_broken) const {
    std::vector<std::int32_t> found;
    const std::vector<CutJoint>& joints = score_->cut().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const auto& [a, b] = joints[j].pieces;
        if (is_broken[j] || side[a] == side[b] || !is_own(joints[j])) continue;
        found.push_back(static_cast<std::int32_t>(j));
    }
    return found;
}

bool FractureData::is_own(const CutJoint& joint) const {
    return std::binary_search(pieces_.begin(), pieces_.end(), joint.pieces[0]) &&
           std::binary_search(pieces_.begin(), pieces_.end(), joint.pieces[1]);
}

std::vector<std::vector<std::int32_t>> FractureData::groups(
    std::span<const std::uint8_t> is_broken) const {
    std::int32_t count = 0;
    const std::vector<std::int32_t> group = score_->solver().groups_of(is_broken, count);
    std::vector<std::int32_t> part_of(static_cast<std::size_t>(count), -1);
    std::vector<std::vector<std::int32_t>> parts;
    for (const std::int32_t p : pieces_) {
        std::int32_t& part = part_of[group[p]];
        if (part < 0) {
            part = static_cast<std::int32_t>(parts.size());
            parts.emplace_back();
        }
        parts[part].push_back(p);
    }
    return parts;
}

std::optional<FractureData::Division> FractureData::division(const Journal& journal,
                                                             double time) const {
    if (is_last()) return std::nullopt;
    for (const Hit& hit : journal.hits()) {
        const auto* broke = std::get_if<FractureHit>(&hit.record);
        if (!broke || hit.time > time) continue;
        // What else broke at that time counts as well.
        Division made{hit.id, hit.time, broke->first_part, groups(broken_glue(journal, hit.time))};
        if (made.parts.size() > 1) return made;
    }
    return std::nullopt;
}

Result<std::shared_ptr<const BodyShape>> FractureData::part_shape(
    std::span<const std::int32_t> pieces, const std::shared_ptr<const BodyShape>& own) const {
    const std::shared_ptr<const BodyShape>& whole = whole_ ? whole_ : own;
    Result<std::shared_ptr<BodyShape>> made = score_->group_shape(pieces, *whole);
    if (!made) return made.error();
    auto data = std::make_shared<FractureData>();
    data->options_ = options_;
    data->centre_b_ = centre_b_;
    data->has_centre_ = has_centre_;
    data->score_ = score_;
    data->pieces_.assign(pieces.begin(), pieces.end());
    data->whole_ = whole;
    for (Layer& layer : made.value()->layers) {
        const auto* known = dynamic_cast<const FractureData*>(layer.data.get());
        if (known) layer.data = data;
    }
    return std::shared_ptr<const BodyShape>(std::move(made.value()));
}

std::optional<Vec3> break_centre(const Journal& journal) {
    for (const Hit& hit : journal.hits()) {
        const auto* broke = std::get_if<FractureHit>(&hit.record);
        if (broke && !broke->joints.empty()) return broke->centre_b;
    }
    return std::nullopt;
}

Result<std::shared_ptr<const BodyShape>> centred_shape(
    const std::shared_ptr<const BodyShape>& shape, const Vec3& centre_b) {
    const auto* data = shape->data<FractureData>();
    if (!data || !data->awaits_centre()) return shape;
    Result<std::shared_ptr<const FractureData>> centred = data->centred(centre_b, *shape);
    if (!centred) return centred.error();
    auto made = std::make_shared<BodyShape>(*shape);
    for (Layer& layer : made->layers) {
        if (layer.data.get() == data) layer.data = centred.value();
    }
    return std::shared_ptr<const BodyShape>(std::move(made));
}

bool has_vanished(const Journal& journal, double time) {
    return std::any_of(journal.hits().begin(), journal.hits().end(), [&](const Hit& hit) {
        const auto* broke = std::get_if<FractureHit>(&hit.record);
        return broke && broke->vanishes && hit.time <= time;
    });
}

}  // namespace ductile
