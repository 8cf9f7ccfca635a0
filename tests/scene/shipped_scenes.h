// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

namespace ductile::test {

/// Whether a scene needs meshes that are not part of the project: those are named real-*.
enum class Meshes { OfOurOwn, Real };

/// The scenes of one kind in the project's scenes/, by name. There are some.
inline std::vector<SceneInfo> shipped_scenes(Meshes meshes) {
    std::vector<SceneInfo> scenes =
        list_scenes(std::filesystem::path(DUCTILE_SOURCE_DIR) / "scenes");
    std::erase_if(scenes, [&](const SceneInfo& info) {
        return info.name.starts_with("real-") != (meshes == Meshes::Real);
    });
    REQUIRE_FALSE(scenes.empty());
    return scenes;
}

}  // namespace ductile::test
