// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/scene_body.h>
#include <ductile/sim/simulation.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ductile::python {

// Options of Simulation's calls, put together from the field lists of the library: a knob has one
// description, in C++, scenes and Python.

/// A world of its own and how impacts become shapes in it.
struct WorldOptions {
    BulletOptions engine;
    SimOptions simulation;
};
template <class Visitor>
void visit_fields(WorldOptions& o, Visitor&& field) {
    visit_fields(o.engine, [&](const Field& f, auto& value) {
        // Of attached worlds only.
        if (f.name != "max_sub_steps" && f.name != "fixed_dt") field(f, value);
    });
    visit_fields(o.simulation, field);
}

/// A body as a scene has it, less what its mesh tells.
struct RigidOptions {
    std::string name;
    SceneBody body;
};
template <class Visitor>
void visit_fields(RigidOptions& o, Visitor&& field) {
    constexpr std::array kShapes = {"solid",  "mesh",           "surface_mesh", "mesh_options",
                                    "keys",   "collider_inset", "colours",      "layers",
                                    "copies", "position"};
    field(Field{"name", "", 0, 0, "for reports and recordings"}, o.name);
    field(Field{"position", "m", -1e5, 1e5, "where the mesh's origin is"}, o.body.position);
    visit_fields(o.body, [&](const Field& f, auto& value) {
        if (std::find(kShapes.begin(), kShapes.end(), f.name) == kShapes.end()) field(f, value);
    });
}

/// The same, with layers and always in pieces.
struct DeformableOptions {
    RigidOptions rigid;
};
template <class Visitor>
void visit_fields(DeformableOptions& o, Visitor&& field) {
    visit_fields(o.rigid, [&](const Field& f, auto& value) {
        if (f.name != "collider") field(f, value);
    });
    visit_fields(o.rigid.body.layers, field);
}

/// Where a body is put and how it moves on; what is left out stays.
struct MotionOptions {
    Vec3 position = Vec3::Zero();
    Quat rotation = Quat::Identity();
    Vec3 velocity = Vec3::Zero();
    Vec3 spin = Vec3::Zero();
};
template <class Visitor>
void visit_fields(MotionOptions& o, Visitor&& field) {
    field(Field{"position", "m", -1e5, 1e5, "where the mesh's origin is"}, o.position);
    field(Field{"rotation", "", 0, 0, "how it is turned"}, o.rotation);
    field(Field{"velocity", "m/s", -1e3, 1e3, "of the centre of mass"}, o.velocity);
    field(Field{"spin", "rad/s", -1e3, 1e3, "how fast it turns"}, o.spin);
}

}  // namespace ductile::python
