// SPDX-License-Identifier: MIT
// What ductile adds to a scene: processor time of the engine's own step against that of everything
// around it (impacts, decisions, shapes, colliders told), and both against plain Bullet with copies
// of the same bodies that nothing dents, step by step in one run. One thread.
// What bends cuts its steps into parts by itself: there the whole step is timed (prediction,
// waking, the engine, records, shapes), apart for steps in which nothing was awake and for those in
// which most was and nothing more woke. One more rival there: Bullet alone with the bodies and
// joints that bending has at the time (made anew, untimed, when they change), in whole steps.
// `bench_scene_share SCENE.json [NAME=VALUE ...]`. Names:
//   seconds=5        how much of the scene
//   rate=250         steps per second, instead of the scene's
//   meshes=yes       one more rival: what deforms is a triangle mesh (GImpact) that never changes
//   set=PATH=VALUE   a field of the scene, as --set does; may be repeated
//   plot=FILE.svg    ms per frame of 1/60 s, as figure 11 of Jones et al. 2016
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include "plain_world.h"
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace ductile;

namespace {

constexpr double kFrameRate = 60.0;

struct ShareAsked {
    std::string scene, plot;
    std::vector<std::string> overrides;
    std::optional<double> seconds, rate;
    bool has_meshes = false;
};

/// Processor time of a call [ms].
template <class Call>
double spent(Call&& call) {
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
    };
    const double from = now();
    call();
    return now() - from;
}

/// Of one step, or of many [ms].
struct StepTimes {
    double engine = 0.0, own = 0.0, plain = 0.0, meshes = 0.0, parted = 0.0;

    void add(const StepTimes& o) {
        engine += o.engine;
        own += o.own;
        plain += o.plain;
        meshes += o.meshes;
    }
};

/// Bodies of the engine beyond one per object: those of skeletons that are awake.
std::size_t extra_bodies(const Simulation& simulation) {
    std::size_t extra = 0;
    for (const ObjectId id : simulation.objects()) extra += simulation.bodies(id).size() - 1;
    return extra;
}

/// Whole steps of what bends, by how much of it was awake.
struct BendTimes {
    struct Sum {
        int steps = 0;
        double own = 0.0, plain = 0.0, parted = 0.0;  // [ms]
    };
    Sum idle, awake, busiest, all;
    std::size_t most = 0;

    void add(std::size_t extra, bool is_waking, const StepTimes& step) {
        if (extra > most) busiest = {};
        most = std::max(most, extra);
        const bool is_busiest = extra == most && most > 0 && !is_waking;
        for (Sum* sum : {&all, extra > 0 ? &awake : &idle, is_busiest ? &busiest : nullptr}) {
            if (!sum) continue;
            ++sum->steps;
            sum->own += step.own;
            sum->plain += step.plain;
            sum->parted += step.parted;
        }
    }
    void print(const SimReport& report) const {
        fmt::print("  {} wakings, {} missed, {} records, {} bodies more at most\n", report.wakings,
                   report.missed_impacts, report.hits, most);
        for (const auto& [name, sum] : {std::pair("nothing awake", idle),
                                        {"something awake", awake},
                                        {"most of all awake", busiest},
                                        {"the whole", all}}) {
            if (sum.steps == 0) continue;
            fmt::print(
                "  {:<22} {:>5} steps, {:7.2f} ms each, plain Bullet {:7.2f} ms: {:.3f}; Bullet "
                "with these bodies and joints {:.3f}\n",
                name, sum.steps, sum.own / sum.steps, sum.plain / sum.steps, sum.own / sum.plain,
                sum.parted / sum.plain);
        }
    }
};

/// Bullet with the whole surface of everything that deforms as a triangle mesh, as Jones et al.
/// have it; the others as they are. Meshes stay as they are at rest: moving them would cost more.
class MeshWorld {
public:
    MeshWorld(BulletEngine& engine, const Simulation& simulation)
        : plain_(engine.world(),
                 [&](const btRigidBody& body) { return mesh_of(engine, simulation, body); }) {
        btGImpactCollisionAlgorithm::registerAlgorithm(&plain_.dispatcher());
    }
    void step(double dt) { plain_.step(dt); }

private:
    std::unique_ptr<btCollisionShape> mesh_of(BulletEngine& engine, const Simulation& simulation,
                                              const btRigidBody& body) {
        const BodyId id = engine.id_of(body);
        const ObjectId object = simulation.object_of(id);
        if (!simulation.has(object) || !simulation.is_deformable(object)) return nullptr;
        const Transform pose_w = engine.motion(id).pose_w;
        const btTransform to_centre = body.getWorldTransform().inverse();
        const BodyState& state = simulation.state(object);
        auto triangles = std::make_unique<btTriangleMesh>();
        for (const Triangle& t : state.shape().triangles()) {
            const auto corner = [&](int k) {
                const Vec3 p = pose_w.point(state.points()[static_cast<std::size_t>(t[k])]);
                return to_centre * btVector3(btScalar(p.x()), btScalar(p.y()), btScalar(p.z()));
            };
            triangles->addTriangle(corner(0), corner(1), corner(2));
        }
        auto mesh = std::make_unique<btGImpactMeshShape>(triangles.get());
        mesh->setMargin(btScalar(0.001));
        mesh->updateBound();
        triangles_.push_back(std::move(triangles));
        return mesh;
    }

    std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
    PlainWorld plain_;
};

// At least `ms`, and a quarter of it is a round number.
double round_top(double ms) {
    const double decade = std::pow(10.0, std::floor(std::log10(ms / 4.0)));
    for (const double step : {1.0, 2.0, 2.5, 5.0}) {
        if (4.0 * step * decade >= ms) return 4.0 * step * decade;
    }
    return 40.0 * decade;
}

// Stacked areas: the engine's part below, ours on top of it, rivals as lines.
std::string frame_plot(const std::vector<StepTimes>& frames, const std::string& title,
                       bool has_meshes) {
    constexpr double kWidth = 760.0, kHeight = 340.0, kLeft = 62.0, kTop = 44.0, kBottom = 44.0;
    double most = 0.0;
    for (const StepTimes& f : frames)
        most = std::max({most, f.engine + f.own, f.plain, has_meshes ? f.meshes : 0.0});
    most = round_top(most);
    const double across = (kWidth - kLeft - 24.0) / std::max<double>(1.0, double(frames.size()));
    const double up = (kHeight - kTop - kBottom) / most;
    const auto place = [&](std::size_t i, double ms) {
        return fmt::format("{:.1f},{:.1f} ", kLeft + across * (double(i) + 0.5),
                           kHeight - kBottom - up * ms);
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{2:.0f}\" y=\"20\" font-size=\"14\">{3}</text>\n",
        kWidth, kHeight, kLeft, title);
    for (int k = 0; k <= 4; ++k) {
        const double y = kHeight - kBottom - up * most * k / 4.0;
        const double x = kLeft + across * double(frames.size()) * k / 4.0;
        out += fmt::format(
            "<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
            "<text x=\"{3:.0f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.3g} ms</text>"
            "<text x=\"{6:.1f}\" y=\"{7:.0f}\" text-anchor=\"middle\">{8:.3g} s</text>\n",
            kLeft, kWidth - 24.0, y, kLeft - 4.0, y + 4.0, most * k / 4.0, x,
            kHeight - kBottom + 18.0, double(frames.size()) / kFrameRate * k / 4.0);
    }
    struct Curve {
        const char *name, *colour;
        bool is_area;
        double (*of)(const StepTimes&);
    };
    std::vector<Curve> curves = {
        {"ductile on top of it", "#c01c28", true,
         [](const StepTimes& f) { return f.engine + f.own; }},
        {"Bullet's step in ductile", "#99c1f1", true, [](const StepTimes& f) { return f.engine; }},
        {"plain Bullet, same pieces", "#1a5fb4", false, [](const StepTimes& f) { return f.plain; }},
    };
    if (has_meshes) {
        curves.push_back({"Bullet, triangle meshes", "#613583", false,
                          [](const StepTimes& f) { return f.meshes; }});
    }
    double legend = 16.0;
    for (const Curve& curve : curves) {
        out += curve.is_area
                   ? fmt::format("<polygon fill=\"{}\" points=\"{}", curve.colour, place(0, 0.0))
                   : fmt::format(
                         "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" "
                         "points=\"",
                         curve.colour);
        for (std::size_t i = 0; i < frames.size(); ++i) out += place(i, curve.of(frames[i]));
        if (curve.is_area) out += place(frames.size() - 1, 0.0);
        out += fmt::format(
            "\"/>\n<rect x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"14\" height=\"8\" fill=\"{2}\"/>"
            "<text x=\"{3:.0f}\" y=\"{4:.0f}\">{5}</text>\n",
            legend, kHeight - 16.0, curve.colour, legend + 18.0, kHeight - 8.0, curve.name);
        legend += 30.0 + 6.2 * static_cast<double>(std::string_view(curve.name).size());
    }
    return out + "</svg>\n";
}

int measure_share(const Scene& scene, const ShareAsked& asked) {
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
    std::optional<MeshWorld> meshes;
    if (asked.has_meshes) meshes.emplace(*engine, simulation);
    const double rate = scene.step_rate, seconds = asked.seconds.value_or(scene.duration);
    const auto steps = static_cast<int>(seconds * rate);
    std::vector<StepTimes> frames;
    StepTimes all;
    BendTimes bend;
    std::unique_ptr<PlainWorld> parted;
    int parted_size = 0;
    const bool is_bent =
        std::any_of(scene.bodies.begin(), scene.bodies.end(),
                    [](const SceneBody& body) { return body.layers.bend.has_value(); });
    double worst_ms = 0.0;
    for (int k = 0; k < steps; ++k) {
        StepTimes step;
        step.plain = spent([&] { plain.step(1.0 / rate); });
        if (meshes) step.meshes = spent([&] { meshes->step(1.0 / rate); });
        if (is_bent) {
            const std::size_t before = extra_bodies(simulation);
            const btAlignedObjectArray<btCollisionObject*>& objects =
                engine->world().getCollisionObjectArray();
            if (!parted || parted_size != objects.size()) {
                parted_size = objects.size();
                parted = std::make_unique<PlainWorld>(
                    engine->world(), PlainWorld::ShapeOf(), [&](const btRigidBody& body) {
                        return static_cast<int>(simulation.object_of(engine->id_of(body)).value);
                    });
                parted->step(1.0 / rate);  // pairs are found and contacts made
            }
            step.parted = spent([&] { parted->step(1.0 / rate); });
            step.own = spent([&] { simulation.step(1.0 / rate); });
            const std::size_t after = extra_bodies(simulation);
            bend.add(std::max(before, after), after > before, step);
        } else {
            step.own = spent([&] { simulation.before_engine_step(1.0 / rate); });
            step.engine = spent([&] { engine->step(1.0 / rate); });
            step.own += spent([&] { simulation.after_engine_step(1.0 / rate); });
        }
        worst_ms = std::max(worst_ms, step.own);
        all.add(step);
        frames.resize(static_cast<std::size_t>(k * kFrameRate / rate) + 1);
        frames.back().add(step);
    }
    const SimReport& report = simulation.report();
    const double whole = all.engine + all.own;
    fmt::print("{}: {} bodies, {} steps of 1/{} s, one thread, processor time\n", asked.scene,
               bodies.value().size(), steps, rate);
    fmt::print("  plain Bullet {:10.3f} ms per step, nothing dents\n", all.plain / steps);
    fmt::print("  with ductile {:10.3f} ms in all, {:.2f} x plain Bullet, {:.2f} x real time\n",
               whole / steps, whole / all.plain, 1e3 * steps / rate / whole);
    if (is_bent) {
        bend.print(report);
    } else {
        fmt::print("    in Bullet  {:10.3f} ms per step\n", all.engine / steps);
        fmt::print(
            "    in ductile {:10.3f} ms per step: {:.1f} % of plain Bullet's, {:.1f} % of its own "
            "Bullet's (goal for dent-hail: 15 %)\n",
            all.own / steps, 100.0 * all.own / all.plain, 100.0 * all.own / all.engine);
    }
    if (meshes) {
        fmt::print(
            "  triangle meshes {:7.3f} ms per step, nothing dents; with ductile {:.3f} of it\n",
            all.meshes / steps, whole / all.meshes);
    }
    const double hits = std::max(1.0, static_cast<double>(report.hits));
    fmt::print(
        "  {} hits, {:.3f} ms and {:.1f} updates of a body each, {:.1f} of them whole; the worst "
        "step {:.2f} ms; at most {} waiting\n",
        report.hits, all.own / hits, static_cast<double>(report.reshapes) / hits,
        static_cast<double>(report.reshapes - report.light_reshapes) / hits, worst_ms,
        report.most_waiting);
    fmt::print("  state {:016x}\n", simulation.state_hash());
    if (asked.plot.empty() || frames.empty()) return 0;
    const std::string title = fmt::format("{}: processor time per frame of 1/60 s", asked.scene);
    const Status done = write_file(asked.plot, frame_plot(frames, title, asked.has_meshes));
    if (!done) fmt::print(stderr, "{}\n", done.error().text());
    return done ? 0 : 1;
}

bool read_word(std::string_view word, ShareAsked& asked) {
    const std::size_t at = word.find('=');
    if (at == std::string_view::npos) return false;
    const std::string_view name = word.substr(0, at);
    const std::string text(word.substr(at + 1));
    if (name == "plot") asked.plot = text;
    if (name == "set") asked.overrides.push_back(text);
    if (name == "meshes") asked.has_meshes = text == "yes";
    if (name == "seconds") asked.seconds = std::atof(text.c_str());
    if (name == "rate") asked.rate = std::atof(text.c_str());
    constexpr std::array<std::string_view, 5> names = {"plot", "meshes", "seconds", "rate", "set"};
    return std::find(names.begin(), names.end(), name) != names.end() &&
           asked.rate.value_or(1.0) > 0.0;
}

}  // namespace

int main(int argc, char** argv) {
    ShareAsked asked;
    bool is_fine = argc > 1;
    for (int i = 2; i < argc; ++i) is_fine = is_fine && read_word(argv[i], asked);
    if (!is_fine) {
        fmt::print(stderr,
                   "bench_scene_share SCENE.json [seconds=5] [rate=250] [meshes=yes] "
                   "[set=PATH=VALUE] [plot=FILE.svg]\n");
        return 1;
    }
    asked.scene = argv[1];
    LoadedScene loaded = load_scene(asked.scene, asked.overrides);
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) return 1;
    if (asked.rate) loaded.scene.step_rate = *asked.rate;
    const ThreadLimit one_thread(1);
    return measure_share(loaded.scene, asked);
}
