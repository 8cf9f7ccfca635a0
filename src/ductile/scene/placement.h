// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ductile {

/// One body that will stand in the world: a scene's body or one of its copies.
struct PlacedBody {
    std::string name;       ///< The scene body's, or "name-1", "name-2" ... for copies.
    std::int32_t body = 0;  ///< Index into Scene::bodies.
    Transform pose_w;
    Vec3 velocity_w = Vec3::Zero();  ///< [m/s]
    Vec3 spin_w = Vec3::Zero();      ///< [rad/s]
    std::optional<Vec3> colour;      ///< Linear RGB of its main surface.
};

/// How many bodies a scene comes to, copies counted.
std::int64_t body_count(const Scene& scene);

/// All bodies in order; copies count along x first, then z, then y. Same scene, same bits.
std::vector<PlacedBody> place_bodies(const Scene& scene);

/// The size that a solid will have: the one asked for, or the kind's own [m].
Vec3 solid_size(const SolidOptions& solid);
/// Whether it is a capsule as wide as deep.
bool is_round_capsule(const SolidOptions& solid);

/// When a directed hit begins [s]: its time, or that of its frame.
double hit_time(const Scene& scene, const SceneHit& hit);

/// Two bodies that are inside each other from the start.
struct PlacedOverlap {
    std::int32_t a = 0, b = 0;  ///< Indices into the placed bodies, a < b; -1: the ground.
    double depth = 0.0;         ///< How far at least [m].
};

/// Finds bodies that surely overlap by more than `tolerance`, by boxes that lie within them: what
/// merely touches, or is hollow where the other one is, is not named. By ascending b, then a;
/// pairs of bodies that never move are left out. O(n log n) for bodies well apart; many in one
/// place have n^2 / 2, so that it ends once it has `most`.
std::vector<PlacedOverlap> sure_overlaps(
    const Scene& scene, std::span<const PlacedBody> placed, double tolerance = 1e-3,
    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace ductile
