// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb_animation.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <support/near.h>

using namespace ductile;

namespace {

constexpr std::size_t kRoom = 1 << 20;

/// The samplers of the file's only animation, by what they move.
struct ReadChannels {
    explicit ReadChannels(GlbBuilder& builder) : file(gltf::parse(builder.finish().value())) {}

    const gltf::Json& sampler(const std::string& path) const {
        const gltf::Json& animation = file.json.at("animations").at(0);
        for (const gltf::Json& channel : animation.at("channels")) {
            if (channel.at("target").at("path") == path) {
                return animation.at("samplers").at(int(channel.at("sampler")));
            }
        }
        FAIL("no channel moves ", path);
        return animation;
    }
    std::vector<double> times(const std::string& path) const {
        return gltf::read(file, sampler(path).at("input"));
    }
    std::vector<double> values(const std::string& path) const {
        return gltf::read(file, sampler(path).at("output"));
    }

    gltf::File file;
};

}  // namespace

TEST_CASE("an animation has the keys of a track, and steps a thousandth of a frame early") {
    BodyTrack track;
    for (int f = 0; f < 4; ++f) {
        track.poses.push_back({Quat(Eigen::AngleAxisd(0.25 * f, Vec3::UnitY())), Vec3(f, 0.5, -f)});
    }
    track.translation_keys = {0, 3};
    track.rotation_keys = {1, 2};
    track.presence_keys = {0, 2};
    GlbBuilder builder(kRoom);
    GlbAnimation animation(builder, {0.0f, 0.25f, 0.5f, 0.75f});
    animation.add_motion(7, track, {true, true, false, false});
    animation.finish();
    const ReadChannels read(builder);
    for (const gltf::Json& channel : read.file.json["animations"][0]["channels"]) {
        CHECK(channel["target"]["node"] == 7);
    }
    CHECK(read.times("translation") == std::vector<double>{0, 0.75});
    CHECK(read.values("translation") == std::vector<double>{0, 0.5, 0, 3, 0.5, -3});
    CHECK(read.times("rotation") == std::vector<double>{0.25, 0.5});
    const std::vector<double> turns = read.values("rotation");
    REQUIRE(turns.size() == 8);
    CHECK(test::near(turns[1], std::sin(0.125), 1e-6));
    CHECK(test::near(turns[7], std::cos(0.25), 1e-6));
    CHECK(read.sampler("scale").at("interpolation") == "STEP");
    CHECK(read.values("scale") == std::vector<double>{1, 1, 1, 0, 0, 0});
    const std::vector<double> steps = read.times("scale");
    REQUIRE(steps.size() == 2);
    CHECK(steps[0] == 0.0);
    CHECK(test::near(steps[1], 0.5 - 1e-3 * 0.25, 1e-6));
}

TEST_CASE("a node's weights are those of the keys that its mesh has, in order") {
    ShapeTrack track;
    track.keys = {4, 8, 9};
    track.frames = {{0, 0, 0.0}, {0, 1, 0.25}, {1, 3, 0.75}};
    track.time_keys = {0, 1, 2};
    GlbBuilder builder(kRoom);
    GlbAnimation animation(builder, {0.0f, 1.0f, 2.0f});
    const std::vector<std::size_t> keys = {0, 2};
    animation.add_shapes(1, track, keys);
    animation.finish();
    const ReadChannels read(builder);
    CHECK(read.times("weights") == std::vector<double>{0, 1, 2});
    CHECK(read.values("weights") == std::vector<double>{0, 0, 0.25, 0, 0.25, 0.75});
}

TEST_CASE("a file in which nothing moves has no animation") {
    GlbBuilder builder(kRoom);
    GlbAnimation animation(builder, {0.0f, 1.0f});
    BodyTrack still;
    still.poses.resize(2);
    animation.add_motion(0, still, {true, true});
    ShapeTrack shapes;
    shapes.keys = {1};
    shapes.frames.resize(2);
    const std::vector<std::size_t> keys = {0};
    animation.add_shapes(0, shapes, keys);  // All blends are alike: no time keys.
    shapes.time_keys = {0, 1};
    animation.add_shapes(0, shapes, {});  // A mesh without targets.
    animation.finish();
    CHECK_FALSE(builder.root.contains("animations"));
}
