// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

enum class PlyType { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float, Double };
enum class PlyFormat { Text, LittleEndian, BigEndian };

/// Bytes of a number in a binary PLY.
std::size_t ply_size(PlyType type);
bool is_integer(PlyType type);

/// One named number, or list of numbers, that each item of an element has.
struct PlyProperty {
    std::string name;
    PlyType type = PlyType::Float;
    bool is_list = false;
    PlyType count_type = PlyType::Uint8;  ///< Of a list's length.
};

/// "vertex", "face" or anything else: as many items as `count` says, each with all properties.
struct PlyElement {
    std::string name;
    std::size_t count = 0;
    std::vector<PlyProperty> properties;

    /// The fewest bytes that an item takes in a file of this format: lists may be empty.
    std::size_t least_bytes(PlyFormat format) const;
};

struct PlyHeader {
    PlyFormat format = PlyFormat::Text;
    std::vector<PlyElement> elements;
    std::vector<std::string> comments;
    std::size_t body = 0;  ///< The byte after the header.
};

/// Reads the header of a PLY, up to and with the line "end_header".
///
/// Promises that the elements fit into what is left of the file if their lists are empty, so that
/// an item may be allocated for each of them. Error (`where`: "line N").
Result<PlyHeader> read_ply_header(std::string_view bytes);

}  // namespace ductile
