// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ductile::cli {

/// The variants of a scene that differ in the fields of some wedges.
struct Wedges {
    /// The overrides of each variant, in rows; the last wedge runs along a row.
    std::vector<std::vector<std::string>> variants;
    std::size_t columns = 1;
};

/// Reads "material.yield=1e8,2e8,4e8": a field and the values that it takes. Several wedges make
/// every combination of their values. Commas within brackets or quotes belong to a value. Error: a
/// wedge without a field or a value, more than 64 variants.
Result<Wedges> read_wedges(std::span<const std::string> wedges);

}  // namespace ductile::cli
