// SPDX-License-Identifier: MIT
#include <ductile/deform/hit.h>
#include <ductile/deform/journal.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

TEST_CASE("a hit acts from its time on and comes smoothly to its full amount") {
    Journal journal;
    journal.add(1.0, 0.5, DentHit{});
    journal.add(1.0, 0.0, DentHit{});
    CHECK(journal.amount(0, 0.999) == 0.0);
    CHECK(journal.amount(1, 0.999) == 0.0);
    CHECK(journal.amount(1, 1.0) == 1.0);
    CHECK(test::near(journal.amount(0, 1.25), 0.5));
    CHECK(journal.amount(0, 1.5) == 1.0);
    double last = 0.0;
    for (double t = 1.0; t < 1.6; t += 0.01) {
        CHECK(journal.amount(0, t) >= last);
        last = journal.amount(0, t);
    }
    CHECK_FALSE(journal.is_settled(1.2));
    CHECK(journal.is_settled(1.5));
}

TEST_CASE("a repair takes its share from the hits before it and from none after it") {
    Journal journal;
    journal.add(1.0, 0.0, DentHit{});
    journal.repair({2.0, 1.0, 0.75});
    journal.add(2.5, 0.0, DentHit{});
    CHECK(journal.amount(0, 1.9) == 1.0);
    CHECK(test::near(journal.amount(0, 2.5), 1.0 - 0.75 * 0.5));
    CHECK(test::near(journal.amount(0, 3.0), 0.25));
    CHECK(journal.amount(1, 5.0) == 1.0);
    CHECK_FALSE(journal.is_settled(2.9));
    CHECK(journal.is_settled(3.0));
}

TEST_CASE("a removed hit is gone and its id is not given again") {
    Journal journal;
    const auto first = journal.add(0, 0, DentHit{});
    const auto second = journal.add(0, 0, DentHit{});
    CHECK(journal.remove(second));
    CHECK_FALSE(journal.remove(second));
    CHECK(journal.add(0, 0, DentHit{}) > second);
    CHECK(journal.hits()[0].id == first);
    CHECK(journal.hits().size() == 2);
}

TEST_CASE("entries without sense are refused") {
    Journal journal;
    CHECK(journal.restore({5, 0.0, 0.0, DentHit{}}));
    CHECK_FALSE(journal.restore({5, 0.0, 0.0, DentHit{}}));
    CHECK_FALSE(journal.restore({6, std::nan(""), 0.0, DentHit{}}));
    CHECK_FALSE(journal.restore({6, 0.0, -1.0, DentHit{}}));
    DentHit without_direction;
    without_direction.direction_b = Vec3::Zero();
    CHECK_FALSE(journal.restore({6, 0.0, 0.0, without_direction}));
    DentHit broken;
    broken.depth = std::nan("");
    CHECK_FALSE(journal.restore({6, 0.0, 0.0, broken}));
    CHECK(journal.hits().size() == 1);
}
