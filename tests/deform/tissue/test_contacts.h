// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/deform/tissue/tissue_contact.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// Particles of some coats, bodies of which the first cannot be moved, and contacts between them.
struct TestContacts {
    std::vector<Vec3> places;  ///< Of all particles, coat by coat.
    std::vector<BodyGain> gains;
    std::vector<TissueContact> contacts;
    std::vector<std::size_t> firsts;

    TestContacts(std::uint64_t seed, int coats, int particles, int bodies, int count) {
        Rng rng(seed);
        const auto below = [&](int end) {
            return static_cast<std::int32_t>(rng.uniform(0, end - 1e-9));
        };
        const auto vector = [&] {
            return Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        };
        for (int c = 0; c <= coats; ++c) firsts.push_back(std::size_t(c) * std::size_t(particles));
        for (std::size_t i = 0; i < firsts.back(); ++i) places.push_back(vector());
        for (int i = 0; i < bodies; ++i) {
            gains.push_back({0.1 * vector(), 0.1 * vector(), rng.uniform(0.1, 2)});
            if (i == 0) gains.back() = {};
        }
        for (int i = 0; i < count; ++i) {
            TissueContact c;
            c.coat = below(coats);
            c.particle = below(particles);
            c.own = &places[firsts[c.coat] + std::size_t(c.particle)];
            c.inverse_mass = rng.uniform(0.5, 2);
            c.friction = rng.uniform(0, 1);
            const bool is_pair = rng.uniform(0, 1) < 0.5;
            if (is_pair) {
                c.other_particle = below(particles);
                set_other(c, (c.coat + 1) % coats);
                c.other_inverse_mass = rng.uniform(0.5, 2);
            } else {
                c.body = below(bodies);
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
    void set_other(TissueContact& c, std::int32_t coat) {
        c.other_coat = coat;
        c.other = &places[firsts[coat] + std::size_t(c.other_particle)];
    }
    std::vector<TissueContact*> all() {
        std::vector<TissueContact*> out;
        for (TissueContact& c : contacts) out.push_back(&c);
        return out;
    }
};

}  // namespace ductile
