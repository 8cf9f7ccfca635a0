// SPDX-License-Identifier: MIT
// The table "held / lost at" of rigid and soft fingers over friction and tilt, four scenarios.
// `bench_grips SCENES [SECONDS [FRICTION TILT]]`: SCENES is the folder of grip-1.json and the
// others; all cells, or the one asked for with its numbers.
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <type_traits>
#include <vector>

using namespace ductile;

namespace {

// The block is lost once it hangs so much of its height below where it was taken.
constexpr double kLostShare = 0.5;

struct GripResult {
    double lost_at = -1.0;  ///< [s]; negative: held.
    Vec3 range =
        Vec3::Zero();   ///< Of the block's offset while it is held up, against the fingers [m].
    double wall = 0.0;  ///< [s]
};

SceneBody& body_of(Scene& scene, const std::string& name) {
    for (SceneBody& body : scene.bodies) {
        if (body.name == name) return body;
    }
    fmt::print(stderr, "no body {}\n", name);
    std::exit(1);
}

void set_grip(Scene& scene, double friction, double tilt, bool is_rigid) {
    for (SceneBody& body : scene.bodies) {
        Material card;
        visit_changes(body.material_changes, card,
                      [&](const Field& field, const auto& member, auto& change) {
                          if constexpr (std::is_same_v<decltype(member), const double&>) {
                              if (field.name == "friction") change = std::sqrt(friction);
                          }
                      });
    }
    for (const double side : {-1.0, 1.0}) {
        SceneBody& finger = body_of(scene, side < 0 ? "left" : "right");
        const double reach = 0.02 * (std::cos(tilt) + std::sin(tilt));
        finger.position.x() =
            side * (0.5 * body_of(scene, "block").solid.size.x() + reach + 0.0005);
        finger.rotation = Quat(Eigen::AngleAxisd(side * tilt, Vec3::UnitY()));
        finger.tissue->is_rigid = is_rigid;
    }
}

GripResult run_grip(const Scene& scene, double seconds) {
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
    GripResult out;
    Box offsets;
    const auto start = std::chrono::steady_clock::now();
    while (simulation.time() < seconds && out.lost_at < 0) {
        simulation.step(1.0 / scene.step_rate);
        Vec3 offset = place(0) - block;
        offset.y() -= place(1).y() - finger.y();
        if (offset.y() < -kLostShare * height) out.lost_at = simulation.time();
        offsets.add(offset);
    }
    out.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.range = offsets.upper - offsets.lower;
    return out;
}

std::string cell(const GripResult& grip) {
    return grip.lost_at < 0 ? "held" : fmt::format("{:.1f}", grip.lost_at);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "bench_grips SCENES [SECONDS [FRICTION TILT]]\n");
        return 1;
    }
    const double seconds = argc > 2 ? std::atof(argv[2]) : 60.0;
    std::vector<double> frictions, tilts;
    for (int i = 0; i <= 10; ++i) frictions.push_back(0.1 + 0.05 * i);
    for (int i = 0; i <= 5; ++i) tilts.push_back(0.1 * i);
    if (argc > 4) {
        frictions = {std::atof(argv[3])};
        tilts = {std::atof(argv[4])};
    }
    for (int scenario = 1; scenario <= 4; ++scenario) {
        const auto path = std::filesystem::path(argv[1]) / fmt::format("grip-{}.json", scenario);
        const LoadedScene loaded = load_scene(path);
        for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
        if (!loaded.ok()) return 1;
        // Each cell is a world of its own.
        std::vector<GripResult> cells(frictions.size() * tilts.size() * 2);
        parallel_for(cells.size(), 1, [&](std::size_t i) {
            const SerialScope serial;
            Scene scene = loaded.scene;
            set_grip(scene, frictions[i / 2 / tilts.size()], tilts[i / 2 % tilts.size()],
                     i % 2 == 0);
            cells[i] = run_grip(scene, seconds);
        });
        fmt::print("grip-{} rigid/soft, held {} s or lost at [s]\nfriction", scenario, seconds);
        for (const double tilt : tilts) fmt::print("  tilt {:3.1f}   ", tilt);
        fmt::print("\n");
        for (std::size_t f = 0; f < frictions.size(); ++f) {
            fmt::print("{:8.2f}", frictions[f]);
            for (std::size_t t = 0; t < tilts.size(); ++t) {
                const GripResult* two = &cells[2 * (f * tilts.size() + t)];
                fmt::print("  {:>4}/{:<5}", cell(two[0]), cell(two[1]));
            }
            fmt::print("\n");
        }
        if (argc > 4) {
            const double height = loaded.scene.bodies[0].solid.size.y();
            for (int k = 0; k < 2; ++k) {
                fmt::print(
                    "{}: range of dx, dy, dz {:.2f} {:.2f} {:.2f} % of the height, {:.3f} s "
                    "per second\n",
                    k == 0 ? "rigid" : "soft", 100 * cells[k].range.x() / height,
                    100 * cells[k].range.y() / height, 100 * cells[k].range.z() / height,
                    cells[k].wall / seconds);
            }
        }
    }
    return 0;
}
