// SPDX-License-Identifier: MIT
// What layers want of the engine, carried out in one place.
#include <ductile/core/assert.h>
#include <ductile/sim/simulation_object.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ductile {
namespace {

/// Kinetic energy of a body [J] as seen by who moves with velocity `watcher_w`.
double kinetic_energy(const Engine& engine, BodyId id, const Vec3& watcher_w) {
    const MassProperties mass = engine.mass(id);
    const BodyMotion m = engine.motion(id);
    if (!(mass.mass > 0)) return 0.0;
    const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
    return 0.5 * (mass.mass * (m.velocity_w - watcher_w).squaredNorm() +
                  spin_b.dot(mass.inertia_b * spin_b));
}

// Cosine of the widest angle at which a third body is in the way of a move.
constexpr double kInTheWay = 0.3;

/// Bodies as they are before something is done to them, to compare with and to go back to.
class EnergyGuard {
public:
    EnergyGuard(Engine& engine, const Impact& impact, const Vec3& place_w)
        : engine_(engine),
          ids_{impact.sides[0].id, impact.sides[1].id},
          motions_{engine.motion(ids_[0]), engine.motion(ids_[1])} {
        for (const BodyId id : ids_) {
            if (!(engine.mass(id).mass > 0)) watcher_w_ = engine.velocity_at(id, place_w);
        }
        before_ = energy(Vec3::Zero());
        seen_before_ = energy(watcher_w_);
    }

    /// Kinetic energy gained since [J], as seen from the ground.
    double gain() const { return energy(Vec3::Zero()) - before_; }
    /// As seen by who moves along with the pair's immovable body, if it has one: that does work,
    /// and only who does not see it move can tell what came from nothing. 0 where it is rounding.
    double own_gain() const {
        const double gained = energy(watcher_w_) - seen_before_;
        return std::abs(gained) > engine_.energy_rounding() * (before_ + seen_before_) ? gained
                                                                                       : 0.0;
    }
    void go_back() const {
        for (std::size_t k = 0; k < 2; ++k) {
            if (!(engine_.mass(ids_[k]).mass > 0)) continue;
            const BodyMotion& m = motions_[k];
            engine_.set_motion(ids_[k], m.pose_w, m.velocity_w, m.spin_w);
        }
    }

private:
    double energy(const Vec3& watcher_w) const {
        return kinetic_energy(engine_, ids_[0], watcher_w) +
               kinetic_energy(engine_, ids_[1], watcher_w);
    }

    Engine& engine_;
    std::array<BodyId, 2> ids_;
    std::array<BodyMotion, 2> motions_;
    Vec3 watcher_w_ = Vec3::Zero();
    double before_ = 0.0, seen_before_ = 0.0;
};

/// Books what was taken from the bodies of an impact, none of which gained by itself.
void book_loss(EnergyLedger& ledger, double own_gain, double gain) {
    ledger.dissipated -= own_gain;
    ledger.forces += gain - own_gain;  // the work of what moves as it is told
    ledger.now += gain;
}

/// Where two bodies that touched at an impact do so, with the velocities that they have now.
struct ImpactPlace {
    Vec3 place_w;
    Vec3 normal_w;  ///< Out of the first body; zero if their sides have turned away altogether.
    double effective_mass;
    double parting;  ///< Speed at which they part along the normal [m/s].
    double apart;    ///< From where the first was struck to where the second was, along it [m].
};

// `frames` are those that the sides' places are told in.
ImpactPlace impact_place(const Impact& impact, const std::array<BodyMoment, 2>& bodies,
                         const std::array<Transform, 2>& frames) {
    const ImpactSide& a = impact.sides[0];
    const ImpactSide& b = impact.sides[1];
    const auto& [frame_a, frame_b] = frames;
    ImpactPlace out;
    out.place_w = 0.5 * (frame_a.point(a.point_b) + frame_b.point(b.point_b));
    out.normal_w = frame_a.direction(a.normal_b) - frame_b.direction(b.normal_b);
    // Opposite once; the sum of two that are more than a right angle apart says nothing.
    out.normal_w =
        out.normal_w.squaredNorm() > 2.0 ? Vec3(out.normal_w.normalized()) : Vec3(Vec3::Zero());
    const double response = bodies[0].response(out.place_w, out.normal_w) +
                            bodies[1].response(out.place_w, out.normal_w);
    out.effective_mass = response > 0 ? 1.0 / response : 0.0;
    out.parting =
        (bodies[1].velocity_at(out.place_w) - bodies[0].velocity_at(out.place_w)).dot(out.normal_w);
    out.apart = (frame_b.point(b.point_b) - frame_a.point(a.point_b)).dot(out.normal_w);
    return out;
}

ImpactPlace present_place(const Engine& engine, const Impact& impact,
                          const std::array<Transform, 2>& frames) {
    return impact_place(
        impact, {engine.moment(impact.sides[0].id), engine.moment(impact.sides[1].id)}, frames);
}

/// Both bodies of an impact before the solve of the step's only sub-step.
std::optional<std::array<BodyMoment, 2>> moments_at_solve(const Engine& engine,
                                                          const Impact& impact) {
    if (engine.batches().size() != 1) return std::nullopt;
    const std::vector<BodyMoment>& bodies = engine.batches()[0].bodies;
    std::array<BodyMoment, 2> out;
    for (std::size_t k = 0; k < 2; ++k) {
        const auto at =
            std::lower_bound(bodies.begin(), bodies.end(), impact.sides[k].id,
                             [](const BodyMoment& m, BodyId wanted) { return m.id < wanted; });
        if (at == bodies.end() || at->id != impact.sides[k].id) return std::nullopt;
        out[k] = *at;
    }
    return out;
}

/// Time since two bodies of this step's impact touched, in this step [s]; takes them, and the
/// frames that the sides' places are told in, back to then. Those that were swept wait where they
/// touch. Their axes stay those of now, in which their energy is counted: so it falls.
double take_back_to_touch(const Engine& engine, const Impact& impact,
                          const std::array<BodyMoment, 2>& solved,
                          std::array<BodyMoment, 2>& bodies, std::array<Transform, 2>& frames) {
    const double delay = std::max(0.0, impact.delay);
    const double since = engine.batches().back().dt - delay;
    std::array<Transform, 2> then;
    for (std::size_t k = 0; k < 2; ++k) {
        then[k] = solved[k].pose_w * bodies[k].pose_w.inverse() * frames[k];
        then[k].translation += delay * solved[k].velocity_w;
    }
    const auto between = [&](const std::array<Transform, 2>& f) {
        return Vec3(f[1].point(impact.sides[1].point_b) - f[0].point(impact.sides[0].point_b));
    };
    const ImpactPlace now = impact_place(impact, bodies, frames);
    const double parted = (between(frames) - between(then)).dot(now.normal_w);
    const bool has_waited = parted < 0.5 * since * now.parting;
    if (has_waited || !(between(then).norm() < between(frames).norm())) return 0.0;
    frames = then;
    for (std::size_t k = 0; k < 2; ++k) {
        bodies[k].centre_w = solved[k].centre_w + delay * solved[k].velocity_w;
    }
    return since;
}

}  // namespace

// All answers to one impact count together: the lowest rebound, the sum of the ways.
void Simulation::apply_requests() {
    struct Aftermath {
        std::shared_ptr<const Impact> impact;
        bool is_of_this_step = false;
        double rebound = 1.0;
        std::vector<TravelLeg> legs;
    };
    std::vector<Aftermath> aftermaths;
    for (const Pending& pending : written_) {
        if (!pending.impact) continue;
        // A hit that waited may outlive what struck.
        const std::array<ImpactSide, 2>& sides = pending.impact->sides;
        if (!engine_.has(sides[0].id) || !engine_.has(sides[1].id)) continue;
        auto after = std::find_if(aftermaths.begin(), aftermaths.end(),
                                  [&](const Aftermath& a) { return a.impact == pending.impact; });
        if (after == aftermaths.end())
            after = aftermaths.insert(after, {pending.impact, pending.step == report_.steps});
        for (const Request& request : pending.requests) {
            if (const auto* lower = std::get_if<LowerRebound>(&request)) {
                after->rebound = std::min(after->rebound, lower->share);
            } else if (const auto* soften = std::get_if<LowerRestitution>(&request)) {
                lower_restitution(object(pending.object), *soften);
            } else if (const auto* follow = std::get_if<FollowShape>(&request)) {
                const double lead = pending.step == report_.steps ? pending.lead : 0.0;
                after->legs.push_back({follow->distance, time_ - lead, pending.duration});
            }
        }
    }
    for (const Aftermath& after : aftermaths) {
        if (after.is_of_this_step) strike_in_the_middle(*after.impact);
        apply_rebound(*after.impact, after.rebound, after.is_of_this_step);
        if (!after.legs.empty()) start_travel(after.impact, after.legs, after.is_of_this_step);
    }
}

// Jones et al. 2016, equation 15: the least of its own, of what came back since, and of what the
// latest impact leaves.
void Simulation::lower_restitution(Object& o, const LowerRestitution& request) {
    const double wanted = std::clamp(request.share, 0.0, 1.0) * o.desc.restitution;
    o.restitution = o.is_soft ? std::min(o.restitution, wanted) : wanted;
    o.recovery = request.recovery;
    o.is_soft = o.restitution < o.desc.restitution;
    for (const BodyId body : o.bodies) engine_.set_restitution(body, o.restitution);
}

void Simulation::recover_restitutions() {
    for (const auto& o : objects_) {
        if (!o->is_soft) continue;
        o->restitution = std::min(o->desc.restitution, o->restitution + o->recovery * step_);
        o->is_soft = o->restitution < o->desc.restitution;
        for (const BodyId body : o->bodies) engine_.set_restitution(body, o->restitution);
    }
}

// An engine's points are few: it stops the flat nose of a car at one point beside the middle, and
// the car turns. What its impulses turn more than they would in the middle is taken back, where
// that takes energy: what touches is known no better than to an edge or so.
void Simulation::strike_in_the_middle(const Impact& impact) {
    if (!moments_at_solve(engine_, impact)) return;
    const EnergyGuard guard(engine_, impact, frames_of(impact)[0].point(impact.sides[0].point_b));
    engine_.apply_angular_impulse(impact.sides[0].id, impact.moment_w);
    engine_.apply_angular_impulse(impact.sides[1].id, -impact.moment_w);
    const double own_gain = guard.own_gain();
    own_gain < 0 ? book_loss(ledger_, own_gain, guard.gain()) : guard.go_back();
}

// As if the solver had known: the pair loses what it parts with too fast, there and as the bodies
// lay when they touched, and what it went too far by since. A small fast body turns and goes
// several times its size in a step. Where the impact is past, with the place, the normal and the
// masses of now: those of the impact could turn bodies that have moved on.
void Simulation::apply_rebound(const Impact& impact, double share, bool is_of_this_step) {
    if (!(share < 1.0)) return;
    std::array<BodyMoment, 2> bodies;
    for (std::size_t k = 0; k < 2; ++k) bodies[k] = engine_.moment(impact.sides[k].id);
    std::array<Transform, 2> frames = frames_of(impact);
    double since = 0.0;  // they touched [s]
    if (const auto solved = is_of_this_step ? moments_at_solve(engine_, impact) : std::nullopt) {
        since = take_back_to_touch(engine_, impact, *solved, bodies, frames);
    }
    const ImpactPlace at = impact_place(impact, bodies, frames);
    const double allowed = share * impact.restitution * impact.approach_speed;
    if (!(at.parting > allowed)) return;
    const EnergyGuard guard(engine_, impact, at.place_w);
    const double impulse = at.effective_mass * (at.parting - allowed);
    for (std::size_t k = 0; k < 2; ++k) {
        const BodyMoment& body = bodies[k];
        if (!(body.inverse_mass > 0)) continue;
        const Vec3 impulse_w = (k == 0 ? impulse : -impulse) * at.normal_w;
        const Vec3 centre_w = engine_.motion(body.id).centre_w;
        engine_.apply_impulse(body.id, impulse_w, centre_w + (at.place_w - body.centre_w));
        if (!(since > 0)) continue;
        BodyMotion m = engine_.motion(body.id);
        m.pose_w.translation += since * body.inverse_mass * impulse_w;
        engine_.set_motion(body.id, m.pose_w, m.velocity_w, m.spin_w);
    }
    const double own_gain = guard.own_gain(), gain = guard.gain();
    if (own_gain > 0) {
        guard.go_back();
        withhold(impact, own_gain, "a lower rebound");
        return;
    }
    book_loss(ledger_, own_gain, gain);
}

double Simulation::TravelLeg::begun(double time) const {
    return duration > 0 ? distance * stopping_share((time - start) / duration) : 0.0;
}

double Simulation::Travel::gone(double time) const {
    double sum = 0.0;
    for (const TravelLeg& leg : legs) sum += leg.duration > 0 ? leg.begun(time) : leg.distance;
    return sum;
}

double Simulation::overlap(const Impact& impact) const {
    if (impact.previous_damage_impulse > 0) return 0.0;  // It has been under way since.
    return std::max(0.0, -present_place(engine_, impact, frames_of(impact)).apart);
}

bool Simulation::Travel::is_over(double time) const {
    return std::all_of(legs.begin(), legs.end(),
                       [&](const TravelLeg& leg) { return time >= leg.start + leg.duration; });
}

// An impact that grows while its bodies are under way adds to their way.
void Simulation::start_travel(const std::shared_ptr<const Impact>& impact,
                              std::span<const TravelLeg> legs, bool is_of_this_step) {
    const auto is_it = [&](const Travel& t) { return t.impact->episode == impact->episode; };
    auto travel = std::find_if(travels_.begin(), travels_.end(), is_it);
    if (travel == travels_.end()) {
        travels_.push_back({impact, present_place(engine_, *impact, frames_of(*impact)).apart, {}});
        travel = std::prev(travels_.end());
        // Legs that began when the bodies met: as far apart as they were then.
        for (const TravelLeg& leg : legs) travel->apart += leg.begun(time_);
        // The solve sends bodies apart at once; while a shape gives in they still touch.
        if (is_of_this_step && std::any_of(legs.begin(), legs.end(),
                                           [](const TravelLeg& leg) { return leg.duration > 0; })) {
            travel->apart = std::min(travel->apart, 0.0);
        }
    }
    travel->legs.insert(travel->legs.end(), legs.begin(), legs.end());
    advance_travel(*travel);
    if (travel->is_over(time_)) travels_.erase(travel);
}

void Simulation::advance_travels() {
    std::erase_if(travels_, [&](const Travel& t) {
        return !engine_.has(t.impact->sides[0].id) || !engine_.has(t.impact->sides[1].id);
    });
    for (const Travel& travel : travels_) advance_travel(travel);
    std::erase_if(travels_, [&](const Travel& t) { return t.is_over(time_); });
}

// Where the bodies should be is told by the shapes: what the engine let them part by meanwhile is
// made up for. They are never pushed apart.
void Simulation::advance_travel(const Travel& travel) {
    const ImpactPlace now = present_place(engine_, *travel.impact, frames_of(*travel.impact));
    const double missing = now.apart - (travel.apart - travel.gone(time_));
    if (missing > 0 && !now.normal_w.isZero()) {
        move_together(*travel.impact, missing * now.normal_w);
    }
}

bool Simulation::is_held(BodyId id, BodyId partner, const Vec3& move_w) const {
    if (engine_.batches().empty()) return false;
    const ContactBatch& batch = engine_.batches().back();
    const double far = move_w.norm();
    return std::any_of(batch.contacts.begin(), batch.contacts.end(), [&](const Contact& c) {
        const BodyId a = batch.bodies[static_cast<std::size_t>(c.a)].id;
        const BodyId b = batch.bodies[static_cast<std::size_t>(c.b)].id;
        if ((a != id && b != id) || a == partner || b == partner) return false;
        const double into = (a == id ? 1.0 : -1.0) * c.normal_w.dot(move_w);
        return into > kInTheWay * far && c.gap < far;
    });
}

void Simulation::move_together(const Impact& impact, const Vec3& way_w) {
    const EnergyGuard guard(engine_, impact, Vec3::Zero());
    std::array<double, 2> share = {0.0, 0.0};
    for (std::size_t k = 0; k < 2; ++k) {
        const BodyId id = impact.sides[k].id;
        const double mass = engine_.mass(id).mass;
        const Vec3 move_w = k == 0 ? way_w : Vec3(-way_w);
        if (mass > 0 && !is_held(id, impact.sides[1 - k].id, move_w)) share[k] = 1.0 / mass;
    }
    const double sum = share[0] + share[1];
    if (!(sum > 0)) return;
    for (std::size_t k = 0; k < 2; ++k) {
        if (!(share[k] > 0)) continue;
        const BodyId id = impact.sides[k].id;
        const BodyMotion m = engine_.motion(id);
        Transform pose_w = m.pose_w;
        pose_w.translation += (k == 0 ? 1.0 : -1.0) * share[k] / sum * way_w;
        engine_.set_motion(id, pose_w, m.velocity_w, m.spin_w);
    }
    if (const double gain = guard.own_gain(); gain > 0) {
        guard.go_back();
        withhold(impact, gain, "a move into a dent");
    }
}

void Simulation::withhold(const Impact& impact, double energy, const std::string& what) {
    ledger_.withheld += energy;
    const Object* first = find(impact.sides[0].id);
    const Object* target = first && first->state ? first : find(impact.sides[1].id);
    add_incident(target ? target->name : "", what + " would have added energy and was left out");
}

// What exchanges bodies comes last: until here everything speaks of those that were struck.
void Simulation::apply_late_requests() {
    for (const Pending& pending : written_) {
        for (const Request& request : pending.requests) {
            if (const auto* parts = std::get_if<SplitBody>(&request)) {
                split(object(pending.object), *parts);
            } else if (std::holds_alternative<MergeBody>(request)) {
                merge(object(pending.object));
            }
        }
    }
}

}  // namespace ductile
