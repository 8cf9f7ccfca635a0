// SPDX-License-Identifier: MIT
#include <ductile/asset/flatten_model.h>
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/export/glb/glb_rig.h>
#include <ductile/io/load_asset.h>
#include <ductile/scene/build_rig.h>
#include <ductile/scene/rig_body.h>
#include <ductile/scene/rig_file.h>
#include <ductile/skin/blend_skin.h>

#include "built_rigs.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/reason.h>
#include <support/sanitized.h>
#include <support/skip.h>
#include <support/temp_folder.h>

#include <algorithm>
#include <filesystem>

using namespace ductile;
using test::built_rig;
using test::check_same_bits;
using test::pose_difference;
using test::reason;
using test::refused_rig;
using test::rig_file;

namespace {

// A beam with five handles along it and one pose by positions.
const char* const kBeam = R"({
  "solid": {"kind": "box", "size": [3, 0.3, 0.3], "resolution": 0.06},
  "nodes": 1500,
  "handles": {
    "a": {"place": [-1.4, 0, 0]}, "b": {"place": [-0.7, 0, 0]}, "c": {"place": [0, 0, 0]},
    "d": {"place": [0.7, 0, 0]}, "e": {"place": [1.4, 0, 0]}
  },
  "poses": {
    "pulled": {"handles": {"a": {}, "e": {"move": [-0.25, 0.9, 0]}}, "others_follow": true},
    "shrugged": {"handles": {"c": {"move": [0, 0.3, 0]}}}
  }
})";

// A skin's animation with a key for one joint's scale.
std::string with_scale_key(std::string glb) {
    const std::size_t at = glb.find("\"path\":\"translation\"");
    REQUIRE(at != std::string::npos);
    glb.replace(at, 20, "\"path\":\"scale\"      ");
    return glb;
}

}  // namespace

TEST_CASE("a beam whose end is pulled bends smoothly and its cross-sections keep their area") {
    const BuiltRig built = built_rig(rig_file(kBeam));
    const std::vector<Vec3>& rest = built.asset->surface.points;
    const std::vector<Vec3> posed = pose_points(built.rig, built.rig.poses[0], rest);
    // Cross-sections: the four edges of the beam at a place along it.
    for (double x = -1.2; x <= 1.21; x += 0.06) {
        const auto corner = [&](double y, double z) {
            std::size_t nearest = 0;
            for (std::size_t i = 0; i < rest.size(); ++i) {
                if ((rest[i] - Vec3(x, y, z)).norm() < (rest[nearest] - Vec3(x, y, z)).norm()) {
                    nearest = i;
                }
            }
            return nearest;
        };
        const std::size_t a = corner(-.15, -.15), b = corner(.15, -.15), c = corner(.15, .15),
                          d = corner(-.15, .15);
        const auto area = [&](const std::vector<Vec3>& p) {
            return 0.5 * (p[c] - p[a]).cross(p[d] - p[b]).norm();
        };
        CHECK(std::abs(area(posed) / area(rest) - 1.0) < 0.05);
    }
    // The far end went where its handle was pulled to, and everything else lies between.
    const Vec3 end = built.rig.poses[0].moves[4].translation;
    CHECK((end - Vec3(-0.25, 0.9, 0)).norm() == 0.0);
    double last = -1.0;
    for (const Transform& move : built.rig.poses[0].moves) {
        CHECK(move.translation.y() > last);
        last = move.translation.y();
    }
}

TEST_CASE("a pose at weight 1 everywhere is the artist's pose") {
    const BuiltRig built = built_rig(rig_file(kBeam));
    const std::vector<Vec3>& rest = built.asset->surface.points;
    const BlendSkin skin(built.rig, rest);
    for (std::size_t p = 0; p < 2; ++p) {
        std::vector<float> shares(2 * rest.size(), 0.0f);
        for (std::size_t i = 0; i < rest.size(); ++i) shares[2 * i + p] = 1.0f;
        std::vector<Vec3> out(rest.size());
        skin.pose(rest, shares, out);
        const std::vector<Vec3> drawn = pose_points(built.rig, built.rig.poses[p], rest);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            CHECK((out[i] - drawn[i]).norm() <= 1e-6 * built.size);
        }
    }
}

TEST_CASE("a rig goes through its file to the same bits") {
    const RigFile file = rig_file(kBeam);
    const BuiltRig built = built_rig(file);
    const std::string text = rig_text(complete_rig_file(file, built));
    check_same_bits(built_rig(rig_file(text)).rig, built.rig);
    RigFile automatic = rig_file(kBeam);
    automatic.handle_count = 8;
    const BuiltRig more = built_rig(automatic);
    REQUIRE(more.rig.handles.size() == 8);
    const std::string complete = rig_text(complete_rig_file(automatic, more));
    CHECK(rig_file(complete).handles.size() == 8);
    check_same_bits(built_rig(rig_file(complete)).rig, more.rig);
}

TEST_CASE("a rig goes through a GLB: joints, weights and poses to the rounding of floats") {
    RigFile file = rig_file(kBeam);
    file.handle_count = 14;
    file.weight_options.threshold = 0.0;  // every handle counts a little: several sets of joints
    const BuiltRig built = built_rig(file);
    const test::TempFolder folder;
    REQUIRE(write_rig_glb(folder.path / "beam.glb", built.asset, built.rig, "beam").ok());
    const BuiltRig read = built_rig(rig_file(R"({"mesh": "beam.glb", "weights": "skin", "poses":
        {"pulled": {"animation": "pulled"}, "shrugged": {"animation": "shrugged"}}})",
                                             folder.path));
    const std::vector<Vec3>& before = built.asset->surface.points;
    const std::vector<Vec3>& after = read.asset->surface.points;
    REQUIRE(after.size() == before.size());
    REQUIRE(read.rig.handles.size() == 14);
    std::size_t most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        std::size_t j = 0;
        for (std::size_t k = 0; k < after.size(); ++k) {
            if ((after[k] - before[i]).squaredNorm() < (after[j] - before[i]).squaredNorm()) j = k;
        }
        CHECK((after[j] - before[i]).norm() < 1e-5);
        Eigen::VectorXd row = Eigen::VectorXd::Zero(14);
        for (std::size_t k = 0; k < built.rig.weights.handles_of(i).size(); ++k) {
            row[built.rig.weights.handles_of(i)[k]] += built.rig.weights.weights_of(i)[k];
        }
        most = std::max(most, built.rig.weights.handles_of(i).size());
        for (std::size_t k = 0; k < read.rig.weights.handles_of(j).size(); ++k) {
            row[read.rig.weights.handles_of(j)[k]] -= read.rig.weights.weights_of(j)[k];
        }
        CHECK(row.cwiseAbs().maxCoeff() < 1e-5);
    }
    CHECK(most > 4);
    for (std::size_t b = 0; b < 14; ++b) {
        CHECK(read.rig.handles[b].name == built.rig.handles[b].name);
        CHECK((read.rig.handles[b].place - built.rig.handles[b].place).norm() < 1e-6);
    }
    for (std::size_t p = 0; p < 2; ++p) {
        CHECK(pose_difference(read.rig.poses[p], built.rig.poses[p]) < 1e-5);
    }

    // Files in other units and axes: the same poses, smaller and lying.
    const BuiltRig lying = built_rig(rig_file(
        R"({"mesh": "beam.glb", "weights": "skin", "mesh_options": {"scale": 0.5, "up": "z"},
        "poses": {"pulled": {"animation": "pulled"}}})",
        folder.path));
    const std::vector<Vec3> posed =
        pose_points(lying.rig, lying.rig.poses[0], lying.asset->surface.points);
    const std::vector<Vec3> upright = pose_points(read.rig, read.rig.poses[0], after);
    for (std::size_t i = 0; i < posed.size(); ++i) {
        const Vec3& p = upright[i];
        CHECK((posed[i] - 0.5 * Vec3(p.x(), p.z(), -p.y())).norm() < 1e-6);
    }
    folder.write("scaled.glb", with_scale_key(read_file(folder.path / "beam.glb").value()));
    const Error scaled = refused_rig(R"({"mesh": "scaled.glb", "weights": "skin",
        "poses": {"x": {"animation": "pulled"}}})",
                                     folder.path);
    CHECK(scaled.what.find("scale") != std::string::npos);
    CHECK(scaled.where == "/poses/x/animation");
    const Error unknown = refused_rig(R"({"mesh": "beam.glb", "weights": "skin",
        "poses": {"x": {"animation": "puled"}}})",
                                      folder.path);
    CHECK(unknown.hint.find("pulled") != std::string::npos);
}

TEST_CASE("the rigs that come along are as large as those of the paper, and their poses differ") {
    struct Wanted {
        const char* name;
        std::size_t handles, poses, nodes;
    };
    for (const Wanted& wanted :
         {Wanted{"barrel", 12, 3, 1790}, Wanted{"car", 32, 6, 4695}, Wanted{"crane", 14, 3, 1939},
          Wanted{"big_ship", 64, 6, 4178}, Wanted{"small_ship", 12, 3, 1188}}) {
        INFO(std::string(wanted.name));
        if (test::kIsSanitized && wanted.nodes > 2000) continue;
        const LoadedRigFile loaded = load_rig(std::filesystem::path(DUCTILE_SOURCE_DIR) / "rigs" /
                                              (std::string(wanted.name) + ".json"));
        REQUIRE(loaded.ok());
        const BuiltRig built = built_rig(loaded.rig);
        CHECK(built.rig.handles.size() == wanted.handles);
        CHECK(built.rig.poses.size() == wanted.poses);
        const double nodes = double(built.lattice->points().size());
        CHECK(std::abs(nodes / double(wanted.nodes) - 1.0) < 0.15);
        CHECK(built.notes.empty());
        const std::vector<Vec3>& rest = built.asset->surface.points;
        std::vector<std::vector<Vec3>> shapes = {rest};
        for (const RigPose& pose : built.rig.poses) {
            shapes.push_back(pose_points(built.rig, pose, rest));
            for (std::size_t other = 0; other + 1 < shapes.size(); ++other) {
                double most = 0.0;
                for (std::size_t i = 0; i < rest.size(); ++i) {
                    most = std::max(most, (shapes.back()[i] - shapes[other][i]).norm());
                }
                CHECK(most > 0.05 * built.size);
            }
        }
    }
}

TEST_CASE("every real mesh with a surface gets a rig, or a reason") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(test::real_file("meshes"))) {
        if (entry.path().extension() != ".md") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    int rigged = 0;
    for (std::size_t i = 0; i < paths.size(); i += test::kIsSanitized ? 10 : 1) {
        RigFile file;
        file.mesh = paths[i].string();
        file.nodes = 300;
        file.handle_count = 6;
        file.weight_options.gap = 1e-3;
        file.mesh_options.surface_points = 2000;
        const Result<BuiltRig> built = build_rig(file);
        INFO(paths[i].string(), ": ", reason(built));
        if (!built) {
            CHECK(!built.error().what.empty());
            CHECK(!built.error().where.empty());
            continue;
        }
        ++rigged;
        CHECK(built.value().rig.handles.size() == 6);
        CHECK(check_rig(built.value().rig, built.value().asset->surface.points.size()).ok());
    }
    CHECK(rigged > (test::kIsSanitized ? 2 : 40));
}
