// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/record/recording.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ductile {

/// Where the player looks from. Up in the picture is the world's Y.
struct PlayerView {
    Vec3 eye_w = Vec3(4, 2, 6);       ///< [m]
    Vec3 target_w = Vec3(0, 0.5, 0);  ///< [m]
};
template <class Visitor>
void visit_fields(PlayerView& v, Visitor&& field) {
    field(Field{"eye", "m", -1e6, 1e6, "where the camera stands"}, v.eye_w);
    field(Field{"target", "m", -1e6, 1e6, "what is in the middle of the picture"}, v.target_w);
}

/// What the player shows beside the recording. "Size" is the diagonal of a body's box at rest.
struct PlayerOptions {
    std::string title = "ductile";  ///< Any text: it is shown as it is.
    std::string description{};      ///< One line for people.
    double position_error = 1e-5;   ///< Error of shapes allowed, as a share of the body's size.
    bool has_ground = true;         ///< An endless floor.
    double ground_height = 0.0;     ///< [m]
    Vec3 ground_colour = Vec3(0.31, 0.30, 0.285);    ///< Linear RGB.
    Vec3 sun_direction_w = Vec3(-0.55, 0.62, 0.45);  ///< Towards the sun; any length but 0.
    double field_of_view_deg = 35.0;                 ///< From the lower to the upper edge.
    /// None: a view of everything. One: the first view. One per frame: the film's camera, which the
    /// player follows until somebody takes hold of it.
    std::vector<PlayerView> camera{};
};
template <class Visitor>
void visit_fields(PlayerOptions& o, Visitor&& field) {
    field(Field{"title", "", 0, 0, "what is played"}, o.title);
    field(Field{"description", "", 0, 0, "one line for people"}, o.description);
    field(Field{"position_error", "", 1e-7, 0.1, "error of shapes, as a share of the body's size"},
          o.position_error);
    field(Field{"has_ground", "", 0, 0, "an endless floor"}, o.has_ground);
    field(Field{"ground_height", "m", -1e6, 1e6, "height of the endless floor"}, o.ground_height);
    field(Field{"ground_colour", "", 0.0, 1.0, "linear RGB of the endless floor"}, o.ground_colour);
    field(Field{"sun_direction", "", -1e6, 1e6, "towards the sun"}, o.sun_direction_w);
    field(Field{"field_of_view_deg", "deg", 1.0, 150.0, "from the lower to the upper edge"},
          o.field_of_view_deg);
    field(Field{"camera", "", 0, 0, "none, one view, or one per frame"}, o.camera);
}

/// The recording as one HTML page that plays it in any browser with WebGL2: no server, no network,
/// no other file.
///
/// At every frame every render vertex is where RenderSkin puts it, to `position_error` and float
/// rounding; poses are floats. Pictures of looks are in it as they came. Any text of the recording
/// is shown as text and can do nothing else. Same recording and options, same bytes. docs/player.md
/// tells how the data is laid out.
/// Error: what check_recording refuses; options out of range; more than 2 GiB of data; a shape so
/// far from rest that it cannot be told to the error wanted.
/// O(points of all shapes); takes several threads.
Result<std::string> player_html(const Recording& recording, const PlayerOptions& options = {});

/// Writes player_html to a file, which is either whole or not there.
Status write_player(const Recording& recording, const std::filesystem::path& path,
                    const PlayerOptions& options = {});

}  // namespace ductile
