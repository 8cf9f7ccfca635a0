// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/build_rig.h>
#include <ductile/scene/builtin_rigs.h>
#include <ductile/scene/rig_file.h>

#include "input_files.h"
#include "picture.h"
#include <CLI/CLI.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile::cli {

/// What the commands about rigs have in common.
struct RigArgs {
    std::string input;
    std::vector<std::string> overrides;
    std::int32_t width = 640, height = 480, samples = 32;
    bool is_quiet = false;
    bool takes_skin = false;  ///< Of a mesh file.
    ViewArgs view;
};
/// Adds the input, --skin, --set, the size of pictures, --eye and its like, and --quiet.
void add_rig_options(CLI::App& command, RigArgs& args);

/// A rig file, a built-in rig by its name, or a mesh file to make one for. Prints every mistake and
/// returns nothing if there is one.
struct OpenedRig {
    std::string name;  ///< Of the files that are written.
    RigFile file;
    Paths inputs;  ///< Files that it reads.
};
std::optional<OpenedRig> open_rig(const RigArgs& args);

/// Builds it, with progress for long work; prints what went wrong.
std::optional<BuiltRig> build_opened(const OpenedRig& rig, const RigArgs& args);

/// What there is to say of a rig: handles, lattice, weights, poses and how near they come.
void print_rig(const BuiltRig& built);

}  // namespace ductile::cli
