// SPDX-License-Identifier: MIT
#include "filmed_body.h"

#include <ductile/core/field_messages.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/run_frames.h>

#include "interrupt.h"

#include <string_view>
#include <utility>
#include <vector>

namespace ductile::cli {

Result<FilmedBody> film_body(const Scene& scene, const std::string& name,
                             const Progress& progress) {
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene, progress, stop_flag());
    if (!bodies) return bodies.error();
    std::size_t at = 0;
    while (at < bodies.value().size() && bodies.value()[at].name != name) ++at;
    if (at == bodies.value().size()) {
        std::vector<std::string_view> known;
        for (const PreparedBody& body : bodies.value()) known.push_back(body.name);
        return Error{"there is no such body", name, suggestion(name, known)};
    }
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) return ids.error();
    const FrameRun run{.max_frames = 0, .may_go_on = go_on, .progress = progress};
    if (Status ran = run_frames(scene, simulation, recorder, run); !ran) return ran.error();
    return FilmedBody{std::move(recorder).finish(simulation), at, std::move(bodies.value()[at])};
}

}  // namespace ductile::cli
