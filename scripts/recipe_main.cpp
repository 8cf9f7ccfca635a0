// SPDX-License-Identifier: MIT
// What scripts/test_recipe.py runs: the deformer of CONTRIBUTING.md from options to a replay. It
// names the layer by its text alone, as a scene would.
#include <ductile/core/json_fields.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/layers.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>
#include <ductile/solids/solids.h>

#include <cstdio>

using namespace ductile;

namespace {

bool is_all_well = true;

void claim(bool ok, const char* what) {
    std::printf("%s - %s\n", ok ? "ok" : "not ok", what);
    is_all_well = is_all_well && ok;
}

}  // namespace

int main() {
    LayerOptions options;
    claim(set_field(options, "flatten.depth_per_speed=0.004").ok(),
          "a scene can ask for the layer");
    auto layers = make_layers(options);
    claim(layers.ok() && layers.value().size() == 1, "the list makes it");
    auto asset =
        std::make_shared<const SurfaceAsset>(make_solid({.kind = SolidKind::Sphere}).value());
    auto shape = make_body_shape(asset, {.material = find_material("lead").value()},
                                 std::move(layers).value())
                     .value();

    ScriptedEngine engine;
    Simulation sim(engine, {});
    BodyDesc floor;
    floor.motion = Motion::Static;
    floor.collider = BoxCollider{Vec3(10, 1, 10)};
    const double low = shape->box.lower.y();
    floor.pose_w.translation.y() = low - 0.5;
    const ObjectId ground = sim.add_rigid(floor, 14.0).value();
    const ObjectId ball = sim.add_deformable({.name = "ball"}, shape).value();
    Recorder recorder(30.0);
    recorder.watch(ball, "ball", asset, false);
    engine.script({.time = 0.01,
                   .a = sim.body(ball),
                   .b = sim.body(ground),
                   .point_w = {0, low, 0},
                   .normal_w = {0, -1, 0},
                   .velocity_w = {0, -10, 0}});
    for (int i = 0; i < 3; ++i) sim.step(0.01);
    recorder.capture(sim);

    const BodyState& state = sim.state(ball);
    claim(sim.journal(ball).hits().size() == 1, "an impact leaves a record");
    claim(bounds(state.points()).lower.y() > low + 0.03, "the ball is flat where it fell");
    const Json text = journal_to_json(sim.journal(ball));
    claim(text["hits"][0].contains("flatten"), "the journal names it");
    std::vector<Error> errors;
    const Journal back = journal_from_json(text, "", errors);
    const std::vector<Vec3> replayed = shape_at(*shape, back, sim.time());
    claim(errors.empty() && std::equal(replayed.begin(), replayed.end(), state.points().begin()),
          "a replay of its text gives the same bits");
    const Recording film = std::move(recorder).finish(sim);
    claim(film.hits.size() == 1 && film.hits[0].kind == "flatten" && film.hits[0].size == 0.04,
          "the recording has its mark");
    return is_all_well ? 0 : 1;
}
