// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <ductile/core/json_fields.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/body_model.h>

#include "convert.h"

namespace ductile::python {
namespace {

Material card_of(const RigidOptions& options, const std::optional<Material>& given) {
    const Material card = given ? *given : unwrap(find_material(options.body.material));
    return changed(card, options.body.material_changes);
}

BodyPlacement placement_of(const RigidOptions& options) {
    BodyPlacement placement;
    placement.name = options.name;
    placement.motion = options.body.motion;
    placement.pose_w = {options.body.rotation, options.body.position};
    placement.velocity_w = options.body.velocity;
    placement.spin_w = options.body.spin;
    return placement;
}

}  // namespace

World::World(const WorldOptions& options)
    : engine_(BulletEngine::make(options.engine)),
      simulation_(std::make_unique<Simulation>(*engine_, options.simulation)) {}

std::int32_t World::add_ground(double height, const Material& material) {
    BodyPlacement placement;
    placement.name = "ground";
    placement.motion = Motion::Static;
    placement.pose_w.translation.y() = height;
    const std::int32_t id =
        unwrap(add_body(*simulation_, make_ground_model(material), placement)).value;
    entries_[id] = {placement.name, {}, true, nullptr, 0};
    return id;
}

const BodyModel& World::model_of(const Mesh& mesh, const RigidOptions& options,
                                 const Material& material) {
    SceneBody body = options.body;
    if (mesh.solid) {
        body.solid = *mesh.solid;
    } else {
        body.mesh = "given";  // not one of our own solids: it collides by pieces
    }
    BodyAsset asset{mesh.asset, body.thickness > 0 ? body.thickness : mesh.thickness};
    const std::string key =
        Json::array({write_fields(material), shape_key(body), asset.thickness}).dump();
    std::optional<BodyModel>& model = models_[{mesh.asset.get(), key}];
    if (!model) {
        const Scene here;  // files are looked for in the current folder
        model = unwrap(without_gil(
            [&] { return make_body_model(asset, body, material, scene_layer_files(here)); }));
    }
    return *model;
}

std::int32_t World::add(const Mesh& mesh, const RigidOptions& options,
                        const std::optional<Material>& given) {
    const BodyModel& model = model_of(mesh, options, card_of(options, given));
    const std::int32_t id = unwrap(add_body(*simulation_, model, placement_of(options))).value;
    entries_[id] = {options.name, mesh, options.body.motion == Motion::Static, nullptr, 0};
    return id;
}

std::int32_t World::add_rigid(const Mesh& mesh, const RigidOptions& options,
                              const std::optional<Material>& given) {
    return add(mesh, options, given);
}

std::int32_t World::add_deformable(const Mesh& mesh, const DeformableOptions& options,
                                   const std::optional<Material>& given) {
    RigidOptions body = options.rigid;
    // A body that is asked for as deformable dents, if nothing else is said.
    if (body.body.layers.is_empty()) body.body.layers.dent.emplace();
    return add(mesh, body, given);
}

ObjectId World::id_of(std::int32_t body) {
    take_births();
    if (!entries_.contains(body)) {
        throw py::key_error("no body " + std::to_string(body) + " in this simulation");
    }
    return {body};
}

void World::take_births() {
    const std::span<const Birth> births = simulation_->births();
    for (; births_ < births.size(); ++births_) {
        const Birth& birth = births[births_];
        const auto parent = entries_.find(birth.parent.value);
        if (parent == entries_.end()) continue;
        Entry& entry = entries_[birth.object.value] = parent->second;
        if (!simulation_->has(birth.object)) continue;
        entry.mesh.asset =
            painted_as(*entry.mesh.asset, simulation_->state(birth.object).shape().asset);
        entry.mesh.solid.reset();
        entry.name = simulation_->name(birth.object);
        entry.is_static = !(engine_->mass(simulation_->body(birth.object)).mass > 0);
        entry.points = nullptr;
    }
    std::erase_if(entries_, [&](const auto& entry) { return !simulation_->has({entry.first}); });
}

ObjectId World::deformable(std::int32_t body) {
    const ObjectId id = id_of(body);
    if (!simulation_->is_deformable(id)) {
        throw py::value_error("body " + std::to_string(body) + " is rigid");
    }
    return id;
}

std::shared_ptr<const std::vector<Vec3>> World::points(std::int32_t body) {
    const BodyState& state = simulation_->state(deformable(body));
    Entry& entry = entries_.at(body);
    if (!entry.points || entry.revision != state.revision()) {
        entry.points =
            std::make_shared<const std::vector<Vec3>>(state.points().begin(), state.points().end());
        entry.revision = state.revision();
    }
    return entry.points;
}

}  // namespace ductile::python
