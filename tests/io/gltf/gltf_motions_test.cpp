// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_motions.h>

#include <doctest/doctest.h>
#include <io/gltf/gltf_files.h>

#include <limits>
#include <string>
#include <vector>

using namespace ductile;

namespace {

/// What becomes of a node's animation whose times and moves are these.
struct MovedNode {
    Status added;
    Model model;
    std::uint64_t spare = 0;
};
MovedNode moved_node(const std::vector<float>& times, const std::vector<float>& moves,
                     std::int32_t place, std::uint64_t spare) {
    sample::GltfSketch sketch = sample::square();
    const int input = sketch.accessor<float>(5126, "SCALAR", 1, times);
    const int output = sketch.accessor<float>(5126, "VEC3", 3, moves);
    sketch.json["animations"] = {
        {{"name", "wave"},
         {"samplers", {{{"input", input}, {"output", output}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}}};
    const std::string bytes = sketch.file();
    const Result<GltfContainer> file = open_gltf(sample::bytes_of(bytes));
    REQUIRE(file.ok());
    const Result<GltfDocument> document =
        read_gltf_document(parse_json(file.value().json, "JSON").value());
    REQUIRE(document.ok());
    const ReadContext context;
    Result<GltfData> data = GltfData::load(document.value(), file.value(), context);
    REQUIRE(data.ok());
    MovedNode out;
    out.spare = spare;
    out.model.nodes.resize(1);
    const std::vector<std::int32_t> node_place = {place};
    GltfMotions motions(document.value(), data.value(), node_place, out.spare, out.model);
    out.added = motions.add_animations();
    return out;
}

}  // namespace

TEST_CASE("an animation takes its numbers off what is left, and no more than that") {
    const MovedNode fine = moved_node({0, 1}, {0, 0, 0, 1, 2, 3}, 0, 10);
    REQUIRE(fine.added.ok());
    CHECK(fine.spare == 2);
    REQUIRE(fine.model.animations.size() == 1);
    CHECK(fine.model.animations[0].channels.at(0).values.back() == 3.0);
    const MovedNode large = moved_node({0, 1}, {0, 0, 0, 1, 2, 3}, 0, 7);
    REQUIRE_FALSE(large.added.ok());
    CHECK(large.added.error().what.find("too many numbers") != std::string::npos);
}

TEST_CASE("channels of no use are left out, with a note") {
    const float none = std::numeric_limits<float>::quiet_NaN();
    for (const MovedNode& left : {moved_node({1, 0}, {0, 0, 0, 1, 2, 3}, 0, 99),
                                  moved_node({0, 1}, {0, 0, 0, 1, 2, 3}, -1, 99),
                                  moved_node({0, 1}, {0, none, 0, 1, 2, 3}, 0, 99)}) {
        REQUIRE(left.added.ok());
        REQUIRE(left.model.animations.size() == 1);
        CHECK(left.model.animations[0].channels.empty());
        CHECK_FALSE(left.model.notes.empty());
    }
}
