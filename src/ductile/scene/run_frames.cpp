// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/run_frames.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

/// A drive takes a dynamic body along its keys; others are put there.
bool is_placed_by_keys(const SceneBody& body) { return !body.keys.empty() && !body.drive; }

/// The bodies that move by keys.
class KeyedBodies {
public:
    KeyedBodies(const Scene& scene, const Simulation& simulation, const Recorder& recorder)
        : engine_(simulation.engine()) {
        const bool has_keys =
            std::any_of(scene.bodies.begin(), scene.bodies.end(),
                        [](const SceneBody& body) { return is_placed_by_keys(body); });
        if (!has_keys) return;
        const std::vector<PlacedBody> placed = place_bodies(scene);
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const SceneBody& body = scene.bodies[static_cast<std::size_t>(placed[i].body)];
            if (!is_placed_by_keys(body)) continue;
            const BodyId id = simulation.body(recorder.object(i));
            bodies_.push_back({id, &body, placed[i].pose_w.translation, engine_.motion(id).pose_w});
        }
    }

    /// Puts them where they are at `time`, on their way to where they will be `dt` later; at rest
    /// for 0.
    void place(double time, double dt) const {
        for (const Keyed& body : bodies_) {
            const Transform now = body.at(time), next = body.at(time + dt);
            Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
            if (dt > 0) {
                Quat turn = next.rotation * now.rotation.conjugate();
                if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
                const Eigen::AngleAxisd by(turn.normalized());
                velocity = (next.translation - now.translation) / dt;
                spin = by.axis() * (by.angle() / dt);
            }
            engine_.set_motion(body.id, now, velocity, spin);
        }
    }

private:
    struct Keyed {
        BodyId id;
        const SceneBody* body;
        Vec3 start_w;
        Transform pose_w;  ///< There.

        Transform at(double time) const { return keyed_pose(body->keys, start_w, pose_w, time); }
    };

    Engine& engine_;
    std::vector<Keyed> bodies_;
};

}  // namespace

std::vector<std::optional<Transform>> keyed_poses(const Scene& scene,
                                                  std::span<const Transform> starts_w,
                                                  double time) {
    const std::vector<PlacedBody> placed = place_bodies(scene);
    DUCTILE_ASSERT(placed.size() == starts_w.size(), "a pose per body");
    std::vector<std::optional<Transform>> poses(placed.size());
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const SceneBody& body = scene.bodies[static_cast<std::size_t>(placed[i].body)];
        if (!is_placed_by_keys(body)) continue;
        poses[i] = keyed_pose(body.keys, placed[i].pose_w.translation, starts_w[i], time);
    }
    return poses;
}

std::int64_t frame_count(const Scene& scene, std::int32_t max_frames) {
    // A duration of n frames, rounded in its last digit, has n frames.
    const auto frames =
        static_cast<std::int64_t>(std::floor(scene.duration * scene.frame_rate + 1e-9)) + 1;
    return max_frames > 0 ? std::min<std::int64_t>(frames, max_frames) : frames;
}

Status run_frames(const Scene& scene, Simulation& simulation, Recorder& recorder,
                  const FrameRun& run) {
    const std::int64_t last = frame_count(scene, run.max_frames) - 1;
    const auto steps = static_cast<std::int64_t>(std::lround(scene.step_rate / scene.frame_rate));
    const KeyedBodies keyed(scene, simulation, recorder);
    recorder.capture(simulation);
    for (std::int64_t frame = 1; frame <= last; ++frame) {
        if (run.may_go_on) {
            if (Status on = run.may_go_on(); !on) return on;
        }
        for (std::int64_t i = 0; i < steps; ++i) {
            keyed.place(simulation.time(), 1.0 / scene.step_rate);
            simulation.step(1.0 / scene.step_rate);
            recorder.note_step(simulation);
        }
        keyed.place(simulation.time(), 0.0);  // exactly there, not where steps add up to
        recorder.capture(simulation);
        if (run.progress) {
            run.progress("simulate", static_cast<double>(frame) / static_cast<double>(last));
        }
    }
    return {};
}

}  // namespace ductile
