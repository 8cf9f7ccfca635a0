// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_world.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ductile {
namespace {

// All has to be slow for so long before it rests [s].
constexpr double kCalmTime = 0.5;
// Bones that turn faster than this do not rest [rad/s].
constexpr double kCalmSpin = 0.1;
// Coats of one task: one takes microseconds, and some take several times what others do.
constexpr std::size_t kCoatGrain = 1;
constexpr std::string_view kStateName = "tissue 5\n";

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
    coats_.push_back(std::move(coat));
    return coats_.size() - 1;
}

void TissueWorld::sweep() {
    parallel_for(coats_.size(), kCoatGrain, [&](std::size_t c) {
        coats_[c].body.match(is_backwards_ != 0.0);
        coats_[c].body.reattach_to(pushed_[c]);
    });
    is_backwards_ = 1.0 - is_backwards_;
}

void TissueWorld::advance(double dt, RigidQueries& queries) {
    DUCTILE_ASSERT(dt > 0, "a part takes time");
    pushed_.resize(coats_.size());
    touching_.clear();
    for (std::size_t c = 0; c < coats_.size(); ++c) {
        Coat& coat = coats_[c];
        touching_.push_back({&coat.body, &coat.touches, c, coat.desc.friction,
                             coat.desc.touches_itself, coat.reaches, coat.widest,
                             coat.particle_mass});
    }
    contacts_.begin(touching_);
    energy_.begin_coats(coats_.size());
    parallel_for(coats_.size(), kCoatGrain, [&](std::size_t c) {
        pushed_[c] = predicted_body(queries, coats_[c].desc.bone, gravity_w_, dt);
        coats_[c].body.begin_part(dt, gravity_w_, coats_[c].desc.damping, options_.sweeps,
                                  pushed_[c]);
        contacts_.place_coat(touching_[c], c);
        energy_.begin_coat(touching_[c], c);
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
    parallel_for(coats_.size(), kCoatGrain, [&](std::size_t c) {
        contacts_.remember(touching_[c], c, pushed_);
        coats_[c].body.end_part();
        energy_.end_coat(touching_[c], c, dt);
    });
    held_back_ += energy_.end(touching_, pushed_, dt);
    for (const PushedBody& body : pushed_) apply_pushes(body, queries);
    ++revision_;
    update_rest(dt, queries);
}

bool TissueWorld::is_calm() const {
    // Of a body as it will be once the engine added its forces.
    const auto is_slow = [](const PushedBody& body, double slow) {
        return (body.velocity + body.velocity_gain()).norm() < slow &&
               (body.spin + body.spin_gain()).norm() < kCalmSpin;
    };
    double least = kInfinity;
    for (std::size_t c = 0; c < coats_.size(); ++c) {
        const Coat& coat = coats_[c];
        const double slow = options_.sleep_speed * coat.size;
        if (coat.desc.is_driven || !is_slow(pushed_[c], slow)) return false;
        for (std::size_t i = 0; i < coat.body.rig().size(); ++i) {
            if (coat.body.particles()[i].velocity.norm() > slow) return false;
        }
        least = std::min(least, slow);
    }
    // What coats touch rests with them.
    return std::all_of(pushed_.begin() + static_cast<std::ptrdiff_t>(coats_.size()), pushed_.end(),
                       [&](const PushedBody& body) {
                           return body.impulse.isZero(0.0) || !body.is_movable() ||
                                  is_slow(body, least);
                       });
}

void TissueWorld::update_rest(double dt, RigidQueries& queries) {
    is_resting_ = 0.0;
    calm_ = !coats_.empty() && is_calm() ? calm_ + dt : 0.0;
    if (calm_ < kCalmTime) return;
    is_resting_ = 1.0;
    for (Coat& coat : coats_) {
        for (OrientedParticle& p : coat.body.particles()) {
            p.velocity.setZero();
            p.spin.setZero();
        }
    }
    for (const PushedBody& body : pushed_) {
        const bool is_bone = &body < pushed_.data() + coats_.size();
        if (is_bone || !body.impulse.isZero(0.0)) queries.put_to_sleep(body.start.id);
    }
}

bool TissueWorld::is_resting(const RigidQueries& queries) const {
    if (coats_.empty()) return true;
    if (is_resting_ == 0.0) return false;
    std::vector<NearBody> near;
    for (const Coat& coat : coats_) {
        if (queries.moment(coat.desc.bone).inverse_mass > 0 && !queries.is_asleep(coat.desc.bone)) {
            return false;
        }
        Box box;
        for (const OrientedParticle& p : coat.body.particles()) box.add(p.position);
        const Vec3 slack = Vec3::Constant(1.25 * coat.widest);
        queries.bodies_near({box.lower - slack, box.upper + slack}, near);
        for (const NearBody& body : near) {
            const BodyMoment m = queries.moment(body.id);
            const bool moves = !m.velocity_w.isZero(0.0) || !m.spin_w.isZero(0.0);
            if (moves && !queries.is_asleep(body.id)) return false;
        }
    }
    return true;
}

template <class Visitor>
void TissueWorld::visit_state(Visitor&& visit) {
    visit(calm_);
    visit(is_resting_);
    visit(is_backwards_);
    visit(is_odd_part_);
    visit(energy_.reserve());
    const auto visit_vector = [&](Vec3& v) {
        for (int k = 0; k < 3; ++k) visit(v[k]);
    };
    for (Coat& coat : coats_) {
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
    for (Coat& coat : coats_) coat.body.update_offsets();
    ++revision_;
    return {};
}

}  // namespace ductile
