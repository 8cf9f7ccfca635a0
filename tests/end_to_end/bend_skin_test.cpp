// SPDX-License-Identifier: MIT
// Bodies that bend by the joints of their mesh files.
#include <ductile/deform/bend/bend_data.h>
#include <ductile/export/glb/glb_rig.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene_file.h>

#include "built_rigs.h"
#include <doctest/doctest.h>
#include <support/near.h>
#include <support/reason.h>
#include <support/temp_folder.h>

using namespace ductile;
using namespace ductile::test;

namespace {

const char* const kSkinnedBar = R"({
  "solid": {"kind": "box", "size": [2, 0.2, 0.2], "resolution": 0.1},
  "nodes": 600,
  "handles": {"a": {"place": [-0.8, 0, 0]}, "b": {"place": [0, 0, 0]}, "c": {"place": [0.8, 0, 0]}}
})";

LoadedScene scene_with(const std::string& body, const std::filesystem::path& folder) {
    return parse_scene(
        R"({"duration": 0.1, "bodies": {"bar": {"position": [0, 1, 0], )" + body + "}}}", "s.json",
        {}, folder);
}

}  // namespace

TEST_CASE("a body bends by the joints and weights of its mesh file") {
    const TempFolder folder;
    const BuiltRig built = built_rig(rig_file(kSkinnedBar));
    REQUIRE(write_rig_glb(folder.path / "bar.glb", built.asset, built.rig, "bar").ok());
    const LoadedScene loaded = scene_with(
        R"("mesh": "bar.glb", "layers": {"bend": {"uses_file_joints": true}})", folder.path);
    REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : loaded.errors[0].text()));
    const auto bodies = prepare_bodies(loaded.scene);
    REQUIRE_MESSAGE(bodies.ok(), reason(bodies));
    const auto* data = bodies.value()[0].shape()->data<BendData>();
    REQUIRE(data);
    REQUIRE(data->skeleton().bones.size() == 3);
    CHECK(data->skeleton().joints.size() == 2);
    for (std::size_t b = 0; b < 3; ++b) {
        CHECK(data->skeleton().bones[b].name == built.rig.handles[b].name);
        CHECK((data->skeleton().bones[b].from - built.rig.handles[b].place).norm() < 1e-6);
    }
    // Weights are the file's, of floats.
    for (std::size_t v = 0; v < data->weights().size(); ++v) {
        double sum = 0.0;
        for (const double w : data->weights().weights_of(v)) sum += w;
        CHECK(test::near(sum, 1.0));
    }
}

TEST_CASE("a body without a skin cannot bend by the joints of its file") {
    const TempFolder folder;
    const LoadedScene loaded = scene_with(R"("solid": {"kind": "box", "size": [1, 0.1, 0.1]},
                      "layers": {"bend": {"uses_file_joints": true}})",
                                          folder.path);
    REQUIRE(loaded.ok());
    const auto bodies = prepare_bodies(loaded.scene);
    REQUIRE(!bodies.ok());
    CHECK(bodies.error().text().find("no mesh file with a skin") != std::string::npos);
    const LoadedScene both = scene_with(
        R"("solid": {"kind": "box", "size": [1, 0.1, 0.1]},
           "layers": {"bend": {"uses_file_joints": true,
                               "bones": {"a": {"from": [-0.4, 0, 0], "to": [0.4, 0, 0]}}}})",
        folder.path);
    REQUIRE(both.ok());
    const auto refused = prepare_bodies(both.scene);
    REQUIRE(!refused.ok());
    CHECK(refused.error().text().find("not both") != std::string::npos);
}
