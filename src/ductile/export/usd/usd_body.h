// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/usd/usd.h>
#include <ductile/export/usd/usd_text.h>
#include <ductile/geom/render_mesh.h>

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
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

/// The materials of some meshes, each once: a scope "Looks" of UsdPreviewSurfaces.
class UsdLooks {
public:
    /// Those of one more mesh; what is there already is shared. Requires: meshes stay.
    void add(const RenderMesh& mesh);

    /// Appends the scope below the prim `parent`, and knows the materials' paths from then on.
    void append(UsdText& text, const std::string& parent, const std::string& picture_folder,
                UsdPictures& pictures);

    /// The path of each look of a mesh that was added. Requires: appended.
    std::vector<std::string> paths(const RenderMesh& mesh) const;

private:
    /// What tells materials apart: a look's fields, and whether vertices have colours.
    using Key = std::tuple<std::string, std::vector<double>, bool, bool, const Texture*>;
    static Key key_of(const Look& look, bool has_colours);

    std::map<Key, std::size_t> known_;  ///< For look-up only: its order is never used.
    std::vector<std::pair<const Look*, bool>> looks_;
    std::vector<std::string> paths_;
};

/// Where a prim goes, and what it may refer to.
struct UsdPlace {
    std::string name;                 ///< Of the body's prim.
    std::string parent;               ///< Path of the prim above, "" for none.
    std::string picture_folder;       ///< From the layer, with its slash.
    const UsdLooks* looks = nullptr;  ///< Those of the stage; null: the body has its own.
};

/// The time code of each frame: its number where frames are as far apart as the rate says.
std::vector<double> usd_time_codes(const Recording& recording);

/// Appends the prim of a body that is present at some frame, with its meshes and materials.
/// Requires: check_recording is content.
void append_usd_body(UsdText& text, const Recording& recording, std::size_t body,
                     const UsdPlace& place, const UsdOptions& options, UsdPictures& pictures);

/// Appends the prims of a film's set, below `place.parent`; `place.name` does not matter.
/// Requires: check_set is content; none of `taken` is called as they are.
void append_usd_set(UsdText& text, const Recording& recording, const FilmSet& set,
                    const UsdPlace& place, std::set<std::string> taken, UsdPictures& pictures);

/// About how many bytes that will be, without posing a mesh: within a factor of 2 for a body
/// without parts; more than it is where only some of the parts move.
double usd_body_size(const Recording& recording, std::size_t body, const UsdOptions& options);

}  // namespace ductile
