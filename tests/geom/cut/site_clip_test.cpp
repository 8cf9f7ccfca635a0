// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/site_clip.h>

#include <doctest/doctest.h>
#include <geom/cut/cut_laws.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

CutMesh cut_about(const TriMesh& mesh, const CellPattern& pattern) {
    CutOptions options;
    options.smallest = 0.0;
    options.looks_for_crossings = false;
    auto cut = cut_cells(mesh, pattern, options);
    REQUIRE(cut);
    return std::move(cut.value());
}

CellPattern uniform_sites(const TriMesh& mesh, int cells) {
    return make_pattern(pattern_of(PatternKind::Uniform, cells), bounds(mesh.points), Vec3::Zero())
        .value();
}

SiteClipOptions options_for(const SiteCells& cells, std::span<const std::uint8_t> is_solid) {
    SiteClipOptions options;
    options.cells = &cells;
    options.is_solid = is_solid;
    options.snap = 1e-7;
    return options;
}

}  // namespace

TEST_CASE("cells made at once are those that sites make one by one") {
    for (const TriMesh& mesh : {sphere_mesh(0.7, 3), torus_mesh(1.0, 0.3, 24, 12),
                                box_mesh(Vec3(-1, -2, -0.5), Vec3(1, 1, 0.5))}) {
        for (const int cells : {2, 3, 5, 40}) {
            CellPattern pattern = uniform_sites(mesh, cells);
            const CutMesh at_once = cut_about(mesh, pattern);
            // Distances are the same in a mirror, where cells are made one by one.
            pattern.metric(0, 0) = -1.0;
            const CutMesh one_by_one = cut_about(mesh, pattern);
            REQUIRE(at_once.pieces.size() == one_by_one.pieces.size());
            REQUIRE(at_once.joints.size() == one_by_one.joints.size());
            const auto sums = [](const CutMesh& cut) {
                std::map<std::int32_t, double> volumes;
                for (const CutPiece& piece : cut.pieces) volumes[piece.cell] += piece.volume;
                std::map<std::array<std::int32_t, 2>, double> areas;
                for (const CutJoint& joint : cut.joints) {
                    std::array<std::int32_t, 2> pair = {cut.pieces[joint.pieces[0]].cell,
                                                        cut.pieces[joint.pieces[1]].cell};
                    areas[{std::min(pair[0], pair[1]), std::max(pair[0], pair[1])}] += joint.area;
                }
                return std::pair(volumes, areas);
            };
            const auto a = sums(at_once), b = sums(one_by_one);
            REQUIRE(a.first.size() == b.first.size());
            for (const auto& [cell, inside] : a.first) {
                CHECK(test::near(inside, b.first.at(cell), 1e-7));
            }
            REQUIRE(a.second.size() == b.second.size());
            for (const auto& [pair, area] : a.second) {
                CHECK(std::abs(area - b.second.at(pair)) < 1e-6);
            }
        }
    }
}

TEST_CASE("sites by chance are cut at once, and what is made fits") {
    const TriMesh mesh = sphere_mesh(1.0, 4);
    const SiteCells cells(uniform_sites(mesh, 50).sites,
                          {Vec3::Constant(-1.05), Vec3::Constant(1.05)});
    REQUIRE(cells.is_sound());
    const std::vector<std::uint8_t> is_solid(mesh.triangles.size(), 1);
    const auto clip = clip_by_sites(mesh, options_for(cells, is_solid));
    REQUIRE(clip);
    // Parts of a triangle have its area.
    std::vector<double> area(mesh.triangles.size(), 0.0);
    const auto at = [&](std::int32_t p) {
        const auto count = static_cast<std::int32_t>(mesh.points.size());
        return p < count ? mesh.points[p] : clip->points[p - count];
    };
    for (const SiteClip::Part& part : clip->parts) {
        for (std::int32_t k = 1; k + 1 < part.count; ++k) {
            const Vec3 tip = at(clip->corners[part.first]);
            area[part.triangle] += (at(clip->corners[part.first + k]) - tip)
                                       .cross(at(clip->corners[part.first + k + 1]) - tip)
                                       .norm();
        }
    }
    std::size_t cut = 0;
    for (std::size_t t = 0; t < area.size(); ++t) {
        if (area[t] == 0) continue;
        ++cut;
        CHECK(test::near(area[t], area_vector(mesh.points, mesh.triangles[t]).norm(), 1e-9));
    }
    CHECK(cut > 100);
    CHECK(cut < area.size() / 2);
    // Walls lie halfway between their sites.
    for (const SiteClip::Wall& wall : clip->walls) {
        const Vec3 &a = cells.sites()[wall.cells[0]], &b = cells.sites()[wall.cells[1]];
        for (std::int32_t k = 0; k < wall.count; ++k) {
            const Vec3 place = at(clip->rims[wall.first + k][0]);
            CHECK(std::abs((place - a).norm() - (place - b).norm()) < 1e-6);
        }
    }
}

TEST_CASE("a point of the mesh on a wall belongs to it, and no new one is made there") {
    // The wall goes through four points of the ring of a double pyramid, and nothing else.
    TriMesh mesh;
    mesh.points = {Vec3(1, 0, 0),  Vec3(0, 1, 0), Vec3(-1, 0, 0),
                   Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)};
    for (std::int32_t k = 0; k < 4; ++k) {
        mesh.triangles.push_back({k, (k + 1) % 4, 4});
        mesh.triangles.push_back({(k + 1) % 4, k, 5});
    }
    const std::vector<Vec3> sites = {Vec3(0, 0, 0.5), Vec3(0, 0, -0.5)};
    const SiteCells cells(sites, {Vec3::Constant(-1.1), Vec3::Constant(1.1)});
    REQUIRE(cells.is_sound());
    const std::vector<std::uint8_t> is_solid(mesh.triangles.size(), 1);
    const auto clip = clip_by_sites(mesh, options_for(cells, is_solid));
    REQUIRE(clip);
    CHECK(clip->points.empty());
    REQUIRE(clip->walls.size() == 1);
    CHECK(clip->walls[0].count == 4);
    for (const SiteClip::Part& part : clip->parts) CHECK(part.count == 3);
}
