// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/build.h>
#include <ductile/scene/dent_stamp.h>
#include <ductile/scene/placement.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ductile {
namespace {

// Diagonal of what has no end [m].
constexpr double kEndless = 1e6;

/// What all copies of one scene body share.
struct Prepared {
    std::shared_ptr<const SurfaceAsset> asset;
    std::shared_ptr<const BodyShape> shape;       ///< Null for a rigid body.
    std::shared_ptr<const SurfaceQuery> surface;  ///< Of a rigid body.
    Collider collider;
    MassProperties mass;
    Vec3 centre_b = Vec3::Zero();  ///< Of its box.
    double size = 0.0;
};

/// Margin around convex clouds: about 1 % of the body's size, at most 2 mm.
double margin_for(double size) { return std::min(0.002, 0.01 * size); }

ColliderKind collider_kind(const SceneBody& body) {
    if (body.collider != ColliderKind::Auto) return body.collider;
    if (!body.layers.is_empty() || !body.mesh.empty()) return ColliderKind::Pieces;
    const Vec3 size = solid_size(body.solid);
    const bool is_round = size.x() == size.y() && size.y() == size.z();
    if (body.solid.kind == SolidKind::Sphere && is_round) return ColliderKind::Sphere;
    const bool is_box = body.solid.kind == SolidKind::Box || body.solid.kind == SolidKind::Plank ||
                        body.solid.kind == SolidKind::Plate;
    return is_box ? ColliderKind::Box : ColliderKind::Pieces;
}

std::vector<Vec3> inset_points(const TriMesh& surface, double inset) {
    std::vector<Vec3> points = surface.points;
    if (!(inset > 0)) return points;
    const std::vector<Vec3> normals = vertex_normals(surface.points, surface.triangles);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] -= inset * normals[i];
    return points;
}

Result<Prepared> make_model(const Scene& scene, const SceneBody& body, const StopFlag* stop) {
    const Result<Material> card = find_material(body.material);
    if (!card) return card.error();
    const Material material = changed(card.value(), body.material_changes);
    Result<BodyAsset> made = make_body_asset(scene, body, stop);
    if (!made) return made.error();

    Prepared model;
    model.asset = made.value().asset;
    model.centre_b = made.value().centre_b;
    const double thickness = made.value().thickness;
    const TriMesh& surface = model.asset->surface;
    const Vec3 extent = bounds(surface.points).upper - bounds(surface.points).lower;
    model.size = extent.norm();
    const ColliderKind kind = collider_kind(body);
    if (kind == ColliderKind::HalfSpace) {
        model.collider = HalfSpaceCollider{};
        model.size = kEndless;
        return model;
    }
    std::vector<std::shared_ptr<const Deformer>> layers;
    if (body.layers.dent) {
        Result<DentStamp> stamp = make_stamp(scene, body.layers.dent->shape);
        if (!stamp) return stamp.error();
        layers.push_back(make_dent_deformer(*body.layers.dent, std::move(stamp).value()));
    }
    if (layers.empty()) {
        model.surface = std::make_shared<const SurfaceQuery>(surface.points, surface.triangles);
    }
    if (!layers.empty() || kind == ColliderKind::Pieces) {
        Result<std::shared_ptr<const BodyShape>> shape = make_body_shape(model.asset,
                                                                         {.material = material,
                                                                          .thickness = thickness,
                                                                          .mass = body.mass,
                                                                          .pieces = body.pieces},
                                                                         layers);
        if (!shape) return shape.error();
        model.shape = shape.value();
        model.mass = model.shape->mass;
    } else {
        Result<MassProperties> mass =
            mass_properties(surface.points, surface.triangles, {material.density, thickness},
                            model.asset->is_sheet);
        if (!mass) return mass.error();
        model.mass = mass.value();
        if (body.mass > 0) {
            model.mass.inertia_b *= body.mass / model.mass.mass;
            model.mass.mass = body.mass;
        }
    }
    const double inset = body.collider_inset;
    if (kind == ColliderKind::Sphere) model.collider = SphereCollider{0.5 * extent.x() - inset};
    if (kind == ColliderKind::Box) {
        model.collider = BoxCollider{extent - Vec3::Constant(2.0 * inset)};
    }
    if (kind == ColliderKind::Pieces && layers.empty()) {
        PieceCollider collider;
        collider.margin = margin_for(model.size);
        const std::vector<Vec3> points = inset_points(surface, inset);
        for (std::int32_t top : model.shape->pieces.top) {
            ColliderPiece& cloud = collider.pieces.emplace_back();
            cloud.id = top;
            piece_points(model.shape->pieces.pieces[top], points, cloud.points);
        }
        model.collider = std::move(collider);
        model.shape = nullptr;
    }
    return model;
}

std::shared_ptr<const SurfaceAsset> repainted(const std::shared_ptr<const SurfaceAsset>& asset,
                                              const Vec3& colour) {
    auto copy = std::make_shared<SurfaceAsset>(*asset);
    if (!copy->render.looks.empty()) copy->render.looks[0].base_colour = colour;
    return copy;
}

}  // namespace

Result<std::vector<PreparedBody>> prepare_bodies(const Scene& scene, const Progress& progress,
                                                 const StopFlag* stop) {
    // Bodies that differ in place and colour only share one model.
    std::vector<std::string> keys;
    std::vector<std::size_t> of_key;
    std::vector<std::size_t> model_of(scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const std::string text = shape_words(scene.bodies[i]);
        const auto at = std::find(keys.begin(), keys.end(), text);
        model_of[i] = static_cast<std::size_t>(at - keys.begin());
        if (at == keys.end()) {
            keys.push_back(text);
            of_key.push_back(i);
        }
    }
    std::vector<Result<Prepared>> models(keys.size(), Result<Prepared>(Error{}));
    if (progress) progress("prepare", 0.0);
    for (std::size_t k = 0; k < models.size(); ++k) {
        models[k] = make_model(scene, scene.bodies[of_key[k]], stop);
        if (is_stopped(stop)) return stopped_error();
        if (!models[k]) {
            Error error = models[k].error();
            if (!error.where.empty()) error.what = error.where + ": " + error.what;
            error.where = pointer_below("#/bodies", scene.bodies[of_key[k]].name);
            return error;
        }
        if (progress) {
            progress("prepare", static_cast<double>(k + 1) / static_cast<double>(models.size()));
        }
    }

    std::map<std::pair<std::size_t, std::array<double, 3>>, std::shared_ptr<const SurfaceAsset>>
        painted;
    std::vector<PreparedBody> out;
    for (const PlacedBody& placed : place_bodies(scene)) {
        const SceneBody& body = scene.bodies[placed.body];
        const Prepared& model = models[model_of[placed.body]].value();
        const Material material =
            changed(find_material(body.material).value(), body.material_changes);
        PreparedBody& prepared = out.emplace_back();
        prepared.name = placed.name;
        prepared.shape = model.shape;
        prepared.size = model.size;
        prepared.surface = model.surface;
        prepared.asset = model.asset;
        if (placed.colour) {
            const Vec3& c = *placed.colour;
            auto& asset = painted[{model_of[placed.body], {c.x(), c.y(), c.z()}}];
            if (!asset) asset = repainted(model.asset, c);
            prepared.asset = asset;
        }
        BodyDesc& desc = prepared.desc;
        desc.name = placed.name;
        desc.motion = body.motion;
        desc.collider = model.collider;
        desc.mass = model.mass;
        desc.pose_w = placed.pose_w;
        desc.pose_w.translation -= placed.pose_w.rotation * model.centre_b;
        desc.velocity_w = placed.velocity_w;
        desc.spin_w = placed.spin_w;
        desc.friction = material.friction;
        // The engine multiplies a pair's restitutions; with roots a pair of like bodies has its
        // card's.
        desc.restitution = std::sqrt(material.restitution);
    }
    return out;
}

Result<std::vector<BodyId>> populate(const Scene& scene, std::span<const PreparedBody> bodies,
                                     Simulation& simulation, Recorder& recorder) {
    if (scene.ground.is_on) {
        const Result<Material> material = find_material(scene.ground.material);
        if (!material) return material.error();
        BodyDesc ground;
        ground.name = "ground";
        ground.motion = Motion::Static;
        ground.collider = HalfSpaceCollider{};
        ground.pose_w.translation.y() = scene.ground.height;
        ground.friction = material.value().friction;
        ground.restitution = std::sqrt(material.value().restitution);
        if (Result<BodyId> id = simulation.add_rigid(ground, kEndless); !id) return id.error();
    }
    std::vector<BodyId> ids;
    for (const PreparedBody& body : bodies) {
        Result<BodyId> id =
            body.shape ? simulation.add_deformable(body.desc, body.shape, margin_for(body.size))
                       : simulation.add_rigid(body.desc, body.size, body.surface);
        if (!id) {
            return Error{id.error().what, "body " + body.name, id.error().hint};
        }
        ids.push_back(id.value());
        recorder.watch(id.value(), body.name, body.asset, body.desc.motion == Motion::Static);
    }
    for (std::size_t i = 0; i < scene.hits.size(); ++i) {
        const SceneHit& hit = scene.hits[i];
        const std::string where = "#/hits/" + std::to_string(i);
        const auto at = std::find_if(bodies.begin(), bodies.end(),
                                     [&](const PreparedBody& b) { return b.name == hit.body; });
        if (at == bodies.end() || !hit.dent) {
            return Error{"a hit needs a body of the scene and a dent", where, ""};
        }
        const Result<DentHit> dent = directed_dent(scene, hit, bodies);
        if (!dent) return Error{dent.error().what, where + dent.error().where, dent.error().hint};
        const Status fine = simulation.schedule_hit(ids[at - bodies.begin()], hit_time(scene, hit),
                                                    hit.duration, dent.value());
        if (!fine) return Error{fine.error().what, where, fine.error().hint};
    }
    return ids;
}

}  // namespace ductile
