// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/sim/live_layer.h>

#include <functional>
#include <string>
#include <vector>

namespace ductile {

/// What a drive does from a time on.
struct DrivePhase {
    double time = 0.0;             ///< From when on [s].
    Vec3 velocity = Vec3::Zero();  ///< Along axes that no force pushes; 0 holds its place [m/s].
    Vec3 force = Vec3::Zero();     ///< Axes with a force are pushed by it instead [N].
    Vec3 spin = Vec3::Zero();      ///< How fast it turns; 0 holds its orientation [rad/s].
    bool is_off = false;           ///< Lets go: the body is on its own.
};
template <class Visitor>
void visit_fields(DrivePhase& p, Visitor&& field) {
    field(Field{"time", "s", 0.0, 1e5, "from when on"}, p.time);
    field(Field{"velocity", "m/s", -1e3, 1e3, "along axes that no force pushes; 0 holds it"},
          p.velocity);
    field(Field{"force", "N", -1e9, 1e9, "axes with a force are pushed by it instead"}, p.force);
    field(Field{"spin", "rad/s", -1e3, 1e3, "how fast it turns; 0 holds it"}, p.spin);
    field(Field{"is_off", "", 0, 0, "lets go of the body"}, p.is_off);
}

/// How something moves a dynamic body: an arm, a motor, a hand. Plain data.
struct DriveOptions {
    std::vector<DrivePhase> phases{};  ///< By time; before the first it is held.
    double force_limit = 1000.0;       ///< Along each axis, pushes aside [N].
    double moment_limit = 100.0;       ///< [N m]
    std::string free_axes{};           ///< Of "xyz": along these it moves as it likes.
    bool turns_freely = false;         ///< Its orientation is left alone.
    bool never_back = false;     ///< What a push gained is not given up again, within the limit.
    std::string in_step_with{};  ///< A driven body that it keeps in step with ...
    std::string in_step_axes = "y";  ///< ... along these axes.
};
template <class Visitor>
void visit_fields(DriveOptions& o, Visitor&& field) {
    field(Field{"phases", "", 0, 0, "what it does, by time; before the first it is held"},
          o.phases);
    field(Field{"force_limit", "N", 0.0, 1e9, "along each axis, beside pushes"}, o.force_limit);
    field(Field{"moment_limit", "N m", 0.0, 1e9, "about any axis"}, o.moment_limit);
    field(Field{"free_axes", "", 0, 0, "of xyz: along these it moves as it likes"}, o.free_axes);
    field(Field{"turns_freely", "", 0, 0, "its orientation is left alone"}, o.turns_freely);
    field(Field{"never_back", "", 0, 0, "what a push gained is not given up again"}, o.never_back);
    field(Field{"in_step_with", "", 0, 0, "a driven body that it keeps in step with"},
          o.in_step_with);
    field(Field{"in_step_axes", "", 0, 0, "along which of xyz it does"}, o.in_step_axes);
}

/// Whether letters of "xyz" name an axis, 0 to 2.
bool names_axis(const std::string& axes, int axis);

/// Error (`where` from the options on): axes that are none, phases out of order.
Status check_drive(const DriveOptions& options);

/// A body and what drives it.
struct DriveDesc {
    BodyId body{};
    DriveOptions options{};
    BodyId in_step_with{};  ///< Invalid: none.
    /// Where the body's frame goes, instead of phases: pose by time. Empty: phases.
    std::function<Transform(double)> path{};
};

/// Drives of a simulation, as a live layer: before each part of a step they push their bodies
/// towards where they should be at its end, within their limits. Weight is carried, too.
class DriveLayer final : public LiveLayer {
public:
    explicit DriveLayer(const Vec3& gravity_w) : gravity_w_(gravity_w) {}

    /// Begins where the body is. Requires: options that check_drive likes.
    void add(const DriveDesc& desc, const RigidQueries& bodies);

    std::string_view name() const override { return "drive"; }
    double longest_part() const override;
    void advance(double dt, RigidQueries& bodies) override;
    void add_to(Hasher& hasher) const override;
    std::string save() const override;
    Status load(std::string_view text) override;

private:
    struct Drive {
        DriveDesc desc;
        Transform start;  ///< Of the body's frame when it was added.
        Vec3 leader_start = Vec3::Zero();
        Vec3 goal = Vec3::Zero();      ///< Where its frame should be [m].
        Quat turn = Quat::Identity();  ///< How it should be turned.
    };
    const DrivePhase* phase(const Drive& drive) const;
    void advance_one(Drive& drive, double dt, RigidQueries& bodies) const;
    Vec3 push(Drive& drive, const DrivePhase& phase, const BodyMoment& body, double dt,
              const RigidQueries& bodies) const;
    template <class Visitor>
    void visit_state(Visitor&& visit);

    Vec3 gravity_w_;
    double time_ = 0.0;
    std::vector<Drive> drives_;
};

}  // namespace ductile
