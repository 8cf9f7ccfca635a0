// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/rotation.h>
#include <ductile/sim/drive.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ductile {
namespace {

// A drive holds its body anew in each part. What it presses another body against gives way until
// then: in parts as short as those of tissue too little to matter.
constexpr double kLongestPart = 1.0 / 960.0;
constexpr std::string_view kAxes = "xyz";
constexpr std::string_view kDriveState = "drive 1\n";

Status check_axes(const std::string& axes, const std::string& where) {
    if (axes.find_first_not_of(kAxes) == std::string::npos) return {};
    return Error{"axes are letters of xyz, not '" + axes + "'", where, ""};
}

}  // namespace

bool names_axis(const std::string& axes, int axis) {
    return axes.find(kAxes[static_cast<std::size_t>(axis)]) != std::string::npos;
}

Status check_drive(const DriveOptions& options) {
    if (Status fine = check_axes(options.free_axes, "/free_axes"); !fine) return fine;
    if (Status fine = check_axes(options.in_step_axes, "/in_step_axes"); !fine) return fine;
    for (std::size_t i = 1; i < options.phases.size(); ++i) {
        if (options.phases[i].time > options.phases[i - 1].time) continue;
        return Error{"phases stand in order of time, each at its own",
                     "/phases/" + std::to_string(i) + "/time", ""};
    }
    return {};
}

void DriveLayer::add(const DriveDesc& desc, const RigidQueries& bodies) {
    DUCTILE_ASSERT(check_drive(desc.options).ok(), "a drive that was checked");
    Drive& drive = drives_.emplace_back();
    drive.desc = desc;
    drive.start = bodies.moment(desc.body).pose_w;
    drive.goal = drive.start.translation;
    drive.turn = drive.start.rotation;
    if (desc.in_step_with.is_valid()) {
        drive.leader_start = bodies.moment(desc.in_step_with).pose_w.translation;
    }
}

const DrivePhase* DriveLayer::phase(const Drive& drive) const {
    const DrivePhase* now = nullptr;
    for (const DrivePhase& p : drive.desc.options.phases) {
        if (p.time <= time_ + 1e-9) now = &p;
    }
    return now;
}

double DriveLayer::longest_part() const {
    for (const Drive& drive : drives_) {
        const std::vector<DrivePhase>& phases = drive.desc.options.phases;
        const DrivePhase* now = phase(drive);
        const bool is_over = now != nullptr && now->is_off && now == &phases.back();
        if (!is_over) return kLongestPart;
    }
    return kInfinity;
}

void DriveLayer::advance(double dt, RigidQueries& bodies) {
    for (Drive& drive : drives_) advance_one(drive, dt, bodies);
    time_ += dt;
}

void DriveLayer::advance_one(Drive& drive, double dt, RigidQueries& bodies) const {
    static const DrivePhase held;
    const DrivePhase* now = phase(drive);
    const DrivePhase& phase = now ? *now : held;
    const BodyMoment body = bodies.moment(drive.desc.body);
    if (!(body.inverse_mass > 0)) return;
    if (phase.is_off) {
        drive.goal = body.pose_w.translation;
        drive.turn = body.pose_w.rotation;
        return;
    }
    bodies.apply_impulse(drive.desc.body, push(drive, phase, body, dt, bodies), body.centre_w);
    if (drive.desc.options.turns_freely) return;
    drive.turn = drive.desc.path ? drive.desc.path(time_ + dt).rotation
                                 : (turn_by(dt * phase.spin) * drive.turn).normalized();
    const Vec3 spin = angle_of(drive.turn * body.pose_w.rotation.conjugate()) / dt;
    Vec3 moment = body.inverse_inertia_w.inverse() * (spin - body.spin_w);
    const double limit = drive.desc.options.moment_limit * dt, size = moment.norm();
    if (size > limit) {
        moment *= limit / size;
        const Vec3 reached = body.spin_w + body.inverse_inertia_w * moment;
        drive.turn = (turn_by(dt * reached) * body.pose_w.rotation).normalized();
    }
    bodies.apply_angular_impulse(drive.desc.body, moment);
}

Vec3 DriveLayer::push(Drive& drive, const DrivePhase& phase, const BodyMoment& body, double dt,
                      const RigidQueries& bodies) const {
    const DriveOptions& options = drive.desc.options;
    const double mass = 1.0 / body.inverse_mass, limit = options.force_limit * dt;
    // Of the frame's origin: that is what is placed. The centre of mass goes along.
    const Vec3 at = body.pose_w.translation;
    const Vec3 falling = body.velocity_at(at) + dt * gravity_w_;
    Vec3 goal = drive.goal + dt * phase.velocity;
    if (drive.desc.path) goal = drive.desc.path(time_ + dt).translation;
    if (drive.desc.in_step_with.is_valid()) {
        const Vec3 gone =
            bodies.moment(drive.desc.in_step_with).pose_w.translation - drive.leader_start;
        for (int k = 0; k < 3; ++k) {
            if (names_axis(options.in_step_axes, k)) goal[k] = drive.start.translation[k] + gone[k];
        }
    }
    Vec3 impulse = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const bool is_followed =
            drive.desc.in_step_with.is_valid() && names_axis(options.in_step_axes, k);
        const double force = drive.desc.path || is_followed ? 0.0 : phase.force[k];
        if (names_axis(options.free_axes, k)) {
            goal[k] = at[k];
        } else if (force != 0.0) {
            // The push, the weight, and, if asked for, what holds it where it has come to.
            impulse[k] = dt * force - mass * dt * gravity_w_[k];
            const double sign = force < 0 ? -1.0 : 1.0;
            goal[k] =
                options.never_back ? sign * std::max(sign * drive.goal[k], sign * at[k]) : at[k];
            const double after = falling[k] + body.inverse_mass * impulse[k];
            const double lacking = sign * ((goal[k] - at[k]) / dt - after);
            if (options.never_back && lacking > 0) {
                impulse[k] += sign * std::min(mass * lacking, limit);
            }
        } else {
            const double wanted = mass * ((goal[k] - at[k]) / dt - falling[k]);
            impulse[k] = std::clamp(wanted, -limit, limit);
            if (impulse[k] != wanted) {
                goal[k] = at[k] + dt * (falling[k] + body.inverse_mass * impulse[k]);
            }
        }
    }
    drive.goal = goal;
    return impulse;
}

template <class Visitor>
void DriveLayer::visit_state(Visitor&& visit) {
    visit(time_);
    for (Drive& drive : drives_) {
        for (Vec3* v : {&drive.start.translation, &drive.leader_start, &drive.goal}) {
            for (int k = 0; k < 3; ++k) visit((*v)[k]);
        }
        for (int k = 0; k < 4; ++k) visit(drive.turn.coeffs()[k]);
    }
}

void DriveLayer::add_to(Hasher& hasher) const {
    const_cast<DriveLayer*>(this)->visit_state([&](double& value) { hasher.add(value); });
}

std::string DriveLayer::save() const {
    std::string out(kDriveState);
    const_cast<DriveLayer*>(this)->visit_state([&](double& value) {
        char bytes[sizeof(double)];
        std::memcpy(bytes, &value, sizeof(double));
        out.append(bytes, sizeof(double));
    });
    return out;
}

Status DriveLayer::load(std::string_view text) {
    std::size_t numbers = 0;
    visit_state([&](double&) { ++numbers; });
    if (text.size() != kDriveState.size() + numbers * sizeof(double) ||
        text.substr(0, kDriveState.size()) != kDriveState) {
        return Error{"not the state of these drives", "", ""};
    }
    std::vector<double> values(numbers);
    std::memcpy(values.data(), text.data() + kDriveState.size(), numbers * sizeof(double));
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
        return Error{"a state with numbers that are not finite", "", ""};
    }
    std::size_t at = 0;
    visit_state([&](double& value) { value = values[at++]; });
    return {};
}

}  // namespace ductile
