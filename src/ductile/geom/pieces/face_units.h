// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/face_graph.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Faces that go to a cluster together: those of one flat facet, where it is small enough, and
/// single ones elsewhere. Triangles cut into four have the same units, in the same order, to the
/// last bit, but for faces of flats that are larger.
struct FaceUnits {
    struct Link {
        std::int32_t unit = 0;
        double border = 0.0;  ///< Length along which both meet.
    };
    std::vector<std::int32_t> of_face;
    std::vector<std::vector<std::int32_t>> faces;  ///< Of each unit, ascending.
    std::vector<std::vector<Link>> links;          ///< Of each unit, ascending by unit.
    // In units of the graph's scale, from the origin, rounded off.
    std::vector<Vec3> centre;
    std::vector<Vec3> normal;  ///< Of unit length, or zero.
    std::vector<double> area;

    std::size_t size() const { return faces.size(); }
};

/// A facet stays whole where its corners are all within `reach` of its centre [m], or where its
/// faces are long against the graph's scale; with a reach of 0 every face is a unit. Requires: a
/// graph of these faces with a scale > 0.
FaceUnits make_face_units(std::span<const Vec3> points, std::span<const Triangle> faces,
                          const FaceGraph& graph, const Vec3& origin, double reach);

}  // namespace ductile
