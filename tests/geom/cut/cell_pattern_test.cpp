// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cell_pattern.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a pattern is the same for the same seed and another for another") {
    const Box box{Vec3(-1, -1, -1), Vec3(1, 2, 1)};
    for (const PatternKind kind : {PatternKind::Uniform, PatternKind::Clustered,
                                   PatternKind::Splinters, PatternKind::Rings}) {
        PatternOptions options;
        options.kind = kind;
        const CellPattern first = make_pattern(options, box, Vec3::Zero()).value();
        CHECK(first.sites == make_pattern(options, box, Vec3::Zero()).value().sites);
        options.seed = 2;
        CHECK(first.sites != make_pattern(options, box, Vec3::Zero()).value().sites);
    }
}

TEST_CASE("clusters and rings have their smallest cells at the centre") {
    const Box box{Vec3(-1, -1, -0.05), Vec3(1, 1, 0.05)};
    const Vec3 centre(0.3, -0.2, 0);
    PatternOptions options;
    options.axis = Vec3::UnitZ();
    options.cells = 200;
    for (const PatternKind kind : {PatternKind::Clustered, PatternKind::Rings}) {
        options.kind = kind;
        const CellPattern pattern = make_pattern(options, box, centre).value();
        int near = 0, far = 0;
        for (const Vec3& s : pattern.sites) {
            const double distance = (s - centre).head<2>().norm();
            if (distance < 0.3) ++near;
            if (distance > 0.6 && distance < 0.9) ++far;
        }
        // Per area: the ring from 0.6 to 0.9 is five times the disc of 0.3.
        CHECK(near > 0.6 * far);
        CHECK(5 * near > 2 * far);
    }
}

TEST_CASE("a pattern without an axis, planes or room is refused") {
    const Box box{Vec3(0, 0, 0), Vec3(10, 10, 10)};
    PatternOptions options;
    options.axis = Vec3::Zero();
    CHECK_FALSE(make_pattern(options, box, Vec3::Zero()));
    options = {};
    options.kind = PatternKind::Planes;
    CHECK_FALSE(make_pattern(options, box, Vec3::Zero()));
    options.planes = {{Vec3::Zero(), 0.0}};
    CHECK_FALSE(make_pattern(options, box, Vec3::Zero()));
    options.kind = PatternKind::Bricks;
    options.brick = Vec3(0.001, 0.001, 0.001);
    CHECK_FALSE(make_pattern(options, box, Vec3::Zero()));
}
