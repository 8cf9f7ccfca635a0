// SPDX-License-Identifier: MIT
#include <ductile/io/load_asset.h>

namespace ductile {
namespace {

Result<PreparedAsset> named(Result<PreparedAsset> prepared, const std::filesystem::path& path) {
    if (prepared) return prepared;
    return Error{prepared.error().what, path.string(), prepared.error().hint};
}

}  // namespace

Result<PreparedAsset> load_asset(const std::filesystem::path& path, const AssetOptions& options,
                                 const ReadLimits& limits) {
    const Result<Model> model = read_model(path, limits);
    if (!model) return model.error();
    return named(prepare_asset(model.value(), options), path);
}

Result<PreparedAsset> load_asset(const std::filesystem::path& path,
                                 const std::filesystem::path& surface_path,
                                 const AssetOptions& options, const ReadLimits& limits) {
    const Result<Model> model = read_model(path, limits);
    if (!model) return model.error();
    const Result<Model> surface = read_model(surface_path, limits);
    if (!surface) return surface.error();
    return named(prepare_asset(model.value(), surface.value(), options), path);
}

}  // namespace ductile
