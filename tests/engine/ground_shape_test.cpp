// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/engine/bullet/ground_shape.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>

using namespace ductile;
using namespace ductile::test;

namespace {

// A ladder of pieces, on its way onto the ground, turning.
BodyDesc falling_ladder(int number) {
    PieceCollider collider;
    for (int i = 0; i < 9; ++i) {
        const Vec3 centre(0.2 * (i - 4), i % 2 == 0 ? 0.0 : 0.06, 0.0);
        collider.pieces.push_back({i, box_points({0.18, 0.1, 0.3}, centre)});
    }
    collider.margin = 0.0005;
    BodyDesc d = piece_desc({1.8, 0.2, 0.3}, 700.0, {0.0, 0.6 + number, 3.0 * number});
    d.collider = collider;
    d.pose_w.rotation = Quat(Eigen::AngleAxisd(0.4 + number, Vec3(0.3, 0.2, 1).normalized()));
    d.velocity_w = {0.5, -3.0, 0.2 * number};
    d.spin_w = {0.4, -1.0, 2.0};
    return d;
}

// How three of them come to rest, and on how many manifolds.
std::pair<std::uint64_t, int> fallen(bool measures_all, const Quat& slope) {
    const auto engine = BulletEngine::make();
    auto& dispatcher = static_cast<btCollisionDispatcher&>(*engine->world().getDispatcher());
    if (measures_all) dispatcher.setNearCallback(btCollisionDispatcher::defaultNearCallback);
    BodyDesc floor = floor_desc();
    floor.pose_w.rotation = slope;
    REQUIRE(engine->add(floor).ok());
    std::vector<BodyId> ladders;
    for (int k = 0; k < 3; ++k) ladders.push_back(engine->add(falling_ladder(k)).value());
    Hasher hasher;
    int manifolds = 0;
    for (int i = 0; i < 480; ++i) {
        engine->step(1.0 / 240);
        manifolds = std::max(manifolds, dispatcher.getNumManifolds());
        for (const BodyId id : ladders) {
            hasher.add(engine->motion(id).pose_w);
            hasher.add(engine->motion(id).velocity_w);
        }
    }
    return {hasher.value(), manifolds};
}

}  // namespace

TEST_CASE("a level ground is touched the same though far pieces are not measured against it") {
    const auto [all, all_manifolds] = fallen(true, Quat::Identity());
    const auto [near, near_manifolds] = fallen(false, Quat::Identity());
    CHECK(near == all);
    CHECK(near_manifolds < all_manifolds);
    const Quat slope(Eigen::AngleAxisd(0.1, Vec3::UnitX()));
    CHECK(fallen(false, slope) == fallen(true, slope));
}
