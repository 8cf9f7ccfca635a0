// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/scene_body.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <set>

using namespace ductile;

namespace {

SceneBody body_of(SolidKind kind, const Vec3& size, const Vec3& position) {
    SceneBody body;
    body.name = "a";
    body.solid.kind = kind;
    body.solid.size = size;
    body.position = position;
    return body;
}

Scene pair_of(SceneBody a, SceneBody b) {
    Scene scene;
    scene.ground.is_on = false;
    b.name = "b";
    scene.bodies = {std::move(a), std::move(b)};
    return scene;
}

std::size_t overlaps(const Scene& scene) {
    return sure_overlaps(scene, place_bodies(scene)).size();
}

}  // namespace

TEST_CASE("copies stand on a grid that begins at the body's position") {
    Scene scene;
    SceneBody body = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(10, 20, 30));
    body.copies.count = {2, 3, 4};
    body.copies.spacing = Vec3(1, 2, -3);
    body.colours = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    scene.bodies = {body};
    const std::vector<PlacedBody> placed = place_bodies(scene);
    REQUIRE(placed.size() == 24);
    CHECK(body_count(scene) == 24);
    CHECK(placed[0].name == "a-1");
    CHECK(placed[0].pose_w.translation == Vec3(10, 20, 30));
    CHECK(placed[1].pose_w.translation == Vec3(11, 20, 30));
    CHECK(placed[2].pose_w.translation == Vec3(10, 20, 27));
    CHECK(placed[23].pose_w.translation == Vec3(11, 24, 21));
    CHECK(placed[23].name == "a-24");
    CHECK(*placed[4].colour == Vec3(0, 1, 0));
    std::set<std::string> names;
    for (const PlacedBody& p : placed) names.insert(p.name);
    CHECK(names.size() == 24);
}

TEST_CASE("disorder stays within its bounds and depends on the seed alone") {
    Scene scene;
    SceneBody body = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3::Zero());
    body.copies.count = {10, 10, 10};
    body.copies.jitter = Vec3(0.1, 0.0, 0.3);
    body.copies.tilt_deg = 30;
    scene.bodies = {body};
    const std::vector<PlacedBody> first = place_bodies(scene);
    const std::vector<PlacedBody> again = place_bodies(scene);
    scene.bodies[0].copies.seed = 2;
    const std::vector<PlacedBody> other = place_bodies(scene);
    double furthest = 0.0, steepest = 0.0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Vec3& at = first[i].pose_w.translation;
        const Vec3 shift = at - at.array().round().matrix();
        CHECK(shift.y() == 0.0);
        CHECK(std::abs(shift.x()) <= 0.1 + 1e-12);
        furthest = std::max(furthest, std::abs(shift.z()));
        const double up = (first[i].pose_w.rotation * Vec3::UnitY()).y();
        steepest = std::max(steepest, std::acos(std::min(1.0, up)));
        CHECK(at == again[i].pose_w.translation);
        CHECK(first[i].pose_w.rotation.coeffs() == again[i].pose_w.rotation.coeffs());
        moved += at != other[i].pose_w.translation;
    }
    const double limit = 30 * std::numbers::pi / 180;
    CHECK(furthest <= 0.3 + 1e-12);
    CHECK(furthest > 0.28);
    CHECK(steepest <= limit + 1e-9);
    CHECK(steepest > 0.9 * limit);
    CHECK(moved == first.size());
}

TEST_CASE("a body without tilt keeps its rotation's bits") {
    Scene scene;
    SceneBody body = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3::Zero());
    body.rotation = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
    scene.bodies = {body};
    CHECK(place_bodies(scene)[0].pose_w.rotation.coeffs() == body.rotation.coeffs());
    CHECK(place_bodies(scene)[0].name == "a");
}

TEST_CASE("boxes overlap exactly when they do along an axis") {
    const SceneBody a = body_of(SolidKind::Box, Vec3(1, 2, 3), Vec3::Zero());
    CHECK(overlaps(pair_of(a, body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(0.99, 0, 0)))) == 1);
    CHECK(overlaps(pair_of(a, body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(1.0, 0, 0)))) == 0);
    CHECK(overlaps(pair_of(a, body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(0, 1.5, 0)))) == 0);
    // Turned by 45 degrees a unit box reaches 0.707 m far.
    SceneBody turned = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(1.19, 0, 0));
    CHECK(overlaps(pair_of(a, turned)) == 0);
    turned.rotation = Quat(Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()));
    CHECK(overlaps(pair_of(a, turned)) == 1);
    turned.position.x() = 1.21;
    CHECK(overlaps(pair_of(a, turned)) == 0);
}

TEST_CASE("an overlap that is reported is one: some point lies inside both boxes") {
    Rng rng(4);
    const auto random_box = [&] {
        const Vec3 size{rng.uniform(0.2, 2), rng.uniform(0.2, 2), 1};
        const Vec3 at{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        SceneBody b = body_of(SolidKind::Box, size, at);
        b.rotation = Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), 0.1};
        b.rotation.normalize();
        return b;
    };
    const auto distance_to = [](const SceneBody& b, const Vec3& p) {
        const Vec3 local = b.rotation.conjugate() * (p - b.position);
        const Vec3 nearest = local.cwiseMax(-0.5 * b.solid.size).cwiseMin(0.5 * b.solid.size);
        return Vec3(b.rotation * nearest + b.position);
    };
    int found = 0, apart = 0;
    for (int round = 0; round < 200; ++round) {
        const Scene scene = pair_of(random_box(), random_box());
        // Alternating projections between two convex sets go to their nearest points.
        Vec3 p = scene.bodies[0].position;
        double gap = 1.0;
        for (int k = 0; k < 2000 && gap > 0.0; ++k) {
            const Vec3 q = distance_to(scene.bodies[1], p);
            p = distance_to(scene.bodies[0], q);
            gap = (p - q).norm();
        }
        if (overlaps(scene) > 0) {
            CHECK(gap < 1e-3);
            ++found;
        } else if (gap > 1e-3) {
            ++apart;
        }
    }
    CHECK(found > 40);
    CHECK(apart > 40);
}

TEST_CASE("touching and nested hollow bodies are not called overlapping") {
    const Vec3 drum(0.585, 0.88, 0.585);
    CHECK(overlaps(pair_of(body_of(SolidKind::Barrel, drum, Vec3(0, 0, 0)),
                           body_of(SolidKind::Barrel, drum, Vec3(0, 0.88, 0)))) == 0);
    CHECK(overlaps(pair_of(body_of(SolidKind::Barrel, drum, Vec3(0, 0, 0)),
                           body_of(SolidKind::Barrel, drum, Vec3(0, 0.6, 0)))) == 1);
    CHECK(overlaps(pair_of(body_of(SolidKind::Sphere, Vec3(1, 1, 1), Vec3(0, 0, 0)),
                           body_of(SolidKind::Sphere, Vec3(1, 1, 1), Vec3(0.6, 0.6, 0.6)))) == 0);
    CHECK(overlaps(pair_of(body_of(SolidKind::Torus, Vec3(2, 1, 2), Vec3(0, 0, 0)),
                           body_of(SolidKind::Sphere, Vec3(1, 1, 1), Vec3(0, 0, 0)))) == 0);
}

TEST_CASE("what never moves may stand anywhere, what falls may not start below the ground") {
    SceneBody a = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(0, 0, 0));
    a.motion = Motion::Static;
    Scene scene = pair_of(a, a);
    scene.ground.is_on = true;
    CHECK(overlaps(scene) == 0);
    scene.bodies = {body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3(0, 0.5, 0))};
    CHECK(overlaps(scene) == 0);
    scene.bodies[0].position.y() = 0.4;
    const auto found = sure_overlaps(scene, place_bodies(scene));
    REQUIRE(found.size() == 1);
    CHECK(found[0].a == -1);
    CHECK(test::near(found[0].depth, 0.1));
    scene.ground.is_on = false;
    CHECK(overlaps(scene) == 0);
}

TEST_CASE("many bodies are compared as brute force would") {
    Scene scene;
    scene.ground.is_on = false;
    SceneBody body = body_of(SolidKind::Box, Vec3(1, 1, 1), Vec3::Zero());
    body.copies.count = {6, 6, 6};
    body.copies.jitter = Vec3(0.2, 0.2, 0.2);
    body.copies.tilt_deg = 20;
    scene.bodies = {body};
    const std::vector<PlacedBody> placed = place_bodies(scene);
    const auto swept = sure_overlaps(scene, placed);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const std::vector<PlacedBody> two = {placed[k], placed[i]};
            expected += sure_overlaps(scene, two).size();
        }
    }
    CHECK(swept.size() == expected);
    CHECK(expected > 100);
}
