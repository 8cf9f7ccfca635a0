// SPDX-License-Identifier: MIT
// What bending adds to a scene: processor time of ductile's whole steps (prediction, waking, the
// engine, records, shapes) against plain Bullet with copies of the same bodies that nothing bends,
// step by step in one run, and apart for steps in which nothing was awake.
// `bench_bend_scene SCENE [SECONDS [COUNT_X,COUNT_Y,COUNT_Z of the first body's copies]]`
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include "plain_world.h"
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace ductile;

namespace {

/// Processor time of a call [ms].
template <class Call>
double spent(Call&& call) {
    const std::clock_t from = std::clock();
    call();
    return 1e3 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
}

/// Bodies of the engine beyond one per object: those of skeletons that are awake.
std::size_t extra_bodies(const Simulation& simulation) {
    std::size_t extra = 0;
    for (const ObjectId id : simulation.objects()) extra += simulation.bodies(id).size() - 1;
    return extra;
}

struct StepSums {
    int steps = 0;
    double own_ms = 0.0, plain_ms = 0.0;

    void add(double own, double plain) {
        ++steps;
        own_ms += own;
        plain_ms += plain;
    }
    void print(const char* name) const {
        if (steps == 0) return;
        fmt::print("  {:<22} {:>5} steps, {:7.2f} ms each, plain Bullet {:7.2f} ms: {:.3f}\n", name,
                   steps, own_ms / steps, plain_ms / steps, own_ms / plain_ms);
    }
};

int measure_scene(const Scene& scene, double seconds) {
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
    PlainWorld plain(engine->world());
    StepSums all, idle, awake, busiest;
    std::size_t most = 0;
    const auto steps = static_cast<int>(seconds * scene.step_rate);
    for (int k = 0; k < steps; ++k) {
        const std::size_t before = extra_bodies(simulation);
        const double plain_ms = spent([&] { plain.step(1.0 / scene.step_rate); });
        const double own_ms = spent([&] { simulation.step(1.0 / scene.step_rate); });
        const std::size_t extra = std::max(before, extra_bodies(simulation));
        all.add(own_ms, plain_ms);
        (extra > 0 ? awake : idle).add(own_ms, plain_ms);
        if (extra > most) busiest = {};
        most = std::max(most, extra);
        if (extra == most && most > 0) busiest.add(own_ms, plain_ms);
    }
    const SimReport& report = simulation.report();
    fmt::print("{} objects, {:.2f} s: {} wakings, {} missed, {} records, {} bodies more at most\n",
               simulation.objects().size(), seconds, report.wakings, report.missed_impacts,
               report.hits, most);
    idle.print("nothing awake");
    awake.print("something awake");
    busiest.print("most of all awake");
    all.print("the whole");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "bench_bend_scene SCENE.json [SECONDS [X,Y,Z]]\n");
        return 1;
    }
    LoadedScene loaded = load_scene(argv[1]);
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) return 1;
    Scene& scene = loaded.scene;
    if (argc > 3) {
        int x = 1, y = 1, z = 1;
        if (std::sscanf(argv[3], "%d,%d,%d", &x, &y, &z) != 3 || scene.bodies.empty()) return 1;
        scene.bodies[0].copies.count = {x, y, z};
    }
    const ThreadLimit one_thread(1);
    return measure_scene(scene, argc > 2 ? std::atof(argv[2]) : scene.duration);
}
