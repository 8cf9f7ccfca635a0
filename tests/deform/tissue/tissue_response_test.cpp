// SPDX-License-Identifier: MIT
// What a coat does beyond being stiff: torsion, a limit of stretch, flow, groups made by hand.
#include <ductile/core/rotation.h>

#include "test_coats.h"
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kPart = 1.0 / 960;

/// A bone that nothing pushes.
BodyMoment held_bone() {
    BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
    bone.pose_w.rotation = Quat::Identity();
    bone.inverse_mass = 0.0;
    bone.inverse_inertia_w.setZero();
    return bone;
}

TissueRig chain_rig(double torsion) {
    TissueOptions options;
    options.thickness = 0.1;
    options.layers = 8;
    options.stiffness = 1e5;
    options.torsion = torsion;
    const Box box{Vec3::Constant(-0.01), Vec3::Constant(0.01)};
    const std::vector<TissueColumn> columns{chain_column(box, options)};
    return rig_of_columns(columns, options, {.coat = 0.1}).value();
}

/// How far its bone's turn about y has come along a chain, at its end [rad].
double twist_at_end(const TissueBody& chain) { return angle_of(chain.particles().back().turn).y(); }

/// Farthest from rest after a pull of `pull` for 0.2 s and, without it, 0.6 s more; and during it.
struct Pulled {
    double during = 0.0, after = 0.0;
};
Pulled pull_coat(const TissueOptions& options, double pull) {
    BodyMoment bone = held_bone();
    TissueBody coat(std::make_shared<TissueRig>(box_coat(options, 0.0)), bone);
    const auto worst = [&] {
        double most = 0.0;
        for (std::size_t i = 0; i < coat.rig().size(); ++i) {
            const Vec3 rest = bone.pose_w.point(coat.rig().places[i]);
            most = std::max(most, (coat.particles()[i].position - rest).norm());
        }
        return most;
    };
    Pulled out;
    for (int i = 0; i < 192; ++i) advance_coat(coat, bone, kPart, Vec3(pull, 0, 0), 30.0);
    out.during = worst();
    for (int i = 0; i < 576; ++i) advance_coat(coat, bone, kPart, Vec3::Zero(), 30.0);
    out.after = worst();
    return out;
}

}  // namespace

TEST_CASE("the turn of a bone runs along a chain of single particles") {
    int arrived[2] = {};
    for (const int k : {0, 1}) {
        BodyMoment bone = held_bone();
        TissueBody chain(std::make_shared<TissueRig>(chain_rig(k == 0 ? 0.2 : 5.0)), bone);
        bone.spin_w = Vec3(0, 5, 0);
        for (int i = 0; i < 1200; ++i) {
            if (i == 192) bone.spin_w.setZero();
            advance_coat(chain, bone, kPart, Vec3::Zero(), i < 192 ? 0.0 : 20.0);
            if (arrived[k] == 0 && twist_at_end(chain) > 0.05) arrived[k] = i;
        }
        CHECK(test::near(twist_at_end(chain), 1.0, 0.01));
        // It stays straight: the twist is in the particles, not in where they are.
        for (std::size_t i = 0; i < chain.rig().size(); ++i) {
            const Vec3 rest = bone.pose_w.point(chain.rig().places[i]);
            CHECK((chain.particles()[i].position - rest).norm() < 1e-6);
        }
    }
    CHECK(arrived[1] > 0);
    CHECK(arrived[0] > 1.5 * arrived[1]);
}

TEST_CASE("a limit of stretch holds what is pulled far, and leaves a little pull alone") {
    TissueOptions soft, limited;
    soft.stiffness = limited.stiffness = 2e3;
    limited.stretch_limit = 0.05;
    const Pulled free = pull_coat(soft, 30.0), held = pull_coat(limited, 30.0);
    CHECK(held.during < 0.7 * free.during);
    CHECK(held.after < 1e-4);
    CHECK(pull_coat(limited, 0.1).during == pull_coat(soft, 0.1).during);
}

TEST_CASE("a limit of stretch keeps the momentum of bone and coat") {
    TissueOptions options;
    options.stiffness = 1e3;
    options.stretch_limit = 0.02;
    BodyMoment bone = test_bone(Vec3(0.3, -0.2, 0.1), Vec3(3, -2, 4));
    TissueBody coat(std::make_shared<TissueRig>(box_coat(options)), bone);
    for (std::size_t i = 0; i < coat.rig().size(); ++i) {
        if (!coat.rig().attached[i]) coat.particles()[i].velocity += Vec3(0, i % 2, 0.3);
    }
    const CoatMomentum before = momentum_of(coat, bone);
    for (int i = 0; i < 480; ++i) advance_coat(coat, bone, kPart, Vec3::Zero(), 4.0);
    const CoatMomentum after = momentum_of(coat, bone);
    CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
    CHECK((after.angular - before.angular).norm() < 1e-9 * before.angular.norm());
}

TEST_CASE(
    "a coat that yields keeps a part of a strong pull, up to its limit, and none of a weak one") {
    TissueOptions elastic, plastic;
    elastic.stiffness = plastic.stiffness = 5e3;
    plastic.yield_strain = 0.05;
    plastic.flow = 20.0;
    plastic.flow_limit = 0.1;
    CHECK(pull_coat(elastic, 60.0).after < 1e-4);
    CHECK(pull_coat(plastic, 1.0).after < 1e-5);
    const double kept = pull_coat(plastic, 60.0).after;
    CHECK(kept > 2e-4);
    CHECK(kept < 0.1 * 0.03);
}

TEST_CASE("groups made by hand take the particles around a place, and say where there are none") {
    TissueOptions options;
    const TissueRig plain = box_coat(options);
    options.groups = {{.position = Vec3(0.02, 0, 0), .radius = 0.02}};
    const TissueRig rig = box_coat(options);
    REQUIRE(rig.group_count() == plain.group_count() + 1);
    const auto members = rig.group(rig.group_count() - 1);
    CHECK(members.size() > 4);
    CHECK(rig.attached[members[0]] == 0);
    for (const std::int32_t i : members) {
        CHECK((rig.places[i] - Vec3(0.02, 0, 0)).norm() <= 0.02);
    }
    options.groups.push_back({.position = Vec3(0.5, 0, 0), .radius = 0.01});
    options.layout = TissueLayout::Box;
    const Box box{Vec3::Constant(-0.01), Vec3::Constant(0.01)};
    const auto refused =
        rig_of_columns(box_columns(box, options), options, {.coat = 0.26, .bone = 1.0});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "/groups/1");
}
