// SPDX-License-Identifier: MIT
#include "input_files.h"

#include <ductile/core/json_fields.h>
#include <ductile/scene/body_asset.h>

#include <string>
#include <system_error>

namespace ductile::cli {
namespace {

bool is_same(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ec;
    return std::filesystem::equivalent(a, b, ec) && !ec;
}

Error overwritten(const std::filesystem::path& output, const std::filesystem::path& input) {
    const bool is_one_name = output == input;
    return {"the output is also an input" + (is_one_name ? "" : " (" + input.string() + ")"),
            output.string(), "write it under another name"};
}

}  // namespace

Paths scene_inputs(const Scene& scene) {
    Paths files;
    Scene copy = scene;  // field lists take what may be written to
    for_each_file(copy, [&](std::string& name) {
        if (name.empty()) return;
        const Result<std::filesystem::path> found = find_scene_file(scene, name);
        files.push_back(found ? found.value() : scene.folder / name);
    });
    return files;
}

Status check_outputs(const Paths& outputs, const Paths& inputs) {
    for (const std::filesystem::path& output : outputs) {
        for (const std::filesystem::path& input : inputs) {
            if (is_same(output, input)) return overwritten(output, input);
        }
    }
    return {};
}

Status check_run_outputs(const Scene& scene, const std::filesystem::path& folder,
                         const Paths& inputs) {
    // More than this scene may ask for: a file of one of these names is taken for an output.
    Paths outputs;
    for (const char* name :
         {"index.html", "journal.json", "report.json", "poster.png", "sheet.png", "sheet.mp4"}) {
        outputs.push_back(folder / name);
    }
    for (const char* end : {".glb", ".usda", ".mp4", ".webm", "-turntable.mp4"}) {
        outputs.push_back(folder / (scene.name + end));
    }
    if (Status fine = check_outputs(outputs, inputs); !fine) return fine;
    // Of the rest only the ending or the folder is known beforehand.
    for (const std::filesystem::path& input : inputs) {
        const std::filesystem::path place = input.parent_path().empty() ? "." : input.parent_path();
        if (scene.outputs.ply && input.extension() == ".ply" && is_same(place, folder)) {
            return overwritten(folder / input.filename(), input);
        }
        for (const char* end : {"_usd", "_pc2", "_mdd", "_obj", "_ply", "_csv"}) {
            const std::filesystem::path inner = folder / (scene.name + end);
            if (is_same(place, inner)) return overwritten(inner / input.filename(), input);
        }
    }
    return {};
}

}  // namespace ductile::cli
