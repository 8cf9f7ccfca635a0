// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/recording.h>

#include <filesystem>
#include <string>

namespace ductile {

// A file per frame, NAME.0000 and on, with all bodies that are there at that frame, in world space,
// Y up, metres. A recording of more than 10,000 frames has wider numbers. The folder appears
// with all of its files, or not at all. Both ask `checkpoint` between frames.
// Vertices of each body are those of the file that it came from, in its order and number.
// Error: what check_recording refuses; no body that can be drawn; a file that cannot be written; a
// folder in the way that holds anything else.

/// Wavefront OBJ: an object per body, its parts as groups; one MTL file and each picture once.
/// Numbers are read back as the same floats.
Status write_obj_sequence(const Recording& recording, const std::filesystem::path& folder,
                          const std::string& name, const Checkpoint& checkpoint = {});

/// Binary little-endian PLY, for analysis: of each vertex x y z, nx ny nz, s t ((0, 0) is below; 0
/// where a body has no UVs), dent_depth [m], strain, scratch_x scratch_y scratch_z [m] (in world
/// space), all floats; body, an int: its index in the recording.
/// A frame without any body holds no vertex and no face.
Status write_ply_sequence(const Recording& recording, const std::filesystem::path& folder,
                          const std::string& name, const Checkpoint& checkpoint = {});

}  // namespace ductile
