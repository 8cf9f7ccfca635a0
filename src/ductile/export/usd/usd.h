// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/export_options.h>
#include <ductile/record/film_set.h>
#include <ductile/record/recording.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ductile {

/// How a recording becomes USD text.
struct UsdOptions {
    UsdSplit split = UsdSplit::Auto;
    double split_size = 100e6;  ///< From about this size on Auto makes a file per body [bytes].
    bool velocities = true;     ///< Whether meshes have them: motion blur of growing dents.
    bool damage = true;         ///< Whether damaged meshes have it as primvars, over time.
};
template <class Visitor>
void visit_fields(UsdOptions& o, Visitor&& field) {
    field(Field{"split", "", 0, 0, "one file, a file per body, or what the size asks for"},
          o.split);
    field(Field{"split_size", "bytes", 1, 1e15, "from this size on auto makes a file per body"},
          o.split_size);
    field(Field{"velocities", "", 0, 0, "velocities of moving vertices"}, o.velocities);
    field(Field{"damage", "", 0, 0, "depth, strain and scratch as primvars"}, o.damage);
}

/// What was written.
struct UsdReport {
    bool is_split = false;
    double estimate = 0.0;  ///< Of all text, before it was written [bytes]: what Auto went by.
    std::string note;       ///< For the user where Auto split, or One became large; else empty.
};

/// Writes the recording as a USD stage in text form: `path`, and where needed a folder beside it
/// (`path` without its ending, then "_usd") with pictures, and a file per body if split.
///
/// Y up, metres; a time code per frame, from 0 on. Below the prim World an Xform per body that is
/// ever present, with sampled translation, orientation and visibility; below it a mesh per part
/// (or a single one), its points, normals, extent, velocities and damage sampled where they change,
/// with a sample on the frame before a change, since USD blends samples linearly. At every frame's
/// time code readers find the floats nearest to what was recorded. docs/usd.md tells the rest.
///
/// A `set` adds the prims "ground", "camera" and "sun" (a DistantLight) to the stage.
///
/// The stage, which names all the others, is written last: it is whole or not there, and so is
/// the folder. Same recording, same bytes. Keeps 44 bytes per render vertex and shape of one body.
/// Error: what check_recording refuses; a file that cannot be written; a folder in the way that
/// holds anything else; what `checkpoint` answers between bodies; a set that does not fit.
Result<UsdReport> write_usd(const Recording& recording, const std::filesystem::path& path,
                            const UsdOptions& options = {}, const Checkpoint& checkpoint = {},
                            const FilmSet& set = {});

}  // namespace ductile
