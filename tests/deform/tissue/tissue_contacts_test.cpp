// SPDX-License-Identifier: MIT
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

}  // namespace

TEST_CASE("particles of two coats touch as soon as their ellipsoids do, from any side") {
    for (const Vec3& way : {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0.6, 0.8, 0)}) {
        CHECK(contacts_of_two(0.0195 * way) == 1);
        CHECK(contacts_of_two(0.001 * way) == 1);
        CHECK(contacts_of_two(0.0205 * way) == 0);
    }
}
