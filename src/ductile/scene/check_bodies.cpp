// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>
#include <ductile/material/material.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/placement.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace ductile {
namespace {

constexpr std::int64_t kMostBodies = 20000;
// More of them say nothing new, and bodies in one place have millions.
constexpr std::size_t kNamedOverlaps = 20;

std::string pointer_to(const SceneBody& body, std::string_view field) {
    return pointer_below(pointer_below("/bodies", body.name), field);
}

bool is_sphere(const SolidOptions& solid) {
    const Vec3 size = solid_size(solid);
    return solid.kind == SolidKind::Sphere && size.x() == size.y() && size.y() == size.z();
}

void check_mesh(const Scene& scene, const SceneBody& body, std::vector<Error>& errors) {
    const auto look_for = [&](const std::string& name, std::string_view field) {
        if (name.empty()) return;
        if (const auto path = find_scene_file(scene, name); !path) {
            const Error& error = path.error();
            errors.push_back(
                {error.what + ": " + value_text(Json(name)), pointer_to(body, field), error.hint});
        }
    };
    look_for(body.mesh, "mesh");
    look_for(body.surface_mesh, "surface_mesh");
    if (body.mesh.empty() && !body.surface_mesh.empty()) {
        errors.push_back({"a surface mesh needs a mesh that is drawn",
                          pointer_to(body, "surface_mesh"), R"(call it "mesh")"});
    }
}

void check_solid(const SceneBody& body, std::vector<Error>& errors) {
    const SolidOptions& solid = body.solid;
    const std::string where = pointer_to(body, "solid");
    const Vec3 size = solid_size(solid);
    if (!(size.minCoeff() > 0.0)) {
        errors.push_back(
            {fmt::format("a size of {} x {} x {} m has no volume", size.x(), size.y(), size.z()),
             where + "/size", "give all three, or none for the kind's own size"});
        return;
    }
    if (2.0 * solid.rounding > size.minCoeff()) {
        errors.push_back(
            {fmt::format("edges cannot be rounded by {} m", solid.rounding), where + "/rounding",
             fmt::format("at most {} m: half of the smallest size", 0.5 * size.minCoeff())});
    }
    const double tube_limit = 0.25 * std::min(size.x(), size.z());
    if (solid.kind == SolidKind::Torus && !(solid.tube < tube_limit)) {
        errors.push_back({fmt::format("a tube of {} m leaves no hole", solid.tube), where + "/tube",
                          fmt::format("below {} m", tube_limit)});
    }
}

void check_matter(const SceneBody& body, std::vector<Error>& errors) {
    if (const auto card = find_material(body.material); !card) {
        errors.push_back({card.error().what, pointer_to(body, "material"), card.error().hint});
    }
    if (!body.mesh.empty()) return;
    const double limit = 0.5 * solid_size(body.solid).minCoeff();
    if (body.thickness > limit && limit > 0.0) {
        errors.push_back({fmt::format("a sheet of {} m does not fit", body.thickness),
                          pointer_to(body, "thickness"),
                          fmt::format("at most {} m: half of the smallest size", limit)});
    }
    if (body.solid.kind == SolidKind::Car && body.thickness == 0.0) {
        errors.push_back({"a car is an open sheet: it needs a thickness",
                          pointer_to(body, "thickness"), "such as 0.001"});
    }
}

void check_motion(const SceneBody& body, std::vector<Error>& errors) {
    const bool moves = body.velocity != Vec3::Zero() || body.spin != Vec3::Zero();
    if (body.motion == Motion::Static && moves) {
        errors.push_back({"a static body has no velocity or spin", pointer_to(body, "motion"),
                          "did you mean 'dynamic' or 'kinematic'?"});
    }
}

void check_keys(const SceneBody& body, std::vector<Error>& errors) {
    if (body.keys.empty()) return;
    const std::string where = pointer_to(body, "keys");
    if (body.motion != Motion::Kinematic && !body.drive) {
        errors.push_back({"only a kinematic body moves by keys, or one with a drive",
                          pointer_to(body, "motion"), "use 'kinematic', or leave the keys out"});
    }
    if (body.velocity != Vec3::Zero() || body.spin != Vec3::Zero()) {
        errors.push_back({"its keys say how it moves: velocity and spin are not for it", where,
                          "leave them out"});
    }
    for (std::size_t i = 1; i < body.keys.size(); ++i) {
        if (body.keys[i].time > body.keys[i - 1].time) continue;
        errors.push_back({"keys stand in order of time, each at its own",
                          fmt::format("{}/{}/time", where, i),
                          fmt::format("later than {} s", body.keys[i - 1].time)});
    }
}

// What would be refused when the body is made or put into the world.
void check_breaking(const Scene& scene, const SceneBody& body, std::vector<Error>& errors) {
    if (!body.layers.fracture) return;
    const std::string where = pointer_to(body, "layers") + "/fracture";
    const LayerOptions& layers = body.layers;
    if (layers.fracture->snap_angle_deg > 0 && !layers.bend) {
        errors.push_back({"only what bends can snap", where + "/snap_angle_deg",
                          "give it a layer `bend`, or leave this out"});
    }
    if (body.motion == Motion::Kinematic || body.drive) {
        errors.push_back({"a body that moves as it is told cannot break", where, "leave it out"});
    }
    if (!layers.fracture->anchored.empty() && body.motion != Motion::Static) {
        errors.push_back({"only a static body is anchored", where + "/anchored",
                          "make it static, or leave the boxes out"});
    }
    for (const SceneBody& other : scene.bodies) {
        if (other.name.starts_with(body.name + ".")) {
            errors.push_back({"names like this are for what '" + body.name + "' breaks into",
                              pointer_below("/bodies", other.name), "call it otherwise"});
        }
    }
}

void check_coat(const Scene& scene, const SceneBody& body, std::vector<Error>& errors) {
    if (!body.tissue) return;
    const std::string where = pointer_to(body, "tissue");
    if (!body.layers.is_empty()) {
        errors.push_back({"a body has layers or a soft coat", where, "leave one of them out"});
    }
    if (body.collider == ColliderKind::HalfSpace) {
        errors.push_back({"a half space has no coat", where, "leave it out"});
    }
    const TissueLayout layout = body.tissue->layout;
    if (layout == TissueLayout::Chain && body.tissue->is_rigid) {
        errors.push_back({"a chain has no rigid twin", where + "/is_rigid", "use another layout"});
    }
    if (body.tissue->skin.empty()) {
        const bool is_box = body.mesh.empty() && body.solid.kind == SolidKind::Box;
        if (layout == TissueLayout::Box && !is_box) {
            errors.push_back({"the box layout needs a box", where + "/layout", "use 'surface'"});
        }
        return;
    }
    if (const auto path = find_scene_file(scene, body.tissue->skin); !path) {
        errors.push_back({path.error().what + ": " + value_text(Json(body.tissue->skin)),
                          where + "/skin", path.error().hint});
    }
}

void check_driven(const SceneBody& body, std::vector<Error>& errors) {
    if (!body.drive) return;
    const std::string where = pointer_to(body, "drive");
    if (body.motion != Motion::Dynamic) {
        errors.push_back({"only a dynamic body is driven", where, "leave motion or drive out"});
    }
    if (Status fine = check_drive(*body.drive); !fine) {
        errors.push_back({fine.error().what, where + fine.error().where, fine.error().hint});
    }
    if (!body.keys.empty() && !body.drive->phases.empty()) {
        errors.push_back(
            {"a drive goes along keys or by phases", where + "/phases", "leave one of them out"});
    }
}

void check_inset(const SceneBody& body, std::vector<Error>& errors) {
    if (body.collider_inset == 0.0) return;
    const std::string where = pointer_to(body, "collider_inset");
    if (!body.layers.is_empty()) {
        errors.push_back({"a body with layers collides as its surface is", where,
                          "leave the inset or the layers out"});
    } else if (body.collider == ColliderKind::HalfSpace) {
        errors.push_back({"a half space has no inset", where, "lower its position instead"});
    } else if (const double half = 0.5 * solid_size(body.solid).minCoeff();
               body.mesh.empty() && half > 0 && body.collider_inset >= 0.95 * half) {
        errors.push_back({fmt::format("an inset of {} m leaves nothing", body.collider_inset),
                          where, fmt::format("below {} m", 0.95 * half)});
    }
}

void check_collider(const SceneBody& body, std::vector<Error>& errors) {
    const std::string where = pointer_to(body, "collider");
    const bool follows =
        body.collider == ColliderKind::Auto || body.collider == ColliderKind::Pieces;
    if (!body.layers.is_empty() && !follows) {
        errors.push_back({"a body with layers collides by pieces that follow its surface", where,
                          "use 'auto' or 'pieces', or leave the layers out"});
    } else if (!body.mesh.empty() && !follows) {
        errors.push_back({"a mesh file collides by pieces", where, "use 'auto' or 'pieces'"});
    } else if (body.collider == ColliderKind::Sphere && !is_sphere(body.solid)) {
        errors.push_back({"only a sphere of three equal sizes collides as one", where,
                          "use 'auto' or 'pieces'"});
    } else if (body.collider == ColliderKind::Capsule && !is_round_capsule(body.solid)) {
        errors.push_back(
            {"only a capsule as wide as deep collides as one", where, "use 'auto' or 'pieces'"});
    } else if (body.collider == ColliderKind::HalfSpace && body.motion != Motion::Static) {
        errors.push_back({"only a static body can be a half space", where, "use 'auto'"});
    }
}

}  // namespace

void check_bodies(const Scene& scene, std::vector<Error>& errors) {
    if (scene.bodies.empty()) {
        errors.push_back({"there is no body", "/bodies", "give at least one"});
    }
    std::set<std::string> names;
    for (const SceneBody& body : scene.bodies) {
        check_mesh(scene, body, errors);
        if (body.mesh.empty()) check_solid(body, errors);
        check_matter(body, errors);
        check_motion(body, errors);
        check_keys(body, errors);
        check_inset(body, errors);
        check_breaking(scene, body, errors);
        check_coat(scene, body, errors);
        check_driven(body, errors);
        check_collider(body, errors);
        if (!names.insert(body.name).second) {
            errors.push_back({"two bodies are called so", pointer_below("/bodies", body.name), ""});
        }
    }
    if (const std::int64_t count = body_count(scene); count > kMostBodies) {
        errors.push_back({fmt::format("{} bodies, copies counted, are too many", count), "/bodies",
                          fmt::format("at most {}", kMostBodies)});
        return;
    }
    for (const PlacedBody& placed : place_bodies(scene)) {
        const SceneBody& body = scene.bodies[static_cast<std::size_t>(placed.body)];
        if (placed.name != body.name && !names.insert(placed.name).second) {
            errors.push_back(
                {fmt::format("a copy would be called '{}', as another body is", placed.name),
                 pointer_to(body, "copies"), "call one of them something else"});
        }
    }
}

void check_places(const Scene& scene, std::vector<Error>& errors) {
    if (body_count(scene) > kMostBodies) return;
    const std::vector<PlacedBody> placed = place_bodies(scene);
    std::vector<PlacedOverlap> overlaps = sure_overlaps(scene, placed, 1e-3, kNamedOverlaps + 1);
    const bool are_more = overlaps.size() > kNamedOverlaps;
    if (are_more) overlaps.resize(kNamedOverlaps);
    for (const PlacedOverlap& overlap : overlaps) {
        const PlacedBody& b = placed[static_cast<std::size_t>(overlap.b)];
        const std::string other =
            overlap.a < 0 ? "the ground"
                          : "'" + placed[static_cast<std::size_t>(overlap.a)].name + "'";
        errors.push_back(
            {fmt::format("'{}' starts {:.3g} m or more inside {}", b.name, overlap.depth, other),
             pointer_to(scene.bodies[static_cast<std::size_t>(b.body)], "position"),
             "move one of them away"});
    }
    if (are_more) {
        errors.push_back({"more bodies start inside others", "/bodies", "move them apart"});
    }
}

}  // namespace ductile
