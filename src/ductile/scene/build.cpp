// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/build.h>
#include <ductile/scene/crowding.h>
#include <ductile/scene/directed_hit.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/tissue_model.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace ductile {
namespace {

/// What all copies of one scene body share.
struct SharedModel {
    BodyModel model;
    Vec3 centre_b = Vec3::Zero();  ///< Of its box.
    std::vector<std::string> notes;
};

// `on_share` gets the share that is done: half of it is reading the mesh, half cutting its
// collider.
Result<SharedModel> make_model(const Scene& scene, const SceneBody& body, const StopFlag* stop,
                               const std::function<void(double)>& on_share) {
    const Result<Material> card = find_material(body.material);
    if (!card) return card.error();
    const Result<BodyAsset> asset = make_body_asset(scene, body, stop);
    if (!asset) return asset.error();
    on_share(0.5);
    const Checkpoint checkpoint = [&](double share) -> Status {
        if (is_stopped(stop)) return stopped_error();
        on_share(0.5 + 0.5 * share);
        return {};
    };
    const Material material = changed(card.value(), body.material_changes);
    Result<BodyModel> model =
        body.tissue ? make_coated_model(scene, body, asset.value(), material, stop)
                    : make_body_model(asset.value(), body, material,
                                      body_layer_files(scene, asset.value()), checkpoint);
    if (!model) return model.error();
    SharedModel out{std::move(model).value(), asset.value().centre_b, asset.value().notes};
    const auto* breaks = out.model.shape ? out.model.shape->data<FractureData>() : nullptr;
    if (breaks && breaks->score().is_shell()) {
        out.notes.push_back(fmt::format(
            "{}: its mesh is open or crosses itself, so it breaks as a shell as heavy as it is",
            body.name));
    }
    return out;
}

Status add_hits(const Scene& scene, std::span<const PreparedBody> bodies,
                std::span<const ObjectId> ids, Simulation& simulation) {
    for (std::size_t i = 0; i < scene.hits.size(); ++i) {
        const SceneHit& hit = scene.hits[i];
        const std::string where = "#/hits/" + std::to_string(i);
        const auto at = std::find_if(bodies.begin(), bodies.end(),
                                     [&](const PreparedBody& b) { return b.name == hit.body; });
        if (at == bodies.end()) return Error{"a hit needs a body of the scene", where, ""};
        const Result<HitRecord> record = directed_record(scene, hit, bodies);
        if (!record) {
            return Error{record.error().what, where + record.error().where, record.error().hint};
        }
        const HitPlace place{hit.space == HitSpace::World, hit.is_on_surface};
        const Status fine = simulation.schedule_hit(ids[at - bodies.begin()], hit_time(scene, hit),
                                                    hit.duration, record.value(), place);
        if (!fine) {
            return Error{fine.error().what, where + fine.error().where, fine.error().hint};
        }
    }
    return {};
}

std::vector<StartingBox> starting_boxes(std::span<const PreparedBody> bodies) {
    std::map<const SurfaceAsset*, Box> at_rest;  // looked up, never gone through
    std::vector<StartingBox> out;
    for (const PreparedBody& body : bodies) {
        const auto [at, is_new] = at_rest.try_emplace(body.asset().get());
        if (is_new) at->second = bounds(body.asset()->surface.points);
        out.push_back({moved_box(at->second, body.placement.pose_w, 0.0),
                       body.placement.motion == Motion::Dynamic});
    }
    return out;
}

}  // namespace

Result<std::vector<PreparedBody>> prepare_bodies(const Scene& scene, const Progress& progress,
                                                 const StopFlag* stop) {
    // Bodies that differ in place and colour only share one model.
    std::vector<std::string> keys;
    std::vector<std::size_t> of_key;
    std::vector<std::size_t> model_of(scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const std::string text = shape_key(scene.bodies[i]);
        const auto at = std::find(keys.begin(), keys.end(), text);
        model_of[i] = static_cast<std::size_t>(at - keys.begin());
        if (at == keys.end()) {
            keys.push_back(text);
            of_key.push_back(i);
        }
    }
    std::vector<Result<SharedModel>> models(keys.size(), Result<SharedModel>(Error{}));
    if (progress) progress("prepare", 0.0);
    for (std::size_t k = 0; k < models.size(); ++k) {
        const auto on_share = [&](double part) {
            if (!progress) return;
            progress("prepare", (static_cast<double>(k) + part) / static_cast<double>(keys.size()));
        };
        models[k] = make_model(scene, scene.bodies[of_key[k]], stop, on_share);
        if (is_stopped(stop)) return stopped_error();
        if (!models[k]) {
            Error error = models[k].error();
            const std::string body = pointer_below("#/bodies", scene.bodies[of_key[k]].name);
            if (error.where.starts_with("/layers/")) {
                error.where = body + error.where;
                return error;
            }
            if (!error.where.empty()) error.what = error.where + ": " + error.what;
            error.where = body;
            return error;
        }
        on_share(1.0);
    }

    std::map<std::pair<std::size_t, std::array<double, 3>>, std::shared_ptr<const SurfaceAsset>>
        painted;
    std::vector<PreparedBody> out;
    for (const PlacedBody& placed : place_bodies(scene)) {
        const SceneBody& body = scene.bodies[placed.body];
        SharedModel& shared = models[model_of[placed.body]].value();
        PreparedBody& prepared = out.emplace_back();
        prepared.scene_body = static_cast<std::size_t>(placed.body);
        prepared.notes = std::exchange(shared.notes, {});
        prepared.name = placed.name;
        prepared.model = shared.model;
        prepared.middle_b = shared.centre_b;
        prepared.is_hidden = body.is_hidden;
        if (placed.colour) {
            const Vec3& c = *placed.colour;
            auto& asset = painted[{model_of[placed.body], {c.x(), c.y(), c.z()}}];
            if (!asset) asset = repainted(shared.model.asset, c);
            prepared.model.asset = asset;
        }
        BodyPlacement& placement = prepared.placement;
        placement.name = placed.name;
        placement.motion = body.motion;
        placement.pose_w = placed.pose_w;
        placement.pose_w.translation -= placed.pose_w.rotation * shared.centre_b;
        placement.velocity_w = placed.velocity_w;
        placement.spin_w = placed.spin_w;
    }
    if (Status fine = check_crowding(starting_boxes(out)); !fine) return fine.error();
    return out;
}

Result<std::vector<ObjectId>> populate(const Scene& scene, std::span<const PreparedBody> bodies,
                                       Simulation& simulation, Recorder& recorder) {
    if (scene.ground.is_on) {
        const Result<Material> material = find_material(scene.ground.material);
        if (!material) return material.error();
        BodyPlacement placement;
        placement.name = "ground";
        placement.motion = Motion::Static;
        placement.pose_w.translation.y() = scene.ground.height;
        const Result<ObjectId> id =
            add_body(simulation, make_ground_model(material.value()), placement);
        if (!id) return id.error();
    }
    std::vector<ObjectId> ids;
    std::vector<std::int32_t> filmed;
    for (const PreparedBody& body : bodies) {
        const Result<ObjectId> id = add_body(simulation, body.model, body.placement);
        if (!id) return Error{id.error().what, "body " + body.name, id.error().hint};
        ids.push_back(id.value());
        const std::int32_t index = recorder.watch(id.value(), body.name, body.asset(),
                                                  body.placement.motion == Motion::Static);
        if (body.is_hidden) recorder.hide(index);
        filmed.push_back(index);
    }
    add_live_layers(scene, bodies, ids, filmed, simulation, recorder);
    if (Status fine = add_hits(scene, bodies, ids, simulation); !fine) return fine.error();
    return ids;
}

}  // namespace ductile
