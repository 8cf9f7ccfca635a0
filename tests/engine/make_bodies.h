// SPDX-License-Identifier: MIT
// Bodies and sums that several engine tests need.
#pragma once

#include <ductile/core/hash.h>
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/engine.h>

#include <btBulletDynamicsCommon.h>
#include <support/bullet_tolerance.h>

#include <memory>
#include <vector>

namespace ductile::test {

inline std::unique_ptr<BulletEngine> weightless() {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    return BulletEngine::make(options);
}

inline std::vector<Vec3> box_points(const Vec3& size, const Vec3& centre = Vec3::Zero()) {
    std::vector<Vec3> out;
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                          (i & 4) != 0 ? 0.5 : -0.5);
        out.push_back(centre + corner.cwiseProduct(size));
    }
    return out;
}

inline BodyDesc floor_desc() {
    BodyDesc d;
    d.name = "floor";
    d.motion = Motion::Static;
    d.collider = HalfSpaceCollider{};
    return d;
}

inline BodyDesc ball_desc(double radius, double density, const Vec3& centre) {
    BodyDesc d;
    d.name = "ball";
    d.collider = SphereCollider{radius};
    d.mass = sphere_mass(radius, density);
    d.pose_w.translation = centre;
    d.watched = true;
    return d;
}

/// A box as one piece.
inline BodyDesc piece_desc(const Vec3& size, double density, const Vec3& centre) {
    BodyDesc d;
    d.name = "piece";
    d.collider = PieceCollider{{{0, box_points(size)}}, 0.0005};
    d.mass = box_mass(size, density);
    d.pose_w.translation = centre;
    d.watched = true;
    return d;
}

/// Mass properties of no particular symmetry, off the body's origin.
inline MassProperties odd_mass() {
    MassProperties m;
    m.mass = 7.0;
    m.centre_b = {0.05, -0.02, 0.03};
    m.inertia_b << 0.5, 0.03, -0.02, 0.03, 0.62, 0.04, -0.02, 0.04, 0.41;
    return m;
}

inline Transform odd_pose() {
    return {Quat(Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.5).normalized())), Vec3(0.4, 2.0, -0.3)};
}

struct Momentum {
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();  ///< About the world's origin.
    double scale = 0.0;           ///< Sum of m |v| and of |I w|.
};

inline void add_momentum(const Engine& engine, BodyId id, Momentum& sum) {
    const MassProperties mass = engine.mass(id);
    const BodyMotion m = engine.motion(id);
    const Mat3 r = m.pose_w.rotation.toRotationMatrix();
    const Vec3 p = mass.mass * m.velocity_w;
    const Vec3 spin = r * mass.inertia_b * r.transpose() * m.spin_w;
    sum.linear += p;
    sum.angular += m.centre_w.cross(p) + spin;
    sum.scale += p.norm() * (1.0 + m.centre_w.norm()) + spin.norm();
}

template <class Ids>
Momentum momentum(const Engine& engine, const Ids& ids) {
    Momentum sum;
    for (const BodyId id : ids) add_momentum(engine, id, sum);
    return sum;
}

inline double kinetic(const Engine& engine, BodyId id) {
    const MassProperties mass = engine.mass(id);
    const BodyMotion m = engine.motion(id);
    const Mat3 r = m.pose_w.rotation.toRotationMatrix();
    return 0.5 * mass.mass * m.velocity_w.squaredNorm() +
           0.5 * m.spin_w.dot(r * mass.inertia_b * r.transpose() * m.spin_w);
}

inline void hash_motion(const Engine& engine, BodyId id, Hasher& hash) {
    const BodyMotion m = engine.motion(id);
    hash.add(m.pose_w);
    hash.add(m.velocity_w);
    hash.add(m.spin_w);
}

}  // namespace ductile::test
