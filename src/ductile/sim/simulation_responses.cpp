// SPDX-License-Identifier: MIT
// From impacts to what layers want: shares of energy, answers, the queue.
#include <ductile/core/parallel.h>
#include <ductile/sim/simulation_object.h>

#include <cmath>
#include <map>

namespace ductile {
namespace {

/// All impacts on one object in one step.
struct ResponseJob {
    const BodyShape* shape = nullptr;
    const SurfaceQuery* surface = nullptr;
    std::span<const ExampleRow> rows;
    std::vector<BodyImpact> impacts;
    std::vector<std::size_t> impact_index;  ///< Of the step's impacts.
    std::vector<int> side;
    std::vector<Transform> to_unskinned;  ///< Where the skin moved what was struck.
    /// The other's surface before an impact that grew.
    std::vector<std::unique_ptr<SurfaceQuery>> earlier;
    /// Per impact, per layer of the shape.
    std::vector<std::vector<Response>> responses;
    std::vector<std::vector<double>> shares;
};

// Layers that share an impact, the first to choose first.
std::vector<std::size_t> by_priority(const BodyShape& shape) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < shape.layers.size(); ++k) {
        if (shape.layers[k].rule) order.push_back(k);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return shape.layers[a].rule->priority() > shape.layers[b].rule->priority();
    });
    return order;
}

// The impact as it is with a share of its energy, which goes with the square of the impulse.
BodyImpact with_share(BodyImpact impact, double share) {
    impact.energy_share = share;
    const double factor = std::sqrt(share);
    impact.damage_impulse *= factor;
    impact.previous_damage_impulse *= factor;
    return impact;
}

// Into the frame of the unskinned surface, where layers decide.
void move_impact(BodyImpact& impact, const Transform& by) {
    impact.point_b = by.point(impact.point_b);
    impact.normal_b = by.direction(impact.normal_b);
    impact.velocity_b = by.direction(impact.velocity_b);
    impact.friction_b = by.direction(impact.friction_b);
    for (Vec3& start : impact.starts_b) start = by.point(start);
    impact.other_to_body = by * impact.other_to_body;
}

void answer(ResponseJob& job) {
    const BodyShape& shape = *job.shape;
    const std::size_t count = job.impacts.size();
    job.responses.assign(count, std::vector<Response>(shape.layers.size()));
    job.shares.assign(count, std::vector<double>(shape.layers.size(), 0.0));
    std::vector<double> left(count, 1.0);
    for (const std::size_t k : by_priority(shape)) {
        const Deformer& rule = *shape.layers[k].rule;
        const StruckBody body{shape, *job.surface, shape.layers[k].data.get(), job.rows};
        std::vector<BodyImpact> impacts;
        std::vector<std::size_t> asked;
        for (std::size_t i = 0; i < count; ++i) {
            if (!(left[i] > 0)) continue;
            const double wanted = rule.wanted_share(job.impacts[i], body);
            const double share = std::min(left[i], std::clamp(wanted, 0.0, 1.0));
            if (!(share > 0)) continue;
            left[i] -= share;
            job.shares[i][k] = share;
            impacts.push_back(with_share(job.impacts[i], share));
            asked.push_back(i);
        }
        std::vector<Response> responses(impacts.size());
        rule.respond_all(impacts, body, responses);
        for (std::size_t n = 0; n < asked.size(); ++n) {
            job.responses[asked[n]][k] = std::move(responses[n]);
        }
    }
}

// The part of an impact's energy that goes to the first of two bodies.
double own_share(const BodyShape& own, const BodyShape& other, const BodyImpact& impact) {
    YieldQuery query;
    query.energy = impulse_energy(impact.damage_impulse, impact.restitution, impact.effective_mass);
    query.radius = meeting_radius(own.size, other.size);
    query.other_hardness = other.material.hardness();
    const YieldCurve curve = own.yield_curve(query);
    query.other_hardness = own.material.hardness();
    return share_of_energy(curve, other.yield_curve(query), query.energy);
}

// The inverse of stopping_share.
double stopping_time(double way_share) {
    return 1.0 - std::sqrt(std::clamp(1.0 - way_share, 0.0, 1.0));
}

// Kinetic energy of the approach that is new in this step [J].
double approach_energy(const Impact& impact) {
    return impulse_energy(impact.damage_impulse, impact.restitution, impact.effective_mass) -
           impulse_energy(impact.previous_damage_impulse, impact.restitution,
                          impact.effective_mass);
}

}  // namespace

void Simulation::queue_responses(std::span<const Impact> impacts) {
    std::vector<ResponseJob> jobs;
    std::map<ObjectId, std::size_t> job_of;  // in the order of ids, never of addresses
    for (std::size_t i = 0; i < impacts.size(); ++i) {
        for (int side = 0; side < 2; ++side) {
            const Object* target = find(impacts[i].sides[side].id);
            if (!target || !target->state) continue;
            const auto [at, is_new] = job_of.try_emplace(target->id, jobs.size());
            if (is_new) jobs.emplace_back();
            ResponseJob& job = jobs[at->second];
            // Surfaces are brought up to date here, in order; below they are only read.
            job.shape = target->shape.get();
            job.surface = &target->unskinned_surface();
            job.rows = target->state->rows();
            BodyImpact impact = seen_from(impacts[i], side);
            job.earlier.emplace_back();
            if (const Object* other = find(impact.other)) {
                impact.other_surface = other->known_surface();
                impact.other_edge = other->edge;
                impact.other_facets = other->facets;
                impact.other_compliance = other->compliance;
                if (other->state)
                    impact.own_share = own_share(*target->shape, *other->shape, impact);
                if (other->state && impact.previous_damage_impulse > 0) {
                    job.earlier.back() = other->surface_before(impact.episode, time_);
                }
                if (job.earlier.back()) impact.other_surface = job.earlier.back().get();
            }
            impact.exaggerate = options_.exaggerate;
            job.to_unskinned.emplace_back();
            if (!target->state->frames().empty()) {
                job.to_unskinned.back() =
                    pull_back(*target->state, target->surface().closest_point(impact.point_b));
                move_impact(impact, job.to_unskinned.back());
            }
            job.impacts.push_back(std::move(impact));
            job.impact_index.push_back(i);
            job.side.push_back(side);
        }
    }
    parallel_for(jobs.size(), 4, [&](std::size_t j) { answer(jobs[j]); });

    // Into the queue impact by impact, as they happened.
    struct Answer {
        std::size_t impact;
        int side;
        std::size_t job, place;
    };
    std::vector<Answer> answers;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        for (std::size_t n = 0; n < jobs[j].impacts.size(); ++n) {
            answers.push_back({jobs[j].impact_index[n], jobs[j].side[n], j, n});
        }
    }
    std::sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) {
        return std::pair(a.impact, a.side) < std::pair(b.impact, b.side);
    });
    std::vector<std::shared_ptr<const Impact>> shared(impacts.size());
    const std::size_t first_new = queue_.size();
    for (const Answer& a : answers) {
        ResponseJob& job = jobs[a.job];
        for (std::size_t k = 0; k < job.responses[a.place].size(); ++k) {
            Response& response = job.responses[a.place][k];
            if (response.records.empty() && response.requests.empty()) continue;
            const Impact& impact = impacts[a.impact];
            if (!shared[a.impact]) shared[a.impact] = std::make_shared<const Impact>(impact);
            ledger_.add_layer(job.shape->layers[k].rule->name(),
                              job.shares[a.place][k] * approach_energy(impact), response.work);
            if (response.is_limited) ++report_.limited;
            Pending pending;
            pending.object = object_of(impact.sides[static_cast<std::size_t>(a.side)].id);
            pending.time = impact.time;
            pending.duration = response.duration;
            pending.growth = response.growth;
            pending.records = std::move(response.records);
            pending.requests = std::move(response.requests);
            pending.impact = shared[a.impact];
            pending.side = a.side;
            pending.step = report_.steps;
            queue_.push_back(std::move(pending));
        }
    }
    set_travel_times(first_new);
}

// What meets at v and is evenly slowed down has gone v / 2 times the time when it is at rest: the
// sum of what both shapes give up. What bodies already overlap by, having met within the step, they
// have gone: their shapes are as far, or one would be seen inside the other all the way.
void Simulation::set_travel_times(std::size_t first) {
    const auto way_of = [](const Pending& pending) {
        double way = 0.0;
        for (const Request& request : pending.requests) {
            if (const auto* follow = std::get_if<FollowShape>(&request)) way += follow->distance;
        }
        return way;
    };
    for (std::size_t begin = first, end = first; begin < queue_.size(); begin = end) {
        const std::shared_ptr<const Impact>& impact = queue_[begin].impact;
        double way = 0.0;
        while (end < queue_.size() && queue_[end].impact == impact) way += way_of(queue_[end++]);
        const double energy =
            impulse_energy(impact->damage_impulse, impact->restitution, impact->effective_mass);
        const double speed = energy > 0 ? std::sqrt(2.0 * energy / impact->effective_mass) : 0.0;
        for (std::size_t i = begin; i < end; ++i) {
            Pending& pending = queue_[i];
            if (!(way_of(pending) > 0)) continue;
            pending.growth = HitGrowth::Stopping;
            // Within a step there is nothing to be seen of it.
            if (pending.duration > 0 || !(2.0 * way > step_ * speed)) continue;
            if (!(speed > 0)) continue;
            pending.duration = std::min(2.0 * way / speed, kHitDurationField.max);
            const double gone = overlap(*impact) / way;
            pending.lead = std::min(time_, stopping_time(gone) * pending.duration);
        }
    }
}

}  // namespace ductile
