// SPDX-License-Identifier: MIT
#include <ductile/io/load_asset.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/dent_witness.h>

#include <filesystem>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a thousand random dents turn nothing over on a scanned bunny") {
    const std::filesystem::path file =
        std::filesystem::path(DUCTILE_SOURCE_DIR) / "../shared/meshes/bunny_3k.off";
    if (!std::filesystem::exists(file)) {
        MESSAGE("no real meshes beside the project: skipped");
        return;
    }
    const Result<PreparedAsset> bunny = load_asset(file, AssetOptions{});
    REQUIRE(bunny.ok());
    witness_dents(bunny.value().asset.surface, kIsSanitized ? 40 : 1000, 4);
}
