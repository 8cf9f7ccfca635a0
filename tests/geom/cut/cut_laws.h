// SPDX-License-Identifier: MIT
// What holds for every mesh in pieces.
#pragma once

#include <ductile/geom/cut/cut_cells.h>
#include <ductile/geom/mass.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

namespace ductile::test {

inline PatternOptions pattern_of(PatternKind kind, int cells) {
    PatternOptions options;
    options.kind = kind;
    options.cells = cells;
    options.axis = Vec3(0.2, 1.0, 0.1);
    return options;
}

inline CutMesh cut_by(const TriMesh& mesh, const PatternOptions& options,
                      const CutOptions& how = {}) {
    const Box box = bounds(mesh.points);
    const auto pattern = make_pattern(options, box, box.centre() + 0.1 * (box.upper - box.lower));
    REQUIRE(pattern);
    auto cut = cut_cells(mesh, pattern.value(), how);
    REQUIRE(cut);
    return std::move(cut.value());
}

/// Pieces are closed, outward and as large as asked for; their volumes are the whole's.
inline void check_pieces(const TriMesh& mesh, const CutMesh& cut, double smallest = 0.02) {
    const double whole = volume(mesh.points, mesh.triangles);
    double sum = 0.0;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
        const PieceSurface piece = piece_surface(cut, std::span(&p, 1));
        CHECK(is_closed(piece.mesh.triangles));
        const double inside = volume(piece.mesh.points, piece.mesh.triangles);
        CHECK(inside > 0.5 * smallest * whole / static_cast<double>(cut.pieces.size()));
        CHECK(test::near(inside, cut.pieces[p].volume, 1e-9));
        sum += inside;
    }
    CHECK(std::abs(sum - whole) < 1e-9 * whole);
    // All pieces together are the whole: no walls are left, and the area is the mesh's.
    std::vector<std::int32_t> all;
    for (std::size_t p = 0; p < cut.pieces.size(); ++p) all.push_back(static_cast<int>(p));
    const PieceSurface joined = piece_surface(cut, all);
    CHECK(is_closed(joined.mesh.triangles));
    const auto area = [](const TriMesh& m) {
        double total = 0.0;
        for (const Triangle& t : m.triangles) total += 0.5 * area_vector(m.points, t).norm();
        return total;
    };
    CHECK(test::near(area(joined.mesh), area(mesh), 1e-9));
}

}  // namespace ductile::test
