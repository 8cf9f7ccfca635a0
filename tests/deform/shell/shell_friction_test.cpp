// SPDX-License-Identifier: MIT
// What friction does while a shell is pressed in.
#include <ductile/deform/shell/shell_solve.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>

#include <algorithm>

using namespace ductile;
using namespace ductile::test;

namespace {

// How far what is met goes sideways to the striker's way, at most.
double sideways(double friction, const Vec3& along) {
    ShellOptions options;
    options.friction = friction;
    const ShellSheet sheet(30, options);
    const Vec3 place(0.1, 0, 0.05);
    StrikerMap striker(sheet.impact(place), along, bounds(sheet.mesh.points), 2.83);
    striker.touch(sheet.mesh.points, 0.05);
    const std::vector<Vec3> moves = sheet.moves(sheet.press({{striker, 0.2, {}}}));
    double most = 0.0;
    for (const Vec3& m : moves) {
        const double in = m.dot(along);
        if (in > 0.1) most = std::max(most, (m - in * along).norm());
    }
    return most;
}

}  // namespace

TEST_CASE("friction holds what a slanting striker has met nearer to where it was met") {
    const Vec3 along(0.6, -0.8, 0);
    const double slippery = sideways(0.0, along), rough = sideways(2.0, along);
    CAPTURE(slippery);
    CAPTURE(rough);
    CHECK(rough < 0.9 * slippery);
}
