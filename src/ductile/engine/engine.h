// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/mass.h>
#include <ductile/impact/contact.h>
#include <ductile/impact/rigid_queries.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ductile {

/// A convex cloud of points in the body's frame; the engine asks it for support points only.
/// `id` is the owner's name for it, unique within a body (a node of a PieceTree, for instance).
struct ColliderPiece {
    std::int32_t id = 0;
    std::vector<Vec3> points{};
};

struct SphereCollider {
    double radius = 0.5;  ///< [m]
};
struct BoxCollider {
    Vec3 size = Vec3(1, 1, 1);  ///< Full extents [m].
};
/// A ball drawn along its body's y axis: all that is no further than `radius` from the middle
/// `length` of that axis.
struct CapsuleCollider {
    double radius = 0.25;  ///< [m]
    double length = 1.0;   ///< Between the middles of its round ends [m], >= 0.
};
/// Everything below a plane through the body's origin, whose outward normal is the body's y axis.
struct HalfSpaceCollider {};
/// A union of convex pieces that can be moved, added and removed later by `reshape`.
struct PieceCollider {
    std::vector<ColliderPiece> pieces{};
    double margin = 0.001;  ///< The engine's collision margin around the points [m], >= 0.
};
/// In closed form, of a point in the body's frame, in that frame.
RigidQueries::NearestInBody nearest_on_capsule(const CapsuleCollider& capsule, const Vec3& p);
using Collider =
    std::variant<SphereCollider, BoxCollider, CapsuleCollider, HalfSpaceCollider, PieceCollider>;

enum class Motion {
    Static,     ///< Never moves.
    Kinematic,  ///< Moves as it is told, pushed by nothing.
    Dynamic,    ///< Obeys mass and forces.
};

/// A body as the engine needs it. All of it in the body's own (rest) frame, which stays the
/// body's frame for ever: where the engine keeps its centre of mass is the engine's business.
struct BodyDesc {
    std::string name{};
    Motion motion = Motion::Dynamic;
    Collider collider{};
    MassProperties mass{};  ///< Ignored unless Dynamic.
    Transform pose_w{};
    Vec3 velocity_w = Vec3::Zero();  ///< Of the centre of mass [m/s].
    Vec3 spin_w = Vec3::Zero();      ///< [rad/s]
    double friction = 0.5;           ///< Coulomb, >= 0.
    /// In [0, 1]; a pair's is the geometric mean of both, so that two like bodies have their own.
    double restitution = 0.2;
    bool watched = false;  ///< Whether its contacts are reported.
    /// The body that it is a part of, where it is one: it never collides with that, nor with that
    /// one's other parts. Requires: a body that is there and is no part itself.
    BodyId part_of{};
};

/// Where a body is and how it moves.
struct BodyMotion {
    Transform pose_w{};              ///< Of the body's own (rest) frame.
    Vec3 centre_w = Vec3::Zero();    ///< Centre of mass [m].
    Vec3 velocity_w = Vec3::Zero();  ///< Of the centre of mass [m/s].
    Vec3 spin_w = Vec3::Zero();      ///< [rad/s]
    bool is_asleep = false;
};

/// A rigid tie between two bodies that gives way above its limits and stays where it gave way to.
///
/// It turns where the moment in it is above `moment_limit`, whichever way that points: a plastic
/// hinge, which takes the moment times the angle from what bends it. An impact must first spend the
/// yield impulse: a lesser one leaves no trace at any rate, a stronger one turns it by an angle
/// that grows from 0.
struct JointDesc {
    BodyId a{}, b{};
    /// Where the tie sits, in the bodies' present poses. Of its axes x is the one about which a
    /// impact is expected: moments about it are limited exactly from the first sub-step on, others
    /// from the second.
    Transform frame_w{};
    double force_limit = std::numeric_limits<double>::infinity();   ///< Per axis [N].
    double moment_limit = std::numeric_limits<double>::infinity();  ///< At which it turns [N m].
    /// About each axis of the frame, what it holds of that limit, > 0: a flat bar is stiff one way.
    Vec3 axis_strength = Vec3::Ones();
    double yield_impulse = 0.0;  ///< Angular impulse that an impact spends before it turns [N m s].
    double hardening = 0.0;      ///< What the limit grows by per radian turned so far [N m].
    double damping = 0.0;        ///< Moment beside the limit per speed of turning [N m s].
    /// The furthest it turns from where it was made; there it locks [rad].
    double angle_limit = std::numeric_limits<double>::infinity();
    /// The furthest it slides along the frame's x, in or out; there it locks [m]. 0: not at all.
    double slide_limit = 0.0;
    double slide_force = 0.0;  ///< At which it slides [N]; 0: freely.
    double slide = 0.0;        ///< How far it has slid already where it is made [m].
    bool bodies_collide = false;
};
struct JointId {
    std::int32_t value = -1;
    auto operator<=>(const JointId&) const = default;
};
struct JointState {
    Vec3 impulse_w = Vec3::Zero();          ///< On b, of the last sub-step [N s].
    Vec3 angular_impulse_w = Vec3::Zero();  ///< On b, of the last sub-step [N m s].
    /// How b has turned against a since the joint was made, in b's own frame.
    Quat turn = Quat::Identity();
    double angle = 0.0;               ///< Of that turn [rad].
    double yield_impulse_left = 0.0;  ///< What an impact has yet to spend [N m s].
    bool is_yielding = false;         ///< Whether a row was at its limit in the last sub-step.
    double slide = 0.0;               ///< Of b against a, along x of the frame in a [m].
};

/// How a body's shape changed. Pieces not named stay as they are.
struct Reshape {
    std::span<const ColliderPiece> moved{};   ///< Known ids, new points.
    std::span<const ColliderPiece> added{};   ///< New ids.
    std::span<const std::int32_t> removed{};  ///< Known ids.
    /// The new distribution; null keeps the old. The body's mass stays: the inertia is scaled to
    /// it.
    const MassProperties* mass = nullptr;
    /// The mass is the new one, too: matter has come or gone, and what is there goes on at the
    /// velocities that its places had. The body's frame stays where it is.
    bool takes_mass = false;
    double contact_tolerance = 1e-4;  ///< Contacts whose surface moved further are dropped [m].
};

/// Kinetic energy at the marks of a step, summed over dynamic bodies that are awake [J].
struct EnergyMarks {
    double before = 0.0;    ///< When the step began.
    double forces = 0.0;    ///< Added by gravity, other forces and damping.
    double contacts = 0.0;  ///< Added by the solver (negative: dissipated in contacts, joints).
    /// Part of `contacts` where the solver made energy, >= 0: islands of touching bodies that it
    /// left with more than they had (the work of kinematic bodies is among it).
    double gained = 0.0;
    double integration =
        0.0;             ///< Added by turning bodies whose spin is kept but not their momentum.
    double after = 0.0;  ///< When the step ended.
};

/// A pair about to collide within the coming step.
struct Approach {
    BodyId a{}, b{};
    double speed = 0.0;  ///< Approach speed along the normal [m/s], > 0.
    double gap = 0.0;    ///< Distance now [m].
    Vec3 point_w = Vec3::Zero();
    Vec3 normal_w = Vec3::UnitY();  ///< Unit, out of a, towards b.
};

/// The surfaces that pieces stand for, asked where these touch something.
class PieceSurfaces {
public:
    virtual ~PieceSurfaces() = default;

    /// Appends the outward unit normals of the faces around one point of a piece, in the body's
    /// frame; none where the surface has nothing to say: behind it, at a border, for a body that
    /// the owner of the surfaces does not know.
    virtual void normals_at(BodyId id, std::int32_t piece, std::size_t point,
                            std::vector<Vec3>& normals_b) const = 0;
};

/// A rigid body engine as ductile sees it. How to write your own: docs/engine-port.md.
///
/// One thread at a time. Ids are handed out in ascending order and never again. What an engine may
/// lack has an answer here: no joints, no books, no sight ahead, shapes that cannot be asked.
class Engine : public RigidQueries {
public:
    /// Error: numbers that are not finite, an unphysical mass, an empty or flat collider.
    virtual Result<BodyId> add(const BodyDesc& body) = 0;
    /// Takes a body away, with the joints that hold it. What leant on it wakes.
    virtual void remove(BodyId id) = 0;
    virtual bool has(BodyId id) const = 0;

    virtual Result<JointId> add_joint(const JointDesc& joint);
    virtual void remove_joint(JointId) {}
    virtual JointState joint(JointId) const { return {}; }

    /// Advances by dt in one or more sub-steps. What happened is in `batches` and `energy` until
    /// the next.
    virtual void step(double dt) = 0;
    /// The same for those who pushed bodies for just that long: never less or more than dt, which
    /// an engine that collects time until it is worth a step of its own must not add to that.
    virtual void step_exactly(double dt) { step(dt); }
    virtual std::span<const ContactBatch> batches() const = 0;
    /// All zero for an engine that does not count.
    virtual const EnergyMarks& energy() const;
    /// Differences of kinetic energy below this share of it are rounding: more for an engine that
    /// counts in floats.
    virtual double energy_rounding() const { return 1e-12; }

    virtual BodyMotion motion(BodyId id) const = 0;
    /// As the engine uses it, in the body's own frame; all 0 for what cannot be moved.
    virtual MassProperties mass(BodyId id) const = 0;
    /// Places a body. Requires: finite numbers.
    virtual void set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                            const Vec3& spin_w) = 0;
    virtual void set_restitution(BodyId id, double restitution) = 0;

    /// Changes a body's pieces and mass distribution; its mass stays. Linear momentum and angular
    /// momentum about the centre of mass stay, so that nobody who drifts along sees another spin.
    /// The centre of mass of a free body stays where it is in the world: its own frame moves. The
    /// frame of a body that is held stays: one that sleeps, has a joint, or touches what cannot be
    /// moved, if only by way of others. The body does not wake by it. Returns the kinetic energy
    /// added [J]. Error (nothing changed): an unknown or repeated id, numbers that are not finite,
    /// an unphysical mass; one that is to take another mass while it is held by a constraint that
    /// is not ours. Requires: the body has a PieceCollider.
    virtual Result<double> reshape(BodyId id, const Reshape& change) = 0;

    /// Pairs with a body of `of` that the engine will act on within dt, approaching at more than
    /// `speed`, by ascending ids. It acts on what would overlap once it has bounced: where the gap
    /// is less than (1 + restitution) times what is closed in dt. Requires: `of` ascending.
    virtual std::vector<Approach> predicted_approaches(double /*dt*/, double /*speed*/,
                                                       std::span<const BodyId> /*of*/) const {
        return {};
    }

    Nearest closest_point(BodyId id, const Vec3& point_w, double reach) const override;
    Vec3 velocity_at(BodyId id, const Vec3& point_w) const override;
    void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) override;
    BodyMoment moment(BodyId id) const override;
    bool is_asleep(BodyId id) const override { return motion(id).is_asleep; }

    /// Lets the engine tell contacts with a body's surface from those with faces inside it, between
    /// two of its pieces. Null: it takes all as they come. Requires: `surfaces` outlives its use.
    virtual void set_piece_surfaces(const PieceSurfaces* /*surfaces*/) {}

    /// What went wrong and was mended since the last call (a body put back, a frame that could not
    /// move), one line each, naming the body. Empty for an engine that guards nothing.
    virtual std::vector<std::string> take_warnings() { return {}; }
};

/// Carries the change out on a list of pieces, by ascending ids afterwards. Error (nothing
/// changed): an unknown or repeated id.
Status reshape_pieces(std::vector<ColliderPiece>& pieces, const Reshape& change);

/// One part of a body that falls apart.
struct PartDesc {
    BodyDesc
        body;  ///< Pose and velocities are ignored: the part goes on as it moved with the whole.
};

/// Replaces one body by parts that share its frame. Their momenta sum to the whole's to rounding:
/// what differs in mass or first moment is spread over them. Error: the parts' mass differs by more
/// than 1 %.
Result<std::vector<BodyId>> split_body(Engine& engine, BodyId whole,
                                       std::span<const PartDesc> parts);

/// Lets bodies that took the place of another go on as it did, in its frame: every place at the
/// velocity that it had, and what differs in mass or first moment is spread over them, so that
/// their momenta sum to the whole's to rounding. Requires: all of them can be moved.
void go_on_as(Engine& engine, const MassProperties& whole_mass, const BodyMotion& whole,
              std::span<const BodyId> parts);

/// A body that is no longer there: what it weighed and how it moved.
struct FormerBody {
    MassProperties mass;
    BodyMotion motion;
};

/// Gives bodies that took the place of others one velocity and one spin more, about their own
/// centre, so that their momenta sum to those of the others to rounding. Requires: all of them can
/// be moved, and are where they go on.
void take_over_momentum(Engine& engine, std::span<const FormerBody> others,
                        std::span<const BodyId> bodies);

/// What bodies weigh together, in a frame of the world. Those that cannot be moved count for
/// nothing.
MassProperties joined_mass(const Engine& engine, std::span<const BodyId> bodies,
                           const Transform& frame_w);

/// Replaces bodies by one with the sum of their momenta, linear and about their common centre,
/// which becomes its own: of `whole.pose_w` the rotation is taken as given. It has no more energy
/// than they had: one that would turn faster than that allows gets a larger inertia.
Result<BodyId> merge_bodies(Engine& engine, std::span<const BodyId> parts, BodyDesc whole);

/// Lets a body go on as several that share its frame, in place: it keeps its id and becomes what
/// `kept` leaves of it, the others come. Every place keeps its velocity, so that momenta sum to the
/// whole's as masses do. A body that cannot be moved stays so; what comes off it can.
/// Error (nothing changed): what `reshape` or `add` refuse.
Result<std::vector<BodyId>> part_body(Engine& engine, BodyId whole, Reshape kept,
                                      std::span<const PartDesc> others);

/// Makes a body and its parts one again, in place: the parts go, the body becomes what `whole` says
/// of it, with the sum of their momenta, as `merge_bodies`. Its frame stays where it is if `whole`
/// weighs what they do (`joined_mass`), and else moves so that the centre stays.
/// What cannot be moved stays, and swallows them.
/// Error (nothing changed): what `reshape` refuses.
Status rejoin_body(Engine& engine, BodyId kept, std::span<const BodyId> parts, Reshape whole);

/// Whether a body can be added to any engine: finite numbers, a physical mass if it is Dynamic, a
/// collider with a size and at least one piece, piece ids that differ, no moving half space.
/// For adapters; the Error names the body.
Status check_body(const BodyDesc& body);

}  // namespace ductile
