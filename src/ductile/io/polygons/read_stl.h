// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads STL, text or binary; a binary one may begin with "solid" like a text.
///
/// Every triangle has three vertices of its own, in the order of the file; a mesh per "solid" of a
/// text. Normals and colours are left out: a surface knows the former, and nobody agrees on the
/// latter. Files may hold as many triangles as the limits allow vertices, since STL repeats each
/// vertex about six times.
/// Error (`where`: "line N" or "byte N"): a triangle that is not whole or has a coordinate that is
/// not finite, a count that the file cannot hold, no triangle at all.
Result<Model> read_stl(std::string_view bytes, const ReadContext& context);

/// Whether bytes are surely a binary STL: exactly as long as their triangle count says.
bool is_exact_binary_stl(std::string_view bytes);

}  // namespace ductile
