// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace ductile;

namespace {

struct RefinedBarrel {
    TriMesh mesh;
    std::vector<std::int32_t> sources;
};

// Halves every edge whose middle lies on one side, twice.
RefinedBarrel half_refined(const TriMesh& coarse) {
    RefinedBarrel made{coarse, {}};
    for (std::size_t f = 0; f < coarse.triangles.size(); ++f) {
        made.sources.push_back(static_cast<std::int32_t>(f));
    }
    for (int round = 0; round < 2; ++round) {
        std::vector<MeshEdge> marked = longer_edges(made.mesh, 0.0);
        std::erase_if(marked, [&](const MeshEdge& e) {
            return made.mesh.points[e[0]].x() + made.mesh.points[e[1]].x() < 0.3;
        });
        const SplitMesh split = split_edges(made.mesh, marked);
        CHECK(split.sources == split_sources(made.mesh.triangles, marked));
        std::vector<std::int32_t> sources;
        for (const std::int32_t f : split.sources) sources.push_back(made.sources[f]);
        made = {split.mesh, std::move(sources)};
    }
    return made;
}

}  // namespace

TEST_CASE("pieces of a refined mesh are those of the coarse one, and finer ones below them") {
    const Result<SurfaceAsset> asset =
        make_solid({.kind = SolidKind::Barrel, .size = Vec3(0.6, 0.9, 0.6), .resolution = 0.08});
    REQUIRE(asset.ok());
    const TriMesh& mesh = asset.value().surface;
    const PieceOptions options;
    const PieceTree coarse = cut_pieces(mesh.points, mesh.triangles, options).value();
    const RefinedBarrel finer = half_refined(mesh);
    const PieceTree tree =
        refined_pieces(coarse, finer.mesh.points, finer.mesh.triangles, finer.sources, options);
    CHECK(tree.top == coarse.top);
    REQUIRE(tree.pieces.size() > coarse.pieces.size());
    std::vector<Vec3> cloud, known;
    for (std::size_t i = 0; i < coarse.pieces.size(); ++i) {
        const Piece &was = coarse.pieces[i], &is = tree.pieces[i];
        REQUIRE(is.tracked == was.tracked);
        CHECK((was.children.empty() || is.children == was.children));
        piece_points(is, finer.mesh.points, cloud);
        piece_points(was, mesh.points, known);
        CHECK(cloud == known);
    }
    // Every face is in one of the lowest pieces, and in what they are parts of.
    std::vector<int> uses(finer.mesh.triangles.size(), 0);
    for (const Piece& piece : tree.pieces) {
        CHECK(piece.rest_misfits.size() == piece.vertices.size());
        std::size_t parts = 0;
        for (const std::int32_t child : piece.children) parts += tree.pieces[child].faces.size();
        if (!piece.children.empty()) {
            CHECK(parts == piece.faces.size());
            continue;
        }
        for (const std::int32_t f : piece.faces) ++uses[f];
    }
    CHECK(std::all_of(uses.begin(), uses.end(), [](int n) { return n == 1; }));
}

TEST_CASE("a mesh that was not split has the pieces that it had") {
    const Result<SurfaceAsset> asset = make_solid({.kind = SolidKind::Box, .resolution = 0.2});
    REQUIRE(asset.ok());
    const TriMesh& mesh = asset.value().surface;
    const PieceTree tree = cut_pieces(mesh.points, mesh.triangles, {}).value();
    const std::vector<std::int32_t> sources = split_sources(mesh.triangles, {});
    const PieceTree same = refined_pieces(tree, mesh.points, mesh.triangles, sources, {});
    REQUIRE(same.pieces.size() == tree.pieces.size());
    for (std::size_t i = 0; i < tree.pieces.size(); ++i) {
        CHECK(same.pieces[i].faces == tree.pieces[i].faces);
        CHECK(same.pieces[i].vertices == tree.pieces[i].vertices);
    }
}
