// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Half edge k of face f runs from its corner k to the next one; its number is 3 f + k, which is
/// also the number of the corner it starts from.
using HalfEdge = std::int32_t;

inline HalfEdge next_half_edge(HalfEdge s) { return s % 3 == 2 ? s - 2 : s + 1; }
inline HalfEdge previous_half_edge(HalfEdge s) { return s % 3 == 0 ? s + 2 : s - 1; }
inline std::int32_t start_of(std::span<const Triangle> triangles, HalfEdge s) {
    return triangles[s / 3][s % 3];
}
inline std::int32_t end_of(std::span<const Triangle> triangles, HalfEdge s) {
    return start_of(triangles, next_half_edge(s));
}

/// All half edges of a mesh, those of one edge together: edges by their lower point, then by the
/// higher one, then by half edge. Faces that name a point twice, or are masked out, have none.
class EdgeUses {
public:
    struct Use {
        std::int32_t high;
        HalfEdge half_edge;
    };

    /// `is_used`: per face, empty for all. O(n) but for points with very many edges.
    EdgeUses(std::size_t point_count, std::span<const Triangle> triangles,
             std::span<const std::uint8_t> is_used = {});

    /// Calls visit(low, uses) for every edge, in order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t low = 0; low + 1 < start_.size(); ++low) {
            std::int32_t begin = start_[low];
            while (begin < start_[low + 1]) {
                std::int32_t end = begin + 1;
                while (end < start_[low + 1] && uses_[end].high == uses_[begin].high) ++end;
                visit(static_cast<std::int32_t>(low),
                      std::span<const Use>(uses_).subspan(begin, end - begin));
                begin = end;
            }
        }
    }

private:
    std::vector<std::int32_t> start_;  ///< Per point: its first use.
    std::vector<Use> uses_;
};

}  // namespace ductile
