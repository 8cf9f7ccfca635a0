// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/layer_files.h>

#include <memory>

namespace ductile {

struct Material;

/// Depth of the dent that a damage impulse leaves, before any limit [m] (see Material).
/// 0 up to the yield impulse; continuous and never falling.
double dent_depth(const Material& material, double damage_impulse, double restitution,
                  double effective_mass);

/// Leaves a dent where a body was struck harder than its material yields: of the shape of what
/// struck it, where that is asked for and known; else of the shape of `stamp`, which must be what
/// the options name.
std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options,
                                                   DentStamp stamp = {});

/// The same from options alone, for the list of layers (deform/layers.h).
/// Error (`where`: the field): a shape that cannot be read or made.
Result<std::shared_ptr<const Deformer>> make_layer(const DentOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
