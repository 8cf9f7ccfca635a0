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
