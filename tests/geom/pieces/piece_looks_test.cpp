// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/piece_looks.h>
#include <ductile/geom/pieces/pieces.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <vector>

using namespace ductile;

namespace {

/// A strip of points along x, 1 m long, which all belong to one piece.
struct Strip {
    Piece piece;
    std::vector<Vec3> points;

    Strip() {
        for (std::int32_t i = 0; i <= 10; ++i) {
            piece.vertices.push_back(i);
            if (i % 5 == 0) piece.tracked.push_back(i);
            points.emplace_back(0.1 * i, 0.02 * (i % 3), 0.0);
        }
    }
};

}  // namespace

TEST_CASE("a piece that was only moved and turned has kept its form") {
    const Strip strip;
    const std::vector<SkinFrame> at_rest(strip.points.size());
    PieceLooks looks;
    CHECK(looks.change(3, strip.piece, strip.points, at_rest) == kInfinity);
    looks.note(3, strip.piece, strip.points, at_rest);
    CHECK(looks.change(3, strip.piece, strip.points, at_rest) == 0.0);
    CHECK(looks.change(4, strip.piece, strip.points, at_rest) == kInfinity);

    const SkinFrame turn{Mat3(Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized())), {4, 5, 6}};
    std::vector<Vec3> moved;
    for (const Vec3& p : strip.points) moved.push_back(turn.point(p));
    const std::vector<SkinFrame> frames(moved.size(), turn);
    CHECK(looks.change(3, strip.piece, moved, frames) < 1e-12);

    // By what one of eleven points is off, less the part of it that the mean takes up.
    moved[4] += turn.linear * Vec3(0, 0, 0.011);
    CHECK(test::near(looks.change(3, strip.piece, moved, frames), 0.010));
    looks.note(3, strip.piece, moved, frames);
    CHECK(looks.change(3, strip.piece, moved, frames) < 1e-12);
    looks.forget(3);
    CHECK(looks.change(3, strip.piece, moved, frames) == kInfinity);
}

TEST_CASE("a piece that has got more points counts as not looked at") {
    Strip strip;
    const std::vector<SkinFrame> frames(strip.points.size() + 1);
    PieceLooks looks;
    looks.note(0, strip.piece, strip.points, frames);
    strip.points.emplace_back(1.1, 0.0, 0.0);
    strip.piece.vertices.push_back(11);
    CHECK(looks.change(0, strip.piece, strip.points, frames) == kInfinity);
}
