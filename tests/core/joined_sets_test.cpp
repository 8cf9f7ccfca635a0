// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("joined numbers are those that a search along the joins finds, by their lowest") {
    Rng rng(3);
    const int count = 40;
    JoinedSets sets(count);
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
    for (int i = 0; i < count; ++i) reaches[i][i] = true;
    for (int k = 0; k < 25; ++k) {
        const auto a = static_cast<std::int32_t>(rng.uniform(0, count - 0.01));
        const auto b = static_cast<std::int32_t>(rng.uniform(0, count - 0.01));
        sets.join(a, b);
        reaches[a][b] = reaches[b][a] = true;
    }
    for (int via = 0; via < count; ++via) {
        for (int i = 0; i < count; ++i) {
            for (int j = 0; j < count; ++j) {
                if (reaches[i][via] && reaches[via][j]) reaches[i][j] = true;
            }
        }
    }
    const SetNumbers found = numbered(sets);
    std::int32_t lowest_of_sets = 0;
    for (int i = 0; i < count; ++i) {
        int lowest = 0;
        while (!reaches[i][lowest]) ++lowest;
        CHECK(sets.of(i) == lowest);
        lowest_of_sets += lowest == i ? 1 : 0;
        for (int j = 0; j < count; ++j) {
            CHECK((found.number[i] == found.number[j]) == reaches[i][j]);
        }
    }
    CHECK(found.count == lowest_of_sets);
    CHECK(sets.add() == count);
    CHECK(sets.of(count) == count);
}
