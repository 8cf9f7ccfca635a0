// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/contact_rounds.h>
#include <ductile/deform/tissue/tissue_contact.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ductile;

namespace {

/// Particles of two coats, bodies of which the first cannot be moved, and contacts between them.
struct TestContacts {
    std::vector<Vec3> first, second;
    std::vector<BodyGain> gains;
    std::vector<TissueContact> contacts;
    std::vector<std::size_t> firsts;

    explicit TestContacts(std::uint64_t seed, int particles, int bodies, int count) {
        Rng rng(seed);
        const auto vector = [&] {
            return Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        };
        firsts = {0, std::size_t(particles), 2 * std::size_t(particles)};
        for (int i = 0; i < particles; ++i) first.push_back(vector());
        for (int i = 0; i < particles; ++i) second.push_back(vector());
        for (int i = 0; i < bodies; ++i) {
            gains.push_back({0.1 * vector(), 0.1 * vector(), i == 0 ? 0.0 : rng.uniform(0.1, 2)});
        }
        for (int i = 0; i < count; ++i) {
            TissueContact c;
            c.coat = rng.uniform(0, 1) < 0.5 ? 0 : 1;
            c.particle = static_cast<std::int32_t>(rng.uniform(0, particles - 1e-9));
            c.own = &(c.coat == 0 ? first : second)[c.particle];
            c.inverse_mass = rng.uniform(0.5, 2);
            c.friction = rng.uniform(0, 1);
            const bool is_pair = rng.uniform(0, 1) < 0.5;
            if (is_pair) {
                c.other_coat = 1 - c.coat;
                c.other_particle = static_cast<std::int32_t>(rng.uniform(0, particles - 1e-9));
                c.other = &(c.coat == 0 ? second : first)[c.other_particle];
                c.other_inverse_mass = rng.uniform(0.5, 2);
            } else {
                c.body = static_cast<std::int32_t>(rng.uniform(0, bodies - 1e-9));
            }
            const double body_mass = is_pair ? c.other_inverse_mass : gains[c.body].inverse_mass;
            const Vec3 normal = vector().normalized(), side = any_perpendicular(normal);
            const Vec3 axes[] = {normal, side, normal.cross(side)};
            ContactRow* rows[] = {&c.normal, &c.across[0], &c.across[1]};
            const Vec3 lever = vector();
            for (int k = 0; k < 3; ++k) {
                rows[k]->axis = axes[k];
                rows[k]->start = rng.uniform(-0.5, 0.5);
                if (!is_pair) rows[k]->arm = lever.cross(axes[k]);
                if (!is_pair) rows[k]->body_turn = body_mass * rows[k]->arm;
                rows[k]->mass =
                    1.0 / (c.inverse_mass + body_mass + rows[k]->arm.dot(rows[k]->body_turn));
                rows[k]->by_normal = rows[k]->arm.dot(c.normal.body_turn);
            }
            contacts.push_back(c);
        }
    }
    std::vector<TissueContact*> all() {
        std::vector<TissueContact*> out;
        for (TissueContact& c : contacts) out.push_back(&c);
        return out;
    }
};

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
            TestContacts together(seed, 12, 4, 5 + 3 * static_cast<int>(seed));
            TestContacts alone(seed, 12, 4, 5 + 3 * static_cast<int>(seed));
            ContactRounds rounds, one;
            rounds.plan(together.all(), together.firsts, together.gains);
            rounds.run(7, is_backwards);
            std::vector<TissueContact*> order = alone.all();
            if (is_backwards) std::reverse(order.begin(), order.end());
            for (int round = 0; round < 7; ++round) {
                for (TissueContact* contact : order) {
                    one.plan(std::span(&contact, 1), alone.firsts, alone.gains);
                    one.run(1, false);
                }
            }
            for (std::size_t i = 0; i < together.first.size(); ++i) {
                CHECK(together.first[i] == alone.first[i]);
                CHECK(together.second[i] == alone.second[i]);
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
        TestContacts fast(seed, 10, 4, 40), slow(seed, 10, 4, 40);
        ContactRounds rounds;
        rounds.plan(fast.all(), fast.firsts, fast.gains);
        rounds.run(3, false);
        for (int round = 0; round < 3; ++round) {
            for (TissueContact& c : slow.contacts) visit(c, slow.gains);
        }
        for (std::size_t i = 0; i < fast.contacts.size(); ++i) {
            const TissueContact &a = fast.contacts[i], &b = slow.contacts[i];
            CHECK(a.normal.push == doctest::Approx(b.normal.push).epsilon(1e-9));
            CHECK(a.normal.push >= 0.0);
            CHECK(std::hypot(a.across[0].push, a.across[1].push) <=
                  a.friction * a.normal.push * (1 + 1e-12));
        }
        for (std::size_t i = 0; i < fast.first.size(); ++i) {
            CHECK((fast.first[i] - slow.first[i]).norm() < 1e-9);
            CHECK((fast.second[i] - slow.second[i]).norm() < 1e-9);
        }
    }
}
