// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/skin/blend_frames.h>
#include <ductile/skin/blend_skin.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <numeric>

using namespace ductile;
using namespace ductile::test;

namespace {

/// Random handles, weights of 1 to 6 of them per point, and poses: nothing smooth about it.
struct RandomRig {
    RandomRig(std::uint64_t seed, std::size_t points, int handles, int poses) {
        Rng rng(seed);
        for (int h = 0; h < handles; ++h) {
            rig.handles.push_back({"h" + std::to_string(h), HandleKind::Point, random_vec(rng)});
        }
        for (std::size_t i = 0; i < points; ++i) {
            rest.push_back(random_vec(rng));
            std::vector<std::int32_t> own(handles);
            std::iota(own.begin(), own.end(), 0);
            for (int k = handles - 1; k > 0; --k) std::swap(own[k], own[rng.next() % (k + 1)]);
            own.resize(1 + rng.next() % std::min(handles, 6));
            std::sort(own.begin(), own.end());
            std::vector<double> weights;
            for (std::size_t k = 0; k < own.size(); ++k) weights.push_back(rng.uniform(0.05, 1));
            const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
            for (std::size_t k = 0; k < own.size(); ++k) {
                rig.weights.handle.push_back(own[k]);
                rig.weights.weight.push_back(weights[k] / sum);
            }
            rig.weights.start.push_back(static_cast<std::int32_t>(rig.weights.handle.size()));
        }
        for (int e = 0; e < poses; ++e) {
            RigPose pose{"p" + std::to_string(e), {}};
            for (int h = 0; h < handles; ++h) {
                pose.moves.push_back({random_rotation(rng), random_vec(rng, 0.5)});
            }
            rig.poses.push_back(pose);
        }
        REQUIRE(check_rig(rig, points).ok());
    }
    /// Shares whose rows sum to at most 1, each pose live with this chance.
    std::vector<float> shares(std::uint64_t seed, double chance) const {
        Rng rng(seed);
        std::vector<float> rows;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            double left = 1.0;
            for (std::size_t e = 0; e < rig.poses.size(); ++e) {
                const double share = rng.uniform() < chance ? left * rng.uniform() : 0.0;
                left -= share;
                rows.push_back(static_cast<float>(share));
            }
        }
        return rows;
    }
    Rig rig;
    std::vector<Vec3> rest;
};

std::vector<Vec3> posed(const Rig& rig, std::span<const Vec3> rest, std::span<const float> shares) {
    std::vector<Vec3> out(rest.size());
    BlendSkin(rig, rest).pose(rest, shares, out);
    return out;
}

std::vector<double> row_of(std::span<const float> shares, std::size_t i, std::size_t poses) {
    return {shares.begin() + static_cast<std::ptrdiff_t>(i * poses),
            shares.begin() + static_cast<std::ptrdiff_t>((i + 1) * poses)};
}

/// Where an artist sees a point in a pose.
Vec3 artist_place(const Rig& rig, std::size_t i, const Vec3& u, const RigPose& pose) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < rig.weights.handles_of(i).size(); ++k) {
        const std::int32_t h = rig.weights.handles_of(i)[k];
        const Vec3& c = rig.handles[h].place;
        sum += rig.weights.weights_of(i)[k] *
               (c + pose.moves[h].rotation * (u - c) + pose.moves[h].translation);
    }
    return sum;
}

/// The blend in single precision, one point and one number at a time, in the order of the lanes.
std::array<float, 3> float_offset(const Rig& rig, std::span<const Vec3> rest, std::size_t i,
                                  std::span<const float> shares,
                                  std::span<const std::int32_t> block_handles) {
    const Vec3 middle = bounds(rest).centre();
    std::array<float, 3> offset = {0, 0, 0}, u;
    for (int a = 0; a < 3; ++a) u[a] = static_cast<float>(rest[i][a] - middle[a]);
    const auto own = rig.weights.handles_of(i);
    for (std::size_t e = 0; e < rig.poses.size(); ++e) {
        Vec3 move = Vec3::Zero();
        for (std::size_t k = 0; k < own.size(); ++k) {
            move += rig.weights.weights_of(i)[k] * rig.poses[e].moves[own[k]].translation;
        }
        for (int a = 0; a < 3; ++a) offset[a] += shares[e] * static_cast<float>(move[a]);
    }
    for (const std::int32_t h : block_handles) {
        float w = 1.0f, q[3] = {0, 0, 0}, v[3], once[3], twice[3];
        for (std::size_t e = 0; e < rig.poses.size(); ++e) {
            Quat turn = rig.poses[e].moves[h].rotation;
            if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
            w += shares[e] * static_cast<float>(turn.w() - 1.0);
            for (int a = 0; a < 3; ++a) q[a] += shares[e] * static_cast<float>(turn.vec()[a]);
        }
        const auto cross = [](const float* a, const float* b, float* out) {
            for (int k = 0; k < 3; ++k) {
                out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            }
        };
        for (int a = 0; a < 3; ++a) {
            v[a] = u[a] - static_cast<float>(rig.handles[h].place[a] - middle[a]);
        }
        const auto at = std::find(own.begin(), own.end(), h);
        const float weight = at == own.end()
                                 ? 0.0f
                                 : static_cast<float>(rig.weights.weights_of(i)[at - own.begin()]);
        const float length_sq = w * w + q[0] * q[0] + (q[1] * q[1] + q[2] * q[2]);
        const float factor = 2.0f * weight / std::max(length_sq, 1e-12f);
        cross(q, v, once);
        cross(q, once, twice);
        for (int a = 0; a < 3; ++a) offset[a] += factor * (w * once[a] + twice[a]);
    }
    return offset;
}

}  // namespace

TEST_CASE("at rest every point is exactly where it was, dented or not") {
    const RandomRig r(1, 501, 9, 4);
    const std::vector<float> none(501 * 4, 0.0f);
    const BlendSkin skin(r.rig, r.rest);
    std::vector<Vec3> dented = r.rest, out(501), normals(501, Vec3(0.6, 0, 0.8)), turned(501);
    for (std::size_t i = 0; i < 501; i += 7) dented[i] += Vec3(1e-3, 0.1, -0.0);
    skin.pose(dented, none, out);
    CHECK(out == dented);
    skin.pose(dented, normals, none, out, turned);
    CHECK(out == dented);
    CHECK(turned == normals);
    const std::vector<double> row(4, 0.0);
    CHECK(blend_frame(r.rig, 3, row) == SkinFrame{});
}

TEST_CASE("a pose at share 1 everywhere is the artist's pose") {
    const RandomRig r(2, 333, 12, 3);
    const double size = bounds(r.rest).diagonal();
    for (std::size_t e = 0; e < 3; ++e) {
        std::vector<float> shares(333 * 3, 0.0f);
        for (std::size_t i = 0; i < 333; ++i) shares[3 * i + e] = 1.0f;
        const std::vector<Vec3> out = posed(r.rig, r.rest, shares);
        for (std::size_t i = 0; i < 333; ++i) {
            const Vec3 expected = artist_place(r.rig, i, r.rest[i], r.rig.poses[e]);
            CHECK((out[i] - expected).norm() < 1e-6 * size);
            const std::vector<double> row = row_of(shares, i, 3);
            CHECK((blend_frame(r.rig, i, row).point(r.rest[i]) - expected).norm() < 1e-12 * size);
        }
    }
}

TEST_CASE("blocks of eight agree with one point at a time in double precision") {
    for (const std::size_t points : {1, 7, 8, 9, 400}) {
        for (const double chance : {0.05, 0.4, 1.0}) {
            const RandomRig r(points, points, 10, 6);
            const std::vector<float> shares = r.shares(5, chance);
            std::vector<Vec3> normals(points), out(points), turned(points);
            Rng rng(11);
            for (Vec3& n : normals) n = random_vec(rng).normalized();
            BlendSkin(r.rig, r.rest).pose(r.rest, normals, shares, out, turned);
            CHECK(out == posed(r.rig, r.rest, shares));
            for (std::size_t i = 0; i < points; ++i) {
                const SkinFrame frame = blend_frame(r.rig, i, row_of(shares, i, 6));
                CHECK((out[i] - frame.point(r.rest[i])).norm() < 1e-5);
                CHECK(test::near(turned[i].norm(), 1.0));
                if (std::abs(frame.linear.determinant()) > 0.05) {
                    CHECK((turned[i] - turned_normal(frame, normals[i])).norm() < 1e-4);
                }
            }
        }
    }
}

TEST_CASE("frames of a rig made ready have the bits of those found once") {
    RandomRig r(8, 120, 9, 5);
    // Some handles move without a turn, some do neither, some turn one way and the other.
    for (RigPose& pose : r.rig.poses) {
        for (const int h : {1, 4, 7}) pose.moves[h].rotation = Quat::Identity();
        pose.moves[4].translation.setZero();
    }
    r.rig.poses[1].moves[2].rotation = r.rig.poses[0].moves[2].rotation.conjugate();
    const BlendFrames ready(r.rig);
    for (const double chance : {0.0, 0.3, 1.0}) {
        const std::vector<float> shares = r.shares(17, chance);
        for (std::size_t i = 0; i < 120; ++i) {
            const std::vector<double> row = row_of(shares, i, 5);
            CHECK(ready.frame(i, row) == blend_frame(r.rig, i, row));
            // Two side by side, which need not follow the same handles nor have the same poses.
            const std::size_t k = (7 * i + 3) % 120;
            const std::vector<double> other = row_of(shares, k, 5);
            const auto [first, second] = ready.two_frames({i, row}, {k, other});
            CHECK(std::memcmp(first.linear.data(), ready.frame(i, row).linear.data(), 72) == 0);
            CHECK(std::memcmp(first.move.data(), ready.frame(i, row).move.data(), 24) == 0);
            CHECK(std::memcmp(second.linear.data(), ready.frame(k, other).linear.data(), 72) == 0);
            CHECK(std::memcmp(second.move.data(), ready.frame(k, other).move.data(), 24) == 0);
        }
    }
}

TEST_CASE("lanes have the bits of plain floats that are not fused") {
    // One block, so that its handles are known: all of them.
    const RandomRig r(77, 8, 6, 5);
    const std::vector<float> shares = r.shares(5, 1.0);
    std::vector<std::int32_t> handles = r.rig.weights.handle;
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    const std::vector<Vec3> out = posed(r.rig, r.rest, shares);
    for (std::size_t i = 0; i < 8; ++i) {
        const auto offset =
            float_offset(r.rig, r.rest, i, std::span(shares).subspan(i * 5, 5), handles);
        for (int a = 0; a < 3; ++a) CHECK(out[i][a] == r.rest[i][a] + offset[a]);
    }
}

TEST_CASE("poses have the same bits with one thread and with four") {
    const RandomRig r(8, 5000, 20, 6);
    const std::vector<float> shares = r.shares(9, 0.3);
    const auto made = [&](int threads) {
        const ThreadLimit limit(threads);
        return posed(r.rig, r.rest, shares);
    };
    CHECK(made(1) == made(4));
}

TEST_CASE("a blend of equal rotations is that rotation, whatever the quaternions' signs") {
    RandomRig r(4, 100, 5, 3);
    for (RigPose& pose : r.rig.poses) {
        for (std::size_t h = 0; h < 5; ++h) {
            pose.moves[h].rotation = r.rig.poses[0].moves[h].rotation;
        }
    }
    const std::vector<double> third = {0.2, 0.5, 0.3}, first = {1.0, 0.0, 0.0};
    RandomRig flipped = r;
    for (std::size_t h = 0; h < 5; h += 2) {
        flipped.rig.poses[1].moves[h].rotation.coeffs() *= -1.0;
    }
    for (std::size_t i = 0; i < 100; ++i) {
        const SkinFrame frame = blend_frame(r.rig, i, third);
        CHECK((frame.linear - blend_frame(r.rig, i, first).linear).norm() < 1e-13);
        CHECK(blend_frame(flipped.rig, i, third) == frame);
    }
    const std::vector<float> shares = r.shares(3, 1.0);
    CHECK(posed(r.rig, r.rest, shares) == posed(flipped.rig, r.rest, shares));
}

TEST_CASE("halfway to a turn is half of the turn") {
    RandomRig r(4, 20, 1, 1);
    r.rig.poses[0].moves[0] = {Quat(Eigen::AngleAxisd(1.4, Vec3::UnitZ())), Vec3(1, 2, 3)};
    const std::vector<double> half = {0.5};
    const SkinFrame frame = blend_frame(r.rig, 0, half);
    const Mat3 expected = Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();
    CHECK((frame.linear - expected).norm() < 1e-14);
    const Vec3 c = r.rig.handles[0].place;
    CHECK((frame.point(c) - (c + Vec3(0.5, 1, 1.5))).norm() < 1e-14);
}

TEST_CASE("turns that cancel leave finite places") {
    RandomRig r(4, 20, 2, 2);
    for (std::size_t h = 0; h < 2; ++h) {
        r.rig.poses[0].moves[h].rotation = Quat(0, 1, 0, 0);
        r.rig.poses[1].moves[h].rotation = Quat(0, -1, 0, 0);
    }
    const std::vector<float> shares(20 * 2, 0.5f);
    const std::vector<double> row = {0.5, 0.5};
    for (const Vec3& p : posed(r.rig, r.rest, shares)) CHECK(p.allFinite());
    CHECK(is_finite(blend_frame(r.rig, 0, row)));
    CHECK(blend_jacobian(r.rig, 0, r.rest[0], row).allFinite());
}

TEST_CASE("all handles moved rigidly move the body rigidly") {
    RandomRig r(6, 200, 11, 1);
    Rng rng(2);
    for (int k = 0; k < 10; ++k) {
        const Transform motion{random_rotation(rng), random_vec(rng, 3.0)};
        for (std::size_t h = 0; h < r.rig.handles.size(); ++h) {
            const Vec3& c = r.rig.handles[h].place;
            r.rig.poses[0].moves[h] = {motion.rotation, motion.point(c) - c};
        }
        const std::vector<Vec3> out = posed(r.rig, r.rest, std::vector<float>(200, 1.0f));
        const std::vector<double> whole = {1.0};
        for (std::size_t i = 0; i < 200; ++i) {
            CHECK((out[i] - motion.point(r.rest[i])).norm() < 1e-6 * bounds(r.rest).diagonal());
            const SkinFrame frame = blend_frame(r.rig, i, whole);
            CHECK((frame.point(r.rest[i]) - motion.point(r.rest[i])).norm() < 1e-13);
            CHECK((turned_normal(frame, Vec3::UnitY()) - motion.direction(Vec3::UnitY())).norm() <
                  1e-13);
            CHECK((inverse_linear(frame).linear * motion.direction(Vec3::UnitX()) - Vec3::UnitX())
                      .norm() < 1e-13);
        }
    }
}

TEST_CASE("the Jacobian is that of finite differences") {
    const RandomRig r(21, 60, 7, 5);
    const std::vector<float> shares = r.shares(8, 0.8);
    for (std::size_t i = 0; i < 60; ++i) {
        const std::vector<double> row = row_of(shares, i, 5);
        const Eigen::Matrix3Xd exact = blend_jacobian(r.rig, i, r.rest[i], row);
        for (std::size_t e = 0; e < 5; ++e) {
            constexpr double kStep = 1e-5;
            std::vector<double> more = row, less = row;
            more[e] += kStep;
            less[e] -= kStep;
            const Vec3 difference = (blend_frame(r.rig, i, more).point(r.rest[i]) -
                                     blend_frame(r.rig, i, less).point(r.rest[i])) /
                                    (2 * kStep);
            const Vec3 column = exact.col(static_cast<Eigen::Index>(e));
            CHECK((column - difference).norm() < 1e-6 * std::max(1.0, column.norm()));
        }
    }
}

TEST_CASE("a frame is taken back by its inverse, one that is flat by its rotation") {
    const RandomRig r(31, 50, 3, 2);
    const std::vector<double> row = {0.1, 0.1};
    for (std::size_t i = 0; i < 50; ++i) {
        const SkinFrame frame = blend_frame(r.rig, i, row);
        const FrameInverse back = inverse_linear(frame);
        if (back.is_exact) CHECK((back.linear * frame.linear - Mat3::Identity()).norm() < 1e-9);
    }
    SkinFrame flat;
    flat.linear = Eigen::DiagonalMatrix<double, 3>(1.0, 1.0, 0.0);
    CHECK(!inverse_linear(flat).is_exact);
    CHECK((inverse_linear(flat).linear - Mat3::Identity()).norm() < 1e-9);
    CHECK(turned_normal(flat, Vec3::UnitX()) == Vec3::UnitX());
    flat.linear(0, 0) = std::nan("");
    CHECK(!inverse_linear(flat).is_exact);
    CHECK(turned_normal(flat, Vec3::UnitX()) == Vec3::UnitX());
}

TEST_CASE("a bar with one end pulled aside bends smoothly and keeps its cross-sections") {
    constexpr double kLength = 4.0;
    constexpr int kRings = 80;
    const TriMesh bar = grid_mesh(24, kRings, true, false, [&](int i, int j) {
        const double u = 2 * kPi * i / 24;
        return Vec3(-0.3 * std::cos(u), kLength * (j / double(kRings) - 0.5), 0.3 * std::sin(u));
    });
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(bar.points, bar.triangles), 0.2).value();
    Rig rig;
    for (int k = 0; k < 5; ++k) {
        const Vec3 place(0, kLength * (k / 4.0 - 0.5), 0);
        rig.handles.push_back({"h" + std::to_string(k), HandleKind::Point, place});
    }
    rig.weights = carry_weights(lattice, bounded_weights(lattice, rig.handles).value().nodes,
                                bar.points, 0.001);
    // Along an arc: the free end goes aside by more than a quarter of the length.
    RigPose pose{"pulled", {}};
    constexpr double kAngle = 0.6;
    for (const Handle& h : rig.handles) {
        const double along = h.place.y() + kLength / 2, angle = kAngle * along / kLength;
        const double radius = kLength / kAngle;
        const Vec3 to(radius * (1 - std::cos(angle)), radius * std::sin(angle) - kLength / 2, 0);
        pose.moves.push_back({Quat(Eigen::AngleAxisd(-angle, Vec3::UnitZ())), to - h.place});
    }
    rig.poses.push_back(pose);
    const std::vector<Vec3> out =
        posed(rig, bar.points, std::vector<float>(bar.points.size(), 1.0f));
    std::vector<Vec3> middles;
    for (int j = 0; j <= kRings; ++j) {
        const auto area = [&](std::span<const Vec3> points) {
            Vec3 sum = Vec3::Zero();
            for (int i = 0; i < 24; ++i) {
                sum += 0.5 * points[j * 24 + i].cross(points[j * 24 + (i + 1) % 24]);
            }
            return sum.norm();
        };
        CHECK(test::near(area(out), area(bar.points), 0.05));
        Vec3 middle = Vec3::Zero();
        for (int i = 0; i < 24; ++i) middle += out[j * 24 + i] / 24.0;
        middles.push_back(middle);
    }
    CHECK(middles.back().x() > 0.25 * kLength);
    // Smoothly: no ring turns by more than four times the arc's mean turn.
    for (int j = 1; j < kRings; ++j) {
        const Vec3 before = middles[j] - middles[j - 1], after = middles[j + 1] - middles[j];
        const double turn =
            std::acos(std::min(1.0, before.dot(after) / before.norm() / after.norm()));
        CHECK(turn < 4.0 * kAngle / kRings);
    }
}
