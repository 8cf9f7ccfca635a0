// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <ductile/core/json_fields.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/scene/dent_stamp.h>

#include "convert.h"

#include <cmath>

namespace ductile::python {
namespace {

constexpr double kEndless = 1e6;  // diagonal of what has no end [m]

/// About 1 % of the body's size, at most 2 mm: as scenes have it.
double margin_for(double size) { return std::min(0.002, 0.01 * size); }

Material card_of(const RigidOptions& options, const std::optional<Material>& given) {
    const Material card = given ? *given : unwrap(find_material(options.body.material));
    return changed(card, options.body.material_changes);
}

double thickness_of(const Mesh& mesh, const RigidOptions& options) {
    return options.body.thickness > 0 ? options.body.thickness : mesh.thickness;
}

bool is_like_a_box(SolidKind kind) {
    return kind == SolidKind::Box || kind == SolidKind::Plank || kind == SolidKind::Plate;
}

ColliderKind collider_kind(const Mesh& mesh, const RigidOptions& options, const Vec3& extent) {
    if (options.body.collider != ColliderKind::Auto) return options.body.collider;
    const bool is_ball = extent.x() == extent.y() && extent.y() == extent.z();
    if (mesh.solid && mesh.solid->kind == SolidKind::Sphere && is_ball) return ColliderKind::Sphere;
    if (mesh.solid && is_like_a_box(mesh.solid->kind)) return ColliderKind::Box;
    return ColliderKind::Pieces;
}

MassProperties mass_of(const Mesh& mesh, const RigidOptions& options, const Material& material) {
    const TriMesh& surface = mesh.asset->surface;
    MassProperties mass = unwrap(mass_properties(surface.points, surface.triangles,
                                                 {material.density, thickness_of(mesh, options)},
                                                 mesh.asset->is_sheet));
    if (options.body.mass > 0) {
        mass.inertia_b *= options.body.mass / mass.mass;
        mass.mass = options.body.mass;
    }
    return mass;
}

}  // namespace

World::World(const WorldOptions& options)
    : engine_(BulletEngine::make(options.engine)),
      simulation_(std::make_unique<Simulation>(*engine_, options.simulation)) {}

BodyDesc World::desc_of(const RigidOptions& options, const Material& material) const {
    BodyDesc desc;
    desc.name = options.name;
    desc.motion = options.body.motion;
    desc.pose_w = {options.body.rotation, options.body.position};
    desc.velocity_w = options.body.velocity;
    desc.spin_w = options.body.spin;
    desc.friction = material.friction;
    // The engine multiplies a pair's restitutions; with roots a pair of like bodies has its card's.
    desc.restitution = std::sqrt(material.restitution);
    return desc;
}

void World::set_collider(const Mesh& mesh, const RigidOptions& options, BodyDesc& desc) const {
    const TriMesh& surface = mesh.asset->surface;
    const Box box = bounds(surface.points);
    const Vec3 extent = box.upper - box.lower;
    const ColliderKind kind = collider_kind(mesh, options, extent);
    const bool is_centred = box.centre().cwiseAbs().maxCoeff() <= 1e-9 * box.diagonal();
    switch (kind) {
        case ColliderKind::Sphere:
            if (extent.maxCoeff() - extent.minCoeff() > 1e-6 * extent.maxCoeff() || !is_centred) {
                raise(Error{"a sphere needs a mesh as wide as high and deep, about its origin",
                            "collider", "take 'pieces'"});
            }
            desc.collider = SphereCollider{0.5 * extent.x()};
            return;
        case ColliderKind::Box:
            if (!is_centred) {
                raise(Error{"a box needs a mesh about its origin", "collider", "take 'pieces'"});
            }
            desc.collider = BoxCollider{extent};
            return;
        case ColliderKind::HalfSpace:
            desc.collider = HalfSpaceCollider{};
            return;
        default:
            break;
    }
    const PieceTree tree = unwrap(without_gil(
        [&] { return cut_pieces(surface.points, surface.triangles, options.body.pieces); }));
    PieceCollider collider;
    collider.margin = margin_for(box.diagonal());
    for (const std::int32_t top : tree.top) {
        ColliderPiece& cloud = collider.pieces.emplace_back();
        cloud.id = top;
        piece_points(tree.pieces[static_cast<std::size_t>(top)], surface.points, cloud.points);
    }
    desc.collider = std::move(collider);
}

std::int32_t World::add_ground(double height, const Material& material) {
    RigidOptions options;
    options.name = "ground";
    options.body.motion = Motion::Static;
    options.body.position.y() = height;
    BodyDesc desc = desc_of(options, material);
    desc.collider = HalfSpaceCollider{};
    const std::int32_t id = unwrap(simulation_->add_rigid(desc, kEndless)).value;
    entries_[id] = {options.name, {}, true, nullptr, 0};
    return id;
}

std::int32_t World::add_rigid(const Mesh& mesh, const RigidOptions& options,
                              const std::optional<Material>& given) {
    const Material material = card_of(options, given);
    BodyDesc desc = desc_of(options, material);
    set_collider(mesh, options, desc);
    if (desc.motion == Motion::Dynamic) desc.mass = mass_of(mesh, options, material);
    const TriMesh& surface = mesh.asset->surface;
    const bool is_endless = std::holds_alternative<HalfSpaceCollider>(desc.collider);
    auto query = is_endless ? nullptr : without_gil([&] {
        return std::make_shared<const SurfaceQuery>(surface.points, surface.triangles);
    });
    const double size = is_endless ? kEndless : bounds(surface.points).diagonal();
    const std::int32_t id = unwrap(simulation_->add_rigid(desc, size, query)).value;
    entries_[id] = {options.name, mesh, desc.motion == Motion::Static, nullptr, 0};
    return id;
}

std::shared_ptr<const BodyShape> World::shape_of(const Mesh& mesh, const DeformableOptions& options,
                                                 const Material& material) {
    const SceneBody& body = options.rigid.body;
    const DentOptions dent = body.layers.dent.value_or(DentOptions{});
    const double thickness = thickness_of(mesh, options.rigid);
    const std::string words = Json::array({write_fields(material), write_fields(body.pieces),
                                           write_fields(dent), thickness, body.mass})
                                  .dump();
    std::shared_ptr<const BodyShape>& shape = shapes_[{mesh.asset.get(), words}];
    if (shape) return shape;
    const Scene here;  // pictures of dents are looked for in the current folder
    DentStamp stamp = unwrap(make_stamp(here, dent.shape));
    shape = unwrap(without_gil([&] {
        return make_body_shape(mesh.asset,
                               {.material = material,
                                .thickness = thickness,
                                .mass = body.mass,
                                .pieces = body.pieces},
                               {make_dent_deformer(dent, std::move(stamp))});
    }));
    return shape;
}

std::int32_t World::add_deformable(const Mesh& mesh, const DeformableOptions& options,
                                   const std::optional<Material>& given) {
    const Material material = card_of(options.rigid, given);
    const BodyDesc desc = desc_of(options.rigid, material);
    const std::shared_ptr<const BodyShape> shape = shape_of(mesh, options, material);
    const std::int32_t id =
        unwrap(simulation_->add_deformable(desc, shape, margin_for(shape->size))).value;
    entries_[id] = {options.rigid.name, mesh, desc.motion == Motion::Static, nullptr, 0};
    return id;
}

BodyId World::id_of(std::int32_t body) const {
    if (!entries_.contains(body)) {
        throw py::key_error("no body " + std::to_string(body) + " in this simulation");
    }
    return {body};
}

BodyId World::deformable(std::int32_t body) const {
    const BodyId id = id_of(body);
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
