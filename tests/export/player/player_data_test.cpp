// SPDX-License-Identifier: MIT
#include <ductile/export/player/player_data.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>

using namespace ductile;

TEST_CASE("what the player is told is the same every time, its arrays at multiples of four") {
    const Recording recording = sample::busy();
    const Result<PlayerData> one = player_data(recording, PlayerOptions{});
    const Result<PlayerData> two = player_data(recording, PlayerOptions{});
    REQUIRE(one.ok());
    REQUIRE(two.ok());
    CHECK(one.value().header.dump() == two.value().header.dump());
    CHECK(one.value().data == two.value().data);
    CHECK_FALSE(one.value().data.empty());
}

TEST_CASE("the player is told of the poses that are seen, and their colours place by place") {
    Recording recording = sample::busy();
    REQUIRE(player_data(recording, PlayerOptions{}).value().header["poses"].empty());
    RecordedBody& body = recording.bodies[0];
    body.poses = {"crushed", "bent"};
    body.shares.resize(body.shapes.size());
    for (std::size_t v = 0; v < body.asset->surface.points.size(); ++v) {
        for (std::vector<std::uint8_t>& of_shape : body.shares) {
            of_shape.insert(of_shape.end(), {0, 200});
        }
    }
    const Result<PlayerData> data = player_data(recording, PlayerOptions{});
    REQUIRE(data.ok());
    const auto& poses = data.value().header["poses"];
    REQUIRE(poses.size() == 1);
    CHECK(poses[0][0] == "bent");
    CHECK(poses[0].size() == 4);
    CHECK(data.value().header["bodies"][0].contains("pose_colours"));
    CHECK_FALSE(data.value().header["bodies"][1].contains("pose_colours"));
}
