// SPDX-License-Identifier: MIT
// The table "held / lost at" of rigid and soft fingers over friction and tilt, four scenarios.
// `bench_grips SCENES [NAME=VALUE ...]`: SCENES is the folder of grip-1.json and the others. Names:
//   seconds=60      how long a block has to be held
//   friction=0.5 tilt=0.3   one cell with its numbers instead of all cells
//   scenario=2      one of the four
//   fingers=rigid   or soft: only these
//   rate=240        steps per second
//   iterations=300  rounds of the engine's solver
//   mass=0.01       of the block, in masses of a finger
//   trace=0.05      prints the block's offset against the fingers every so many seconds
//   miss=0.2        how far beside the block's middle the fingers grip, in widths of a finger
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace ductile;

namespace {

// The block is lost once it hangs so much of its height below where it was taken.
constexpr double kLostShare = 0.5;
// Width of a finger, over the coat [m].
constexpr double kFingerWidth = 0.04;

struct GripAsked {
    std::string scenes;
    double seconds = 60.0;
    std::optional<double> friction, tilt, rate, mass, iterations;
    int scenario = 0;  ///< 0: all.
    bool is_rigid_asked = true, is_soft_asked = true;
    double miss = 0.0;
    double trace = 0.0;  ///< [s]; 0: none.
};

struct GripCell {
    double friction = 0.5, tilt = 0.3;
    bool is_rigid = false;
};

struct GripResult {
    bool is_run = false;
    double lost_at = -1.0;  ///< [s]; negative: held.
    Vec3 range =
        Vec3::Zero();  ///< Of the block's offset while it is held up, against the fingers [m].
    double sag = 0.0;  ///< How far below the fingers' way it hangs in the end [m].
    double cpu = 0.0;  ///< Processor time [s].
};

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

SceneBody& body_of(Scene& scene, const std::string& name) {
    for (SceneBody& body : scene.bodies) {
        if (body.name == name) return body;
    }
    fmt::print(stderr, "no body {}\n", name);
    std::exit(1);
}

void set_friction(SceneBody& body, double friction) {
    Material card;
    visit_changes(body.material_changes, card,
                  [&](const Field& field, const auto& member, auto& change) {
                      if constexpr (std::is_same_v<decltype(member), const double&>) {
                          if (field.name == "friction") change = friction;
                      }
                  });
}

void set_grip(Scene& scene, const GripCell& cell, const GripAsked& asked) {
    for (SceneBody& body : scene.bodies) set_friction(body, std::sqrt(cell.friction));
    SceneBody& block = body_of(scene, "block");
    for (const double side : {-1.0, 1.0}) {
        SceneBody& finger = body_of(scene, side < 0 ? "left" : "right");
        const double reach = 0.5 * kFingerWidth * (std::cos(cell.tilt) + std::sin(cell.tilt));
        finger.position.x() = side * (0.5 * block.solid.size.x() + reach + 0.0005);
        finger.position.z() += asked.miss * kFingerWidth;
        finger.rotation = Quat(Eigen::AngleAxisd(side * cell.tilt, Vec3::UnitY()));
        finger.tissue->is_rigid = cell.is_rigid;
        if (asked.mass) block.mass = *asked.mass * (finger.mass + finger.tissue->mass);
    }
    if (asked.rate) scene.step_rate = *asked.rate;
    if (asked.iterations) scene.solver_iterations = static_cast<int>(*asked.iterations);
}

GripResult run_grip(const Scene& scene, const GripAsked& asked) {
    const auto bodies = prepare_bodies(scene);
    if (!bodies) {
        fmt::print(stderr, "{}\n", bodies.error().text());
        std::exit(1);
    }
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder).value();
    const auto place = [&](std::size_t i) { return simulation.motion(ids[i]).pose_w.translation; };
    const Vec3 block = place(0), finger = place(1);
    const double height = scene.bodies[0].solid.size.y();
    GripResult out{.is_run = true};
    Box offsets;
    const double start = thread_seconds();
    double next_trace = asked.trace;
    while (simulation.time() < asked.seconds && out.lost_at < 0) {
        simulation.step(1.0 / scene.step_rate);
        Vec3 offset = place(0) - block;
        offset.y() -= place(1).y() - finger.y();
        if (offset.y() < -kLostShare * height) out.lost_at = simulation.time();
        offsets.add(offset);
        out.sag = -offset.y();
        if (asked.trace > 0 && simulation.time() >= next_trace - 1e-9) {
            fmt::print("{:.3f} s: offset {:.4f} {:.4f} {:.4f} mm\n", simulation.time(),
                       1000 * offset.x(), 1000 * offset.y(), 1000 * offset.z());
            next_trace += asked.trace;
        }
    }
    out.cpu = thread_seconds() - start;
    out.range = offsets.upper - offsets.lower;
    return out;
}

std::string cell_text(const GripResult& grip) {
    if (!grip.is_run) return "";
    return grip.lost_at < 0 ? "held" : fmt::format("{:.1f}", grip.lost_at);
}

bool read_word(std::string_view word, GripAsked& asked) {
    const std::size_t at = word.find('=');
    if (at == std::string_view::npos) return false;
    const std::string_view name = word.substr(0, at);
    const std::string text(word.substr(at + 1));
    if (name == "fingers") {
        asked.is_rigid_asked = text != "soft";
        asked.is_soft_asked = text != "rigid";
        return text == "soft" || text == "rigid";
    }
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') return false;
    if (name == "seconds")
        asked.seconds = value;
    else if (name == "friction")
        asked.friction = value;
    else if (name == "tilt")
        asked.tilt = value;
    else if (name == "scenario")
        asked.scenario = static_cast<int>(value);
    else if (name == "rate")
        asked.rate = value;
    else if (name == "mass")
        asked.mass = value;
    else if (name == "miss")
        asked.miss = value;
    else if (name == "trace")
        asked.trace = value;
    else if (name == "iterations")
        asked.iterations = value;
    else
        return false;
    return true;
}

std::vector<double> steps(const std::optional<double>& one, double from, double by, int count) {
    if (one) return {*one};
    std::vector<double> out;
    for (int i = 0; i < count; ++i) out.push_back(from + by * i);
    return out;
}

void print_numbers(const Scene& scene, const GripAsked& asked, const GripResult* two) {
    const double height = scene.bodies[0].solid.size.y();
    for (int k = 0; k < 2; ++k) {
        const GripResult& grip = two[k];
        if (!grip.is_run) continue;
        const double ran = grip.lost_at < 0 ? asked.seconds : grip.lost_at;
        fmt::print(
            "{}: range of dx, dy, dz {:.2f} {:.2f} {:.2f} % of the height, sag {:.4f} mm, "
            "{:.1f} times real time\n",
            k == 0 ? "rigid" : "soft", 100 * grip.range.x() / height, 100 * grip.range.y() / height,
            100 * grip.range.z() / height, 1000 * grip.sag, ran / grip.cpu);
    }
}

void run_scenario(const Scene& loaded, int scenario, const GripAsked& asked) {
    const std::vector<double> frictions = steps(asked.friction, 0.1, 0.05, 11);
    const std::vector<double> tilts = steps(asked.tilt, 0.0, 0.1, 6);
    // Each cell is a world of its own.
    std::vector<GripResult> cells(frictions.size() * tilts.size() * 2);
    parallel_for(cells.size(), 1, [&](std::size_t i) {
        const SerialScope serial;
        const GripCell cell{frictions[i / 2 / tilts.size()], tilts[i / 2 % tilts.size()],
                            i % 2 == 0};
        if (!(cell.is_rigid ? asked.is_rigid_asked : asked.is_soft_asked)) return;
        Scene scene = loaded;
        set_grip(scene, cell, asked);
        cells[i] = run_grip(scene, asked);
    });
    fmt::print("grip-{} rigid/soft, held {} s or lost at [s]\nfriction", scenario, asked.seconds);
    for (const double tilt : tilts) fmt::print("  tilt {:3.1f}   ", tilt);
    fmt::print("\n");
    for (std::size_t f = 0; f < frictions.size(); ++f) {
        fmt::print("{:8.2f}", frictions[f]);
        for (std::size_t t = 0; t < tilts.size(); ++t) {
            const GripResult* two = &cells[2 * (f * tilts.size() + t)];
            fmt::print("  {:>4}/{:<5}", cell_text(two[0]), cell_text(two[1]));
        }
        fmt::print("\n");
    }
    if (cells.size() == 2) print_numbers(loaded, asked, cells.data());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    GripAsked asked;
    bool is_read = argc > 1;
    for (int i = 2; i < argc; ++i) is_read = is_read && read_word(argv[i], asked);
    if (!is_read) {
        fmt::print(stderr,
                   "bench_grips SCENES [seconds=S] [friction=F] [tilt=RAD] [scenario=1..4] "
                   "[fingers=rigid|soft] [rate=HZ] [iterations=N] [mass=SHARE] [miss=SHARE] "
                   "[trace=SECONDS]\n");
        return 1;
    }
    for (int scenario = 1; scenario <= 4; ++scenario) {
        if (asked.scenario != 0 && asked.scenario != scenario) continue;
        const auto path = std::filesystem::path(argv[1]) / fmt::format("grip-{}.json", scenario);
        const LoadedScene loaded = load_scene(path);
        for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
        if (!loaded.ok()) return 1;
        run_scenario(loaded.scene, scenario, asked);
    }
    return 0;
}
