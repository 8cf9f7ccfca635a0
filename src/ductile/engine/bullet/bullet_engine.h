// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/engine/bullet/bullet_precision.h>
#include <ductile/engine/engine.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

class btCollisionObject;
class btDynamicsWorld;
class btRigidBody;

namespace ductile {

/// How Bullet runs. An attached world keeps its own gravity, solver and sub-steps.
struct BulletOptions {
    Vec3 gravity = Vec3(0, -9.81, 0);     ///< Own world only [m/s^2].
    std::int32_t sub_steps = 1;           ///< Equal parts of each step; own world only, >= 1.
    std::int32_t solver_iterations = 10;  ///< Own world only, >= 1.
    /// Contacts rub along two fixed directions; else, as Bullet does by itself, along that of their
    /// slip alone, and what is held by friction creeps across it. Own world only.
    bool has_two_frictions = false;
    double runaway_speed = 1e4;  ///< A body faster than this is stopped [m/s], > 0.
    /// Our bodies fall asleep below both of these, and only on something that cannot be moved.
    double sleep_speed = 0.05;        ///< In sizes of the body per second [1/s], >= 0.
    double sleep_spin = 0.1;          ///< [rad/s], >= 0; a body never sleeps if one is 0.
    std::int32_t max_sub_steps = 10;  ///< Attached world: as for stepSimulation, >= 1.
    double fixed_dt = 1.0 / 60.0;     ///< Attached world: as for stepSimulation [s], > 0.
};

template <class Visitor>
void visit_fields(BulletOptions& o, Visitor&& field) {
    field(Field{"gravity", "m/s^2", -1e3, 1e3, "pull on every body"}, o.gravity);
    field(Field{"sub_steps", "", 1, 1000, "equal parts of each step"}, o.sub_steps);
    field(Field{"solver_iterations", "", 1, 1000, "rounds of the contact solver"},
          o.solver_iterations);
    field(Field{"has_two_frictions", "", 0, 0, "contacts rub along two fixed directions, not one"},
          o.has_two_frictions);
    field(Field{"runaway_speed", "m/s", 1.0, 1e8, "a faster body is stopped and reported"},
          o.runaway_speed);
    field(Field{"sleep_speed", "1/s", 0.0, 1e3,
                "slower bodies may fall asleep, in sizes of the body per second; 0: never"},
          o.sleep_speed);
    field(Field{"sleep_spin", "rad/s", 0.0, 1e3,
                "bodies that also turn slower may fall asleep; 0: never"},
          o.sleep_spin);
    field(Field{"max_sub_steps", "", 1, 1000, "most sub-steps of an attached world"},
          o.max_sub_steps);
    field(Field{"fixed_dt", "s", 1e-6, 1.0, "sub-step of an attached world"}, o.fixed_dt);
}

/// Bullet, unmodified, behind the port: a world of its own or one that is already there.
///
/// In an attached world it adds one action and the bodies and joints asked for, and claims nothing
/// else: no tick callback, no contact callback, no user pointer. Bodies that are not ours get ids
/// when they first touch a watched body, come near a coat or something that may bend or break, or
/// are asked for with `id_of`; they are contact partners like any other. Links of multi bodies and
/// soft bodies are not: contacts with them are left out. In a world of its own the same calls give
/// the same bits in every run; in an attached one that depends on the user's broadphase (Bullet's
/// dynamic tree orders by address).
///
/// Sleep: one of our bodies that has been slower than the thresholds for Bullet's two seconds falls
/// asleep if it touches something that cannot be moved, is tied to it, or does so by way of others.
/// What flies or drifts never sleeps, however slowly.
///
/// Guards: one of our bodies whose pose or velocity is not finite, or that is faster than
/// `runaway_speed`, is put back where it last was in order, at rest, and `take_warnings` says so.
class BulletEngine final : public Engine {
public:
    static std::unique_ptr<BulletEngine> make(const BulletOptions& options = {});
    /// Requires: `world` outlives the engine. Ends the process, in words, where the caller or the
    /// Bullet that is loaded are of another precision than ductile; `caller` is left out.
    static std::unique_ptr<BulletEngine> attach(btDynamicsWorld& world,
                                                const BulletOptions& options = {},
                                                BulletPrecision caller = kBulletPrecisionHere);
    /// Takes our bodies, joints and action out of the world; the rest stays as it is.
    ~BulletEngine() override;

    Result<BodyId> add(const BodyDesc& body) override;
    void remove(BodyId id) override;
    bool has(BodyId id) const override;
    Result<JointId> add_joint(const JointDesc& joint) override;
    void remove_joint(JointId id) override;
    JointState joint(JointId id) const override;

    /// Own world: exactly `sub_steps` equal sub-steps. Attached world: stepSimulation(dt,
    /// max_sub_steps, fixed_dt), which may come to no sub-step at all.
    void step(double dt) override;
    /// Attached world: equal sub-steps no longer than fixed_dt, without Bullet's clock.
    void step_exactly(double dt) override;
    std::span<const ContactBatch> batches() const override;
    const EnergyMarks& energy() const override;
    double energy_rounding() const override;

    /// In place of `step`, around a stepSimulation of the user's own. `dt` is what it will be
    /// given: Kinematic bodies are moved on by that much.
    void before_step(double dt);
    void after_step();

    BodyMotion motion(BodyId id) const override;
    MassProperties mass(BodyId id) const override;
    void set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                    const Vec3& spin_w) override;
    void set_restitution(BodyId id, double restitution) override;
    /// A body held by constraints that are not ours keeps its centre of mass frame and its mass
    /// properties: those constraints are expressed in it. `take_warnings` says so, once per body.
    Result<double> reshape(BodyId id, const Reshape& change) override;
    std::vector<Approach> predicted_approaches(double dt, double speed,
                                               std::span<const BodyId> of) const override;
    std::vector<std::string> take_warnings() override;
    /// In a world of its own only: an attached one solves contacts as it finds them.
    void set_piece_surfaces(const PieceSurfaces* surfaces) override;

    /// Bodies that are not ours can be asked if their shape is convex, a plane, a mesh or a field
    /// of heights, or a compound of such, and answer as they collide: with their margin. Triangles
    /// have two sides and no inside. Not asked: meshes of GImpact, fields of distances.
    double gap(BodyId id, const Vec3& point_w, const Vec3& out_w,
               double reach = std::numeric_limits<double>::infinity()) const override;
    Nearest closest_point(BodyId id, const Vec3& point_w,
                          double reach = std::numeric_limits<double>::infinity()) const override;
    NearestInBody closest_point_b(
        BodyId id, const Vec3& point_b,
        double reach = std::numeric_limits<double>::infinity()) const override;
    Vec3 velocity_at(BodyId id, const Vec3& point_w) const override;
    void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) override;
    void apply_angular_impulse(BodyId id, const Vec3& impulse_w) override;
    /// Also bodies that are not ours, which get an id by it: one thread at a time. Not those whose
    /// filter lets nothing touch them; other filters are not looked at.
    void bodies_near(const Box& box, std::vector<NearBody>& out) const override;
    BodyMoment moment(BodyId id) const override;
    double friction(BodyId id) const override;
    bool is_asleep(BodyId id) const override;
    void put_to_sleep(BodyId id) override;

    btDynamicsWorld& world();
    /// The body as Bullet knows it; null for a plain collision object.
    btRigidBody* rigid_body(BodyId id);
    /// The id of an object of the world, ours or not; a new one if it had none.
    BodyId id_of(const btCollisionObject& object);
    /// To be called when an object that is not ours is deleted, so that another one at the same
    /// address is not taken for it. (One that only left the world is noticed at the next step.)
    void forget(const btCollisionObject& object);

    /// Called after one of our bodies entered the world, and before it leaves.
    std::function<void(BodyId, btRigidBody&)> on_body_added, on_body_removed;

private:
    struct Impl;
    explicit BulletEngine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace ductile
