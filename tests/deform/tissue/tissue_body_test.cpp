// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>

#include "test_coats.h"
#include <doctest/doctest.h>

using namespace ductile;
using namespace ductile::test;

namespace {

/// How far the coat is from its rest shape on the bone, at most [m].
double worst_offset(const TissueBody& coat, const BodyMoment& bone) {
    double worst = 0.0;
    for (std::size_t i = 0; i < coat.rig().size(); ++i) {
        const Vec3 rest = bone.pose_w.point(coat.rig().places[i]);
        worst = std::max(worst, (coat.particles()[i].position - rest).norm());
    }
    return worst;
}

void disturb(TissueBody& coat, double speed) {
    Rng rng(5);
    for (std::size_t i = 0; i < coat.rig().size(); ++i) {
        if (coat.rig().attached[i]) continue;
        OrientedParticle& p = coat.particles()[i];
        p.velocity += speed * Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        p.spin += 20.0 * Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    }
}

}  // namespace

TEST_CASE("a coat falls as its bone does") {
    BodyMoment bone = test_bone(Vec3(1, 2, 0), Vec3::Zero());
    TissueBody coat(std::make_shared<TissueRig>(box_coat()), bone);
    const Vec3 start = bone.centre_w, g(0, -9.81, 0);
    const double dt = 1.0 / 960;
    for (int i = 0; i < 480; ++i) advance_coat(coat, bone, dt, g, 4.0);
    // As symplectic Euler falls.
    const Vec3 wanted = start + 0.5 * Vec3(1, 2, 0) + 0.5 * dt * dt * 480 * 481 * g;
    CHECK((bone.centre_w - wanted).norm() < 1e-11);
    CHECK(worst_offset(coat, bone) < 1e-11);
}

TEST_CASE("momentum of bone and coat is kept, whatever the coat does") {
    for (const double stiffness : {1e3, 1e5, 1e8}) {
        TissueOptions options;
        options.stiffness = stiffness;
        BodyMoment bone = test_bone(Vec3(0.3, -0.2, 0.1), Vec3(3, -2, 4));
        TissueBody coat(std::make_shared<TissueRig>(box_coat(options)), bone);
        disturb(coat, 0.3);
        const CoatMomentum before = momentum_of(coat, bone);
        for (int i = 0; i < 960; ++i) advance_coat(coat, bone, 1.0 / 960, Vec3::Zero(), 4.0);
        const CoatMomentum after = momentum_of(coat, bone);
        CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
        CHECK((after.angular - before.angular).norm() < 1e-9 * before.angular.norm());
        CHECK(worst_offset(coat, bone) < 0.01);
    }
}

TEST_CASE("a bone that is lighter than its coat is not thrown about") {
    for (const double mass : {1.0, 0.1, 0.01, 1e-4, 1e-8}) {
        for (const double stiffness : {1e3, 2e5, 1e7, 1e10}) {
            for (const double damping : {0.0, 4.0, 500.0}) {
                CAPTURE(mass);
                CAPTURE(stiffness);
                CAPTURE(damping);
                TissueOptions options;
                options.stiffness = stiffness;
                BodyMoment bone = test_bone(Vec3(0.3, -0.2, 0.1), Vec3(3, -2, 4));
                bone.inverse_mass /= mass;
                bone.inverse_inertia_w /= mass;
                TissueBody coat(std::make_shared<TissueRig>(box_coat(options, mass)), bone);
                disturb(coat, 0.3);
                const CoatMomentum before = momentum_of(coat, bone);
                const double energy = energy_of(coat, bone);
                double most = 0.0;
                for (int i = 0; i < 240; ++i) {
                    advance_coat(coat, bone, 1.0 / 960, Vec3::Zero(), damping, 1);
                    most = std::max(most, energy_of(coat, bone));
                }
                CHECK(most < energy);
                const CoatMomentum after = momentum_of(coat, bone);
                CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
            }
        }
    }
}

TEST_CASE("a rigid motion of the rest shape is kept") {
    BodyMoment bone = test_bone(Vec3(0.5, 0, 0.2), Vec3(2, 5, -3));
    TissueBody coat(std::make_shared<TissueRig>(box_coat()), bone);
    const Vec3 spin = bone.spin_w;
    for (int i = 0; i < 960; ++i) advance_coat(coat, bone, 1.0 / 960, Vec3::Zero());
    // Only the centrifugal pull stretches the coat a little.
    CHECK(worst_offset(coat, bone) < 2e-5);
    CHECK((bone.spin_w - spin).norm() < 0.02 * spin.norm());
}

TEST_CASE("stiffness does not depend on the part's length or on the number of sweeps") {
    // Sag of the coat on a held bone under a sideways pull.
    const auto sag = [](double dt, int sweeps) {
        TissueOptions options;
        options.stiffness = 1e5;
        BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
        bone.inverse_mass = 0.0;
        bone.inverse_inertia_w.setZero();
        TissueBody coat(std::make_shared<TissueRig>(box_coat(options, 0.0)), bone);
        const Vec3 pull(20, 0, 0);
        for (double t = 0; t < 0.4; t += dt) advance_coat(coat, bone, dt, pull, 30.0, sweeps);
        double sum = 0.0;
        for (std::size_t i = 0; i < coat.rig().size(); ++i) {
            sum += coat.particles()[i].position.x() - bone.pose_w.point(coat.rig().places[i]).x();
        }
        return sum;
    };
    const double fine = sag(1.0 / 4000, 2);
    MESSAGE("sag " << fine << " " << sag(1.0 / 960, 2) << " " << sag(1.0 / 960, 4) << " "
                   << sag(1.0 / 240, 2));
    CHECK(fine > 0.0);
    CHECK(std::abs(sag(1.0 / 960, 2) / fine - 1.0) < 0.02);
    CHECK(std::abs(sag(1.0 / 1920, 2) / fine - 1.0) < 0.02);
    CHECK(std::abs(sag(1.0 / 960, 4) / fine - 1.0) < 0.02);
}

TEST_CASE("a coat turned inside out or flung apart stays finite and comes back") {
    TissueOptions options;
    options.stiffness = 1e5;
    BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
    TissueBody coat(std::make_shared<TissueRig>(box_coat(options)), bone);
    Rng rng(6);
    for (OrientedParticle& p : coat.particles()) {
        p.position += 0.03 * Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    }
    for (int i = 0; i < 2000; ++i) advance_coat(coat, bone, 1.0 / 960, Vec3::Zero(), 20.0);
    for (const OrientedParticle& p : coat.particles()) {
        REQUIRE(is_finite(p.position));
        CHECK(p.velocity.norm() < 50.0);
    }
    CHECK(worst_offset(coat, bone) < 0.06);
}
