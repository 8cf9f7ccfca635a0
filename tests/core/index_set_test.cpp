// SPDX-License-Identifier: MIT
#include <ductile/core/index_set.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>

#include <set>

using namespace ductile;

TEST_CASE("a set of indices gives back what went in, each once and ascending") {
    Rng rng(5);
    for (const std::int32_t size : {1, 63, 64, 65, 4096, 4097, 100'000}) {
        IndexSet set(size);
        std::vector<std::int32_t> out;
        for (int round = 0; round < 3; ++round) {
            std::set<std::int32_t> expected;
            for (int i = 0; i < 200; ++i) {
                const auto index = static_cast<std::int32_t>(rng.uniform() * size);
                CHECK(set.contains(index) == expected.contains(index));
                CHECK(set.insert(index) == expected.insert(index).second);
            }
            for (int i = 0; i < 60; ++i) {
                const auto index = static_cast<std::int32_t>(rng.uniform() * size);
                CHECK(set.erase(index) == (expected.erase(index) == 1));
            }
            set.insert(size - 1);
            expected.insert(size - 1);
            CHECK_FALSE(set.is_empty());
            set.take(out);
            CHECK(std::equal(out.begin(), out.end(), expected.begin(), expected.end()));
            CHECK(set.is_empty());
            for (const std::int32_t index : out) CHECK_FALSE(set.contains(index));
        }
    }
}

TEST_CASE("a set of indices is empty once all are taken out") {
    IndexSet set(5'000);
    for (const std::int32_t index : {3, 64, 4'999}) set.insert(index);
    for (const std::int32_t index : {64, 4'999, 3}) {
        CHECK_FALSE(set.is_empty());
        CHECK(set.erase(index));
    }
    CHECK(set.is_empty());
}

TEST_CASE("a cleared set of indices is empty") {
    IndexSet set(10'000);
    for (const std::int32_t index : {0, 77, 4095, 4096, 9'999}) set.insert(index);
    set.clear();
    CHECK(set.is_empty());
    set.for_each([](std::int32_t index) { FAIL("holds " << index); });
}

TEST_CASE("ranks number the indices of a set without gaps, in order") {
    Rng rng(8);
    IndexSet set(9'000);
    for (int i = 0; i < 700; ++i) set.insert(static_cast<std::int32_t>(rng.uniform(0, 9'000)));
    set.insert(0);
    set.insert(8'999);
    const IndexSet::Ranks rank(set);
    std::int32_t next = 0;
    set.for_each([&](std::int32_t index) { CHECK(rank(index) == next++); });
    CHECK(next > 600);
}
