// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>
#include <ductile/deform/layer_files.h>
#include <ductile/deform/shell/shell_options.h>

#include <memory>

namespace ductile {

/// Crumples a body of sheet metal where it is struck: sub-shells kick loose rigidly and make the
/// creases, springs carry the rest across the sheet. As deep as the energy of the impact pays for.
std::shared_ptr<const Deformer> make_shell_deformer(const ShellOptions& options);

/// The same, as layers are made of options.
Result<std::shared_ptr<const Deformer>> make_layer(const ShellOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
