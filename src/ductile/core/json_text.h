// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ductile {

/// A JSON value whose objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t bytes = std::size_t{256} << 20;  ///< Longest text.
    std::size_t depth = 64;                      ///< Objects and arrays within each other at most.
};

/// Reads JSON text, which may hold // and /* */ comments and begin with a UTF-8 byte order mark.
///
/// Error (where: "source:line:column"): anything that is not JSON, a comma before a closing
/// bracket, a key that stands twice in one object, a number too large for a double, a text beyond
/// the limits.
Result<Json> parse_json(std::string_view text, std::string_view source_name,
                        const JsonLimits& limits = {});

/// JSON text for people: indented by two, short arrays of numbers on one line, a newline at the
/// end. Doubles come back from `parse_json` with the same bits. Bytes that are no UTF-8 are
/// replaced, numbers that are not finite become null.
std::string json_text(const Json& json);

}  // namespace ductile
