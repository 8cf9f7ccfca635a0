// SPDX-License-Identifier: MIT
// What a hit towards example poses costs with all of its fade, by how much of the body it reaches,
// against one update of the whole body: a hit of full amount that moves every point in one step.
// `bench_example_cost SCENE.json`: the first body of each kind that has a rig. One thread,
// processor time of everything but the engine's own step; medians over ten places.
#include <ductile/core/parallel.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ductile;

namespace {

constexpr double kStep = 1.0 / 240.0, kFade = 0.25;  // [s]
constexpr int kPlaces = 10;

double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// A body of the scene by itself, without weight.
struct Alone {
    std::unique_ptr<BulletEngine> engine;
    Simulation simulation;
    ObjectId id;

    Alone(const Scene& scene, std::shared_ptr<const BodyShape> shape)
        : engine(BulletEngine::make(weightless(scene))),
          simulation(*engine, scene.simulation),
          id(simulation.add_deformable({}, std::move(shape)).value()) {}

    static BulletOptions weightless(const Scene& scene) {
        BulletOptions options = engine_options<BulletOptions>(scene);
        options.gravity = Vec3::Zero();
        return options;
    }

    double step_ms() {
        const double from = processor_ms();
        simulation.before_engine_step(kStep);
        const double before = processor_ms() - from;
        engine->step(kStep);
        const double again = processor_ms();
        simulation.after_engine_step(kStep);
        return before + processor_ms() - again;
    }
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// The radius that reaches a share of the points from a place.
double radius_for(const BodyShape& shape, const ExampleData& data, const Vec3& place,
                  double share) {
    double low = 0.0, high = 4.0 * shape.size;
    for (int i = 0; i < 30; ++i) {
        const double radius = 0.5 * (low + high);
        const auto spread = data.spread(std::span(&place, 1), radius);
        const auto reached =
            std::count_if(spread->begin(), spread->end(), [](double x) { return x > 0.0; });
        (static_cast<double>(reached) < share * static_cast<double>(spread->size()) ? low : high) =
            radius;
    }
    return high;
}

struct Cost {
    double ms = 0.0, updates = 0.0, whole = 0.0;
};

Cost cost_of(const Scene& scene, const std::shared_ptr<const BodyShape>& shape, double share,
             double duration) {
    const auto& data = *shape->data<ExampleData>();
    std::vector<double> ms, updates, whole;
    for (int place = 0; place < kPlaces; ++place) {
        Alone alone(scene, shape);
        const std::size_t at = shape->rest().size() * (2 * place + 1) / (2 * kPlaces);
        ExampleHit hit;
        hit.position_b = shape->rest()[at];
        hit.radius = radius_for(*shape, data, hit.position_b, share);
        const auto& poses = data.rig().poses;
        hit.changes = {{poses[static_cast<std::size_t>(place) % poses.size()].name, 0.4}};
        alone.step_ms();
        (void)alone.simulation.schedule_hit(alone.id, alone.simulation.time(), duration, hit);
        double sum = 0.0;
        for (int k = 0; k < (duration > 0.0 ? 80 : 1); ++k) sum += alone.step_ms();
        const SimReport& report = alone.simulation.report();
        ms.push_back(sum);
        updates.push_back(static_cast<double>(report.reshapes));
        whole.push_back(static_cast<double>(report.reshapes - report.light_reshapes));
    }
    return {median(ms), median(updates), median(whole)};
}

/// The frames of all points once, three poses each: what no update of the whole body can do
/// without.
double skin_ms(const BodyShape& shape) {
    const auto& data = *shape.data<ExampleData>();
    std::vector<double> shares(data.pose_count(), 0.0), ms;
    for (std::size_t e = 0; e < std::min<std::size_t>(3, shares.size()); ++e) shares[e] = 0.2;
    volatile double sink = 0.0;
    for (int round = 0; round < 21; ++round) {
        const double from = processor_ms();
        double sum = 0.0;
        for (std::size_t v = 0; v + 1 < shape.rest().size(); v += 2) {
            const auto [a, b] = data.frames().two_frames({v, shares}, {v + 1, shares});
            sum += a.point(shape.rest()[v]).x() + b.point(shape.rest()[v + 1]).x();
        }
        sink = sum;
        ms.push_back(processor_ms() - from);
    }
    (void)sink;
    return median(ms);
}

void measure(const Scene& scene, const PreparedBody& body) {
    const std::shared_ptr<const BodyShape>& shape = body.shape();
    const Cost all = cost_of(scene, shape, 0.999, 0.0);
    fmt::print("{}: {} points; an update of the whole body {:.2f} ms, its skin alone {:.2f} ms\n",
               body.name, shape->rest().size(), all.ms, skin_ms(*shape));
    for (const double share : {0.05, 0.1, 0.25, 0.5, 0.999}) {
        const Cost cost = cost_of(scene, shape, share, kFade);
        fmt::print(
            "  a hit with a fade of {} s that reaches {:3.0f} %: {:6.2f} ms, as {:.2f} of those; "
            "{:.0f} "
            "updates, {:.0f} of them with mass and pieces\n",
            kFade, 100.0 * share, cost.ms, cost.ms / all.ms, cost.updates, cost.whole);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "bench_example_cost SCENE.json\n");
        return 1;
    }
    const LoadedScene loaded = load_scene(argv[1], {});
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) return 1;
    const ThreadLimit one_thread(1);
    const auto bodies = prepare_bodies(loaded.scene);
    if (!bodies) {
        fmt::print(stderr, "{}\n", bodies.error().text());
        return 1;
    }
    std::set<const BodyShape*> seen;
    for (const PreparedBody& body : bodies.value()) {
        if (!body.shape() || !body.shape()->data<ExampleData>()) continue;
        if (seen.insert(body.shape().get()).second) measure(loaded.scene, body);
    }
    return 0;
}
