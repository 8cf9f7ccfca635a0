// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ductile {

/// Which render vertices always are at one place: those that begin there and follow the same thing.
/// UVs, creases and looks split vertices; shapes need to be told only once for each place.
struct VertexPlaces {
    std::vector<std::int32_t> place_of;  ///< Per render vertex.
    std::vector<std::int32_t> vertices;  ///< Per place: its first vertex. Ascending.
};
/// Requires: an asset as check_asset wants it. O(n log n).
VertexPlaces vertex_places(const SurfaceAsset& asset);

/// Gathers assets and their pictures for the player, each once.
class PlayerMeshes {
public:
    /// Appends the asset's arrays to `data`, if it is new; its number.
    int add(const std::shared_ptr<const SurfaceAsset>& asset, std::string& data);

    const VertexPlaces& places(int asset) const { return places_[asset]; }
    Json assets() const { return assets_; }
    Json textures() const { return textures_; }

private:
    Json looks_of(const SurfaceAsset& asset, std::string& indices, std::string& data);
    int add_texture(const std::shared_ptr<const Texture>& texture, std::string& data);

    // Only for looking up: their order, which is that of addresses, is never used.
    std::map<const SurfaceAsset*, int> known_assets_;
    std::map<const Texture*, int> known_textures_;
    std::vector<VertexPlaces> places_;
    Json assets_ = Json::array();
    Json textures_ = Json::array();
};

}  // namespace ductile
