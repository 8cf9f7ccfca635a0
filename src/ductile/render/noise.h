// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

namespace ductile {

/// Smooth noise in about [-1, 1], mean 0, features of size about 1 (Perlin 2002, "Improving
/// Noise"). The same everywhere and always; 0 for a position that is not finite or beyond 1e9.
float gradient_noise(const Vec3& p);

/// Sum of `octaves` noises, each of half the size and half the strength of the one before, scaled
/// to about [-1, 1]. Octaves finer than `footprint` (in units of p) fade out: they would alias.
float fractal_noise(const Vec3& p, int octaves, double footprint);

}  // namespace ductile
