// SPDX-License-Identifier: MIT
#pragma once

#include "compared.h"

#include <span>
#include <vector>

namespace ductile::cli {

/// A soft ball, or a long cylinder, between two planes: pressed with every default but Poisson's
/// ratio, beside its row of validation/soft_shapes.csv. `profiles` are the rows of the table of
/// profiles, of which those of this row are taken.
void compare_soft(const TableRow& row, std::span<const TableRow> profiles,
                  std::vector<Compared>& out);

}  // namespace ductile::cli
