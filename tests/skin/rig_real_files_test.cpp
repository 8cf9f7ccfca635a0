// SPDX-License-Identifier: MIT
// Real files, where they are at hand: what becomes a body's shape gets a rig or a reason.
#include <ductile/io/load_asset.h>
#include <ductile/skin/blend_skin.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>

#include <doctest/doctest.h>
#include <support/skip.h>

#include <algorithm>
#include <filesystem>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<std::filesystem::path> mesh_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(real_file("meshes"))) {
        if (entry.is_regular_file() && entry.path().extension() != ".md") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<Rig> rig_of(const TriMesh& surface, std::size_t nodes, std::size_t handles) {
    const SurfaceQuery query(surface.points, surface.triangles);
    const auto cell = lattice_cell(query, nodes);
    if (!cell) return cell.error();
    const auto lattice = TetLattice::make(query, cell.value());
    if (!lattice) return lattice.error();
    auto placed = add_automatic_handles(lattice.value(), {}, handles);
    if (!placed) return placed.error();
    const auto weights = bounded_weights(lattice.value(), placed.value(), {}, {.gap = 1e-4});
    if (!weights) return weights.error();
    Rig rig;
    rig.handles = std::move(placed).value();
    rig.weights = carry_weights(lattice.value(), weights.value().nodes, surface.points, 0.001);
    rig.cell = cell.value();
    return rig;
}

}  // namespace

TEST_CASE("every real mesh with a surface gets a rig or a reason") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    std::size_t rigs = 0;
    for (const std::filesystem::path& path : mesh_files()) {
        CAPTURE(path.filename().string());
        const auto asset = load_asset(path);
        if (!asset) {
            CHECK(!asset.error().what.empty());
            continue;
        }
        const TriMesh& surface = asset.value().asset.surface;
        const Result<Rig> rig = rig_of(surface, 600, 8);
        if (!rig) {
            CHECK(!rig.error().what.empty());
            MESSAGE(path.filename().string(), " gets no rig: ", rig.error().text());
            continue;
        }
        CHECK(check_rig(rig.value(), surface.points.size()).ok());
        ++rigs;
    }
    CHECK(rigs > 50);
}
