// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace ductile {

/// What the comments of a file say about its numbers.
struct FileUnits {
    std::optional<double> metres_per_unit;
    std::optional<int> up_axis;
};

/// Units and up axis of one comment line: "File units = inches", "unit: 0.0254", "This file uses
/// centimeters as units", "up=Z_UP". Nothing for any other.
FileUnits units_of_comment(std::string_view comment);

}  // namespace ductile
