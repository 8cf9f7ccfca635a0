// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/scene/build.h>
#include <ductile/scene/crowding.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace ductile;

namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

StartingBox box_at(const Vec3& centre, double size, bool can_move = true) {
    StartingBox out;
    out.box_w.add(centre - Vec3::Constant(0.5 * size));
    out.box_w.add(centre + Vec3::Constant(0.5 * size));
    out.can_move = can_move;
    return out;
}

/// Copies of one solid, so far apart along x [m].
LoadedScene crowd(const std::string& kind, int count, double spacing) {
    return parse_scene(R"({"duration": 0.1, "bodies": {"b": {"position": [0, 2, 0],
        "solid": {"kind": ")" +
                           kind + R"(", "size": [0.5, 0.5, 0.5]},
        "copies": {"count": [)" +
                           std::to_string(count) + R"(, 1, 1],
                   "spacing": [)" +
                           std::to_string(spacing) + ", 1, 1]}}}}",
                       "crowd");
}

}  // namespace

TEST_CASE("pairs of boxes are counted as brute force counts them, and no further than asked") {
    Rng rng(3);
    for (int i = 0; i < 20; ++i) {
        std::vector<StartingBox> boxes;
        for (int k = 0; k < 60; ++k) {
            const Vec3 centre(rng.uniform(-1, 1), rng.uniform(-4, 4), rng.uniform(-1, 1));
            boxes.push_back(box_at(centre, rng.uniform(0.1, 1.0), rng.uniform() < 0.7));
        }
        std::int64_t expected = 0;
        for (std::size_t a = 0; a < boxes.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const bool is_pair = boxes[a].can_move || boxes[b].can_move;
                expected += is_pair && boxes[a].box_w.overlaps(boxes[b].box_w) ? 1 : 0;
            }
        }
        CHECK(count_pairs(boxes, kAll) == expected);
        CHECK(count_pairs(boxes, 5) == std::min<std::int64_t>(expected, 5));
    }
    CHECK(count_pairs({}, kAll) == 0);
}

TEST_CASE("a packed heap of any size is no crowd, what lies in one place is") {
    std::vector<StartingBox> heap, still;
    for (int x = 0; x < 27; ++x) {
        for (int y = 0; y < 27; ++y) {
            for (int z = 0; z < 27; ++z) heap.push_back(box_at(Vec3(x, y, z), 1.0));
        }
    }
    CHECK(check_crowding(heap).ok());
    for (int i = 0; i < 20000; ++i) still.push_back(box_at(Vec3::Zero(), 1.0, false));
    CHECK(check_crowding(std::span(still).first(2000)).ok());
    for (StartingBox& b : still) b.can_move = true;
    CHECK(check_crowding(std::span(still).first(400)).ok());
    const Status refused = check_crowding(still);
    REQUIRE(!refused.ok());
    CHECK(refused.error().what.find("500000 pairs of its 20000 bodies") != std::string::npos);
}

TEST_CASE("a scene of rings in one place is refused before it begins") {
    const LoadedScene rings = crowd("torus", 2000, 0.0);
    REQUIRE(rings.ok());
    const auto bodies = prepare_bodies(rings.scene);
    REQUIRE(!bodies.ok());
    CHECK(bodies.error().what.find("pairs of its 2000 bodies") != std::string::npos);
    CHECK(bodies.error().where == "#/bodies");
    CHECK(prepare_bodies(crowd("torus", 2000, 1.0).scene).ok());
}

TEST_CASE("of thousands of bodies in one place a few are named, and at once") {
    const std::vector<Error> errors = crowd("box", 10000, 0.0).errors;
    REQUIRE(errors.size() > 2);
    CHECK(errors.size() < 50);
    CHECK(errors[0].what.find("inside 'b-1'") != std::string::npos);
    CHECK(errors.back().what.find("more bodies start inside others") != std::string::npos);
}
