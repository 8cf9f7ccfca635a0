// SPDX-License-Identifier: MIT
#include <ductile/asset/bind_mesh.h>
#include <ductile/asset/flatten_model.h>
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/json_fields.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/point_attribute.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/skin/render_skin.h>

#include <asset/test_models.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <memory>

using namespace ductile;
using namespace ductile::test;

namespace {

Error refused(const Model& model, const AssetOptions& options = {}) {
    Result<PreparedAsset> result = prepare_asset(model, options);
    REQUIRE(!result.ok());
    return result.error();
}

Mat4 moved(const Vec3& by, const Vec3& scale = Vec3::Ones()) {
    Mat4 m = Mat4::Identity();
    m.diagonal().head<3>() = scale;
    m.topRightCorner<3, 1>() = by;
    return m;
}

}  // namespace

TEST_CASE("a file in metres with y up is drawn as it is, bit for bit") {
    const Model model = split_sphere(3);
    const PreparedAsset p = prepared(model, {.scale = 1.0, .up = UpAxis::Y});
    CHECK(p.asset.render.points == model.meshes[0].points);
    CHECK(p.asset.render.normals == model.meshes[0].normals);
    CHECK(p.asset.render.uvs == model.meshes[0].uvs);
    CHECK(p.asset.render.triangles == model.meshes[0].triangles);
    CHECK(p.asset.surface.points.size() == sphere_mesh(0.5, 3).points.size());
    CHECK(is_closed(p.asset.surface.triangles));
    CHECK(p.thickness == 0.0);
    CHECK(p.asset.is_sheet.empty());
    CHECK(p.report.surface.deviation == 0.0);
    CHECK(test::near(p.report.surface.volume,
                     volume(p.asset.surface.points, p.asset.surface.triangles)));
}

TEST_CASE("shading across split vertices stays smooth when the seam is dented") {
    const PreparedAsset p = prepared(split_sphere(4), {.scale = 1.0});
    const auto asset = std::make_shared<const SurfaceAsset>(p.asset);
    std::vector<Vec3> dented = asset->surface.points;
    for (Vec3& q : dented) {
        q.x() -= 0.15 * std::exp(-((q - Vec3(0.5, 0, 0)).squaredNorm()) / 0.02);
    }
    std::vector<Vec3> points, normals;
    RenderSkin(asset).pose(dented, points, normals);
    std::vector<Vec3> seen(dented.size(), Vec3::Zero());
    double worst = 0.0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        const std::int32_t s = asset->anchors[v].points[0];
        if (!seen[s].isZero()) raise_to(worst, (seen[s] - normals[v]).norm());
        seen[s] = normals[v];
    }
    CHECK(worst < 1e-12);
}

TEST_CASE("preparing what was prepared changes nothing") {
    TriMesh messy = together(box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({1, 1, 0}, {2, 2, 1}));
    for (std::size_t i = 0; i < messy.triangles.size(); i += 3) {
        std::swap(messy.triangles[i][1], messy.triangles[i][2]);
    }
    messy.triangles.push_back(messy.triangles[2]);
    const AssetOptions options{.scale = 1.0, .up = UpAxis::Y};
    const PreparedAsset once = prepared(model_of({{"a", messy}}), options);
    const PreparedAsset twice = prepared(model_of({{"a", once.asset.surface}}), options);
    CHECK(twice.asset.surface.points == once.asset.surface.points);
    CHECK(twice.asset.surface.triangles == once.asset.surface.triangles);
    CHECK(twice.report.mended.flipped_faces == 0);
}

TEST_CASE("a file without normals is smooth where it bends and sharp at its creases") {
    const PreparedAsset cube = prepared(model_of({{"cube", box_mesh({0, 0, 0}, {1, 1, 1})}}));
    CHECK(cube.asset.render.points.size() == 24);
    CHECK(cube.report.surface.added_vertices == 16);
    for (const Triangle& t : cube.asset.render.triangles) {
        const Vec3 n = area_vector(cube.asset.render.points, t).normalized();
        for (const std::int32_t v : t) CHECK((cube.asset.render.normals[v] - n).norm() < 1e-12);
    }
    CHECK(cube.asset.surface.points.size() == 8);
    const TriMesh sphere = sphere_mesh(1, 3);
    const PreparedAsset ball = prepared(model_of({{"ball", sphere}}), {.scale = 1.0});
    CHECK(ball.asset.render.points == sphere.points);
    double worst = 0.0;
    for (std::size_t v = 0; v < sphere.points.size(); ++v) {
        raise_to(worst, (ball.asset.render.normals[v] - sphere.points[v]).norm());
    }
    CHECK(worst < 0.03);
}

TEST_CASE("a two-sided file without normals is lit from both sides and simulated once") {
    const TriMesh sphere = sphere_mesh(1, 3);
    TriMesh both = sphere;
    for (const Triangle& t : sphere.triangles) both.triangles.push_back({t[0], t[2], t[1]});
    const PreparedAsset p = prepared(model_of({{"ball", both}}));
    CHECK(p.report.mended.back_sides == std::ssize(sphere.triangles));
    CHECK(p.asset.surface.triangles.size() == sphere.triangles.size());
    for (const Triangle& t : p.asset.render.triangles) {
        const Vec3 n = area_vector(p.asset.render.points, t);
        for (const std::int32_t v : t) REQUIRE(n.dot(p.asset.render.normals[v]) > 0);
    }
}

TEST_CASE("nodes move, mirror and repeat their meshes") {
    Model model = model_of({{"body", box_mesh({0, 0, 0}, {1, 1, 1})}});
    model.nodes.push_back({"wheel", 0, 0, -1, moved({5, 0, 0}, {-1, 1, 1})});
    model.nodes.push_back({"wheel", 1, 0, -1, moved({0, 3, 0})});
    const PreparedAsset p = prepared(model, {.scale = 1.0, .up = UpAxis::Y});
    REQUIRE(p.asset.render.parts.size() == 3);
    CHECK(p.asset.render.parts[1].name == "wheel");
    CHECK(p.asset.render.parts[2].name == "wheel.2");
    CHECK(p.asset.render.parts[1].parent == 0);
    CHECK(p.asset.render.parts[2].parent == 1);
    CHECK(p.report.mended.flipped_faces == 0);
    CHECK(test::near(p.report.surface.volume, 3.0));
    const Box box = bounds(p.asset.render.points);
    CHECK(box.upper == Vec3(5, 4, 1));
    CHECK(p.report.placement.size == Vec3(5, 4, 1));
}

TEST_CASE("rules make parts rigid, riding or gone, the last one that fits counting") {
    const Model model = model_of(
        {{"Body", sphere_mesh(1, 3)},
         {"Wheel_FL", placed(sphere_mesh(0.2, 2), {Quat::Identity(), Vec3(1.5, 0, 0)})},
         {"Lamp",
          placed(box_mesh({-.1, -.1, -.1}, {.1, .1, .1}), {Quat::Identity(), Vec3(0, 0, 1)})},
         {"Shadow", placed(box_mesh({0, 0, 0}, {9, 9, 9}), {Quat::Identity(), Vec3(0, 5, 0)})}});
    AssetOptions options{.scale = 1.0, .up = UpAxis::Y};
    options.parts = {{"*", PartRole::Deform},
                     {"wheel*", PartRole::Rigid},
                     {"lamp", PartRole::Ride},
                     {"SHADOW", PartRole::Drop}};
    const PreparedAsset p = prepared(model, options);
    REQUIRE(p.asset.render.parts.size() == 3);
    REQUIRE(p.asset.riders.size() == 1);
    CHECK(p.asset.riders[0].part == 2);
    const std::size_t body = sphere_mesh(1, 3).points.size();
    REQUIRE(p.asset.is_rigid.size() == p.asset.surface.points.size());
    CHECK(std::count(p.asset.is_rigid.begin(), p.asset.is_rigid.end(), 1) ==
          std::ssize(p.asset.surface.points) - std::ssize(model.meshes[0].points));
    CHECK(p.asset.surface.points.size() == body + sphere_mesh(0.2, 2).points.size());
    options.parts = {{"weel*", PartRole::Rigid}};
    const Error error = refused(model, options);
    CHECK(error.what.find("weel*") != std::string::npos);
    CHECK(error.hint.find("Wheel_FL") != std::string::npos);
}

TEST_CASE("a rider keeps its form and goes where the surface beneath it goes") {
    const Model model = model_of({{"ball", sphere_mesh(1, 4)},
                                  {"lamp", placed(box_mesh({-.1, -.1, -.1}, {.1, .1, .1}),
                                                  {Quat::Identity(), Vec3(0, 0, 1)})}});
    AssetOptions options{.scale = 1.0, .up = UpAxis::Y};
    options.parts = {{"lamp", PartRole::Ride}};
    const auto asset = std::make_shared<const SurfaceAsset>(prepared(model, options).asset);
    std::vector<Vec3> dented = asset->surface.points;
    for (Vec3& q : dented) q.z() -= 0.3 * std::exp(-(q - Vec3(0, 0, 1)).squaredNorm() / 0.5);
    std::vector<Vec3> points, normals;
    RenderSkin(asset).pose(dented, points, normals);
    const MeshPart& lamp = asset->render.parts[1];
    double stretch = 0.0;
    for (std::int32_t a = lamp.first_vertex; a < lamp.first_vertex + lamp.vertex_count; ++a) {
        const double before =
            (asset->render.points[a] - asset->render.points[lamp.first_vertex]).norm();
        raise_to(stretch, std::abs((points[a] - points[lamp.first_vertex]).norm() - before));
        CHECK(test::near(points[a].z() - asset->render.points[a].z(), -0.29, 0.05));
    }
    CHECK(stretch < 1e-12);
}

TEST_CASE("closed parts are solids, open ones sheets, and the user's word goes first") {
    TriMesh bowl = placed(sphere_mesh(1, 3), {Quat::Identity(), Vec3(5, 0, 0)});
    std::erase_if(bowl.triangles, [&](const Triangle& t) { return bowl.points[t[0]].y() > 0.5; });
    const Model model = model_of({{"ball", sphere_mesh(1, 3)}, {"bowl", bowl}});
    PreparedAsset p = prepared(model, {.scale = 1.0});
    REQUIRE(p.asset.is_sheet.size() == p.asset.surface.triangles.size());
    CHECK(std::count(p.asset.is_sheet.begin(), p.asset.is_sheet.end(), 1) ==
          std::ssize(bowl.triangles));
    CHECK(test::near(p.thickness, 1e-3));
    CHECK(p.report.surface.sheets == 1);
    CHECK(p.report.surface.holes == 1);
    const Result<MassProperties> mass =
        mass_properties(p.asset.surface.points, p.asset.surface.triangles,
                        {.density = 1.0, .thickness = p.thickness}, p.asset.is_sheet);
    REQUIRE(mass.ok());
    CHECK(mass.value().mass > volume(sphere_mesh(1, 3).points, sphere_mesh(1, 3).triangles));

    p = prepared(model, {.scale = 1.0, .fill = Fill::Sheet, .thickness = 0.02});
    CHECK(p.asset.is_sheet.empty());
    CHECK(p.thickness == 0.02);
    const Error error = refused(model, {.scale = 1.0, .fill = Fill::Solid});
    CHECK(error.where == "part bowl");
    const Model ball = model_of({{"ball", sphere_mesh(1, 3)}});
    CHECK(prepared(ball, {.fill = Fill::Solid}).thickness == 0.0);
}

TEST_CASE("several closed parts of a large thing are asked whether they are hollow") {
    const auto hints = [](double size, int parts, Fill fill) {
        std::vector<std::pair<std::string, TriMesh>> meshes;
        for (int i = 0; i < parts; ++i) {
            TriMesh ball = sphere_mesh(0.5 * size, 1);
            for (Vec3& p : ball.points) p.x() += 1.5 * size * i;
            meshes.emplace_back("part", ball);
        }
        const auto made = prepare_asset(model_of(meshes), {.scale = 1.0, .fill = fill});
        REQUIRE(made.ok());
        return std::count_if(
            made.value().report.notes.begin(), made.value().report.notes.end(),
            [](const std::string& n) { return n.find("fill=sheet") != std::string::npos; });
    };
    CHECK(hints(2.0, 3, Fill::Auto) == 1);
    CHECK(hints(2.0, 1, Fill::Auto) == 0);
    CHECK(hints(0.1, 3, Fill::Auto) == 0);
    CHECK(hints(2.0, 3, Fill::Sheet) == 0);
    CHECK(hints(2.0, 3, Fill::Solid) == 0);
    // 0.11 m^3 in all: parts of a small thing may weigh much, too.
    CHECK(hints(0.5, 2, Fill::Auto) == 1);
}

TEST_CASE("a bulky closed part beside sheets is asked whether it is hollow") {
    const auto hint = [](double size) -> std::string {
        TriMesh lid = sphere_mesh(0.5 * size, 1);
        lid.triangles.resize(lid.triangles.size() / 2);
        for (Vec3& p : lid.points) p.x() += 1.5 * size;
        const auto made = prepare_asset(
            model_of({{"drum", sphere_mesh(0.5 * size, 1)}, {"lid", lid}}), {.scale = 1.0});
        REQUIRE(made.ok());
        for (const std::string& note : made.value().report.notes) {
            if (note.find("fill=sheet") != std::string::npos) return note;
        }
        return "";
    };
    CHECK(hint(0.6).starts_with("1 closed component counts as solid"));
    CHECK(hint(0.3) == "");
}

TEST_CASE("a dense mesh follows a simplified surface from its own side") {
    // A thin box: its two sides lie closer than the points of the coarse surface.
    const double thin = 0.004;
    const TriMesh dense = [&] {
        TriMesh top = grid_mesh(60, 60, false, false, [&](int i, int j) {
            return Vec3(i / 60.0, thin + 0.03 * std::sin(i / 9.0) * std::sin(j / 7.0), j / 60.0);
        });
        top = inside_out(top);
        TriMesh bottom = inside_out(top);
        for (Vec3& q : bottom.points) q.y() -= thin;
        return together(top, bottom);
    }();
    const PreparedAsset p = prepared(model_of({{"plate", dense}}),
                                     {.scale = 1.0, .up = UpAxis::Y, .surface_points = 800});
    CHECK(p.report.surface.is_simplified);
    CHECK(p.report.surface.points <= 1000);
    CHECK(p.report.surface.deviation < 0.01);
    CHECK(p.asset.render.points == dense.points);
    const std::size_t half = dense.points.size() / 2;
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < dense.points.size(); ++v) {
        const SurfaceAnchor& a = p.asset.anchors[v];
        CHECK(test::near(a.weights.sum(), 1.0));
        const Vec3 n = area_vector(p.asset.surface.points, a.points);
        // Where the surface keeps a vertex, to rounding, any of the faces around it will do.
        const bool is_on_it =
            (anchored_place(a, p.asset.surface.points) - dense.points[v]).norm() < 1e-12;
        if ((n.y() > 0) != (v < half) && !is_on_it) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("vertex colours become attributes of a welded and simplified surface") {
    const TriMesh dense = inside_out(grid_mesh(60, 60, false, false, [&](int i, int j) {
        return Vec3(i / 60.0, 0.03 * std::sin(i / 9.0) * std::sin(j / 7.0), j / 60.0);
    }));
    Model model = model_of({{"plate", dense}});
    for (const Vec3& p : dense.points) {
        model.meshes[0].colours.push_back(Vec4(p.x(), p.z(), 0.5, 1.0));
    }
    const PreparedAsset p = prepared(model, {.scale = 1.0, .up = UpAxis::Y, .surface_points = 800});
    REQUIRE(p.report.surface.is_simplified);
    const PointAttribute* red = find_attribute(p.asset, "red");
    const PointAttribute* alpha = find_attribute(p.asset, "alpha");
    REQUIRE(red);
    REQUIRE(alpha);
    REQUIRE(red->values.size() == p.asset.surface.points.size());
    for (std::size_t v = 0; v < red->values.size(); ++v) {
        CHECK(test::within(red->values[v], p.asset.surface.points[v].x(), 0.15));
        CHECK(test::near(alpha->values[v], 1.0));
    }
}

TEST_CASE("long edges are halved until none is left, and the shape stays") {
    const Model model = model_of({{"box", box_mesh({0, 0, 0}, {1, 2, 3})}});
    const AssetOptions as_it_is = {.scale = 1.0, .up = UpAxis::Y};
    AssetOptions fine = as_it_is;
    fine.longest_edge = 0.3;
    const PreparedAsset coarse = prepared(model, as_it_is);
    const PreparedAsset p = prepared(model, fine);
    CHECK(p.report.surface.points == std::ssize(p.asset.surface.points));
    CHECK(p.asset.surface.points.size() > 10 * coarse.asset.surface.points.size());
    CHECK(p.asset.render.triangles.size() == p.asset.surface.triangles.size());
    for (const Triangle& t : p.asset.surface.triangles) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 side = p.asset.surface.points[t[k]] - p.asset.surface.points[t[(k + 1) % 3]];
            CHECK(side.norm() <= 0.3);
        }
    }
    CHECK(is_closed(p.asset.surface.triangles));
    CHECK(test::near(volume(p.asset.surface.points, p.asset.surface.triangles), 6.0));

    fine.surface_points = 100;
    const Result<PreparedAsset> refused = prepare_asset(model, fine);
    REQUIRE(!refused);
    CHECK(refused.error().where == "longest_edge");
    fine.longest_edge = 5.0;
    CHECK(prepared(model, fine).asset.surface.points == coarse.asset.surface.points);
}

TEST_CASE("a given surface carries the drawn mesh") {
    const Model fine = model_of({{"ball", sphere_mesh(1, 5)}});
    const Model coarse = model_of({{"ball", sphere_mesh(1, 2)}});
    const PreparedAsset p = prepare_asset(fine, coarse, {.scale = 1.0, .up = UpAxis::Y}).value();
    REQUIRE(check_asset(p.asset).ok());
    CHECK(p.asset.surface.points == sphere_mesh(1, 2).points);
    CHECK(p.report.surface.deviation < 0.06);
    CHECK(p.report.surface.deviation > 0.01);
}

TEST_CASE("z up is turned, not mirrored, and scale is applied") {
    Model model = model_of({{"box", box_mesh({0, 0, 0}, {1, 2, 3})}});
    model.up_axis = 2;
    model.metres_per_unit = 0.5;
    const PreparedAsset p = prepared(model);
    CHECK(p.report.placement.size == Vec3(0.5, 1.5, 1.0));
    CHECK(!p.report.placement.is_up_guessed);
    CHECK(test::near(volume(p.asset.surface.points, p.asset.surface.triangles), 0.75));
    CHECK(p.report.mended.flipped_faces == 0);
}

TEST_CASE("sizes no body has are refused with a way out, which works") {
    TriMesh huge = sphere_mesh(1e30, 2);
    Error error = refused(model_of({{"a", huge}}));
    CHECK(error.what.find("2e+30") != std::string::npos);
    CHECK(error.hint.find("scale") != std::string::npos);
    CHECK(test::near(prepared(model_of({{"a", huge}}), {.scale = 1e-30}).report.placement.size.x(),
                     2.0));
    CHECK(!refused(model_of({{"a", sphere_mesh(1e-30, 2)}})).what.empty());
    CHECK(prepared(model_of({{"a", sphere_mesh(1e-30, 2)}}), {.scale = 1e30}).thickness == 0.0);
    TriMesh stray = sphere_mesh(1, 2);
    stray.points[7] = Vec3(3e38, 0, 0);
    error = refused(model_of({{"a", stray}}));
    CHECK(error.where.find("vertex 7") != std::string::npos);
}

TEST_CASE("a model with nothing to hit says so") {
    CHECK(!refused(Model{}).what.empty());
    CHECK(!refused(model_of({{"a", TriMesh{{Vec3(1, 2, 3)}, {}}}})).what.empty());
    const TriMesh line{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}, {{0, 1, 2}}};
    CHECK(refused(model_of({{"a", line}})).what.find("no surface") != std::string::npos);
    Model model = model_of({{"a", sphere_mesh(1, 1)}});
    AssetOptions options;
    options.parts = {{"a", PartRole::Ride}};
    CHECK(!refused(model, options).what.empty());
    options.parts = {{"a", PartRole::Drop}};
    CHECK(!refused(model, options).what.empty());
    model.meshes[0].points[3].x() = kInfinity;
    CHECK(refused(model).where == "part a, vertex 3");
    model = model_of({{"a", sphere_mesh(1, 1)}});
    model.meshes[0].triangles[0][0] = 1000;
    CHECK(!refused(model).what.empty());
}

TEST_CASE("a body squashed flat becomes a sheet") {
    TriMesh flat = sphere_mesh(1, 3);
    for (Vec3& q : flat.points) q.y() = 0.0;
    const PreparedAsset p = prepared(model_of({{"a", flat}}));
    CHECK(p.thickness > 0);
    CHECK(p.report.surface.sheets == 1);
    CHECK(mass_properties(p.asset.surface.points, p.asset.surface.triangles,
                          {.density = 1.0, .thickness = p.thickness})
              .ok());
}

TEST_CASE("nodes that show one mesh a million times are refused before anything is made") {
    Model model = model_of({{"a", sphere_mesh(1, 3)}});
    for (int i = 0; i < 100000; ++i) model.nodes.push_back({"a", i, 0, -1, Mat4::Identity()});
    CHECK(refused(model).what.find("vertices") != std::string::npos);
}

TEST_CASE("shells within shells stay outward and are noted") {
    const Model model = model_of({{"a", together(sphere_mesh(1, 2), sphere_mesh(0.5, 2))}});
    const PreparedAsset p = prepared(model, {.scale = 1.0});
    CHECK(p.report.mended.flipped_faces == 0);
    CHECK(std::any_of(p.report.notes.begin(), p.report.notes.end(), [](const std::string& note) {
        return note.find("inside another") != std::string::npos;
    }));
}

TEST_CASE("parts weld to themselves, and to each other where asked") {
    TriMesh upper = sphere_mesh(1, 3), lower = upper;
    const auto is_high = [&](const Triangle& t) {
        return upper.points[t[0]].y() + upper.points[t[1]].y() + upper.points[t[2]].y() > 0;
    };
    std::erase_if(lower.triangles, is_high);
    std::erase_if(upper.triangles, [&](const Triangle& t) { return !is_high(t); });
    const Model model = model_of({{"upper", upper}, {"lower", lower}});
    CHECK(prepared(model).report.surface.components == 2);
    const PreparedAsset joined = prepared(model, {.join_parts = true});
    CHECK(joined.report.surface.components == 1);
    CHECK(joined.report.surface.closed == 1);
    CHECK(is_closed(joined.asset.surface.triangles));
}

TEST_CASE("the same file gives the same bytes on one thread and on four") {
    const Model model = split_sphere(5);
    const auto on = [&](int threads) {
        const ThreadLimit limit(threads);
        return prepared(model, {.surface_points = 500});
    };
    const PreparedAsset a = on(1), b = on(4);
    CHECK(a.asset.surface.points == b.asset.surface.points);
    CHECK(json_text(write_fields(a.report)) == json_text(write_fields(b.report)));
    bool same = a.asset.anchors.size() == b.asset.anchors.size();
    for (std::size_t v = 0; same && v < a.asset.anchors.size(); ++v) {
        same = a.asset.anchors[v].points == b.asset.anchors[v].points &&
               a.asset.anchors[v].weights == b.asset.anchors[v].weights;
    }
    CHECK(same);
}

TEST_CASE("patterns fit as a reader expects") {
    CHECK(fits_pattern("Wheel_FL", "wheel*"));
    CHECK(fits_pattern("body/door_left", "*door*"));
    CHECK(fits_pattern("a", "?"));
    CHECK(fits_pattern("", "*"));
    CHECK(!fits_pattern("", "?"));
    CHECK(!fits_pattern("wheels", "wheel"));
    CHECK(fits_pattern("aXbXc", "a*b*c"));
    CHECK(!fits_pattern("aXbX", "a*b*c"));
    // Would take forever if every star tried every length.
    CHECK(!fits_pattern(std::string(5000, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}
