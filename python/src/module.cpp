// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/journal_io.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/player/player.h>
#include <ductile/export/usd/usd.h>
#include <ductile/material/material.h>
#include <ductile/scene/scene.h>

#include "bind.h"
#include "body_options.h"
#include "call_errors.h"
#include "convert.h"
#include "dent_args.h"
#include "mesh.h"
#include "press_args.h"
#include "show.h"

namespace ductile::python {
namespace {

template <class T>
std::vector<FieldLine> lines() {
    return field_lines<T>();
}

/// The options that may be asked about, by the names of what takes them.
struct Described {
    const char* name;
    std::vector<FieldLine> (*lines)();
};
constexpr Described kDescribed[] = {
    {"Material", &lines<Material>},
    {"Mesh.load", &lines<AssetOptions>},
    {"Mesh.solid", &lines<SolidOptions>},
    {"Simulation", &lines<WorldOptions>},
    {"Simulation.add_rigid", &lines<RigidOptions>},
    {"Simulation.add_deformable", &lines<DeformableOptions>},
    {"Simulation.set_motion", &lines<MotionOptions>},
    {"Simulation.schedule_hit", &lines<DentHit>},  // what it leaves unless told
    {"hits", &lines<RecordFields>},                // of every kind
    {"Mesh.painted", &lines<PaintOptions>},
    {"DentMap.projectile", &lines<ProjectileOptions>},
    {"DentMap.hit", &lines<DentHit>},
    {"Recording.draw", &lines<DrawOptions>},
    {"Recording.write_glb", &lines<GlbOptions>},
    {"Recording.write_player", &lines<PlayerOptions>},
    {"Recording.write_usd", &lines<UsdOptions>},
    {"press", &lines<FrameArgs>},
    {"press_both", &lines<SoftArgs>},
    {"press_refined", &lines<RefineArgs>},
    {"Presser", &lines<FrameArgs>},
    {"Presser.press", &lines<PlaceOptions>},
    {"Scene", &lines<Scene>},
};

py::list fields(const std::string& name) {
    std::string known;
    for (const Described& described : kDescribed) {
        known += (known.empty() ? "" : ", ") + std::string(described.name);
        if (name != described.name) continue;
        py::list out;
        for (const FieldLine& line : described.lines()) {
            py::dict entry;
            entry["path"] = line.path;
            entry["type"] = line.type;
            entry["range"] = line.range;
            entry["default"] = line.initial;
            entry["help"] = line.help;
            out.append(entry);
        }
        return out;
    }
    throw py::key_error("'" + name + "' is none of " + known);
}

}  // namespace
}  // namespace ductile::python

PYBIND11_MODULE(_core, module) {
    using namespace ductile::python;
    module.doc() = "The compiled part of the package ductile.";
    // Users see the package, not where its parts are compiled.
    const py::object own_name = module.attr("__name__");
    module.attr("__name__") = "ductile";
    define_error(module);
    bind_material(module);
    bind_mesh(module);
    bind_dent_map(module);
    bind_press(module);
    bind_journal(module);
    bind_recording(module);
    bind_simulation(module);
    bind_scene(module);
    module.def("fields", &fields, py::arg("name"),
               "What the keyword options of a call are: path, type, range, default, help of each.");
    module.attr("__version__") = DUCTILE_VERSION;
    reword_call_errors(module);
    module.attr("__name__") = own_name;
}
