// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/export_options.h>
#include <ductile/record/recording.h>

#include <cstddef>
#include <filesystem>

namespace ductile {

/// Files with the place of every vertex at every frame, which modellers play on a mesh.
enum class PointCacheKind {
    Pc2,  ///< 3ds Max' Point Cache 2: little-endian, samples by frame number.
    Mdd,  ///< LightWave's Motion Designer: big-endian, samples by time.
};

/// Writes the vertices of one body at every frame as a point cache, whole or not there: those of
/// the file that it came from, in the file's order and number, or else the drawn ones.
///
/// Y up, metres; samples are the frames, one each; the floats nearest to the recorded places. The
/// format knows no absence: an absent body is drawn together to a point, its middle where it was
/// last or will be first.
/// Requires: check_recording is content; BodyPoser::can_show. Error: more vertices or frames than
/// the format's 32 bits, a file that cannot be written, what `checkpoint` answers between frames.
Status write_point_cache(const Recording& recording, std::size_t body, PointCacheKind kind,
                         CacheSpace space, const std::filesystem::path& path,
                         const Checkpoint& checkpoint = {});

/// A folder with the cache of every body that is ever there, and an OBJ of each as it is at frame
/// 0, in the same space, one object with the cache's vertices in their order: what the cache is
/// played on. Files are called by the bodies' names. All of the folder appears, or nothing.
/// Error: what check_recording refuses; a body that cannot be written; a folder in the way
/// that holds anything else.
Status write_point_caches(const Recording& recording, PointCacheKind kind, CacheSpace space,
                          const std::filesystem::path& folder, const Checkpoint& checkpoint = {});

}  // namespace ductile
