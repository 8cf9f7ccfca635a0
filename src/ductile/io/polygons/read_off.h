// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads OFF as text, with colours (COFF), normals (NOFF) and texture coordinates (STOFF) of
/// vertices; colours of faces are left out. The counts may stand on the first line or the next.
/// Whole-number colours are as screens have them (sRGB, 0 to 255), others amounts of light.
/// Error (`where`: "line N" or "face N"): numbers missing or not finite, counts that the file
/// cannot hold, faces that name vertices that do not exist.
Result<Model> read_off(std::string_view text, const ReadContext& context);

/// Whether a text begins with a word such as OFF or COFF.
bool begins_like_off(std::string_view text);

}  // namespace ductile
