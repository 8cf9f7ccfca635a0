// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/material/material.h>
#include <ductile/scene/scene.h>

#include <cmath>

namespace ductile::test {

/// Two bodies of 1e-3 to 1e3 m that fly at each other, dent, and are marked by hand: valid, coarse,
/// over within a few steps, and different for every seed.
inline Scene random_scene(std::uint64_t seed) {
    Rng rng(seed);
    const auto any_of = [&](auto count) {
        return static_cast<decltype(count)>(rng.uniform() * static_cast<double>(count));
    };
    const auto vector = [&](double size) {
        return Vec3(rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size));
    };
    Scene scene;
    scene.name = "random";
    scene.frame_rate = scene.step_rate = std::round(rng.uniform(30.0, 240.0));
    scene.gravity = Vec3(0, rng.uniform() < 0.5 ? -9.81 : 0.0, 0);
    scene.ground.is_on = false;
    const double size = std::pow(10.0, rng.uniform(-3.0, 3.0));
    // Fast enough to meet within some steps, whatever the size.
    const double speed = std::min(300.0, size * scene.step_rate * rng.uniform(0.1, 0.5));
    const auto cards = material_cards();
    for (int i = 0; i < 2; ++i) {
        SceneBody& body = scene.bodies.emplace_back();
        body.name = i == 0 ? "a" : "b";
        constexpr SolidKind kKinds[] = {SolidKind::Box,   SolidKind::Sphere, SolidKind::Capsule,
                                        SolidKind::Plank, SolidKind::Barrel, SolidKind::Cylinder};
        body.solid.kind = kKinds[any_of(std::size(kKinds))];
        body.solid.size =
            size * Vec3(rng.uniform(0.5, 1), rng.uniform(0.5, 1), rng.uniform(0.5, 1));
        if (body.solid.kind == SolidKind::Capsule) body.solid.size.y() = size;
        body.solid.resolution = 0.2 * size;
        body.material = cards[any_of(cards.size())].name;
        if (rng.uniform() < 0.5) body.thickness = 0.01 * size;
        if (rng.uniform() < 0.3) body.mass = std::pow(10.0, rng.uniform(-4.0, 6.0));
        const double side = i == 0 ? -1.0 : 1.0;
        body.position = Vec3(side * 1.1 * size, 0, 0) + vector(0.1 * size);
        body.velocity = Vec3(-side * speed, 0, 0) + vector(0.1 * speed);
        body.spin = vector(3.0);
        DentOptions& dent = body.layers.dent.emplace();
        if (rng.uniform() < 0.3) dent.shape.source = DentSource::Gaussian;
        if (rng.uniform() < 0.3) dent.duration = rng.uniform(0.0, 5.0 / scene.step_rate);
        if (rng.uniform() < 0.3) dent.rim = rng.uniform();
    }
    SceneHit& hit = scene.hits.emplace_back();
    hit.body = "a";
    hit.time = rng.uniform(0.0, 5.0 / scene.step_rate);
    hit.duration = rng.uniform() < 0.5 ? 0.0 : std::pow(10.0, rng.uniform(-18.0, 0.0));
    DentHit dent;
    dent.position_b = Vec3(-0.3 * size, 0, 0);
    dent.direction_b = Vec3(1, 0, 0) + vector(0.5);
    dent.depth = size * rng.uniform(0.0, 0.05);
    dent.radius = size * rng.uniform(0.05, 0.3);
    hit.record.slot<DentHit>() = dent;
    scene.duration = (5.0 + std::floor(rng.uniform(0.0, 20.0))) / scene.frame_rate;
    return scene;
}

}  // namespace ductile::test
