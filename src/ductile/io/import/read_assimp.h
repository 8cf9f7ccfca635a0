// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace ductile {

/// The extensions that go to assimp (".fbx", ".dae", ".3ds" ...; lower case, with the dot): what
/// Debian's assimp 5.2 imports as meshes, less the formats that ductile reads itself.
std::span<const std::string_view> assimp_extensions();

/// Reads a file of one of these kinds through assimp, in a process of its own.
///
/// assimp has bugs that a broken file can reach. So the program `ductile-import` does the reading,
/// with limits on memory and time, and may look at nothing but `context.folder` and below; what it
/// answers is checked like any file. It is looked for where the environment variable DUCTILE_IMPORT
/// says; else beside the running program, in the folders `bin` above the binary that holds this
/// library, and on PATH. DUCTILE_IMPORT_SECONDS is how much processor time it may take (60), and
/// half of how long it may take by the clock.
/// `extension` decides the format. docs/mesh-files.md tells the rest.
/// Error: what assimp says of the file, or that it crashed, ran out of memory, took too long or
/// made far more of the file than files hold; that `context.limits.stop` was set.
Result<Model> read_assimp(std::span<const std::byte> bytes, std::string_view extension,
                          const ReadContext& context);

}  // namespace ductile
