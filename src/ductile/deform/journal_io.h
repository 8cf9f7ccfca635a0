// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_fields.h>
#include <ductile/deform/journal.h>

#include <string>
#include <vector>

namespace ductile {

/// {"hits": [{"id", "time", "duration", "dent": {...}}], "repairs": [...]}, doubles to the last
/// bit.
Json journal_to_json(const Journal& journal);

/// Reads it back: same hits, same bits, same shapes. Appends one Error per mistake, with its JSON
/// pointer beginning with `pointer`; a journal with mistakes must not be used.
Journal journal_from_json(const Json& json, const std::string& pointer, std::vector<Error>& errors);

}  // namespace ductile
