// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The vertices that formats write which need no copies at seams and creases: those of the file
/// that a mesh came from, used or not, in the file's order; of any other mesh the drawn ones.
///
/// A written vertex is where its first copy is. Requires of all: a mesh that stays as it is.
class WrittenVertices {
public:
    explicit WrittenVertices(const RenderMesh& mesh);
    /// Those of one part: of several parts each has the ones that it uses, in their order.
    WrittenVertices(const RenderMesh& mesh, const MeshPart& part);

    std::size_t count() const { return drawn_.size(); }
    /// Whether they are the drawn ones, one by one.
    bool are_drawn() const { return are_drawn_; }
    /// The written vertex of a drawn one of the mesh or part.
    std::int32_t of_drawn(std::int32_t vertex) const { return written_[vertex - first_]; }

    /// A value of each: that of its first copy, or `at_rest(i)` where vertex i is not drawn.
    /// `values` are of all drawn vertices of the mesh.
    template <class T, class AtRest>
    std::vector<T> pick(std::span<const T> values, AtRest&& at_rest) const {
        std::vector<T> out;
        out.reserve(drawn_.size());
        for (std::size_t i = 0; i < drawn_.size(); ++i) {
            out.push_back(drawn_[i] >= 0 ? values[drawn_[i]] : T(at_rest(i)));
        }
        return out;
    }
    /// Their places: those that are not drawn stay where they rest.
    std::vector<Vec3> points(std::span<const Vec3> drawn) const;
    /// The mean normal of the copies of each; +y where there is none.
    std::vector<Vec3> normals(std::span<const Vec3> drawn) const;
    const Vec3& rest_point(std::size_t i) const { return mesh_.file_vertices.points[file_[i]]; }

private:
    void take(std::int32_t vertex_count, bool takes_all);

    const RenderMesh& mesh_;
    std::int32_t first_ = 0;             ///< Drawn vertex of the mesh or part.
    std::vector<std::int32_t> file_;     ///< Per written vertex: that of the file; empty: drawn.
    std::vector<std::int32_t> drawn_;    ///< Per written vertex: its first copy, -1 for none.
    std::vector<std::int32_t> written_;  ///< Per drawn vertex, from `first_` on.
    bool are_drawn_ = false;
};

}  // namespace ductile
