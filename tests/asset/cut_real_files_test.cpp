// SPDX-License-Identifier: MIT
// Real meshes in pieces.
#include <ductile/io/load_asset.h>

#include <doctest/doctest.h>
#include <geom/cut/cut_laws.h>
#include <support/sanitized.h>
#include <support/skip.h>

using namespace ductile;
using namespace ductile::test;

namespace {

void cut_real_file(const std::string& name, const std::vector<int>& counts) {
    const auto asset = load_asset(real_file(name), {});
    REQUIRE(asset);
    const TriMesh& mesh = asset.value().asset.surface;
    CutOptions options;
    options.looks_for_crossings = false;
    for (const int cells : counts) {
        const CutMesh cut = cut_by(mesh, pattern_of(PatternKind::Uniform, cells), options);
        check_pieces(mesh, cut);
        CHECK(cut.pieces.size() > static_cast<std::size_t>(cells) / 4);
    }
}

}  // namespace

TEST_CASE("a real bunny falls into closed pieces that sum to it") {
    DUCTILE_NEEDS_REAL_FILE("meshes/bunny_30k_closed.obj");
    cut_real_file("meshes/bunny_30k_closed.obj",
                  kIsSanitized ? std::vector<int>{8} : std::vector<int>{8, 64, 512});
}

TEST_CASE("a real armadillo falls into closed pieces that sum to it") {
    DUCTILE_NEEDS_REAL_FILE("meshes/armadillo_531.obj");
    cut_real_file("meshes/armadillo_531.obj", {8, 64, 512});
}
