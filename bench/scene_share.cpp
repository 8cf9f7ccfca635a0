// SPDX-License-Identifier: MIT
// What ductile adds to a scene: time of the engine's own step against time of everything after it
// (impacts, decisions, shapes, colliders told), and both against plain Bullet with copies of the
// same bodies that nothing dents, step by step in one run. `bench_scene_share SCENE [SECONDS]`
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include "plain_world.h"
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace ductile;

namespace {

using Clock = std::chrono::steady_clock;

double ms(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "bench_scene_share SCENE.json [SECONDS]\n");
        return 1;
    }
    const LoadedScene loaded = load_scene(argv[1]);
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) return 1;
    const Scene& scene = loaded.scene;
    const ThreadLimit one_thread(1);
    const auto bodies = prepare_bodies(scene);
    if (!bodies) {
        fmt::print(stderr, "{}\n", bodies.error().text());
        return 1;
    }
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    if (const auto ids = populate(scene, bodies.value(), simulation, recorder); !ids) {
        fmt::print(stderr, "{}\n", ids.error().text());
        return 1;
    }
    const double seconds = argc > 2 ? std::atof(argv[2]) : scene.duration;
    const auto steps = static_cast<int>(seconds * scene.step_rate);
    double engine_ms = 0.0, own_ms = 0.0, worst_ms = 0.0, plain_ms = 0.0;
    PlainWorld plain(engine->world());
    for (int k = 0; k < steps; ++k) {
        const Clock::time_point before = Clock::now();
        plain.step(1.0 / scene.step_rate);
        plain_ms += ms(Clock::now() - before);
        const Clock::time_point begin = Clock::now();
        engine->step(1.0 / scene.step_rate);
        const Clock::time_point middle = Clock::now();
        simulation.after_engine_step(1.0 / scene.step_rate);
        const Clock::time_point end = Clock::now();
        engine_ms += ms(middle - begin);
        own_ms += ms(end - middle);
        worst_ms = std::max(worst_ms, ms(end - middle));
    }
    const SimReport& report = simulation.report();
    fmt::print("{}: {} bodies, {} steps of 1/{} s, one thread\n", argv[1], bodies.value().size(),
               steps, scene.step_rate);
    fmt::print("  plain Bullet {:10.3f} ms per step, nothing dents\n", plain_ms / steps);
    fmt::print("  with ductile {:10.3f} ms in all, {:.2f} x plain Bullet\n",
               (engine_ms + own_ms) / steps, (engine_ms + own_ms) / plain_ms);
    fmt::print("    in Bullet  {:10.3f} ms per step\n", engine_ms / steps);
    fmt::print(
        "    in ductile {:10.3f} ms per step: {:.1f} % of plain Bullet's, {:.1f} % of its own "
        "Bullet's (goal for dent-hail: 15 %)\n",
        own_ms / steps, 100.0 * own_ms / plain_ms, 100.0 * own_ms / engine_ms);
    fmt::print("  {} hits, {:.3f} ms each; the worst step {:.2f} ms; at most {} waiting\n",
               report.hits, report.hits > 0 ? own_ms / static_cast<double>(report.hits) : 0.0,
               worst_ms, report.most_waiting);
    fmt::print("  state {:016x}\n", simulation.state_hash());
    return 0;
}
