// SPDX-License-Identifier: MIT
#include <ductile/core/stop.h>
#include <ductile/geom/pieces/pieces.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("cutting pieces tells how far it is, and can be stopped on its way") {
    const TriMesh m = torus_mesh(0.4, 0.1, 40, 12);
    std::vector<double> shares;
    const auto listen = [&](double share) -> Status {
        shares.push_back(share);
        return {};
    };
    const Result<PieceTree> watched = cut_pieces(m.points, m.triangles, {}, listen);
    REQUIRE(watched.ok());
    const Result<PieceTree> unwatched = cut_pieces(m.points, m.triangles, {});
    REQUIRE(unwatched.ok());
    REQUIRE(watched.value().pieces.size() == unwatched.value().pieces.size());
    for (std::size_t i = 0; i < watched.value().pieces.size(); ++i) {
        CHECK(watched.value().pieces[i].tracked == unwatched.value().pieces[i].tracked);
    }
    REQUIRE(shares.size() > 10);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(shares.front() > 0.0);
    CHECK(shares.back() <= 1.0);
    std::size_t asked = 0;
    const auto stop = [&](double) -> Status {
        if (++asked < 4) return {};
        return stopped_error();
    };
    const Result<PieceTree> stopped = cut_pieces(m.points, m.triangles, {}, stop);
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == stopped_error().what);
    CHECK(asked == 4);
}
