// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/group_pairs.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/part_particles.h>

#include <Eigen/Cholesky>
#include <doctest/doctest.h>

#include <vector>

using namespace ductile;

namespace {

Vec3 random_place(Rng& rng) { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }

/// Eight particles; two groups of unlike sizes that share none, and one that shares with both.
TissueRig three_groups() {
    Rng rng(1);
    TissueRig rig;
    const Mat3 shape = Vec3(0.09, 0.01, 0.09).asDiagonal();
    for (int i = 0; i < 8; ++i)
        rig.add_particle(random_place(rng), shape, rng.uniform(0.5, 2), false);
    rig.add_group(std::vector<std::int32_t>{0, 1, 2});
    rig.add_group(std::vector<std::int32_t>{3, 4, 5, 6, 7});
    rig.add_group(std::vector<std::int32_t>{2, 3});
    return rig;
}

std::vector<Vec3> rest_offsets(const TissueRig& rig) {
    std::vector<Vec3> out;
    for (std::size_t g = 0; g < rig.group_count(); ++g) {
        Vec3 centre = Vec3::Zero();
        double mass = 0.0;
        for (const std::int32_t i : rig.group(g)) {
            centre += rig.masses[i] * rig.places[i];
            mass += rig.masses[i];
        }
        for (const std::int32_t i : rig.group(g)) out.push_back(rig.places[i] - centre / mass);
    }
    return out;
}

PartParticles disturbed(const TissueRig& rig, double by) {
    Rng rng(2);
    PartParticles p(rig.size());
    for (std::size_t i = 0; i < rig.size(); ++i) {
        p.old[i] = rig.places[i];
        p.next[i] = rig.places[i] + by * random_place(rng);
        p.moments[i] = 0.2 * rig.masses[i] * rig.shapes[i];
        p.spins[i] = rig.masses[i] * spin_inertia(rig.shapes[i]);
        p.shares[i] = rng.uniform(0.2, 0.9);
    }
    return p;
}

/// The plain way, one group after the other.
void visit_plainly(const TissueRig& rig, const std::vector<Vec3>& offsets, std::size_t g,
                   PartParticles& p) {
    const std::span<const std::int32_t> group = rig.group(g);
    const Vec3* offset = &offsets[static_cast<std::size_t>(rig.firsts[g])];
    double mass = 0.0;
    Vec3 centre = Vec3::Zero(), old_centre = Vec3::Zero();
    for (const std::int32_t i : group) {
        mass += rig.masses[i];
        centre += rig.masses[i] * p.next[i];
        old_centre += rig.masses[i] * p.old[i];
    }
    centre /= mass;
    old_centre /= mass;
    Mat3 moment = Mat3::Zero(), inertia = Mat3::Zero();
    for (std::size_t k = 0; k < group.size(); ++k) {
        const std::int32_t i = group[k];
        moment += p.moments[i] + rig.masses[i] * p.next[i] * offset[k].transpose();
        const Vec3 lever = p.old[i] - old_centre;
        inertia +=
            rig.masses[i] * (lever.squaredNorm() * Mat3::Identity() - lever * lever.transpose());
        inertia += p.spins[i] * Mat3::Identity();
    }
    const Mat3 turn = matched_rotation(moment, Mat3::Identity());
    std::vector<Vec3> moves;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t k = 0; k < group.size(); ++k) {
        const std::int32_t i = group[k];
        moves.push_back(p.shares[i] * (turn * offset[k] + centre - p.next[i]));
        momentum += rig.masses[i] * moves.back();
        angular += rig.masses[i] * (p.old[i] - old_centre).cross(moves.back());
    }
    const std::int32_t middle = group[0];
    const Eigen::AngleAxisd to(turn);
    const Vec3 angle = p.shares[middle] * (to.angle() * to.axis() - p.angles[middle]);
    p.angles[middle] += angle;
    angular += p.spins[middle] * angle;
    const Vec3 back = inertia.ldlt().solve(angular);
    for (std::size_t k = 0; k < group.size(); ++k) {
        const std::int32_t i = group[k];
        p.next[i] += moves[k] - momentum / mass - back.cross(p.old[i] - old_centre);
        p.angles[i] -= back;
    }
}

}  // namespace

TEST_CASE("groups visited two at a time end where they end one by one, forth and back") {
    const TissueRig rig = three_groups();
    const std::vector<Vec3> offsets = rest_offsets(rig);
    for (const bool is_backwards : {false, true}) {
        PartParticles side_by_side = disturbed(rig, 0.05), plain = side_by_side;
        GroupPairs pairs(rig);
        pairs.set_offsets(offsets);
        pairs.set_shares(rig, side_by_side);
        pairs.visit(rig, is_backwards, side_by_side);
        const std::vector<std::size_t> order =
            is_backwards ? std::vector<std::size_t>{2, 1, 0} : std::vector<std::size_t>{0, 1, 2};
        for (const std::size_t g : order) visit_plainly(rig, offsets, g, plain);
        for (std::size_t i = 0; i < rig.size(); ++i) {
            CHECK((side_by_side.next[i] - plain.next[i]).norm() < 1e-12);
            CHECK((side_by_side.angles[i] - plain.angles[i]).norm() < 1e-12);
        }
    }
}

TEST_CASE("visiting groups keeps the momentum of their particles") {
    const TissueRig rig = three_groups();
    PartParticles p = disturbed(rig, 0.3);
    const auto momentum = [&](Vec3& angular) {
        Vec3 sum = Vec3::Zero();
        angular.setZero();
        for (std::size_t i = 0; i < rig.size(); ++i) {
            sum += rig.masses[i] * (p.next[i] - p.old[i]);
            angular += rig.masses[i] * p.old[i].cross(p.next[i]) + p.spins[i] * p.angles[i];
        }
        return sum;
    };
    Vec3 angular, later_angular;
    const Vec3 linear = momentum(angular);
    GroupPairs pairs(rig);
    pairs.set_offsets(rest_offsets(rig));
    pairs.set_shares(rig, p);
    for (int i = 0; i < 20; ++i) pairs.visit(rig, i % 2 == 1, p);
    CHECK((momentum(later_angular) - linear).norm() < 1e-13);
    CHECK((later_angular - angular).norm() < 1e-13);
}

TEST_CASE("the middle of a group turns by the group's own turn, small or large") {
    const TissueRig rig = three_groups();
    const Vec3 axis = Vec3(1, -2, 0.5).normalized();
    for (const double angle : {1e-9, 0.01, 0.1, 0.3, 0.449, 0.453, 1.0, 2.5}) {
        CAPTURE(angle);
        const Mat3 turn = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
        PartParticles p = disturbed(rig, 0.0);
        for (std::size_t i = 0; i < rig.size(); ++i) {
            p.next[i] = turn * p.old[i];
            p.moments[i] = turn * p.moments[i];
            p.shares[i] = 1.0;
        }
        GroupPairs pairs(rig);
        pairs.set_offsets(rest_offsets(rig));
        pairs.set_shares(rig, p);
        pairs.visit(rig, false, p);
        // What is given back turns all members alike; only the first group has 0 and 1.
        CHECK((p.angles[0] - p.angles[1] - angle * axis).norm() < 1e-11);
    }
}
