// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>
#include <ductile/deform/example/example_options.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/layer_files.h>

#include <memory>

namespace ductile {

/// Turns a body towards the poses of a rig where it is struck (docs/deformers/example.md).
std::shared_ptr<const Deformer> make_example_deformer(const ExampleOptions& options,
                                                      std::shared_ptr<const ExampleRig> rig);

/// The same from options alone, for the list of layers (deform/layers.h).
/// Error (`where`: the field): no rig, one that cannot be read, a pose it does not have.
Result<std::shared_ptr<const Deformer>> make_layer(const ExampleOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
