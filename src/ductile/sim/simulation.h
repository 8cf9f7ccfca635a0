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
#include <ductile/sim/live_layer.h>
#include <ductile/sim/object_id.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

class FractureData;
class JointedBody;
struct GlueImpact;
struct GlueBreak;
struct SimulationObject;

/// How impacts become shapes. Plain data; every default is usable as it stands.
struct SimOptions {
    ImpactOptions impacts{};
    double exaggerate = 1.0;          ///< Depths of all bodies are scaled by this; 1 is physics.
    std::int32_t hit_budget = 64;     ///< Hits applied per step at most; the rest wait their turn.
    std::int32_t piece_budget = 512;  ///< Convex pieces of one body at most, while it is refined.
    double fill_tolerance =
        0.011;  ///< A piece that fills a hollow deeper than this is split [share of size].
    double contact_tolerance =
        1e-3;  ///< Contacts are dropped where the surface moved further [share of size].
};
template <class Visitor>
void visit_fields(SimOptions& o, Visitor&& field) {
    field(Field{"impacts", "", 0, 0, "what counts as an impact"}, o.impacts);
    field(Field{"exaggerate", "", 0.0, 1000.0, "scales what hits do to all bodies; 1 is physics"},
          o.exaggerate);
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
    std::string body;   ///< Its name; "" where the message tells.
    std::string what;
};

/// What the simulation did so far.
struct SimReport {
    std::int64_t steps = 0;
    std::int64_t impacts = 0;      ///< Impacts that began or grew.
    std::int64_t hits = 0;         ///< Records written to journals.
    std::int64_t refinements = 0;  ///< Of those, finer meshes that layers asked for.
    std::int64_t waiting = 0;      ///< Hits in the queue now.
    std::int64_t most_waiting = 0;
    std::int64_t reshapes = 0;        ///< Times that an engine's body was told of a new shape.
    std::int64_t light_reshapes = 0;  ///< Of those, by the points of its collider alone.
    std::int64_t wakings = 0;         ///< Times that a skeleton fell awake.
    std::int64_t missed_impacts = 0;  ///< That a skeleton slept through: it woke after them.
    std::int64_t breaks = 0;          ///< Times that something broke.
    std::int64_t late_breaks = 0;     ///< Of those, not seen coming: answered after the collision.
    std::int64_t snaps = 0;           ///< Breaks where a joint had been turned too far.
    std::int64_t parts = 0;           ///< Objects that came of others.
    std::int64_t vanished = 0;        ///< Of those, gone since.
    double broken_area = 0.0;         ///< [m^2]
    double broken_energy = 0.0;       ///< That it took [J].
    std::int64_t limited = 0;         ///< Hits whose depth a limit decided, not the material.
    std::int64_t fallbacks = 0;       ///< Hits refused; the body kept its last good shape.
    std::vector<Incident> incidents;  ///< The first hundred.
};

/// How a deformable body enters the world. Collider and mass follow from its shape.
struct DeformableDesc {
    std::string name{};
    Motion motion = Motion::Dynamic;
    Transform pose_w{};
    Vec3 velocity_w = Vec3::Zero();  ///< Of the centre of mass [m/s].
    Vec3 spin_w = Vec3::Zero();      ///< [rad/s]
    double friction = 0.5;           ///< Coulomb, >= 0.
    double restitution = 0.2;        ///< In [0, 1]; see BodyDesc.
    double margin = 0.001;           ///< The engine's collision margin around its pieces [m], >= 0.
};

/// How a hit by hand comes to its place.
struct HitPlace {
    bool is_in_world = false;    ///< Its record is given in the world's frame, not in the body's.
    bool is_on_surface = false;  ///< It is moved to the nearest place of the surface.
};

/// A hit as it was written into a journal.
struct HitEvent {
    ObjectId object;
    std::int64_t hit = 0;                  ///< Its id in the object's journal.
    std::shared_ptr<const Impact> impact;  ///< Null for a hit by hand.
};

/// An object that came of another that broke.
struct Birth {
    ObjectId object, parent;  ///< The parent is no longer there.
    double time = 0.0;        ///< [s]
    /// Of its journal, the last hit that it has from its parent: the rest frame is shared.
    std::int64_t inherited = 0;
};

/// An object that is no longer there: it broke into others, or vanished.
struct PastObject {
    ObjectId id;
    std::string name;
    Transform pose_w;  ///< Where it was last.
    Journal journal;
};

/// The step: the only place where an engine and deformers meet.
///
/// Owns nothing of the engine but the bodies it added. Objects decide about impacts in parallel,
/// from surfaces as they were before the step, and change in parallel; the engine is told in order
/// of ids: results do not depend on the number of threads. An object that is not hit costs nothing.
class Simulation final : private ImpactSurfaces, private PieceSurfaces {
public:
    /// Requires: the engine outlives the simulation.
    Simulation(Engine& engine, const SimOptions& options);

    /// Adds a rigid body: it hits others and is never changed. The dents it leaves have the shape
    /// of `surface`, in the body's frame; of its collider if that is null. `size` is the diagonal
    /// of its box [m]; `compliance` what its matter adds to that of a contact, (1 - nu^2) / E
    /// [1/Pa] (Material::contact_compliance).
    Result<ObjectId> add_rigid(const BodyDesc& body, double size,
                               std::shared_ptr<const SurfaceQuery> surface = nullptr,
                               double compliance = 0.0);

    /// Adds a deformable body.
    Result<ObjectId> add_deformable(const DeformableDesc& desc,
                                    std::shared_ptr<const BodyShape> shape);

    /// Adds a layer with a state of its own.
    void add_live_layer(std::shared_ptr<LiveLayer> layer);

    /// Removes an object's bodies from the engine and forgets it.
    void remove(ObjectId id);

    /// Leaves a mark with no physics, at the first step that ends at or after `time`. One that
    /// reaches no point of the body is not written; an incident says so.
    /// Error: an object that cannot be deformed, a record without sense or one that cannot be
    /// placed as `place` asks.
    Status schedule_hit(ObjectId id, double time, double duration, HitRecord record,
                        const HitPlace& place = {});

    /// Fades damage out from now on, over `duration`, by `amount` of it (in [0, 1]).
    Status repair(ObjectId id, double amount, double duration);
    /// Takes a hit back, as if it had never been. False if there is none of that id.
    bool remove_hit(ObjectId id, std::int64_t hit);

    /// Puts a journal in the place of an object's own, as when a saved game is loaded: surface,
    /// mass and collider follow at once, its motion stays. Hits later than `time()` act when their
    /// time comes. Error (nothing changed): an object that cannot be deformed, a shape that cannot
    /// be.
    Status restore_journal(ObjectId id, Journal journal);
    /// Sets the clock, as when a saved game is loaded. Requires: a finite time.
    void restore_time(double time);

    /// Advances live layers, engine and shapes by dt [s].
    void step(double dt);
    /// The parts of `step` before and after the engine's, for hosts that step their world
    /// themselves. Live layers that cannot take the whole of dt at once need steps that short.
    void before_engine_step(double dt);
    void after_engine_step(double dt);

    double time() const { return time_; }
    Engine& engine() const { return engine_; }
    const SimReport& report() const { return report_; }
    /// Edges of bent bodies that go through their own surface now. Counted when asked for, once
    /// per shape: milliseconds for each body that was bent since.
    std::int64_t self_crossings() const;
    const EnergyLedger& ledger() const { return ledger_; }
    /// Of the last step: impacts that began or grew. Valid until the next one.
    std::span<const Impact> impacts() const { return impacts_; }

    /// Hits written in the last step, in order. Valid until the next one.
    std::span<const HitEvent> hit_events() const { return events_; }
    /// Called for each of those at the end of the step, shapes and engine being up to date. It may
    /// look at the simulation and schedule hits, but not step it, nor add or remove objects.
    void on_hit(std::function<void(const HitEvent&)> callback) { on_hit_ = std::move(callback); }

    /// All that came of others so far, in order, and all that is no longer there because of it.
    /// What breaks is exchanged for its parts before the engine solves the collision, or at the end
    /// of a step: objects with their whole's frame, matter, rules and journal, called by its name
    /// and a number ("wall.3").
    std::span<const Birth> births() const { return births_; }
    std::span<const PastObject> past() const { return past_; }

    /// Ids of all objects, ascending.
    std::vector<ObjectId> objects() const;
    bool has(ObjectId id) const { return find(id) != nullptr; }
    /// The object that a body of the engine belongs to; invalid for the bodies of others.
    ObjectId object_of(BodyId id) const;
    /// Requires of the following: has(id).
    const std::string& name(ObjectId id) const;
    /// Its bodies in the engine: one, or one per part while it is split. The first carries its
    /// frame.
    std::span<const BodyId> bodies(ObjectId id) const;
    BodyId body(ObjectId id) const { return bodies(id)[0]; }
    /// Where its frame is and how it moves.
    BodyMotion motion(ObjectId id) const { return engine_.motion(body(id)); }
    bool is_deformable(ObjectId id) const;
    /// Requires of the following: is_deformable(id).
    const BodyState& state(ObjectId id) const;
    const Journal& journal(ObjectId id) const;
    const PieceCut& cut(ObjectId id) const;

    /// Of all motions, shapes and live layers: equal hashes, equal runs.
    std::uint64_t state_hash() const;
    /// Of all shapes alone, by ascending id: what a replay must give.
    std::uint64_t shape_hash() const;

private:
    using Object = SimulationObject;
    struct Pending;  ///< What a layer, or a person, wants; on its way into a journal.
    /// A way that both bodies of an impact go together while a shape gives in.
    struct TravelLeg {
        double distance = 0.0;  ///< [m]
        double start = 0.0;     ///< [s]
        double duration = 0.0;  ///< [s]; 0: at once.

        double begun(double time) const;  ///< What of it has taken time so far [m].
    };
    /// Two bodies on their way into each other's dents.
    struct Travel {
        std::shared_ptr<const Impact> impact;
        double apart = 0.0;  ///< Where they were struck, along the normal, when it began [m].
        std::vector<TravelLeg> legs;

        double gone(double time) const;  ///< [m]
        bool is_over(double time) const;
    };
    /// What every contact of every step asks of its bodies.
    struct Slot {
        Object* object = nullptr;
        double size = kInfinity;         ///< [m]
        double yield_speed = kInfinity;  ///< [m/s]
    };

    double size(BodyId id) const override;
    double yield_speed(BodyId id) const override;
    std::int32_t owner(BodyId id) const override;
    std::optional<Footprint> footprint(const Touching& touching) const override;
    void normals_at(BodyId id, std::int32_t piece, std::size_t point,
                    std::vector<Vec3>& normals_b) const override;

    Box near_other(const Touching& touching) const;

    Object& object(ObjectId id) const;
    Object* find(ObjectId id) const;
    Slot slot(BodyId id) const;
    Object* find(BodyId id) const { return slot(id).object; }
    void set_slots(Object& object);
    void clear_slots(const Object& object);
    ObjectId keep(std::unique_ptr<Object> object);
    void step_part(double dt);

    void queue_responses(std::span<const Impact> impacts);
    void write_journals();
    void place_by_hand(Pending& pending);
    /// The id it got; nothing where it is refused, which the report tells.
    std::optional<std::int64_t> write_hit(Object& target, const Pending& pending, HitRecord record);
    /// Writes the finer meshes that the body's layers want before a record acts.
    void refine_for(Object& target, const Pending& pending, const HitRecord& record);
    void apply_requests();
    /// Takes back what the engine turned both bodies of this step's impact beside its middle.
    void strike_in_the_middle(const Impact& impact);
    /// Takes back what went into shapes: lowers the rebound of an impact.
    void apply_rebound(const Impact& impact, double share, bool is_of_this_step);
    /// Lets restitutions that were lowered come back by a step.
    void recover_restitutions();
    void lower_restitution(Object& object, const LowerRestitution& request);
    /// How far two bodies that have just met are inside each other [m].
    double overlap(const Impact& impact) const;
    void start_travel(const std::shared_ptr<const Impact>& impact, std::span<const TravelLeg> legs,
                      bool is_of_this_step);
    void advance_travels();
    void advance_travel(const Travel& travel);
    /// Moves the bodies of an impact towards each other, by `way_w` in all, the first along it.
    void move_together(const Impact& impact, const Vec3& way_w);
    /// Whether a third body is in the way.
    bool is_held(BodyId id, BodyId partner, const Vec3& move_w) const;
    /// How long the hits of an impact take that is followed; from the place `first` of the queue
    /// on.
    void set_travel_times(std::size_t first);
    /// Reports energy that would have come from nothing, after it was taken back.
    void withhold(const Impact& impact, double energy, const std::string& what);
    void apply_late_requests();
    void split(Object& object, const SplitBody& request);
    void merge(Object& object);
    /// Objects that bend, before a step of the engine and after it.
    std::vector<Approach> approaches(double dt) const;
    /// The longest part of a step of dt that what bends allows [s].
    double longest_bend_part(double dt);
    void wake_struck(double dt);
    void wake(Object& object, const Vec3& place_w, const Vec3& out_w);
    void note_turns(double dt);
    void write_turns(Object& object);
    void find_missed_impacts();
    void condense_calm();
    void condense(Object& object);
    /// Objects that break, before a step of the engine and after it.
    struct LateImpact;
    std::vector<Approach> breaking_approaches(double dt) const;
    /// Whether an impact that is about to fall within dt breaks something.
    bool is_break_due(double dt);
    void break_struck(double dt);
    /// What an approach does to one of the two; false: nothing that can break.
    bool find_coming_impact(const Approach& approach, bool is_first, Object*& struck,
                            GlueImpact& impact);
    static void take_back_to_rest(const Object& object, GlueImpact& impact);
    bool answer_approach(const Approach& approach, bool is_first);
    /// Whether it broke. `now`: the object that has the struck piece then.
    bool answer_impact(Object& object, const GlueImpact& impact, GlueBreak& broke, ObjectId& now);
    /// Writes what gave way and parts what no longer hangs together; false, told of: it cannot.
    bool write_break(Object& object, const FractureData& data, FractureHit hit);
    /// Objects with a joint that was turned too far, at the end of a step.
    void snap_bent();
    void snap(Object& object);
    /// Gives parts of an object that is awake the motion that its groups have.
    void go_on_as_groups(const Object& object, std::span<const ObjectId> parts);
    std::vector<BodyId> go_on_as_groups(const Object& object, const Object& part,
                                        const JointedBody& whole);
    void pay_for_break(const Approach& approach, BodyId struck, BodyId other, double energy);
    void note_late_impacts();
    void break_late();
    /// Completes a break by hand; false, told of: there is nothing to break.
    bool place_break(Object& object, FractureHit& hit);
    /// What a break at a place would part: the object's pieces, or those of a pattern about it.
    const FractureData& scored_at(Object& object, const Vec3& place_b);
    /// Brings a pattern that lies about an impact to where the journal has it.
    void take_centre(Object& object);
    void divide(Object& object);
    void hand_over(const Object& object, std::span<const ObjectId> parts);
    std::unique_ptr<Object> retire(Object& object);
    std::optional<ObjectId> add_part(const Object& whole, const Transform& pose_w,
                                     const std::shared_ptr<const BodyShape>& shape);
    void vanish_debris();
    /// Contacts of parts of bending objects as the whole object's frame has them.
    std::span<const ContactBatch> framed_batches();
    /// Where the frame is that an object's impacts are told in, seen from one of its bodies.
    Transform frame_of(BodyId id) const;
    std::array<Transform, 2> frames_of(const Impact& impact) const {
        return {frame_of(impact.sides[0].id), frame_of(impact.sides[1].id)};
    }
    void update_shapes();
    void update_shape(Object& object);
    /// Moves nothing but the collider's points, within a fade of example poses. False: the whole
    /// has to follow.
    bool follow_fade(Object& object) const;
    /// Whether example poses are on their way in, and nothing else has happened to it.
    bool is_fading(const Object& object) const;
    /// Its surface only, for what is written next: the collider follows at the end of the step.
    void update_surface(Object& object);
    /// Replaces everything that follows from the mesh, if the journal asks for another one.
    void update_mesh(Object& object);
    void set_shape(Object& object, std::shared_ptr<const BodyShape> shape);
    /// Back to the mesh without records, or on to another: all pieces are new to the engine.
    void replace_shape(Object& object, std::shared_ptr<const BodyShape> shape);
    /// A mesh that goes on from the one there is: its pieces stay.
    void extend_shape(Object& object, std::shared_ptr<const BodyShape> shape);
    void send_to_engine(Object& object);
    /// Enlarges the inertia that a body is about to get, where it would come to turn with more
    /// energy than it has. By which factor, and by which the old one was, is returned and given.
    double limit_energy(BodyId id, double old_excess, MassProperties& wanted);
    void take_true_inertia(Object& object);
    void put_back(BodyId id, const BodyMotion& motion);
    void add_incident(std::string name, std::string what);
    void publish_events();

    Engine& engine_;
    SimOptions options_;
    EpisodeTracker tracker_;
    std::vector<Impact> impacts_;
    std::vector<std::unique_ptr<Object>> objects_;  ///< By ascending id.
    std::int32_t next_object_ = 0;
    std::vector<Slot> slots_;         ///< By the engine's id; as above for the bodies of others.
    std::vector<Pending> scheduled_;  ///< By time.
    std::vector<Pending> queue_;      ///< First come, first served.
    std::vector<Pending> written_;    ///< In this step: their requests are next.
    std::vector<Travel> travels_;     ///< Under way, first come first.
    std::vector<HitEvent> events_;
    std::function<void(const HitEvent&)> on_hit_;
    std::vector<std::shared_ptr<LiveLayer>> live_layers_;
    /// An impact that came unforeseen.
    struct MissedImpact {
        ObjectId object;
        Vec3 place_w, out_w;
    };
    std::vector<MissedImpact> missed_;
    std::vector<LateImpact> late_impacts_;
    std::vector<Birth> births_;
    std::vector<PastObject> past_;
    std::int32_t last_part_ = 0;        ///< Number that was given out last.
    std::vector<ContactBatch> framed_;  ///< Of the last step, where it needed any.
    /// Impacts of the step, where they were looked for already, and for how long a step.
    struct Foreseen {
        double dt = 0.0;
        std::vector<Approach> approaches;
    };
    std::optional<Foreseen> foreseen_;
    bool is_live_part_ = false;          ///< Whether a live layer advanced in it.
    bool has_no_break_ = false;          ///< Looked for already, for the whole of this step.
    double last_break_ = -kInfinity;     ///< [s]
    mutable std::vector<BodyId> asked_;  ///< Working memory of who is about to be struck.
    double time_ = 0.0;
    double step_ = 0.0;         ///< Length of the last step [s].
    double time_offset_ = 0.0;  ///< Of the clock against the engine's.
    SimReport report_;
    EnergyLedger ledger_;

public:
    ~Simulation() override;
};

}  // namespace ductile
