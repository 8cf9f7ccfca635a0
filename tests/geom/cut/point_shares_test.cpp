// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/point_shares.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <numeric>

using namespace ductile;

namespace {

struct SharedBox {
    TriMesh mesh;
    CutMesh cut;
    PointShares shares;  // of all points of the cut

    SharedBox() {
        mesh = make_solid({.kind = SolidKind::Box, .size = Vec3(2, 1, 1), .resolution = 0.2})
                   .value()
                   .surface;
        PatternOptions options;
        options.cells = 24;
        const CellPattern pattern =
            make_pattern(options, bounds(mesh.points), Vec3::Zero()).value();
        cut = cut_cells(mesh, pattern).value();
        std::vector<std::int32_t> all(cut.points.size());
        std::iota(all.begin(), all.end(), 0);
        shares = point_shares(cut, mesh.points, all);
    }
};

}  // namespace

TEST_CASE("points of a cut mesh lie where their shares of the mesh's points say") {
    const SharedBox box;
    REQUIRE(box.shares.size() == box.cut.points.size());
    std::size_t inner = 0;
    for (std::size_t i = 0; i < box.shares.size(); ++i) {
        double sum = 0.0;
        Vec3 place = Vec3::Zero();
        std::int32_t last = -1;
        for (std::size_t k = 0; k < box.shares.points_of(i).size(); ++k) {
            const double share = box.shares.shares_of(i)[k];
            const std::int32_t point = box.shares.points_of(i)[k];
            CHECK(share > 0);
            CHECK(point > last);
            last = point;
            sum += share;
            place += share * box.mesh.points[point];
        }
        CHECK(test::near(sum, 1.0, 1e-12));
        const bool is_inner = box.cut.anchors[i].weights == Vec3::Zero();
        inner += is_inner;
        if (!is_inner) CHECK((place - box.cut.points[i]).norm() < 1e-12);
        if (i < box.mesh.points.size()) {
            REQUIRE(box.shares.points_of(i).size() == 1);
            CHECK(box.shares.main_point(i) == static_cast<std::int32_t>(i));
            CHECK(box.shares.shares_of(i)[0] == 1.0);
        }
    }
    CHECK(inner > 10);
}

TEST_CASE("shared weights keep the rows of the mesh's points, and what is even stays even") {
    const SharedBox box;
    SkinWeights weights;
    for (const Vec3& p : box.mesh.points) {
        const double left = 0.5 - 0.4 * p.x();
        weights.handle.insert(weights.handle.end(), {0, 1, 2});
        weights.weight.insert(weights.weight.end(), {0.9 * left, 0.1, 0.9 - 0.9 * left});
        weights.start.push_back(static_cast<std::int32_t>(weights.handle.size()));
    }
    const SkinWeights made = shared_weights(weights, box.shares);
    REQUIRE(made.size() == box.cut.points.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        REQUIRE(made.weights_of(i).size() == 3);
        CHECK(test::near(made.weights_of(i)[1], 0.1, 1e-12));
        const double left = 0.9 * (0.5 - 0.4 * box.cut.points[i].x());
        const bool is_inner = box.cut.anchors[i].weights == Vec3::Zero();
        CHECK(std::abs(made.weights_of(i)[0] - left) < (is_inner ? 0.15 : 1e-12));
        if (i >= box.mesh.points.size()) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(made.weights_of(i)[k] == weights.weights_of(i)[k]);
            CHECK(made.handles_of(i)[k] == weights.handles_of(i)[k]);
        }
    }
}
