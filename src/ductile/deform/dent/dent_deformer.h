// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/layer_files.h>

#include <memory>

namespace ductile {

/// Leaves a dent where a body was struck, as deep as its material and the energy of the impact have
/// it (deform/dent/dent_law.h): of the shape of what struck it, where that is asked for and known;
/// else of the shape of `stamp`, which must be what the options name.
std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options,
                                                   DentStamp stamp = {});

/// The same from options alone, for the list of layers (deform/layers.h).
/// Error (`where`: the field): a shape that cannot be read or made.
Result<std::shared_ptr<const Deformer>> make_layer(const DentOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
