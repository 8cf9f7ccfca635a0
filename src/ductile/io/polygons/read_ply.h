// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads PLY: text, binary of either byte order; numbers of any type in any order, lists anywhere.
///
/// Of vertices: x y z; nx ny nz; red green blue (alpha), whole numbers as screens have them (sRGB),
/// others as amounts of light; s t, u v or texture_u texture_v, (0, 0) at the lower left. Of faces:
/// vertex_indices or vertex_index. Of triangle strips: the same, -1 between strips. All else is
/// passed over, with a note about what a viewer would miss.
/// Error (`where`: "line N", "byte N" or "face N"): numbers that are missing or not finite, lists
/// of impossible length, faces that name vertices that do not exist, counts that the file cannot
/// hold.
Result<Model> read_ply(std::string_view bytes, const ReadContext& context);

}  // namespace ductile
