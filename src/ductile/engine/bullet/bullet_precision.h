// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

namespace ductile {

/// What Bullet counts in: its double and its single precision have the same names and different
/// sizes, so a program that mixes them links in silence and crashes.
enum class BulletPrecision { Single, Double };

/// That in which Bullet's headers are read where this one is included. Not `inline`: it may differ
/// from source to source, and is asked for where it does.
#ifdef BT_USE_DOUBLE_PRECISION
constexpr BulletPrecision kBulletPrecisionHere = BulletPrecision::Double;
#else
constexpr BulletPrecision kBulletPrecisionHere = BulletPrecision::Single;
#endif

/// That of the Bullet which is loaded: which of two libraries answers is up to the linker.
BulletPrecision loaded_bullet_precision();

/// Ends the process, in words, unless all are the library's own: what `caller` was compiled with,
/// and what is loaded. Asserts or not: going on would write beyond objects.
void require_bullet_precision(BulletPrecision caller,
                              BulletPrecision loaded = loaded_bullet_precision());

}  // namespace ductile
