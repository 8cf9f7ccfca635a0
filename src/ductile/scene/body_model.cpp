// SPDX-License-Identifier: MIT
#include <ductile/scene/body_model.h>
#include <ductile/scene/placement.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Diagonal of what has no end [m].
constexpr double kEndless = 1e6;

/// Margin around convex clouds: about 1 % of the body's size, at most 2 mm.
double margin_for(double size) { return std::min(0.002, 0.01 * size); }

ColliderKind collider_kind(const SceneBody& body) {
    if (body.collider != ColliderKind::Auto) return body.collider;
    if (!body.layers.is_empty() || !body.mesh.empty()) return ColliderKind::Pieces;
    const Vec3 size = solid_size(body.solid);
    const bool is_round = size.x() == size.y() && size.y() == size.z();
    if (body.solid.kind == SolidKind::Sphere && is_round) return ColliderKind::Sphere;
    // Particles ask a bone for its closest points by the thousand.
    if (body.tissue && !body.tissue->is_rigid && is_round_capsule(body.solid)) {
        return ColliderKind::Capsule;
    }
    const bool is_box = body.solid.kind == SolidKind::Box || body.solid.kind == SolidKind::Plank ||
                        body.solid.kind == SolidKind::Plate;
    return is_box ? ColliderKind::Box : ColliderKind::Pieces;
}

// Whether a surface is what a simple collider stands for.
Status check_collider(ColliderKind kind, const Box& box) {
    const Vec3 extent = box.upper - box.lower;
    const bool is_centred = box.centre().cwiseAbs().maxCoeff() <= 1e-9 * box.diagonal();
    if (kind == ColliderKind::Sphere &&
        (extent.maxCoeff() - extent.minCoeff() > 1e-6 * extent.maxCoeff() || !is_centred)) {
        return Error{"a sphere needs a mesh as wide as high and deep, about its origin",
                     "/collider", "take 'pieces'"};
    }
    if (kind == ColliderKind::Capsule && (std::abs(extent.x() - extent.z()) > 1e-6 * extent.x() ||
                                          extent.y() < extent.x() * (1.0 - 1e-6) || !is_centred)) {
        return Error{"a capsule needs a mesh as wide as deep and no lower, about its origin",
                     "/collider", "take 'pieces'"};
    }
    if (kind == ColliderKind::Box && !is_centred) {
        return Error{"a box needs a mesh about its origin", "/collider", "take 'pieces'"};
    }
    return {};
}

std::vector<Vec3> inset_points(const TriMesh& surface, double inset) {
    std::vector<Vec3> points = surface.points;
    if (!(inset > 0)) return points;
    const std::vector<Vec3> normals = vertex_normals(surface.points, surface.triangles);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] -= inset * normals[i];
    return points;
}

PieceCollider piece_collider(const PieceTree& tree, std::span<const Vec3> points, double size) {
    PieceCollider collider;
    collider.margin = margin_for(size);
    for (const std::int32_t top : tree.top) {
        ColliderPiece& cloud = collider.pieces.emplace_back();
        cloud.id = top;
        piece_points(tree.pieces[static_cast<std::size_t>(top)], points, cloud.points);
    }
    return collider;
}

Result<MassProperties> mass_of(const BodyAsset& asset, const SceneBody& body,
                               const Material& material) {
    const TriMesh& surface = asset.asset->surface;
    Result<MassProperties> mass =
        mass_properties(surface.points, surface.triangles, {material.density, asset.thickness},
                        asset.asset->is_sheet);
    if (mass && body.mass > 0) {
        mass.value().inertia_b *= body.mass / mass.value().mass;
        mass.value().mass = body.mass;
    }
    return mass;
}

// Sheets ring on; contacts of a metal shell may have stiffnesses of their own (Dong et al. 2011,
// equation 3).
double restitution_of(const SceneBody& body, const Material& material, bool is_deforming_sheet) {
    if (body.layers.shell && body.layers.shell->stiffness_ratio > 0) {
        return std::sqrt(body.layers.shell->stiffness_ratio);
    }
    return material.restitution * (is_deforming_sheet ? kSheetRebound : 1.0);
}

}  // namespace

Result<BodyModel> make_body_model(const BodyAsset& asset, const SceneBody& body,
                                  const Material& material, const LayerFiles& files,
                                  const Checkpoint& checkpoint) {
    BodyModel model;
    model.asset = asset.asset;
    model.material = material;
    model.restitution = material.restitution;
    const TriMesh& surface = model.asset->surface;
    const Box box = bounds(surface.points);
    const Vec3 extent = box.upper - box.lower;
    model.size = extent.norm();
    const ColliderKind kind = collider_kind(body);
    if (kind == ColliderKind::HalfSpace) {
        model.collider = HalfSpaceCollider{};
        model.size = kEndless;
        return model;
    }
    if (Status fine = check_collider(kind, box); !fine) return fine.error();
    Result<std::vector<std::shared_ptr<const Deformer>>> rules = make_layers(body.layers, files);
    if (!rules) {
        const Error& error = rules.error();
        return Error{error.what, "/layers" + error.where, error.hint};
    }
    const bool is_rigid = rules.value().empty();
    if (!is_rigid || kind == ColliderKind::Pieces) {
        Result<std::shared_ptr<const BodyShape>> shape =
            make_body_shape(model.asset,
                            {.material = material,
                             .thickness = asset.thickness,
                             .mass = body.mass,
                             .pieces = body.pieces},
                            std::move(rules).value(), checkpoint);
        if (!shape) return shape.error();
        model.shape = std::move(shape).value();
        model.mass = model.shape->mass;
    } else {
        const Result<MassProperties> mass = mass_of(asset, body, material);
        if (!mass) return mass.error();
        model.mass = mass.value();
    }
    if (!is_rigid) {
        model.restitution = restitution_of(body, material, asset.thickness > 0);
        return model;
    }

    model.surface = std::make_shared<const SurfaceQuery>(surface.points, surface.triangles);
    const double inset = body.collider_inset;
    if (kind == ColliderKind::Sphere) model.collider = SphereCollider{0.5 * extent.x() - inset};
    if (kind == ColliderKind::Box) {
        model.collider = BoxCollider{extent - Vec3::Constant(2.0 * inset)};
    }
    if (kind == ColliderKind::Capsule) {
        model.collider =
            CapsuleCollider{0.5 * extent.x() - inset, std::max(0.0, extent.y() - extent.x())};
    }
    if (kind == ColliderKind::Pieces) {
        model.collider =
            piece_collider(model.shape->pieces, inset_points(surface, inset), model.size);
        model.shape = nullptr;
    }
    return model;
}

BodyModel make_ground_model(const Material& material) {
    BodyModel model;
    model.collider = HalfSpaceCollider{};
    model.material = material;
    model.restitution = material.restitution;
    model.size = kEndless;
    return model;
}

Result<ObjectId> add_body(Simulation& simulation, const BodyModel& model,
                          const BodyPlacement& placement) {
    if (model.shape) {
        DeformableDesc desc;
        desc.name = placement.name;
        desc.motion = placement.motion;
        desc.pose_w = placement.pose_w;
        desc.velocity_w = placement.velocity_w;
        desc.spin_w = placement.spin_w;
        desc.friction = model.material.friction;
        desc.restitution = model.restitution;
        desc.margin = margin_for(model.size);
        return simulation.add_deformable(desc, model.shape);
    }
    BodyDesc desc;
    desc.name = placement.name;
    desc.motion = placement.motion;
    desc.collider = model.collider;
    desc.mass = model.mass;
    desc.pose_w = placement.pose_w;
    desc.velocity_w = placement.velocity_w;
    desc.spin_w = placement.spin_w;
    desc.friction = model.material.friction;
    desc.restitution = model.restitution;
    return simulation.add_rigid(desc, model.size, model.surface,
                                model.material.contact_compliance());
}

}  // namespace ductile
