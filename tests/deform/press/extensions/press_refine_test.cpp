// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_refine.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("refinement splits what a deep pit stretches, and nothing else") {
    SurfaceAsset soft;
    soft.surface = test::grid_mesh(24, 24, false, false, [](int i, int j) {
        return Vec3(i / 12.0 - 1.0, 0.0, 1.0 - j / 12.0);
    });
    soft.render.points = soft.surface.points;
    soft.render.normals.assign(soft.surface.points.size(), Vec3::UnitY());
    soft.render.uvs.assign(soft.surface.points.size(), Vec2::Zero());
    soft.render.triangles = soft.surface.triangles;
    soft.render.triangle_looks.assign(soft.surface.triangles.size(), 0);
    soft.render.looks.resize(1);
    for (std::size_t v = 0; v < soft.surface.points.size(); ++v) {
        soft.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    const TriMesh rigid =
        test::placed(test::sphere_mesh(0.3, 4), {Quat::Identity(), Vec3(0.013, 0.08, 0.007)});
    const PressOptions options = {.stiffness = 0.1, .extent = 0.5};
    const auto plain =
        press_refined(soft, rigid, {.options = options, .refine = PressRefineOptions{.rounds = 0}})
            .value();
    CHECK(plain.pressed.points == press(soft.surface, rigid, options).points);
    const auto fine =
        press_refined(soft, rigid, {.options = options, .refine = PressRefineOptions{}}).value();
    CHECK(fine.rounds > 0);
    CHECK(fine.asset.surface.points.size() > soft.surface.points.size());
    CHECK(fine.asset.surface.points.size() <= 4 * soft.surface.points.size());
    CHECK(fine.asset.render.points.size() == fine.asset.surface.points.size());
    const double bound = 1.5 * mean_edge_length(soft.surface.points, soft.surface.triangles);
    const auto longer = [&](const RefinedPress& p) {
        EdgeStretch stretch(p.asset.surface);
        stretch.add(p.asset.surface.points, p.pressed.points);
        return stretch.edges_above(bound, 100000).size();
    };
    CHECK(longer(fine) < longer(plain) / 4);
    // Far away the triangles are those that were there.
    const auto& kept = fine.asset.surface.triangles;
    std::size_t same = 0;
    for (const Triangle& t : soft.surface.triangles) {
        if (soft.surface.points[t[0]].norm() < 0.9) continue;
        same += std::find(kept.begin(), kept.end(), t) != kept.end();
    }
    CHECK(same > 300);
    CHECK_FALSE(press_refined(soft, rigid,
                              {.options = options, .refine = PressRefineOptions{.growth = 0.5}}));
}
