// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/geom/mass.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <string>

using namespace ductile;

namespace {

TriMesh box_bone(const Vec3& size) {
    return make_solid({.kind = SolidKind::Box, .size = size, .resolution = 0.004}).value().surface;
}

}  // namespace

TEST_CASE("a soft coat weighs what its room holds, and its particles share that") {
    const TriMesh bone = box_bone({0.02, 0.03, 0.025});
    for (const TissueLayout layout : {TissueLayout::Surface, TissueLayout::Box}) {
        TissueOptions options;
        options.layout = layout;
        options.density = 500;
        const SoftCoat coat = make_soft_coat(bone, options, 0.2).value();
        double outer = 0.0;
        for (std::size_t i = 0; i < coat.rig->size(); ++i) {
            outer += coat.rig->attached[i] ? 0.0 : coat.rig->masses[i];
        }
        CHECK(test::near(outer, coat.mass, 1e-9));
        const double room =
            volume(coat.surface, bone.triangles) - volume(bone.points, bone.triangles);
        CHECK(test::near(coat.mass, 500 * room, 1e-6));
    }
}

TEST_CASE("a skin of its own is what a soft coat fills and carries") {
    const TriMesh bone = box_bone(Vec3::Constant(0.02)), skin = box_bone(Vec3::Constant(0.05));
    const SoftCoat coat = make_soft_coat(bone, {}, 0.2, &skin).value();
    CHECK(coat.surface == skin.points);
    CHECK(test::near(coat.mass, 1000 * (0.05 * 0.05 * 0.05 - 0.02 * 0.02 * 0.02)));
    double farthest = 0.0;
    for (const Vec3& p : coat.rig->places) farthest = std::max(farthest, p.cwiseAbs().maxCoeff());
    CHECK(farthest > 0.02);
    CHECK(farthest < 0.025);
}

TEST_CASE("a coat that does not move carries its skin where it was") {
    const TriMesh bone = box_bone(Vec3::Constant(0.02));
    const SoftCoat coat = make_soft_coat(bone, {}, 0.2).value();
    BodyMoment at;
    at.pose_w = {Quat(Eigen::AngleAxisd(0.4, Vec3::UnitX())), Vec3(1, 2, 3)};
    const TissueBody body(coat.rig, at);
    const std::vector<Vec3> points = coat.skin->points(body, at.pose_w);
    REQUIRE(points.size() == coat.surface.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK((points[i] - coat.surface[i]).norm() < 1e-12);
    }
}

TEST_CASE("a coat without room is refused in words") {
    const TriMesh bone = box_bone(Vec3::Constant(0.02));
    CHECK_FALSE(make_soft_coat(bone, {}, 0.2, &bone).ok());
    const TriMesh within = box_bone(Vec3::Constant(0.01));
    const auto inside = make_soft_coat(bone, {}, 0.2, &within);
    REQUIRE_FALSE(inside.ok());
    CHECK(inside.error().what.find("does not enclose") != std::string::npos);
    CHECK(inside.error().where == "/skin");
    TissueOptions fine;
    fine.spacing = 1e-5;
    const auto refused = make_soft_coat(bone, fine, 0.2);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == "/spacing");
}

TEST_CASE("a coat a hundred times as thick as its bone is refused before it is made") {
    const TriMesh bone = box_bone(Vec3::Constant(0.02));
    TissueOptions thick;
    thick.thickness = 1000;
    for (const TissueLayout layout : {TissueLayout::Surface, TissueLayout::Chain}) {
        thick.layout = layout;
        const auto refused = make_soft_coat(bone, thick, 0.2);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().where == "/thickness");
        CHECK(refused.error().hint.find("3.46 m") != std::string::npos);
    }
    // Where nothing is as thick as that it does not matter.
    const TriMesh skin = box_bone(Vec3::Constant(0.05));
    thick.layout = TissueLayout::Surface;
    CHECK(make_soft_coat(bone, thick, 0.2, &skin).ok());
    thick.layout = TissueLayout::Box;
    CHECK(make_soft_coat(bone, thick, 0.2).ok());
}

TEST_CASE("a group by hand without particles tells which radius has them") {
    const TriMesh bone = box_bone(Vec3::Constant(0.02));
    TissueOptions options;
    options.layout = TissueLayout::Box;
    options.groups = {{.position = Vec3(0.1, 0, 0), .radius = 0.01}};
    const auto refused = make_soft_coat(bone, options, 0.2);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == "/groups/0");
    const std::string& hint = refused.error().hint;
    options.groups[0].radius = std::stod(hint.substr(hint.find_first_of("0123456789")));
    CHECK(options.groups[0].radius < 0.1);
    CHECK(make_soft_coat(bone, options, 0.2).ok());
    options.groups[0].radius *= 0.98;
    CHECK_FALSE(make_soft_coat(bone, options, 0.2).ok());
}
