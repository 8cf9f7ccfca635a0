// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/joined_sets.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_world.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ductile {
namespace {

// All that is near each other has to be slow for so long before it rests [s].
constexpr double kCalmTime = 0.5;
// Bones that turn faster than this do not rest [rad/s].
constexpr double kCalmSpin = 0.1;
// A body wakes coats where it will be within this [s]: about a frame, which an engine may step
// through at once while all coats rest.
constexpr double kAhead = 1.0 / 24.0;
// Coats of one task: one takes microseconds, and some take several times what others do.
constexpr std::size_t kCoatGrain = 1;
constexpr std::string_view kStateName = "tissue 6\n";

bool is_still(const BodyMoment& body) {
    return body.velocity_w.isZero(0.0) && body.spin_w.isZero(0.0);
}

}  // namespace

std::size_t TissueWorld::add(const CoatDesc& desc, const RigidQueries& queries) {
    DUCTILE_ASSERT(desc.rig && desc.bone.is_valid(), "a coat needs particles and a bone");
    Coat coat{desc, TissueBody(desc.rig, queries.moment(desc.bone)), {}};
    coat.touches.resize(desc.rig->size());
    Box box;
    for (std::size_t i = 0; i < desc.rig->size(); ++i) {
        box.add(desc.rig->places[i]);
        const Eigen::SelfAdjointEigenSolver<Mat3> axes(desc.rig->shapes[i], Eigen::EigenvaluesOnly);
        coat.reaches.push_back(std::sqrt(axes.eigenvalues()[2]));
        coat.widest = std::max(coat.widest, coat.reaches.back());
        if (!desc.rig->attached[i]) {
            coat.particle_mass = std::max(coat.particle_mass, desc.rig->masses[i]);
        }
    }
    coat.size = box.diagonal();
    coat.box = box_of(coat.body);
    coat.speed = queries.moment(desc.bone).velocity_w.norm();
    coats_.push_back(std::move(coat));
    return coats_.size() - 1;
}

Box TissueWorld::box_of(const TissueBody& body) {
    Box box;
    for (const OrientedParticle& p : body.particles()) box.add(p.position);
    return box;
}

void TissueWorld::sweep() {
    parallel_for(awake_.size(), kCoatGrain, [&](std::size_t k) {
        TissueBody& body = coats_[awake_[k]].body;
        body.match(is_backwards_ != 0.0);
        body.reattach_to(pushed_[k]);
    });
    is_backwards_ = 1.0 - is_backwards_;
}

void TissueWorld::advance(double dt, RigidQueries& queries) {
    DUCTILE_ASSERT(dt > 0, "a part takes time");
    find_awake(dt, queries);
    if (awake_.empty()) return;
    pushed_.resize(awake_.size());
    touching_.clear();
    for (std::size_t k = 0; k < awake_.size(); ++k) {
        Coat& coat = coats_[awake_[k]];
        touching_.push_back({&coat.body, &coat.touches, k, coat.desc.friction,
                             coat.desc.touches_itself, coat.reaches, coat.widest,
                             coat.particle_mass});
    }
    contacts_.begin(touching_);
    energy_.begin_coats(touching_.size());
    parallel_for(touching_.size(), kCoatGrain, [&](std::size_t k) {
        Coat& coat = coats_[awake_[k]];
        pushed_[k] = predicted_body(queries, coat.desc.bone, gravity_w_, dt);
        coat.body.begin_part(dt, gravity_w_, coat.desc.damping, options_.sweeps, pushed_[k]);
        contacts_.place_coat(touching_[k], k);
        energy_.begin_coat(touching_[k], k);
    });
    contacts_.find(touching_, queries, gravity_w_, dt, pushed_);
    energy_.begin(pushed_);
    const bool is_odd = is_odd_part_ != 0.0;
    if (options_.contacts_once) contacts_.solve(pushed_, 1, is_odd);
    for (int s = 0; s < options_.sweeps; ++s) {
        sweep();
        if (!options_.contacts_once) contacts_.solve(pushed_, options_.contact_rounds, is_odd);
    }
    is_odd_part_ = 1.0 - is_odd_part_;
    parallel_for(touching_.size(), kCoatGrain, [&](std::size_t k) {
        contacts_.remember(touching_[k], k, pushed_);
        Coat& coat = coats_[awake_[k]];
        coat.body.end_part();
        energy_.end_coat(touching_[k], k, dt);
        coat.speed = coat.body.mean_way() / dt;
        coat.box = box_of(coat.body);
    });
    if (const double held_back = energy_.end(touching_, pushed_, dt); held_back > 0) {
        held_back_ += held_back;
        for (const std::int32_t c : awake_) coats_[c].box = box_of(coats_[c].body);
    }
    for (const PushedBody& body : pushed_) apply_pushes(body, queries);
    update_rest(dt, queries);
}

std::vector<std::uint8_t> TissueWorld::find_disturbed(const RigidQueries& queries) const {
    std::vector<std::uint8_t> disturbed(coats_.size(), 0);
    std::vector<Box> felt;  // Of coats that rest.
    Box all;
    for (std::size_t c = 0; c < coats_.size(); ++c) {
        const Coat& coat = coats_[c];
        felt.push_back(coat.is_resting != 0.0
                           ? widened(coat.box, TissueContacts::kFelt * coat.widest)
                           : Box{});
        if (coat.is_resting == 0.0) continue;
        all.add(felt.back());
        disturbed[c] =
            queries.moment(coat.desc.bone).inverse_mass > 0 && !queries.is_asleep(coat.desc.bone);
    }
    // However far away it is now.
    std::vector<NearBody> bodies;
    queries.bodies_near({Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)}, bodies);
    BoxGrid grid;
    bool has_grid = false;
    std::vector<std::int32_t> found;
    for (const NearBody& body : bodies) {
        if (queries.is_asleep(body.id)) continue;
        const BodyMoment m = queries.moment(body.id);
        if (is_still(m)) continue;
        const Vec3 way = kAhead * m.velocity_w;
        Box swept = body.box;
        swept.add(Box{body.box.lower + way, body.box.upper + way});
        if (!swept.overlaps(all)) continue;
        if (!has_grid) grid.fill(felt);
        has_grid = true;
        grid.overlapping(swept, found);
        for (const std::int32_t c : found) disturbed[c] = 1;
    }
    return disturbed;
}

void TissueWorld::join_near(double dt, JoinedSets& sets) const {
    std::vector<Box> felt;
    for (const Coat& coat : coats_) {
        felt.push_back(widened(coat.box, TissueContacts::kFelt * coat.widest + dt * coat.speed));
    }
    BoxGrid grid;
    grid.fill(felt);
    std::vector<std::int32_t> found;
    for (std::size_t c = 0; c < coats_.size(); ++c) {
        grid.overlapping(felt[c], found);
        for (const std::int32_t other : found) sets.join(static_cast<std::int32_t>(c), other);
    }
}

void TissueWorld::find_awake(double dt, const RigidQueries& queries) {
    const auto rests = [](const Coat& coat) { return coat.is_resting != 0.0; };
    if (std::any_of(coats_.begin(), coats_.end(), rests)) {
        const std::vector<std::uint8_t> disturbed = find_disturbed(queries);
        JoinedSets sets(coats_.size());
        join_near(dt, sets);
        std::vector<std::uint8_t> is_awake(coats_.size(), 0);  // Of the lowest of each set.
        for (std::size_t c = 0; c < coats_.size(); ++c) {
            if (disturbed[c]) coats_[c].calm = 0.0;
            if (disturbed[c] || !rests(coats_[c])) {
                is_awake[sets.of(static_cast<std::int32_t>(c))] = 1;
            }
        }
        for (std::size_t c = 0; c < coats_.size(); ++c) {
            if (is_awake[sets.of(static_cast<std::int32_t>(c))]) coats_[c].is_resting = 0.0;
        }
    }
    awake_.clear();
    for (std::size_t c = 0; c < coats_.size(); ++c) {
        if (!rests(coats_[c])) awake_.push_back(static_cast<std::int32_t>(c));
    }
}

// Bodies are taken as they will be once the engine added its forces.
bool TissueWorld::is_calm(std::size_t k, const RigidQueries& queries) const {
    const Coat& coat = coats_[awake_[k]];
    const double slow = options_.sleep_speed * coat.size;
    const auto is_slow = [&](const PushedBody& body) {
        return (body.velocity + body.velocity_gain()).norm() < slow &&
               (body.spin + body.spin_gain()).norm() < kCalmSpin;
    };
    if (coat.desc.is_driven || !is_slow(pushed_[k]) || !(coat.speed < slow)) return false;
    // What it touches rests with it; what moves near by would wake it at once.
    const std::span<const std::int32_t> near = contacts_.bodies_near(k);
    return std::all_of(near.begin(), near.end(), [&](std::int32_t b) {
        const PushedBody& body = pushed_[b];
        if (body.is_movable() && !body.impulse.isZero(0.0)) return is_slow(body);
        return is_still(body.start) || queries.is_asleep(body.start.id);
    });
}

void TissueWorld::update_rest(double dt, RigidQueries& queries) {
    bool may_rest = false;
    for (std::size_t k = 0; k < awake_.size(); ++k) {
        Coat& coat = coats_[awake_[k]];
        ++coat.revision;
        coat.calm = is_calm(k, queries) ? coat.calm + dt : 0.0;
        may_rest = may_rest || !(coat.calm < kCalmTime);
    }
    if (may_rest) let_rest(queries);
}

void TissueWorld::let_rest(RigidQueries& queries) {
    // Coats, then bodies: joined where they are near each other, or push each other.
    JoinedSets sets(coats_.size() + pushed_.size());
    const auto number = [&](std::size_t b) { return static_cast<std::int32_t>(coats_.size() + b); };
    join_near(0.0, sets);
    for (std::size_t k = 0; k < awake_.size(); ++k) {
        sets.join(awake_[k], number(k));
        for (const std::int32_t b : contacts_.bodies_near(k)) {
            const PushedBody& body = pushed_[b];
            if (body.is_movable() && !body.impulse.isZero(0.0)) {
                sets.join(awake_[k], number(static_cast<std::size_t>(b)));
            }
        }
    }
    std::vector<double> calm(sets.size(), kInfinity);  // Of the lowest of each set.
    for (const std::int32_t c : awake_) {
        double& least = calm[sets.of(c)];
        least = std::min(least, coats_[c].calm);
    }
    const auto rests = [&](std::int32_t i) { return !(calm[sets.of(i)] < kCalmTime); };
    for (const std::int32_t c : awake_) {
        if (!rests(c)) continue;
        Coat& coat = coats_[c];
        coat.is_resting = 1.0;
        coat.speed = 0.0;
        for (OrientedParticle& p : coat.body.particles()) {
            p.velocity.setZero();
            p.spin.setZero();
        }
    }
    for (std::size_t b = 0; b < pushed_.size(); ++b) {
        const bool is_felt = b < awake_.size() || !pushed_[b].impulse.isZero(0.0);
        if (is_felt && rests(number(b))) queries.put_to_sleep(pushed_[b].start.id);
    }
}

bool TissueWorld::is_resting(const RigidQueries& queries) const {
    if (!std::all_of(coats_.begin(), coats_.end(),
                     [](const Coat& coat) { return coat.is_resting != 0.0; })) {
        return false;
    }
    if (coats_.empty()) return true;
    const std::vector<std::uint8_t> disturbed = find_disturbed(queries);
    return std::find(disturbed.begin(), disturbed.end(), 1) == disturbed.end();
}

template <class Visitor>
void TissueWorld::visit_state(Visitor&& visit) {
    visit(is_backwards_);
    visit(is_odd_part_);
    visit(energy_.reserve());
    const auto visit_vector = [&](Vec3& v) {
        for (int k = 0; k < 3; ++k) visit(v[k]);
    };
    for (Coat& coat : coats_) {
        visit(coat.calm);
        visit(coat.is_resting);
        visit(coat.speed);
        for (std::size_t i = 0; i < coat.body.rig().size(); ++i) {
            OrientedParticle& p = coat.body.particles()[i];
            visit_vector(p.position);
            for (int k = 0; k < 4; ++k) visit(p.turn.coeffs()[k]);
            visit_vector(p.velocity);
            visit_vector(p.spin);
            for (TouchMemory& touch : coat.touches[i]) {
                double id = touch.body.value;
                visit(id);
                touch.body.value = static_cast<std::int32_t>(id);
                visit_vector(touch.anchor_b);
            }
        }
        for (double& number : coat.body.group_turns()) visit(number);
        for (Mat3& flow : coat.body.flows()) {
            for (int k = 0; k < 9; ++k) visit(flow.data()[k]);
        }
        for (Vec3& place : coat.body.tied_places()) visit_vector(place);
    }
}

void TissueWorld::add_to(Hasher& hasher) const {
    const_cast<TissueWorld*>(this)->visit_state([&](double& value) { hasher.add(value); });
}

std::string TissueWorld::save() const {
    std::string out(kStateName);
    const_cast<TissueWorld*>(this)->visit_state([&](double& value) {
        char bytes[sizeof(double)];
        std::memcpy(bytes, &value, sizeof(double));
        out.append(bytes, sizeof(double));
    });
    return out;
}

Status TissueWorld::load(std::string_view text) {
    std::size_t numbers = 0;
    visit_state([&](double&) { ++numbers; });
    if (text.size() != kStateName.size() + numbers * sizeof(double) ||
        text.substr(0, kStateName.size()) != kStateName) {
        return Error{"not the state of these coats", "", ""};
    }
    std::vector<double> values(numbers);
    std::memcpy(values.data(), text.data() + kStateName.size(), numbers * sizeof(double));
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
        return Error{"a state with numbers that are not finite", "", ""};
    }
    std::size_t at = 0;
    visit_state([&](double& value) { value = values[at++]; });
    for (Coat& coat : coats_) {
        coat.body.update_offsets();
        coat.box = box_of(coat.body);
        ++coat.revision;
    }
    return {};
}

}  // namespace ductile
