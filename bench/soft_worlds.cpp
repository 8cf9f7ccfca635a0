// SPDX-License-Identifier: MIT
// How many times faster than real time larger worlds of coats run: a hand of 20 bones and 2,000
// particles that closes on a ball, on one thread, heaps of 50 bodies on two, with 50 outer
// particles each or with 50 that count fixed ones, and a room of 100 bodies on a floor, of which a
// drive moves one: all others rest from the second that is measured on. `bench_soft_worlds
// [SECONDS] [hand|heap|light-heap|room [THREADS]]`
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>
#include <ductile/scene/tissue_model.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

using namespace ductile;

namespace {

// Five fingers of four bones each, palms down: each bone is held, and pressed down from 0.1 s on.
std::string hand_text() {
    std::string bodies = R"("ball": { "solid": { "kind": "sphere", "size": [0.12, 0.12, 0.12] },
        "collider": "sphere", "material": "wood", "mass": 0.2, "position": [0, 0.06, 0.06] })";
    for (int finger = 0; finger < 5; ++finger) {
        for (int bone = 0; bone < 4; ++bone) {
            bodies += fmt::format(
                R"(, "bone-{0}-{1}": {{ "solid": {{ "kind": "capsule", "size": [0.014, 0.034, 0.014] }},
                "mass": 0.03, "material": "plastic", "position": [{2}, 0.145, {3}],
                "rotation": {{ "axis": [1, 0, 0], "angle_deg": 90 }},
                "tissue": {{ "thickness": 0.006, "spacing": 0.00428, "stiffness": 4e4 }},
                "drive": {{ "force_limit": 20, "phases": [{{ "time": 0 }},
                {{ "time": 0.1, "force": [0, -4, 0] }}] }} }})",
                finger, bone, 0.028 * (finger - 2), 0.036 * bone);
        }
    }
    return R"({ "duration": 1, "bodies": { )" + bodies + " } }";
}

/// Fifty cubes; `spacing` [m] says how many particles each has.
std::string heap_text(double spacing) {
    return fmt::format(R"({{ "duration": 1, "bodies": {{ "cube": {{
        "solid": {{ "kind": "box", "size": [0.05, 0.05, 0.05] }}, "material": "plastic",
        "tissue": {{ "thickness": 0.02, "stiffness": 2e4, "spacing": {} }},
        "position": [-0.2, 0.08, -0.1],
        "copies": {{ "count": [5, 5, 2], "spacing": [0.1, 0.11, 0.1], "jitter": [0.01, 0, 0.01],
                    "tilt_deg": 30 }} }} }} }})",
                       spacing);
}

std::string room_text() {
    const std::string cube = R"("solid": { "kind": "box", "size": [0.05, 0.05, 0.05] },
        "material": "plastic", "tissue": { "thickness": 0.02, "spacing": 0.0174 })";
    return R"({ "duration": 4, "ground": {}, "bodies": { "cube": { )" + cube +
           R"(, "position": [-0.9, 0.0455, -0.9], "copies": { "count": [10, 1, 10], "spacing":
        [0.2, 0.2, 0.2] } }, "hand": { )" +
           cube + R"(, "position": [0, 0.3, 0], "drive": { "phases":
        [{ "time": 0, "velocity": [0.1, 0, 0] }] } } } })";
}

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// `before`: how long it runs before it is measured [s].
void run_world(const char* name, const std::string& text, int threads, double before,
               double seconds) {
    const LoadedScene loaded = parse_scene(text, name);
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) std::exit(1);
    const Scene& scene = loaded.scene;
    const ThreadLimit limit(threads);
    const auto bodies = prepare_bodies(scene);
    if (!bodies) {
        fmt::print(stderr, "{}\n", bodies.error().text());
        std::exit(1);
    }
    std::size_t particles = 0, coats = 0;
    for (const PreparedBody& body : bodies.value()) {
        if (!body.model.tissue) continue;
        particles += body.model.tissue->rig->size();
        ++coats;
    }
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) {
        fmt::print(stderr, "{}\n", ids.error().text());
        std::exit(1);
    }
    while (simulation.time() < before) simulation.step(1.0 / scene.step_rate);
    const double begin = simulation.time(), cpu = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    while (simulation.time() < begin + seconds) simulation.step(1.0 / scene.step_rate);
    const double used = processor_seconds() - cpu;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    fmt::print(
        "{}: {} bones, {} particles, fixed ones counted, {} thread(s): {:.2f} times real "
        "time by the clock, {:.2f} s of processor time per second, state {:016x}\n",
        name, coats, particles, threads, (simulation.time() - begin) / wall.count(),
        used / (simulation.time() - begin), simulation.state_hash());
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
    const std::string_view only = argc > 2 ? argv[2] : "";
    const int threads = argc > 3 ? std::atoi(argv[3]) : 0;
    const auto run = [&](const char* name, const std::string& text, int usual,
                         double before = 0.0) {
        if (!only.empty() && only != name) return;
        run_world(name, text, threads > 0 ? threads : usual, before, seconds);
    };
    run("hand", hand_text(), 1);
    run("heap", heap_text(0.01369), 2);
    run("light-heap", heap_text(0.0174), 2);
    run("room", room_text(), 1, 2.0);
    return 0;
}
