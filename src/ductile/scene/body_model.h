// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/layers.h>
#include <ductile/engine/engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/scene_body.h>
#include <ductile/sim/simulation.h>

#include <memory>
#include <string>

namespace ductile {

struct SoftCoat;

/// A body weighed and cut, ready to be placed any number of times.
struct BodyModel {
    std::shared_ptr<const SurfaceAsset> asset;
    std::shared_ptr<const BodyShape> shape;  ///< Null for a rigid body.
    /// What a rigid body presses into others; null for a deformable one, and for a half space.
    std::shared_ptr<const SurfaceQuery> surface;
    Collider collider;  ///< Of a rigid body.
    MassProperties mass;
    Material material;
    double restitution = 0.0;                ///< In [0, 1].
    double size = 0.0;                       ///< Diagonal of its box [m].
    std::shared_ptr<const SoftCoat> tissue;  ///< Its coat, whose skin `asset` is; or null.
};

/// Where a model stands and how it starts.
struct BodyPlacement {
    std::string name;
    Motion motion = Motion::Dynamic;
    Transform pose_w;
    Vec3 velocity_w = Vec3::Zero();  ///< [m/s]
    Vec3 spin_w = Vec3::Zero();      ///< [rad/s]
};

/// Makes a body: deformable if its options name layers, else rigid. Of `body` count the collider,
/// mass, pieces, layers, and the solid where there is no mesh file.
/// Error: what cannot be weighed, cut or read (`where` from the body on, if it is one field); what
/// `checkpoint` ends it with.
Result<BodyModel> make_body_model(const BodyAsset& asset, const SceneBody& body,
                                  const Material& material, const LayerFiles& files,
                                  const Checkpoint& checkpoint = {});

/// An endless floor below y = 0 of its frame.
BodyModel make_ground_model(const Material& material);

/// Puts a model into a simulation. Error: what the engine refuses.
Result<ObjectId> add_body(Simulation& simulation, const BodyModel& model,
                          const BodyPlacement& placement);

}  // namespace ductile
