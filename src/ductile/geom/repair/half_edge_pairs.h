// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/edge_uses.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Which half edges of a surface meet, so that it is a manifold wherever they do.
struct HalfEdgePairs {
    std::vector<HalfEdge> across;          ///< Per half edge: the one it meets, or -1 at a border.
    std::vector<std::uint8_t> is_flipped;  ///< Per face: its winding must turn to fit the others'.
    /// Half edges at edges that do not simply have one face on either side, edge after edge, and
    /// where each such edge begins; closed by the number of half edges.
    std::vector<HalfEdge> crowded;
    std::vector<std::int32_t> crowded_start = {0};
    /// Per face: faces that meet over edges with two faces are of one patch, patches numbered in
    /// the order of their lowest faces; -1 for faces not in use.
    std::vector<std::int32_t> patch;
    std::int32_t patch_count = 0;
    std::int32_t nonmanifold_edges = 0;  ///< With more than two faces.
    std::int32_t twisted_edges = 0;  ///< Cut because no winding fits both sides (a Moebius strip).
};

/// Pairs the half edges of the faces in use.
///
/// Two faces alone at an edge meet there. Windings spread over such edges; where they come back
/// the wrong way round, the edge is cut. Each patch takes the winding that most of its area has in
/// the file. Where more than two faces share an edge they are taken around it, and those that
/// enclose a wedge of the inside meet: two cubes that touch along an edge stay two cubes. What
/// finds no partner of opposite sense is a border. Requires: valid indices; no face in use names a
/// point twice. O(n).
HalfEdgePairs pair_half_edges(std::span<const Vec3> points, std::span<const Triangle> triangles,
                              std::span<const std::uint8_t> is_used);

/// Gives each fan of faces around a point a point of its own: `corner_points[s]` for the corner
/// where half edge s starts, -1 for faces not in use. The first fan keeps the point; further ones
/// are numbered from `triangles`' point count on and `copy_of` tells whose copies they are,
/// ascending.
///
/// Pairs change where a surface would still touch itself along an edge: partners are swapped, which
/// takes the sheets apart, or in the last resort a face is cut free.
struct Fans {
    std::vector<std::int32_t> corner_points;
    std::vector<std::int32_t> copy_of;
};
Fans split_fans(std::size_t point_count, std::span<const Triangle> triangles,
                std::span<const std::uint8_t> is_used, HalfEdgePairs& pairs);

}  // namespace ductile
