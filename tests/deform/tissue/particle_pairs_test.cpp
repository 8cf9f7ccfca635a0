// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/particle_pairs.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

Quat quaternion(const Pair4& q, int place) {
    return {q.w[place], q.x[place], q.y[place], q.z[place]};
}

}  // namespace

TEST_CASE("two turns side by side are those of one at a time, small and large ones") {
    const Vec3 angles[] = {Vec3(0.01, -0.02, 0.005), Vec3(0.1, 0.05, -0.12), Vec3(1.5, -2, 0.3),
                           Vec3::Zero()};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const Pair4 both = turns_by(gather(angles, i, j));
            const Pair33 matrices = matrices_of(both);
            const Pair4 twice_turned = product(both, both);
            const int two[] = {i, j};
            for (int k = 0; k < 2; ++k) {
                const Quat one = turn_by(angles[two[k]]);
                CHECK((quaternion(both, k).coeffs() - one.coeffs()).norm() < 1e-14);
                CHECK((matrix_of(matrices, k) - one.toRotationMatrix()).norm() < 1e-14);
                CHECK((quaternion(twice_turned, k).coeffs() - (one * one).coeffs()).norm() < 1e-14);
            }
        }
    }
}

TEST_CASE("a list of particles goes by two, an odd one with one that weighs nothing") {
    TissueRig rig;
    for (int i = 0; i < 4; ++i) {
        rig.add_particle(Vec3(i, 2 * i, 0), Vec3(1, 4, 9 + i).asDiagonal(), 0.5 + i, false);
    }
    const std::int32_t list[] = {3, 0, 2};
    const std::vector<ParticlePair> pairs = pairs_of(rig, list);
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].first == 3);
    CHECK(pairs[0].second == 0);
    CHECK(pairs[0].stride<OrientedParticle>() ==
          -3 * static_cast<std::ptrdiff_t>(sizeof(OrientedParticle) / sizeof(double)));
    CHECK(pairs[0].mass[1] == 0.5);
    CHECK(pairs[0].place.y[0] == 6);
    CHECK(matrix_of(pairs[0].moment, 0) == Mat3(0.2 * 3.5 * rig.shapes[3]));
    CHECK(pairs[1].second == 4);
    CHECK(pairs[1].mass[0] == 2.5);
    CHECK(pairs[1].mass[1] == 0);
    CHECK(pairs[1].spin[1] == 0);
}
