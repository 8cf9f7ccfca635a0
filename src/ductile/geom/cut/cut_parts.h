// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_cells.h>

#include <cstdint>
#include <span>

namespace ductile {

/// Takes an asset apart as a pattern says: along its cells (`cut_cells`), or, where the pattern
/// asks for parts, into those that it is made of.
///
/// Each named part of what is drawn is a piece; where there are no names, each connected part of
/// the surface is one. Nothing is cut: points and faces are the surface's. Pieces are joined where
/// faces of theirs lie on each other, no further apart than the pattern's `touch`, by the area that
/// they share; where only corners or edges come that near, by a joint as large as the mean of all.
/// Errors of `cut_cells`; one part only; no two parts that touch.
Result<CutMesh> cut_by_pattern(const SurfaceAsset& asset, const CellPattern& pattern,
                               const CutOptions& options,
                               std::span<const std::uint8_t> is_sheet = {});

}  // namespace ductile
