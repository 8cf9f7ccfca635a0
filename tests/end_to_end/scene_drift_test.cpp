// SPDX-License-Identifier: MIT
// Random scenes of all sizes, seen by somebody who drifts along.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/run_frames.h>

#include <doctest/doctest.h>
#include <end_to_end/random_scenes.h>
#include <support/sanitized.h>

#include <algorithm>

using namespace ductile;

namespace {

const std::uint64_t kDriftScenes = test::kIsSanitized ? 10 : 100;
// Share of the body's size: a step of the 65,535 in which a dent map keeps its depths.
constexpr double kDriftRounding = 1e-6;
// Contacts are chosen by last digits: how far runs at two places are apart is a matter of luck.
constexpr double kDriftSpread = 1e3;
// A rare choice may take many places to meet: one of three ends of a scene comes in a tenth of
// them.
constexpr int kTinyShifts = 100;
constexpr double kTinyShift = 1e-12;  // of the body's size

Scene moved(Scene scene, const Vec3& shift, const Vec3& drift) {
    for (SceneBody& body : scene.bodies) {
        body.position += shift;
        body.velocity += drift;
    }
    return scene;
}

/// The surfaces of all bodies when the scene is over.
std::vector<Vec3> final_points(const Scene& scene) {
    const auto bodies = prepare_bodies(scene).value();
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies, simulation, recorder).value();
    REQUIRE(run_frames(scene, simulation, recorder).ok());
    std::vector<Vec3> points;
    for (const ObjectId id : ids) {
        const std::span<const Vec3> own = simulation.state(id).points();
        points.insert(points.end(), own.begin(), own.end());
    }
    return points;
}

/// How far two runs are apart, as a share of the bodies' size.
double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double size) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst / size;
}

}  // namespace

TEST_CASE("bodies of a millimetre to a kilometre have the same shapes under a common drift") {
    for (std::uint64_t seed = 1; seed <= kDriftScenes; ++seed) {
        CAPTURE(seed);
        const Scene scene = test::random_scene(seed);
        const double size = scene.bodies[0].solid.size.maxCoeff();
        const std::vector<Vec3> still = final_points(scene);
        const auto differs_by = [&](const Vec3& shift, const Vec3& drift) {
            return difference(still, final_points(moved(scene, shift, drift)), size);
        };
        const double found = differs_by(Vec3::Zero(), Vec3(30, 0, 40));
        double allowed = kDriftRounding;
        for (const Vec3& shift : {Vec3(1, 0, 0), Vec3(0, 1.3, 0), Vec3(0.1, 0.2, -0.3),
                                  Vec3(-7, 3, 5), Vec3(0, 0, 0.7)}) {
            if (found <= allowed) break;
            allowed = std::max(allowed, kDriftSpread * differs_by(shift, Vec3::Zero()));
        }
        for (int k = 1; k <= kTinyShifts && found > allowed; ++k) {
            const Vec3 shift = k * kTinyShift * size * Vec3(0.37, -0.21, 0.7);
            allowed = std::max(allowed, kDriftSpread * differs_by(shift, Vec3::Zero()));
        }
        CHECK(found <= allowed);
    }
}
