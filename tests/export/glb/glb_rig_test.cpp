// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb_rig.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/skin/vertex_weights.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <skin/test_rigs.h>
#include <support/near.h>

using namespace ductile;

namespace {

struct RiggedBarrel {
    std::shared_ptr<const SurfaceAsset> asset;
    Rig rig;

    explicit RiggedBarrel(std::size_t handles) {
        SolidOptions options;
        options.kind = SolidKind::Barrel;
        options.resolution = 0.15;
        asset = std::make_shared<const SurfaceAsset>(make_solid(options).value());
        std::vector<Vec3> places;
        for (std::size_t b = 0; b < handles; ++b) {
            const double t = 2.0 * kPi * double(b) / double(handles);
            places.emplace_back(0.3 * std::cos(t), 0.4 * std::sin(3 * t), 0.3 * std::sin(t));
        }
        rig.handles = test::handles_at(places);
        rig.weights = test::smooth_weights(asset->surface.points, rig.handles, 0.4);
        RigPose& pose = rig.poses.emplace_back();
        pose.name = "crushed";
        for (std::size_t b = 0; b < handles; ++b) {
            pose.moves.push_back(
                {test::turn_about(places[b] + Vec3(0, 0.1, 0), 20), Vec3(0.1, 0, -0.2)});
        }
    }

    std::string bytes() const {
        Result<std::string> made = rig_glb_bytes(asset, rig, "barrel");
        REQUIRE(made.ok());
        return std::move(made).value();
    }
};

Model read(const std::string& bytes) {
    Result<Model> model = read_gltf(std::as_bytes(std::span(bytes)), {});
    REQUIRE(model.ok());
    return std::move(model).value();
}

}  // namespace

TEST_CASE("a rig's GLB has a joint per handle, sets of four as needed, and poses as animations") {
    for (const std::size_t handles : {3u, 9u}) {
        const RiggedBarrel barrel(handles);
        const Model model = read(barrel.bytes());
        REQUIRE(model.skins.size() == 1);
        REQUIRE(model.skins[0].joints.size() == handles);
        REQUIRE(model.meshes.size() == 1);
        const ModelMesh& mesh = model.meshes[0];
        CHECK(mesh.points.size() == barrel.asset->render.points.size());
        CHECK(mesh.joint_sets() == (handles + 3) / 4);
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
            double sum = 0.0;
            for (std::size_t s = 0; s < mesh.joint_sets(); ++s) {
                sum += mesh.joint_weights[s * mesh.points.size() + v].sum();
            }
            CHECK(test::near(sum, 1.0, 1e-6));
        }
        for (std::size_t b = 0; b < handles; ++b) {
            const auto node = static_cast<std::size_t>(model.skins[0].joints[b]);
            CHECK(model.nodes[node].name == barrel.rig.handles[b].name);
            const Mat4 bind = model.skins[0].inverse_binds[b] * model.nodes[node].to_parent;
            CHECK((bind - Mat4::Identity()).cwiseAbs().maxCoeff() < 1e-6);
        }
        REQUIRE(model.animations.size() == 1);
        CHECK(model.animations[0].name == "crushed");
        CHECK(model.animations[0].channels.size() == 2 * handles);
        CHECK(barrel.bytes() == barrel.bytes());
    }
}

TEST_CASE("a rig that does not fit its surface is refused") {
    RiggedBarrel barrel(4);
    barrel.rig.poses[0].moves.pop_back();
    CHECK(!rig_glb_bytes(barrel.asset, barrel.rig, "x").ok());
    CHECK(!rig_glb_bytes(barrel.asset, Rig{}, "x").ok());
    const Status nowhere = write_rig_glb("/no/such/folder/x.glb", barrel.asset, barrel.rig, "x");
    REQUIRE(!nowhere.ok());
    CHECK(nowhere.error().where.find("x.glb") != std::string::npos);
}
