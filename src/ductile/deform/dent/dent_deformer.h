// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>

#include <memory>

namespace ductile {

struct Material;

/// Depth of the dent that a damage impulse leaves, before any limit [m] (see Material).
/// 0 up to the yield impulse; continuous and never falling.
double dent_depth(const Material& material, double damage_impulse, double restitution,
                  double effective_mass);

/// Leaves a Gaussian dent where a body was struck harder than its material yields.
std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options);

}  // namespace ductile
