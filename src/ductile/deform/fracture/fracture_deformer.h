// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/layer_files.h>

#include <memory>

namespace ductile {

/// Lets a body break along a pattern (docs/deformers/fracture.md). What breaks is decided before
/// the engine solves a collision (sim/simulation_breaks.cpp), so that the rule answers no impact:
/// it prepares the pieces.
/// Error (`where`: the field): options without sense.
Result<std::shared_ptr<const Deformer>> make_layer(const FractureOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
