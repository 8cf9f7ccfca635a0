// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/tissue/contact_rounds.h>
#include <ductile/deform/tissue/contact_split.h>

#include "test_contacts.h"
#include <doctest/doctest.h>

#include <set>

using namespace ductile;

namespace {

/// Coats in a row, each with a bone, one body that cannot be moved and one free one; contacts
/// between neighbours.
struct Row {
    static constexpr int kCoats = 12, kParticles = 10;
    TestContacts world;
    std::vector<std::int32_t> bones;
    std::vector<Vec3> centres;

    explicit Row(std::uint64_t seed, int count)
        : world(seed, kCoats, kParticles, kCoats + 2, count) {
        Rng rng(seed);
        for (int c = 0; c < kCoats; ++c) {
            bones.push_back(c + 1);
            centres.emplace_back(0.1 * c, rng.uniform(0, 0.1), rng.uniform(0, 0.3));
        }
        centres.insert(centres.begin(), Vec3(0, -1, 0));
        centres.emplace_back(0.6, 0.2, 0.1);
        for (TissueContact& c : world.contacts) {
            if (c.body < 0) world.set_other(c, std::min(c.coat + 1, kCoats - 1));
        }
    }
};

}  // namespace

TEST_CASE("sets that two threads visit at once share nothing that moves") {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
        Row row(seed, 900);
        ContactSplit split;
        const auto contacts = row.world.all();
        split.split(contacts, row.bones, row.centres, row.world.gains);
        REQUIRE(split.sets().size() == contacts.size());
        std::set<const Vec3*> moved[ContactRounds::kSets];
        std::size_t counts[ContactRounds::kSets] = {};
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const TissueContact& c = *contacts[k];
            const std::uint8_t set = split.sets()[k];
            REQUIRE(set < ContactRounds::kSets);
            ++counts[set];
            moved[set].insert(c.own);
            if (c.body < 0) moved[set].insert(c.other);
            if (c.body > 0) moved[set].insert(&row.world.gains[c.body].move);
        }
        for (const int first : {0, 2}) {
            for (const Vec3* one : moved[first]) CHECK(moved[first + 1].count(one) == 0);
        }
        CHECK(counts[0] > 0);
        CHECK(counts[1] > 0);
    }
}

TEST_CASE("few contacts are one set, in their order") {
    Row row(3, 40);
    ContactSplit split;
    split.split(row.world.all(), row.bones, row.centres, row.world.gains);
    for (const std::uint8_t set : split.sets()) CHECK(set == 0);
}

TEST_CASE("rounds end alike at any number of threads, and as set after set on one") {
    for (const bool is_backwards : {false, true}) {
        Row one(7, 900);
        ContactSplit split;
        split.split(one.world.all(), one.bones, one.centres, one.world.gains);
        ContactSet sets[ContactRounds::kSets];
        for (int s = 0; s < ContactRounds::kSets; ++s) {
            std::vector<TissueContact*> own;
            for (std::size_t k = 0; k < one.world.contacts.size(); ++k) {
                if (split.sets()[k] == s) own.push_back(&one.world.contacts[k]);
            }
            sets[s].plan(own, one.world.firsts, one.world.gains);
        }
        for (int round = 0; round < 6; ++round) {
            for (int s = 0; s < ContactRounds::kSets; ++s) {
                sets[is_backwards ? ContactRounds::kSets - 1 - s : s].visit_all(is_backwards);
            }
        }
        for (const ContactSet& set : sets) set.tell_pushes();
        for (const int threads : {1, 2, 8}) {
            const ThreadLimit limit(threads);
            Row two(7, 900);
            ContactRounds rounds;
            rounds.plan(two.world.all(), split.sets(), two.world.firsts, two.world.gains);
            rounds.run(4, is_backwards);
            rounds.run(2, is_backwards);
            for (std::size_t k = 0; k < two.world.contacts.size(); ++k) {
                const TissueContact &a = one.world.contacts[k], &b = two.world.contacts[k];
                CHECK(a.normal.push == b.normal.push);
                CHECK(a.across[1].push == b.across[1].push);
                CHECK(*a.own == *b.own);
            }
            for (std::size_t b = 0; b < two.world.gains.size(); ++b) {
                CHECK(one.world.gains[b].move == two.world.gains[b].move);
                CHECK(one.world.gains[b].turn == two.world.gains[b].turn);
            }
        }
    }
}
