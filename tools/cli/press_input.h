// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ductile::cli {

/// Where one of the two bodies of a press comes from.
struct PressSource {
    std::string name;                     ///< A mesh file, or a solid's name.
    std::string cache;                    ///< A PC2 or MDD file that moves its points, or none.
    std::vector<double> at = {0, 0, 0};   ///< Moved by so much [m].
    std::vector<double> size;             ///< Of a solid [m]; none: its own.
    double resolution = 0.0;              ///< Of a solid [m]; 0 chooses.
    Vec3 colour = Vec3(0.75, 0.28, 0.2);  ///< Of a solid, linear RGB.
    double frame_rate = 24.0;             ///< At which a glTF's animation is sampled [1/s].

    /// The files it is read from.
    std::vector<std::filesystem::path> files() const;
};

/// One of the two bodies of a press, over time.
struct PressInput {
    std::shared_ptr<const SurfaceAsset> asset;  ///< As it is at its first frame.
    std::vector<std::vector<Vec3>> frames;      ///< Points of the surface; one if it stands still.
    std::vector<std::string> notes;  ///< What of its file is left out or taken otherwise.

    /// After its last frame it stays.
    const std::vector<Vec3>& at(std::size_t frame) const {
        return frames[std::min(frame, frames.size() - 1)];
    }
};

/// Reads a body: a file in its own units and axes, since two files must stay beside each other as
/// they are. A cache has a sample per frame; a glTF with an animation (its first counts: nodes,
/// skins and morphs) is sampled at the frame rate.
///
/// A cache's points are found by their places: the file must stand as the cache's first sample
/// does, or its vertices must be as many as the cache's and in their order.
/// Error: what cannot be read; a cache that does not fit.
Result<PressInput> open_press_input(const PressSource& source);

}  // namespace ductile::cli
