// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/usd/usd.h>
#include <ductile/export/usd/usd_text.h>
#include <ductile/geom/render_mesh.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// The pictures of a stage: each a file of its own, once.
class UsdPictures {
public:
    /// The name of its file; empty for a look without a picture.
    std::string name_of(const Look& look);

    /// Writes them all. Error: a file that cannot be written.
    Status write(const std::filesystem::path& folder) const;
    bool empty() const { return pictures_.empty(); }

private:
    std::map<const Texture*, std::string> names_;  ///< For look-up only: its order is never used.
    std::vector<std::shared_ptr<const Texture>> pictures_;
};

/// Where a prim goes, and what it may refer to.
struct UsdPlace {
    std::string name;            ///< Of the body's prim.
    std::string parent;          ///< Path of the prim above, "" for none.
    std::string picture_folder;  ///< From the layer, with its slash.
};

/// The time code of each frame: its number where frames are as far apart as the rate says.
std::vector<double> usd_time_codes(const Recording& recording);

/// Appends the prim of a body that is present at some frame, with its meshes and materials.
/// Requires: check_recording is content.
void append_usd_body(UsdText& text, const Recording& recording, std::size_t body,
                     const UsdPlace& place, const UsdOptions& options, UsdPictures& pictures);

/// About how many bytes that will be, without posing a mesh: within a factor of 2 for a body
/// without parts; more than it is where only some of the parts move.
double usd_body_size(const Recording& recording, std::size_t body, const UsdOptions& options);

/// Appends a scope "Looks" with a UsdPreviewSurface material per look; returns their paths.
std::vector<std::string> append_usd_looks(UsdText& text, const RenderMesh& mesh,
                                          const std::string& body_path,
                                          const std::string& picture_folder, UsdPictures& pictures);

}  // namespace ductile
