// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// What becomes of a face of a file.
enum class FaceFate : std::uint8_t {
    Kept,
    Collapsed,  ///< It names a point twice.
    Copy,       ///< A kept face has the same points in the same sense.
    BackSide,   ///< A kept face has the same points the other way round.
    Fin,        ///< It and its back side stick out of a surface that is whole without them.
    NoArea,     ///< It belongs to a component without any area.
};

struct FaceFates {
    std::vector<FaceFate> fate;          ///< Per face.
    std::vector<std::int32_t> original;  ///< Per face: the kept one it repeats, or -1.
};

/// Finds faces that a surface needs only once.
///
/// Of faces with the same three points the first is kept. Models drawn from both sides store each
/// face twice; scans have flaps that do the same, folded onto themselves: a patch of such faces
/// that meets a surface mostly along edges which already have their two faces is a fin, and goes
/// whole. What is kept does not depend on the order of faces but for which of equal ones it is.
/// O(n).
FaceFates find_repeated_faces(std::size_t point_count, std::span<const Triangle> triangles);

}  // namespace ductile
