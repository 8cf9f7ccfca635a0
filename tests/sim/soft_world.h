// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/tissue_layout.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/drive.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/tissue_layer.h>

#include <doctest/doctest.h>

#include <memory>
#include <utility>

namespace ductile::test {

inline constexpr double kCoatMass = 0.26;

/// Soft bodies on a ground, and what drives them.
struct SoftWorld {
    Vec3 gravity = Vec3(0, -9.81, 0);
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> sim;
    std::shared_ptr<DriveLayer> drives;
    std::shared_ptr<TissueLayer> coats;

    explicit SoftWorld(const Vec3& pull = Vec3(0, -9.81, 0)) : gravity(pull) {
        BulletOptions options;
        options.gravity = pull;
        // What holds a light block between heavy fingers.
        options.has_two_frictions = true;
        options.solver_iterations = 300;
        engine = BulletEngine::make(options);
        sim = std::make_unique<Simulation>(*engine, SimOptions{});
        drives = std::make_shared<DriveLayer>(pull);
        coats = std::make_shared<TissueLayer>(TissueSolverOptions{}, pull, *engine);
    }
    void start() {
        sim->add_live_layer(drives);
        sim->add_live_layer(coats);
    }
    void add_ground(double friction) {
        BodyDesc ground;
        ground.name = "ground";
        ground.motion = Motion::Static;
        ground.collider = HalfSpaceCollider{};
        ground.friction = friction;
        REQUIRE(sim->add_rigid(ground, 1e6));
    }
    ObjectId add_box(const Vec3& size, double mass, const Transform& pose, double friction) {
        BodyDesc box;
        box.name = "box";
        box.collider = BoxCollider{size};
        box.mass = box_mass(size, mass / size.prod());
        box.pose_w = pose;
        box.friction = friction;
        box.restitution = 0.0;
        return sim->add_rigid(box, size.norm()).value();
    }
    /// A bone of 2 cm in a coat of 4 cm.
    ObjectId add_soft(const Transform& pose, double friction, bool is_driven = false,
                      TissueOptions options = {}) {
        const ObjectId id = add_box(Vec3::Constant(0.02), 1.0, pose, friction);
        const Box box{Vec3::Constant(-0.01), Vec3::Constant(0.01)};
        auto rig = rig_of_columns(box_columns(box, options), options, {kCoatMass, 1.0});
        coats->add({.rig = std::make_shared<TissueRig>(std::move(rig).value()),
                    .bone = sim->body(id),
                    .damping = options.damping,
                    .friction = friction,
                    .is_driven = is_driven});
        return id;
    }
};

}  // namespace ductile::test
