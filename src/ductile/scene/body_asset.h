// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/deform/layer_files.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// The shape of a scene's body, before it is weighed and cut.
struct BodyAsset {
    std::shared_ptr<const SurfaceAsset> asset;
    double thickness = 0.0;        ///< Of its sheets [m]; 0: it is solid.
    Vec3 centre_b = Vec3::Zero();  ///< Of its box: what a scene's `position` places.
    std::shared_ptr<const FileSkeleton> skeleton{};  ///< Of its mesh file; null: it has none.
    std::vector<std::string> notes{};  ///< What reading and mending its file found, in words.
};

/// Where a file that a scene names is: beside the scene, else in the current folder.
/// Error: in neither, or no plain file.
Result<std::filesystem::path> find_scene_file(const Scene& scene, const std::string& name);

/// Makes the body's solid, or reads its mesh file; painted as its material where nothing else says
/// how it looks. Error: what cannot be made or read, and why; `stop` was set.
Result<BodyAsset> make_body_asset(const Scene& scene, const SceneBody& body,
                                  const StopFlag* stop = nullptr);

/// The same with a coat of paint, linear RGB, on its main surface.
std::shared_ptr<const SurfaceAsset> repainted(const std::shared_ptr<const SurfaceAsset>& asset,
                                              const Vec3& colour);

/// What a body's shape, mass and collider depend on, as text: bodies with equal keys share them.
std::string shape_key(const SceneBody& body);

/// A file of vectors for dents: a colour PFM, or a table (deform/dent/vector_map.h); the content
/// decides. Error (`where`: the file, then the line or byte): what they refuse.
Result<VectorFile> read_vector_file(const std::filesystem::path& path);

/// How layers get at the files that a scene names. The scene must outlive it.
LayerFiles scene_layer_files(const Scene& scene);
/// The same for the layers of one body, which may ask for the joints of its own file.
LayerFiles body_layer_files(const Scene& scene, const BodyAsset& asset);

/// Tries the shape and the mass of every body: what only a run would find out otherwise. Errors
/// name the body's JSON pointer. Requires: a scene that check_scene found nothing wrong with.
std::vector<Error> check_shapes(const Scene& scene);

}  // namespace ductile
