// SPDX-License-Identifier: MIT
#include <ductile/scene/build_rig.h>
#include <ductile/scene/rig_file.h>
#include <ductile/skin/auto_rotations.h>
#include <ductile/skin/blend_skin.h>
#include <ductile/skin/fit_pose.h>

#include "built_rigs.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/reason.h>
#include <support/sanitized.h>
#include <support/skip.h>
#include <support/temp_folder.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

using namespace ductile;
using test::built_rig;
using test::check_same_bits;
using test::pose_difference;
using test::reason;
using test::refused_rig;
using test::rig_file;

namespace {

/// A point cache of some samples: PC2 with its numbers low byte first, or MDD, high byte first.
std::string cache_bytes(bool is_mdd, const std::vector<std::vector<Vec3>>& samples) {
    std::string bytes;
    const auto put = [&](auto number) {
        std::array<char, sizeof number> raw;
        std::memcpy(raw.data(), &number, sizeof number);
        if (is_mdd == (std::endian::native == std::endian::little)) {
            std::reverse(raw.begin(), raw.end());
        }
        bytes.append(raw.data(), raw.size());
    };
    const auto points = static_cast<std::int32_t>(samples[0].size());
    const auto count = static_cast<std::int32_t>(samples.size());
    if (is_mdd) {
        put(count);
        put(points);
        for (std::int32_t i = 0; i < count; ++i) put(0.04f * static_cast<float>(i));
    } else {
        bytes.append("POINTCACHE2\0", 12);
        put(std::int32_t(1));
        put(points);
        put(0.0f);
        put(1.0f);
        put(count);
    }
    for (const std::vector<Vec3>& sample : samples) {
        for (const Vec3& p : sample) {
            for (int k = 0; k < 3; ++k) put(static_cast<float>(p[k]));
        }
    }
    return bytes;
}

}  // namespace

TEST_CASE("a pose is fitted to a sample of a PC2 or MDD, in the mesh's order or any other") {
    const test::TempFolder folder;
    SolidOptions ball;
    ball.kind = SolidKind::Sphere;
    ball.resolution = 0.12;
    const SurfaceAsset solid = make_solid(ball).value();
    std::vector<Vec3> rest = solid.surface.points, squeezed;
    std::string obj;
    for (const Vec3& p : rest) obj += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const Triangle& t : solid.surface.triangles) {
        obj += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    for (const Vec3& p : rest) squeezed.emplace_back(p.x() + 0.2 * p.y(), 0.8 * p.y(), p.z());
    folder.write("ball.obj", obj);
    // In another order, and with a point that no triangle has.
    std::vector<Vec3> turned_rest(rest.rbegin(), rest.rend());
    std::vector<Vec3> turned(squeezed.rbegin(), squeezed.rend());
    turned_rest.emplace_back(9, 9, 9);
    turned.emplace_back(9, 9, 9);
    for (const bool is_mdd : {false, true}) {
        const std::string end = is_mdd ? ".mdd" : ".pc2";
        folder.write("same" + end, cache_bytes(is_mdd, {rest, squeezed, rest}));
        folder.write("other" + end, cache_bytes(is_mdd, {turned_rest, turned}));
    }
    const auto mesh_rig = [](const std::string& poses) {
        return R"({"mesh": "ball.obj", "mesh_options": {"scale": 1, "up": "y"},
            "handle_count": 8, "nodes": 400, "poses": {)" +
               poses + "}}";
    };
    const BuiltRig built = built_rig(rig_file(
        mesh_rig(R"("a": {"cache": "same.pc2", "frame": 1}, "b": {"cache": "same.mdd", "frame": 1},
            "c": {"cache": "other.pc2"}, "d": {"cache": "other.mdd"},
            "still": {"cache": "same.mdd"})"),
        folder.path));
    for (std::size_t p = 0; p < 4; ++p) {
        CHECK(built.poses[p].source == "cache");
        REQUIRE(built.poses[p].rms.has_value());
        CHECK(*built.poses[p].rms < 0.02 * built.size);
        CHECK(pose_difference(built.rig.poses[p], built.rig.poses[0]) < 1e-5);
    }
    CHECK(*built.poses[4].worst < 1e-6 * built.size);  // The last sample, which is at rest.
    // Of a solid, the same.
    const BuiltRig own = built_rig(rig_file(R"({"solid": {"kind": "sphere", "resolution": 0.12},
        "handle_count": 8, "nodes": 400, "poses": {"a": {"cache": "same.pc2", "frame": 1}}})",
                                            folder.path));
    CHECK(*own.poses[0].rms < 0.02 * own.size);
    const auto refused = [&](const std::string& pose) {
        return refused_rig(mesh_rig(R"("a": )" + pose), folder.path);
    };
    const Error late = refused(R"({"cache": "same.pc2", "frame": 3})");
    CHECK(late.what.find("has 3") != std::string::npos);
    CHECK(late.where == "/poses/a/frame");
    folder.write("few.pc2", cache_bytes(false, {{Vec3::Zero(), Vec3::Ones()}}));
    CHECK(refused(R"({"cache": "few.pc2"})").what.find("not those of the mesh") !=
          std::string::npos);
    folder.write("cut.mdd", cache_bytes(true, {rest}).substr(0, 100));
    CHECK(!refused(R"({"cache": "cut.mdd"})").what.empty());
    CHECK(refused(R"({"cache": "no.pc2"})").where == "no.pc2");
}

TEST_CASE("a pose is fitted to another file of the same mesh, and goes through the rig's file") {
    // A ball as a mesh file, and the same ball squeezed.
    const test::TempFolder folder;
    SolidOptions ball;
    ball.kind = SolidKind::Sphere;
    ball.resolution = 0.12;
    const SurfaceAsset solid = make_solid(ball).value();
    const auto obj_of = [&](const std::function<Vec3(const Vec3&)>& place) {
        std::string text;
        for (const Vec3& p : solid.surface.points) {
            const Vec3 q = place(p);
            text += fmt::format("v {} {} {}\n", q.x(), q.y(), q.z());
        }
        for (const Triangle& t : solid.surface.triangles) {
            text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
        }
        return text;
    };
    const auto squeezed = [](const Vec3& p) {
        return Vec3(p.x() + 0.2 * p.y(), 0.8 * p.y(), p.z());
    };
    folder.write("ball.obj", obj_of([](const Vec3& p) { return p; }));
    folder.write("squeezed.obj", obj_of(squeezed));
    const std::string text = R"({"mesh": "ball.obj", "mesh_options": {"scale": 1, "up": "y"},
        "handle_count": 14, "nodes": 800, "poses": {"s": {"copy": "squeezed.obj"}}})";
    const BuiltRig built = built_rig(rig_file(text, folder.path));
    REQUIRE(built.poses[0].rms.has_value());
    CHECK(*built.poses[0].rms < 0.01 * built.size);
    CHECK(built.poses[0].source == "copy");
    // The fitted pose goes through the file to the same bits.
    const RigFile file = rig_file(text, folder.path);
    const std::string complete = rig_text(complete_rig_file(file, built));
    check_same_bits(built_rig(rig_file(complete, folder.path)).rig, built.rig);

    folder.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const Error other = refused_rig(R"({"mesh": "ball.obj", "nodes": 300,
        "poses": {"s": {"copy": "other.obj"}}})",
                                    folder.path);
    CHECK(other.what.find("vertices") != std::string::npos);
    CHECK(other.where == "/poses/s");
    CHECK(refused_rig(R"({"mesh": "ball.obj", "nodes": 300, "poses": {"s": {"copy": "no.obj"}}})",
                      folder.path)
              .where == "no.obj");
    CHECK(refused_rig(R"({"mesh": "ball.obj", "nodes": 300, "poses": {"s": {"morph": "m"}}})",
                      folder.path)
              .hint.find("none") != std::string::npos);
    CHECK(refused_rig(R"({"mesh": "ball.obj", "weights": "skin"})", folder.path).where ==
          "/weights");
    CHECK(refused_rig(R"({"nodes": 300, "handle_count": 3,
        "poses": {"s": {"handles": {"auto9": {}}}}})")
              .hint.find("auto") != std::string::npos);
}

namespace {

/// A pose of which only the handles' positions are told. Requires: a rig with a lattice.
RigPose pose_by_positions(const BuiltRig& built, const std::function<Vec3(const Vec3&)>& place) {
    SkinWeights rows;
    const Eigen::MatrixXd& nodes = built.lattice_weights->nodes;
    for (Eigen::Index i = 0; i < nodes.rows(); ++i) {
        for (Eigen::Index b = 0; b < nodes.cols(); ++b) {
            if (!(nodes(i, b) > 1e-9)) continue;
            rows.handle.push_back(static_cast<std::int32_t>(b));
            rows.weight.push_back(nodes(i, b));
        }
        rows.start.push_back(static_cast<std::int32_t>(rows.handle.size()));
    }
    std::vector<HandleGoal> goals;
    for (const Handle& handle : built.rig.handles) {
        goals.push_back({Vec3(place(handle.place) - handle.place), {}});
    }
    const VertexGraph graph = built.lattice->graph();
    Result<RigPose> pose =
        automatic_rotations({built.lattice->points(), graph, rows}, built.rig.handles, goals);
    REQUIRE_MESSAGE(pose.ok(), reason(pose));
    return std::move(pose).value();
}

}  // namespace

TEST_CASE("a bunny that is bent, twisted and dented is fitted by 32 handles" *
          doctest::test_suite("long")) {
    DUCTILE_NEEDS_REAL_FILE("meshes/bunny_3k.off");
    const std::filesystem::path path = test::real_file("meshes/bunny_3k.off");
    RigFile file;
    file.mesh = path.string();
    file.handle_count = 32;
    file.nodes = test::kIsSanitized ? 1000 : 2500;
    const BuiltRig built = built_rig(file);
    const TriMesh& surface = built.asset->surface;
    const Box box = bounds(surface.points);
    const double height = box.upper.y() - box.lower.y();
    const auto bend = [&](const Vec3& p, double degrees) -> Vec3 {
        const double s = (p.y() - box.lower.y()) / height, angle = degrees * kPi / 180.0 * s;
        const double radius = height / (degrees * kPi / 180.0);
        const double out = p.x() - box.centre().x();
        return {box.centre().x() + radius - (radius - out) * std::cos(angle),
                box.lower.y() + (radius - out) * std::sin(angle), p.z()};
    };
    const auto twist = [&](const Vec3& p, double degrees) -> Vec3 {
        const double s = (p.y() - box.lower.y()) / height;
        const Vec3 axis(box.centre().x(), 0, box.centre().z());
        return axis + Eigen::AngleAxisd(degrees * kPi / 180.0 * s, Vec3::UnitY()) * (p - axis);
    };
    const Vec3 hit(box.upper.x(), box.centre().y(), box.centre().z());
    const auto dent = [&](const Vec3& p) -> Vec3 {
        const double reach = 0.5 * 0.15 * built.size, t = (p - hit).norm();
        const double far = std::min(t / (2.0 * reach), 1.0);
        return p - 0.05 * built.size * std::pow(1 - far * far, 2) * Vec3::UnitX();
    };
    struct Change {
        std::string name;
        std::function<Vec3(const Vec3&)> place;
    };
    const Change changes[] = {{"bent", [&](const Vec3& p) { return bend(p, 60); }},
                              {"twisted", [&](const Vec3& p) { return twist(p, 45); }},
                              {"dented", dent}};
    for (const Change& change : changes) {
        std::vector<Vec3> target;
        for (const Vec3& p : surface.points) target.push_back(change.place(p));
        const FittedPose fit = fit_pose(built.rig, surface, target);
        INFO(change.name, ": ", 100 * fit.rms / built.size, " % rms, ",
             100 * fit.worst / built.size, " % at worst, ", fit.sweeps, " sweeps");
        CHECK(fit.rms < 0.01 * built.size);
        CHECK(fit.worst < 0.05 * built.size);
        const std::vector<Vec3> posed =
            pose_points(built.rig, pose_by_positions(built, change.place), surface.points);
        double sum = 0.0, worst = 0.0;
        for (std::size_t i = 0; i < posed.size(); ++i) {
            sum += (posed[i] - target[i]).squaredNorm();
            worst = std::max(worst, (posed[i] - target[i]).norm());
        }
        const double rms = std::sqrt(sum / double(posed.size()));
        INFO("by positions alone: ", 100 * rms / built.size, " % rms, ", 100 * worst / built.size,
             " % at worst");
        CHECK(rms < 5 * 0.01 * built.size);
        CHECK(worst < 5 * 0.05 * built.size);
    }
}
