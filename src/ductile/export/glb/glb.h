// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/record/film_set.h>
#include <ductile/record/recording.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace ductile {

/// How a recording becomes a GLB file. "Size" is the diagonal of a body's box at rest.
struct GlbOptions {
    double shape_tolerance = 1e-3;      ///< Error of shapes allowed, as a share of the body's size.
    double motion_tolerance = 1e-4;     ///< Error of motion allowed, as a share of the body's size.
    std::int32_t max_shape_keys = 200;  ///< Morph targets per body at most; then errors grow.
    bool hits = true;                   ///< Whether hits are listed in the nodes' extras.
    bool damage = true;                 ///< Whether damaged bodies have it as vertex attributes.
    bool dense_morphs = false;          ///< Whether morph targets go without sparse accessors.
    double size_limit = 4294967295.0;   ///< Largest file [bytes]; the format allows no more.
};
template <class Visitor>
void visit_fields(GlbOptions& o, Visitor&& field) {
    field(Field{"shape_tolerance", "", 0.0, 1.0, "error of shapes, as a share of the body's size"},
          o.shape_tolerance);
    field(Field{"motion_tolerance", "", 0.0, 1.0, "error of motion, as a share of the body's size"},
          o.motion_tolerance);
    field(Field{"max_shape_keys", "", 0, 10000, "morph targets per body at most"},
          o.max_shape_keys);
    field(Field{"hits", "", 0, 1, "list each body's hits in its node's extras"}, o.hits);
    field(Field{"damage", "", 0, 1, "give damaged bodies their final damage as vertex attributes"},
          o.damage);
    field(Field{"dense_morphs", "", 0, 1, "write morph targets in full, without sparse accessors"},
          o.dense_morphs);
    field(Field{"size_limit", "bytes", 1000, 4294967295.0, "refuse to write a larger file"},
          o.size_limit);
}

/// The recording as a binary glTF 2.0 file: Y up, metres, seconds from the first frame on.
///
/// A node per body that is ever present, with linear translation and rotation channels if it moves
/// and stepped scale (0 or 1) if it appears or vanishes; a primitive per look; morph targets of
/// position and normal for the shapes it took, blended by a linear weights channel. At every
/// frame's time no point is further from its recorded place than both tolerances allow (and float
/// rounding), unless max_shape_keys is too small: mesh.extras.shape_error then says what became
/// of it [m]. Bodies with one asset share its vertices, and the mesh while they keep their shape.
/// A body whose render mesh has parts has a node per part below its own, in their hierarchy, each
/// with its mesh, and morph targets only where that part moves. The damage a body ended with is in
/// its vertex attributes _DENT_DEPTH, _STRAIN and _SCRATCH. Pictures are in the file, each once.
/// A `set` adds nodes "ground", "camera" and "sun" (KHR_lights_punctual) behind the bodies'.
/// What nothing moved comes out as the floats that came in. Same recording, same bytes. docs/glb.md
/// tells the rest. Error: what check_recording refuses; options out of range; a set that does not
/// fit the recording; too large. Requires: finite options.
Result<std::string> glb_bytes(const Recording& recording, const GlbOptions& options = {},
                              const FilmSet& set = {});

/// Writes glb_bytes to a file, which is either whole or not there.
Status write_glb(const Recording& recording, const std::filesystem::path& path,
                 const GlbOptions& options = {}, const FilmSet& set = {});

}  // namespace ductile
