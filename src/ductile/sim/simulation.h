// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/journal.h>
#include <ductile/engine/engine.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/impact/episodes.h>
#include <ductile/sim/ledger.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// How impacts become shapes. Plain data; every default is usable as it stands.
struct SimOptions {
    ImpactOptions impacts;
    std::int32_t hit_budget = 64;     ///< Hits applied per step at most; the rest wait their turn.
    std::int32_t piece_budget = 512;  ///< Convex pieces of one body at most, while it is refined.
    double fill_tolerance =
        0.011;  ///< A piece that fills a hollow deeper than this is split [share of size].
    double contact_tolerance =
        1e-3;  ///< Contacts are dropped where the surface moved further [share of size].
};
template <class Visitor>
void visit_fields(SimOptions& o, Visitor&& field) {
    field(Field{"impacts", "", 0, 0, "what counts as a blow"}, o.impacts);
    field(Field{"hit_budget", "", 1, 1e6, "hits applied per step at most; the rest wait"},
          o.hit_budget);
    field(Field{"piece_budget", "", 1, 1e5, "convex pieces of one body at most"}, o.piece_budget);
    field(Field{"fill_tolerance", "", 1e-5, 1.0,
                "a piece that fills a hollow deeper than this share of the body's size is split"},
          o.fill_tolerance);
    field(Field{"contact_tolerance", "", 0.0, 1.0,
                "contacts are dropped where the surface moved further than this share of size"},
          o.contact_tolerance);
}

/// Something that went wrong and was contained.
struct Incident {
    double time = 0.0;  ///< [s]
    std::string body;   ///< Its name; "" where the words tell.
    std::string what;
};

/// What the simulation did so far.
struct SimReport {
    std::int64_t steps = 0;
    std::int64_t impacts = 0;  ///< Blows that began or grew.
    std::int64_t hits = 0;     ///< Records written to journals.
    std::int64_t waiting = 0;  ///< Hits in the queue now.
    std::int64_t most_waiting = 0;
    std::int64_t reshapes = 0;
    std::int64_t fallbacks = 0;       ///< Shapes refused; the body kept its last good one.
    std::vector<Incident> incidents;  ///< The first hundred.
};

/// The step: the only place where an engine and deformers meet.
///
/// Owns nothing of the engine but the bodies it added. Bodies decide about impacts in parallel,
/// from surfaces as they were before the step, and change in parallel; the engine is told in order
/// of ids: results do not depend on the number of threads. A body that is not hit costs nothing.
class Simulation final : private ImpactSurfaces {
public:
    /// Requires: the engine outlives the simulation.
    Simulation(Engine& engine, const SimOptions& options);

    /// Adds a rigid body: it hits others and is never changed. The dents it leaves have the shape
    /// of `surface`, in the body's frame; of its collider if that is null.
    Result<BodyId> add_rigid(const BodyDesc& body, double size,
                             std::shared_ptr<const SurfaceQuery> surface = nullptr);

    /// Adds a deformable body. `body.collider` and `body.mass` are taken from the shape; margin as
    /// given.
    Result<BodyId> add_deformable(BodyDesc body, std::shared_ptr<const BodyShape> shape,
                                  double margin = 0.001);

    /// Removes a body from the engine and forgets it.
    void remove(BodyId id);

    /// Leaves a mark with no physics, at the first step that ends at or after `time`.
    /// Error: a body that cannot be deformed, a record without sense.
    Status schedule_hit(BodyId id, double time, double duration, HitRecord record);

    /// Fades damage out from now on, over `duration`, by `amount` of it (in [0, 1]).
    Status repair(BodyId id, double amount, double duration);
    /// Takes a hit back, as if it had never been. False if there is none of that id.
    bool remove_hit(BodyId id, std::int64_t hit);

    /// Advances engine and shapes by dt [s].
    void step(double dt);
    /// The half of `step` after the engine's: for hosts that step their world themselves.
    void after_engine_step(double dt);

    double time() const { return time_; }
    Engine& engine() const { return engine_; }
    const SimReport& report() const { return report_; }
    const EnergyLedger& ledger() const { return ledger_; }
    /// Of the last step: blows that began or grew. Valid until the next one.
    std::span<const Impact> impacts() const { return impacts_; }

    /// Ids of all bodies, ascending.
    std::vector<BodyId> bodies() const;
    bool is_deformable(BodyId id) const;
    /// Requires of the following: is_deformable(id).
    const BodyState& state(BodyId id) const;
    const Journal& journal(BodyId id) const;
    const PieceCut& cut(BodyId id) const;

    /// Of all motions and shapes: equal hashes, equal runs.
    std::uint64_t state_hash() const;
    /// Of all shapes alone, by ascending id: what a replay must give.
    std::uint64_t shape_hash() const;

private:
    struct Body;
    struct Pending;  ///< A hit on its way into a journal.
    /// What every contact of every step asks of its bodies.
    struct Slot {
        Body* body = nullptr;
        double size = kInfinity;         ///< [m]
        double yield_speed = kInfinity;  ///< [m/s]
    };

    double size(BodyId id) const override;
    double yield_speed(BodyId id) const override;
    std::optional<Footprint> footprint(const Touching& touching) const override;

    Box near_other(const Touching& touching) const;
    Footprint footprint_of(const Body& body, std::span<const Vec3> places,
                           std::span<const double> gaps, std::span<const std::size_t> starts,
                           double nearest, const Vec3& facing_b, const Touching& touching) const;

    Body& body(BodyId id) const;
    Slot slot(BodyId id) const;
    Body* find(BodyId id) const { return slot(id).body; }
    void keep(std::unique_ptr<Body> body);
    void queue_responses(std::span<const Impact> impacts);
    /// Takes back what went into shapes: lowers the rebound of a blow, moves bodies into dents.
    void settle(const Impact& impact, double rebound, const std::array<Vec3, 2>& moves_w);
    void write_journals();
    void update_shapes();
    void update_shape(Body& body);
    void tell_engine(Body& body);
    void note(std::string name, std::string what);

    Engine& engine_;
    SimOptions options_;
    EpisodeTracker tracker_;
    std::vector<Impact> impacts_;
    std::vector<std::unique_ptr<Body>> bodies_;  ///< By ascending id.
    std::vector<Slot> slots_;                    ///< By id; as above for the ids of others.
    std::vector<Pending> scheduled_;             ///< By time.
    std::vector<Pending> queue_;                 ///< First come, first served.
    double time_ = 0.0;
    SimReport report_;
    EnergyLedger ledger_;

public:
    ~Simulation() override;
};

}  // namespace ductile
