// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/tissue_contacts.h>

#include "test_coats.h"
#include <doctest/doctest.h>

#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A world without any other body.
struct NoBodies final : RigidQueries {
    Nearest closest_point(BodyId, const Vec3&, double) const override {
        Nearest none;
        none.distance = kInfinity;
        return none;
    }
    Vec3 velocity_at(BodyId, const Vec3&) const override { return Vec3::Zero(); }
    void apply_impulse(BodyId, const Vec3&, const Vec3&) override {}
};

/// A bone and one round particle of radius 1 cm above it.
TissueRig one_particle() {
    TissueRig rig;
    rig.add_particle(Vec3::Zero(), 1e-4 * Mat3::Identity(), 1.0, true);
    rig.add_particle(Vec3(0, 0.1, 0), 1e-4 * Mat3::Identity(), 0.1, false);
    rig.add_group(std::vector<std::int32_t>{1, 0});
    set_stiffness(rig, std::vector<double>{1e3});
    return rig;
}

/// How many contacts two such coats have, `apart` from each other.
std::size_t contacts_of_two(const Vec3& apart) {
    const auto rig = std::make_shared<TissueRig>(one_particle());
    const std::vector<double> reaches = {0.01, 0.01};
    std::vector<TissueBody> bodies;
    std::vector<PushedBody> pushed(2);
    std::vector<std::vector<Touches>> touches(2, std::vector<Touches>(2));
    std::vector<TouchingCoat> coats;
    const double dt = 1e-3;
    bodies.reserve(2);
    for (std::size_t k = 0; k < 2; ++k) {
        BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
        bone.pose_w = {Quat::Identity(), static_cast<double>(k) * apart};
        bone.centre_w = bone.pose_w.translation;
        pushed[k].start = bone;
        pushed[k].next = bone.pose_w;
        bodies.emplace_back(rig, bone);
        bodies[k].begin_part(dt, Vec3::Zero(), 0.0, 1, pushed[k]);
        coats.push_back({&bodies[k], &touches[k], k, 0.5, false, reaches, 0.01, 0.1});
    }
    TissueContacts contacts;
    contacts.begin(coats);
    for (std::size_t k = 0; k < 2; ++k) contacts.place_coat(coats[k], k);
    contacts.find(coats, NoBodies(), Vec3::Zero(), dt, pushed);
    return contacts.size();
}

/// What comes of coats that stand still at these places.
struct Solved {
    std::size_t contacts = 0;
    std::vector<Vec3> next;
};
Solved solved(const TissueRig& rig, std::span<const Vec3> places, TissueContacts& contacts) {
    const auto shared = std::make_shared<TissueRig>(rig);
    const std::vector<double> reaches(rig.size(), 0.01);
    std::vector<TissueBody> bodies;
    std::vector<PushedBody> pushed(places.size());
    std::vector<std::vector<Touches>> touches(places.size(), std::vector<Touches>(rig.size()));
    std::vector<TouchingCoat> coats;
    bodies.reserve(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
        bone.pose_w = {Quat::Identity(), places[k]};
        bone.centre_w = places[k];
        pushed[k].start = bone;
        pushed[k].next = bone.pose_w;
        bodies.emplace_back(shared, bone);
        bodies[k].begin_part(1e-3, Vec3::Zero(), 0.0, 1, pushed[k]);
        coats.push_back({&bodies[k], &touches[k], k, 0.5, false, reaches, 0.01, 0.1});
    }
    contacts.begin(coats);
    for (std::size_t k = 0; k < places.size(); ++k) contacts.place_coat(coats[k], k);
    contacts.find(coats, NoBodies(), Vec3::Zero(), 1e-3, pushed);
    contacts.solve(pushed, 4, false);
    Solved out{contacts.size(), {}};
    for (const TissueBody& body : bodies) {
        out.next.insert(out.next.end(), body.next().begin(), body.next().end());
    }
    return out;
}

}  // namespace

// Those that just do not touch yet, too: they may by the end of a part, and what lies on others
// would fall through them every time its gap is above 0 by a rounding.
TEST_CASE("particles of two coats are known before their ellipsoids touch, from any side") {
    for (const Vec3& way : {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0.6, 0.8, 0)}) {
        CHECK(contacts_of_two(0.0195 * way) == 1);
        CHECK(contacts_of_two(0.001 * way) == 1);
        CHECK(contacts_of_two(0.020000001 * way) == 1);
        CHECK(contacts_of_two(0.0249 * way) == 1);
        CHECK(contacts_of_two(0.0251 * way) == 0);
    }
}

TEST_CASE("what coats touch does not depend on when lists of pairs were made") {
    Rng rng(5);
    const auto vector = [&] {
        return Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    };
    TissueRig rig;
    std::vector<std::int32_t> group;
    for (int i = 0; i < 40; ++i) {
        rig.add_particle(0.05 * vector().normalized(), 1e-4 * Mat3::Identity(), 0.1, i == 0);
        group.push_back(i);
    }
    rig.add_group(group);
    set_stiffness(rig, std::vector<double>{1e3});
    std::vector<Vec3> places;
    for (int k = 0; k < 5; ++k) places.push_back(0.1 * vector());
    TissueContacts kept;
    std::size_t touching = 0;
    for (int part = 0; part < 120; ++part) {
        // From steps that no list outlives to steps that most do.
        const double step = part % 40 < 20 ? 0.0005 : 0.01;
        const Vec3 drift = 0.02 * vector();
        for (Vec3& place : places) place += drift + step * vector() - 0.05 * (place - places[0]);
        TissueContacts fresh;
        const Solved one = solved(rig, places, kept), two = solved(rig, places, fresh);
        CHECK(one.contacts == two.contacts);
        CHECK(one.next == two.next);
        touching += one.contacts;
    }
    CHECK(touching > 1000);
}
