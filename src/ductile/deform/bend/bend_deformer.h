// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/layer_files.h>

#include <memory>

namespace ductile {

/// Bends a body at the joints of its skeleton (docs/deformers/bend.md). What bends is decided by
/// the engine while the joints are awake (sim/articulation.h), so that the rule answers no impact:
/// it prepares the skeleton.
/// Error (`where`: the field): options without sense.
Result<std::shared_ptr<const Deformer>> make_layer(const BendOptions& options,
                                                   const LayerFiles& files);

}  // namespace ductile
