// SPDX-License-Identifier: MIT
// Real meshes with seams, made finer.
#include <ductile/io/load_asset.h>

#include <doctest/doctest.h>
#include <geom/repair/split_laws.h>
#include <support/skip.h>

using namespace ductile;
using namespace ductile::test;

namespace {

void split_real_file(const std::string& name) {
    const auto loaded = load_asset(real_file(name), {});
    REQUIRE(loaded);
    SurfaceAsset asset = loaded.value().asset;
    REQUIRE(!asset.render.uvs.empty());
    const ShadingWitness light(asset);
    std::size_t on_seams = 0;
    for (std::uint64_t round = 0; round < 3; ++round) {
        on_seams += check_split(asset, some_edges(asset.surface, round));
    }
    CHECK(on_seams > 100);
    CHECK(light.most_turned_deg(asset) < 1e-6);
}

}  // namespace

TEST_CASE("a real can made finer has whole seams, no gap, and the light it had") {
    DUCTILE_NEEDS_REAL_FILE("meshes/soda_can.glb");
    split_real_file("meshes/soda_can.glb");
}

TEST_CASE("a real drum made finer has whole seams, no gap, and the light it had") {
    DUCTILE_NEEDS_REAL_FILE("meshes/oil_barrel.glb");
    split_real_file("meshes/oil_barrel.glb");
}
