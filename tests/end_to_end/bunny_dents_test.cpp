// SPDX-License-Identifier: MIT
#include <ductile/io/load_asset.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/dent_witness.h>
#include <support/skip.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a thousand random dents turn nothing over on a scanned bunny") {
    DUCTILE_NEEDS_REAL_FILE("meshes/bunny_3k.off");
    const Result<PreparedAsset> bunny =
        load_asset(real_file("meshes/bunny_3k.off"), AssetOptions{});
    REQUIRE(bunny.ok());
    witness_dents(bunny.value().asset.surface, kIsSanitized ? 40 : 1000, 4);
}
