// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// A scene as far as it could be read, and everything that is wrong with it.
struct LoadedScene {
    Scene scene;
    std::vector<Error> errors;  ///< `where` is "source#/json/pointer" or "source:line:column".

    bool ok() const { return errors.empty(); }
};

/// Reads a scene from text (docs/scene-format.md), then sets the overrides ("gravity.y=-1.6"), then
/// checks it. Every mistake is reported, not only the first.
/// `folder` is where its mesh files are looked for, besides the current one.
LoadedScene parse_scene(std::string_view text, const std::string& source_name,
                        std::span<const std::string> overrides = {},
                        const std::filesystem::path& folder = {});

/// The same from a file of at most 64 MB. A scene without a name gets the file's.
LoadedScene load_scene(const std::filesystem::path& path,
                       std::span<const std::string> overrides = {});

/// The scene as text that `parse_scene` reads back to the same bits, every field written out.
std::string scene_text(const Scene& scene);

/// JSON Schema (draft 2020-12) of scene files, for editors.
std::string scene_schema_text();

/// One scene of a folder, for lists.
struct SceneInfo {
    std::filesystem::path path;
    std::string name;
    std::string description;  ///< Empty if the file cannot be read.
};

/// The scenes (*.json) of a folder, by file name. Empty if there is no such folder.
std::vector<SceneInfo> list_scenes(const std::filesystem::path& folder);

/// Finds what no single field can show: unknown bodies and materials, rates that do not fit each
/// other, colliders that a solid cannot have, bodies inside each other at the start, and also
/// any number out of its range (for scenes made in code). `where` is a JSON pointer. Empty: the
/// scene can be built, unless a solid cannot be made at its resolution.
std::vector<Error> check_scene(const Scene& scene);

}  // namespace ductile
