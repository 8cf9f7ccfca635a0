// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/contact_set.h>
#include <ductile/deform/tissue/tissue_contact.h>

#include "test_contacts.h"
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ductile;

namespace {

/// A visit as it is written down: normal first, then along the surface, within what friction holds.
void visit(TissueContact& c, std::vector<BodyGain>& gains) {
    BodyGain* gain = c.body < 0 ? nullptr : &gains[c.body];
    const auto way = [&](const ContactRow& row) {
        const Vec3 apart = *c.own - (gain ? gain->move : *c.other);
        return row.start + row.axis.dot(apart) - (gain ? row.arm.dot(gain->turn) : 0.0);
    };
    const auto push_by = [&](ContactRow& row, double more) {
        row.push += more;
        *c.own += c.inverse_mass * more * row.axis;
        if (!gain) {
            *c.other -= c.other_inverse_mass * more * row.axis;
            return;
        }
        gain->move -= gain->inverse_mass * more * row.axis;
        gain->turn -= more * row.body_turn;
    };
    const double push = std::max(0.0, c.normal.push - way(c.normal) * c.normal.mass);
    const double before = c.normal.push;
    push_by(c.normal, push - before);
    if (push == 0.0 && before == 0.0) return;
    // Particles' own axes are square to each other: of the normal's push only the turn counts.
    Eigen::Vector2d drag(c.across[0].push - way(c.across[0]) * c.across[0].mass,
                         c.across[1].push - way(c.across[1]) * c.across[1].mass);
    const double limit = c.friction * push;
    if (drag.norm() > limit) drag *= limit / drag.norm();
    for (int k = 0; k < 2; ++k) push_by(c.across[k], drag[k] - c.across[k].push);
}

}  // namespace

TEST_CASE("contacts visited side by side end where they end one after the other, bit for bit") {
    for (const bool is_backwards : {false, true}) {
        for (std::uint64_t seed = 1; seed < 30; ++seed) {
            TestContacts together(seed, 2, 12, 4, 5 + 3 * static_cast<int>(seed));
            TestContacts alone(seed, 2, 12, 4, 5 + 3 * static_cast<int>(seed));
            ContactSet set;
            set.plan(together.all(), together.firsts, together.gains);
            for (int round = 0; round < 7; ++round) set.visit_all(is_backwards);
            set.tell_pushes();
            std::vector<TissueContact*> order = alone.all();
            if (is_backwards) std::reverse(order.begin(), order.end());
            std::vector<ContactSet> sets(order.size());
            for (std::size_t k = 0; k < sets.size(); ++k) {
                sets[k].plan(std::span(&order[k], 1), alone.firsts, alone.gains);
            }
            for (int round = 0; round < 7; ++round) {
                for (ContactSet& one : sets) one.visit_all(false);
            }
            for (const ContactSet& one : sets) one.tell_pushes();
            for (std::size_t i = 0; i < together.places.size(); ++i) {
                CHECK(together.places[i] == alone.places[i]);
            }
            for (std::size_t i = 0; i < together.gains.size(); ++i) {
                CHECK(together.gains[i].move == alone.gains[i].move);
                CHECK(together.gains[i].turn == alone.gains[i].turn);
            }
            for (std::size_t i = 0; i < together.contacts.size(); ++i) {
                CHECK(together.contacts[i].normal.push == alone.contacts[i].normal.push);
                CHECK(together.contacts[i].across[0].push == alone.contacts[i].across[0].push);
            }
        }
    }
}

TEST_CASE("a visit of a contact pushes by what is written down, friction within its cone") {
    for (std::uint64_t seed = 1; seed < 30; ++seed) {
        TestContacts fast(seed, 2, 10, 4, 40), slow(seed, 2, 10, 4, 40);
        ContactSet set;
        set.plan(fast.all(), fast.firsts, fast.gains);
        for (int round = 0; round < 3; ++round) set.visit_all(false);
        set.tell_pushes();
        for (int round = 0; round < 3; ++round) {
            for (TissueContact& c : slow.contacts) visit(c, slow.gains);
        }
        for (std::size_t i = 0; i < fast.contacts.size(); ++i) {
            const TissueContact &a = fast.contacts[i], &b = slow.contacts[i];
            CHECK(test::within(a.normal.push, b.normal.push, 1e-12));
            CHECK(a.normal.push >= 0.0);
            CHECK(std::hypot(a.across[0].push, a.across[1].push) <=
                  a.friction * a.normal.push * (1 + 1e-12));
        }
        for (std::size_t i = 0; i < fast.places.size(); ++i) {
            CHECK((fast.places[i] - slow.places[i]).norm() < 1e-9);
        }
    }
}
