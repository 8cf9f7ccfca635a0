// SPDX-License-Identifier: MIT
#include <ductile/sim/fracture.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Parts fit without a gap: a margin around each would push them apart.
constexpr double kPartMargin = 1e-5;
// Of breaking what is left, before one step.
constexpr int kMostBreakRounds = 64;

// The part of a whole's motion that a part of it has.
void move_with(const BodyMotion& whole, const MassProperties& part, DeformableDesc& desc) {
    const Vec3 centre_w = whole.pose_w.point(part.centre_b);
    desc.pose_w = whole.pose_w;
    desc.spin_w = whole.spin_w;
    desc.velocity_w = whole.velocity_w + whole.spin_w.cross(centre_w - whole.centre_w);
}

}  // namespace

Fracture::Breakable* Fracture::find(ObjectId object) {
    const auto found = std::find_if(breakables_.begin(), breakables_.end(),
                                    [&](const Breakable& b) { return b.object == object; });
    return found == breakables_.end() ? nullptr : &*found;
}

Status Fracture::add(ObjectId object, const DeformableDesc& desc,
                     std::shared_ptr<const Score> score) {
    if (!simulation_.has(object) || !simulation_.is_deformable(object)) {
        return Error{"only what can be deformed can break", desc.name, ""};
    }
    const BodyShape& shape = simulation_.state(object).shape();
    const std::span<const Vec3> points = score->cut().points;
    const bool is_its_own = points.size() >= shape.rest().size() &&
                            std::equal(shape.rest().begin(), shape.rest().end(), points.begin());
    if (!is_its_own) return Error{"the score is another body's", desc.name, ""};
    Breakable made;
    made.object = object;
    made.desc = desc;
    made.pieces.resize(score->cut().pieces.size());
    std::iota(made.pieces.begin(), made.pieces.end(), 0);
    made.is_broken.assign(score->cut().joints.size(), 0);
    made.score = std::move(score);
    made.whole = desc.name;
    made.shape = simulation_.state(object).shared_shape();
    breakables_.push_back(std::move(made));
    return {};
}

std::vector<Fracture::Birth> Fracture::before_step(double dt) {
    std::erase_if(breakables_, [&](const Breakable& b) { return !simulation_.has(b.object); });
    std::vector<Birth> births;
    if (breakables_.empty()) return births;
    // What is left may be in the way as well: looked at again until nothing breaks.
    for (int round = 0; round < kMostBreakRounds; ++round) {
        const std::size_t before = births.size();
        std::vector<BodyId> ids;
        for (const Breakable& b : breakables_) ids.push_back(simulation_.body(b.object));
        std::sort(ids.begin(), ids.end());
        for (const Approach& approach :
             simulation_.engine().predicted_approaches(dt, least_speed_, ids)) {
            answer(approach, true, births);
            answer(approach, false, births);
        }
        if (births.size() == before) break;
    }
    // Some broke further at once.
    std::erase_if(births, [&](const Birth& birth) { return !simulation_.has(birth.object); });
    return births;
}

// `is_first`: whether the first of the two is looked at. What one approach exchanged, others of the
// same step no longer find.
void Fracture::answer(const Approach& approach, bool is_first, std::vector<Birth>& births) {
    Engine& engine = simulation_.engine();
    if (!engine.has(approach.a) || !engine.has(approach.b)) return;
    const BodyId struck = is_first ? approach.a : approach.b;
    const BodyId other = is_first ? approach.b : approach.a;
    Breakable* target = find(simulation_.object_of(struck));
    if (target == nullptr) return;
    const Vec3 &n = approach.normal_w, &point = approach.point_w;
    const double response =
        engine.moment(struck).response(point, n) + engine.moment(other).response(point, n);
    if (!(response > 0)) return;
    const Transform pose = engine.motion(struck).pose_w;
    const double impulse = approach.speed / response;
    GlueBlow blow;
    blow.point = pose.inverse_point(point);
    blow.impulse = pose.inverse_direction(is_first ? Vec3(-impulse * n) : Vec3(impulse * n));
    blow.energy = 0.5 * approach.speed * approach.speed / response;
    blow.piece = target->score->nearest_piece(blow.point, target->pieces);
    GlueBreak result;
    const ObjectId now = break_apart(*target, blow, result, births);
    if (result.broken.empty() || !simulation_.has(now)) return;
    pay(approach, simulation_.body(now), other, result.energy);
}

Result<std::vector<Fracture::Birth>> Fracture::strike(ObjectId object, GlueBlow blow) {
    Breakable* target = find(object);
    if (target == nullptr || !simulation_.has(object)) {
        return Error{"this object cannot break", "", ""};
    }
    std::vector<Birth> births;
    blow.piece = target->score->nearest_piece(blow.point, target->pieces);
    GlueBreak result;
    break_apart(*target, blow, result, births);
    return births;
}

ObjectId Fracture::break_apart(Breakable& target, const GlueBlow& blow, GlueBreak& result,
                               std::vector<Birth>& births) {
    result = target.score->solver().answer(blow, target.is_broken);
    if (result.broken.empty()) return target.object;
    Result<std::vector<Part>> parts = parts_of(target, result);
    if (!parts) {
        problems_.push_back(target.desc.name + " should have broken: " + parts.error().text());
        result.broken.clear();
        return target.object;
    }
    for (const std::int32_t j : result.broken) target.is_broken[j] = 1;
    broken_area_ += result.area;
    broken_energy_ += result.energy;
    if (parts.value().size() < 2) return target.object;  // cracked, but whole
    const Breakable broken = std::move(target);
    return exchange(broken, parts.value(), blow.piece, births);
}

Result<std::vector<Fracture::Part>> Fracture::parts_of(const Breakable& broken,
                                                       const GlueBreak& result) const {
    std::vector<Part> parts;
    std::vector<std::int32_t> part_of(static_cast<std::size_t>(result.groups), -1);
    for (const std::int32_t p : broken.pieces) {
        std::int32_t& part = part_of[result.group[p]];
        if (part < 0) {
            part = static_cast<std::int32_t>(parts.size());
            parts.emplace_back();
        }
        parts[part].pieces.push_back(p);
        const bool is_held = broken.score->solver().pieces()[p].is_held;
        parts[part].is_held = parts[part].is_held || is_held;
    }
    if (parts.size() < 2) return parts;
    for (Part& part : parts) {
        auto shape = broken.score->group_shape(part.pieces, *broken.shape);
        if (!shape) return shape.error();
        part.shape = std::move(shape.value());
    }
    return parts;
}

ObjectId Fracture::exchange(const Breakable& broken, std::span<const Part> parts,
                            std::int32_t struck, std::vector<Birth>& births) {
    const BodyMotion motion = simulation_.motion(broken.object);
    const Journal journal = simulation_.journal(broken.object);
    simulation_.remove(broken.object);
    std::erase_if(breakables_, [](const Breakable& b) { return !b.score; });
    ObjectId holder;
    for (const Part& part : parts) {
        Breakable made;
        made.desc = broken.desc;
        made.desc.name = fmt::format("{}-{}", broken.whole, ++born_);
        made.desc.motion = part.is_held ? Motion::Static : Motion::Dynamic;
        made.desc.margin = std::min(broken.desc.margin, kPartMargin);
        move_with(motion, part.shape->mass, made.desc);
        const Result<ObjectId> id = simulation_.add_deformable(made.desc, part.shape);
        if (!id) {
            problems_.push_back(made.desc.name + " is lost: " + id.error().text());
            continue;
        }
        if (!journal.is_empty()) {
            const Status restored = simulation_.restore_journal(id.value(), journal);
            if (!restored) problems_.push_back(made.desc.name + ": " + restored.error().text());
        }
        births.push_back({id.value(), broken.object, made.desc.name, part.is_held});
        made.object = id.value();
        made.score = broken.score;
        made.pieces = part.pieces;
        made.is_broken = broken.is_broken;
        made.whole = broken.whole;
        made.shape = broken.shape;
        if (std::binary_search(part.pieces.begin(), part.pieces.end(), struck))
            holder = made.object;
        breakables_.push_back(std::move(made));
    }
    return holder;
}

// Slows the two along the normal until that much energy is gone, or they no longer approach.
void Fracture::pay(const Approach& approach, BodyId struck, BodyId other, double energy) {
    Engine& engine = simulation_.engine();
    const bool is_first = struck.value != other.value && approach.b == other;
    const Vec3 n = is_first ? approach.normal_w : Vec3(-approach.normal_w);  // out of the struck
    const BodyMoment a = engine.moment(struck), b = engine.moment(other);
    const double response = a.response(approach.point_w, n) + b.response(approach.point_w, n);
    const double speed = (a.velocity_at(approach.point_w) - b.velocity_at(approach.point_w)).dot(n);
    if (!(response > 0) || !(speed > 0)) return;
    const double left = std::max(0.0, speed * speed - 2.0 * energy * response);
    const double impulse = (speed - std::sqrt(left)) / response;
    engine.apply_impulse(struck, -impulse * n, approach.point_w);
    engine.apply_impulse(other, impulse * n, approach.point_w);
}

}  // namespace ductile
