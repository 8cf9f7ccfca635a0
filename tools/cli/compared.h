// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

namespace ductile::cli {

/// A line of a table of validation/, by the names of its columns.
using TableRow = std::map<std::string, std::string>;

/// 0 where there is no such column.
inline double number(const TableRow& row, const char* name) {
    const auto found = row.find(name);
    return found == row.end() ? 0.0 : std::strtod(found->second.c_str(), nullptr);
}

/// One number of ours beside its reference.
struct Compared {
    std::string what, which;  ///< "depth in sheets", "clamped, t 0.04, span 4"
    double ours = 0.0, reference = 0.0;
    bool is_difference = false;  ///< Rebounds are compared by their difference.
    double tolerance = 0.0;
    bool is_held_out = false;  ///< Its row set nothing of the law.

    double error() const { return is_difference ? ours - reference : ours / reference - 1.0; }
    double badness() const { return std::abs(error()) / tolerance; }
};

}  // namespace ductile::cli
