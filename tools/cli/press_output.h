// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/deform/press/press.h>
#include <ductile/record/recording.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace ductile::cli {

/// What a file of a press can hold, by its name's ending.
enum class PressOutputKind {
    Unknown,      ///< No ending that is known.
    Still,        ///< One frame: .obj, .ply (the soft mesh), .png (both bodies).
    StillOrFilm,  ///< One frame or all of them: .glb.
    Film,         ///< All frames: .pc2, .mdd (the soft mesh), .usda, .mp4, .webm (both bodies).
};
PressOutputKind press_output_kind(const std::filesystem::path& path);

/// Whether it holds the vertices of the soft mesh's file, in their order and number: .obj, .ply,
/// .pc2, .mdd, .usda.
bool keeps_vertices(const std::filesystem::path& path);

/// One frame of two bodies, pressed.
struct PressedStill {
    std::shared_ptr<const SurfaceAsset> soft;  ///< At rest.
    std::vector<Vec3> before;                  ///< Its points before the press [m].
    Pressed pressed;
    std::shared_ptr<const SurfaceAsset> rigid;  ///< At rest.
    std::vector<Vec3> rigid_points;             ///< [m]
    // A PNG of a painted body leaves the rigid one out.
    bool shows_contact = false;  ///< Paints zone and parameter.
    bool shows_left = false;     ///< Paints what the press left undone, or did badly.
    bool is_painted() const { return shows_contact || shows_left; }
};
/// Requires: a file that can hold one frame. `notes` gets what is drawn otherwise than its file
/// says.
Status write_press_still(const PressedStill& still, const std::filesystem::path& path,
                         std::vector<std::string>& notes);

/// All frames of a recording of a soft and a rigid body. Requires: a file that can hold them.
/// `has_new_mesh`: beside a cache the mesh to play it on is written, as an OBJ of the same name.
Status write_press_film(const Recording& recording, const std::filesystem::path& path,
                        bool has_new_mesh, const Progress& progress,
                        std::vector<std::string>& notes);

}  // namespace ductile::cli
