// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_impl.h>

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A body of no symmetry as the adapter keeps it: Bullet has its principal moments.
struct OddBody {
    OddBody() : shape(1) {
        const MassProperties mass = odd_mass();
        const Eigen::SelfAdjointEigenSolver<Mat3> axes(mass.inertia_b);
        Mat3 basis = axes.eigenvectors();
        if (basis.determinant() < 0) basis.col(0) *= -1.0;
        body.mass = mass;
        body.com_b = {Quat(basis), mass.centre_b};
        body.own_rigid = std::make_unique<btRigidBody>(btScalar(mass.mass), nullptr, &shape,
                                                       to_bt(Vec3(axes.eigenvalues())));
        body.object = body.rigid = body.own_rigid.get();
    }

    btSphereShape shape;
    BulletBody body;
};

}  // namespace

TEST_CASE("a body's inertia is the one whose principal moments Bullet was given") {
    const OddBody odd;
    CHECK((odd.body.inertia_b() - odd_mass().inertia_b).norm() < tolerance(1e-14, 1e-6));
}

TEST_CASE("kinetic energy is that of the mass and inertia, in any orientation") {
    const OddBody odd;
    const Vec3 velocity(1, -2, 0.5), spin(3, 0.25, -1);
    const Transform pose = odd_pose(), com = pose * odd.body.com_b;
    const Mat3 r = pose.rotation.toRotationMatrix();
    const double exact = 0.5 * odd_mass().mass * velocity.squaredNorm() +
                         0.5 * spin.dot(r * odd_mass().inertia_b * r.transpose() * spin);
    CHECK(test::near(
        kinetic_energy(*odd.body.rigid, to_bt(com).getBasis(), to_bt(velocity), to_bt(spin)), exact,
        tolerance(1e-13, 1e-6)));
}

TEST_CASE("a pose reads back as it was set while Bullet has not moved the body, and follows then") {
    OddBody odd;
    const Transform set = odd_pose();
    odd.body.placed_pose = set;
    odd.body.placed_com = to_bt(set * odd.body.com_b);
    odd.body.rigid->setWorldTransform(odd.body.placed_com);
    CHECK(odd.body.pose().rotation.coeffs() == set.rotation.coeffs());
    CHECK(odd.body.pose().translation == set.translation);

    // Moved and turned about the centre of mass: the body's own frame goes round it.
    const Transform turned{Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ())), Vec3(1, 2, 3)};
    odd.body.rigid->setWorldTransform(to_bt(turned));
    const Transform pose = odd.body.pose();
    CHECK((pose.point(odd_mass().centre_b) - turned.translation).norm() < tolerance(1e-14, 1e-6));
    CHECK((pose * odd.body.com_b).rotation.angularDistance(turned.rotation) <
          tolerance(1e-7, 1e-3));
}
