// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/layer_files.h>

namespace ductile {

/// The shape that options name for dents; a round Gaussian for the projectile's, which is not known
/// before it hits. Error (`where`: the field): what it names cannot be read or made.
Result<DentStamp> make_stamp(const DentShapeOptions& shape, const LayerFiles& files);

/// Whether journals can hold dents of the size that the options ask for, where they ask for one.
Status check_dent_size(const DentOptions& options, const DentStamp& stamp);

}  // namespace ductile
