// SPDX-License-Identifier: MIT
#include <ductile/asset/describe_asset.h>

#include <asset/test_models.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <string>

using namespace ductile;

namespace {

/// A cube of 2 m and a triangle of 0.5 m^2 beside it, each a part, and what was found of them.
struct CubeAndSheet {
    CubeAndSheet() {
        const TriMesh cube = test::box_mesh({0, 0, 0}, {2, 2, 2});
        TriMesh sheet;
        sheet.points = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
        sheet.triangles = {{0, 1, 2}};
        model = test::model_of({{"cube", cube}, {"sheet", sheet}});
        mended =
            mend_surface(test::together(cube, sheet).points, test::together(cube, sheet).triangles);
        part.assign(12, 0);
        part.push_back(1);
        asset.surface = mended.surface;
        asset.render.points = mended.surface.points;
        asset.render.triangles = mended.surface.triangles;
        asset.render.parts = {{"cube", -1, 0, 12, 0, 8}, {"sheet", -1, 12, 1, 8, 3}};
        for (std::int32_t v = 0; v < 11; ++v) asset.anchors.push_back(SurfaceAnchor::on_point(v));
        placement.size = Vec3(6, 2, 2);
    }
    AssetReport report(Fill fill, std::int32_t point_limit = 0) const {
        return describe_asset({.model = model,
                               .placement = placement,
                               .counts = counts,
                               .roles = roles,
                               .surface = mended,
                               .surface_part = part,
                               .surface_parts = asset.render.parts,
                               .point_limit = point_limit,
                               .fill = fill},
                              asset);
    }

    Model model;
    Mended mended;
    std::vector<std::int32_t> part;
    SurfaceAsset asset;
    PlacementReport placement;
    MendCounts counts;
    std::vector<PartRole> roles = {PartRole::Deform, PartRole::Rigid};
};

std::ptrdiff_t notes_with(const AssetReport& report, const std::string& text) {
    return std::count_if(report.notes.begin(), report.notes.end(), [&](const std::string& note) {
        return note.find(text) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("a report measures a cube and a sheet as one does by hand") {
    CubeAndSheet things;
    // A drawn vertex 3 mm off what it follows.
    things.asset.render.points[4].y() -= 0.003;
    const AssetReport report = things.report(Fill::Auto);
    CHECK(report.file.vertices == 11);
    CHECK(report.file.triangles == 13);
    CHECK(report.file.parts == 2);
    CHECK_FALSE(report.file.has_normals);
    CHECK(report.surface.points == 11);
    CHECK(report.surface.components == 2);
    CHECK(report.surface.closed == 1);
    CHECK(report.surface.sheets == 1);
    CHECK(report.surface.holes == 1);
    CHECK(report.surface.border_edges == 3);
    CHECK(test::near(report.surface.area, 24.5));
    CHECK(test::near(report.surface.volume, 8.0));
    CHECK(test::near(report.surface.deviation, 0.003));
    REQUIRE(report.parts.size() == 2);
    CHECK(report.parts[1].name == "sheet");
    CHECK(report.parts[1].role == PartRole::Rigid);
    CHECK(report.parts[1].vertices == 3);
    // The largest first.
    REQUIRE(report.components.size() == 2);
    CHECK(report.components[0].part == "cube");
    CHECK(test::near(report.components[0].volume, 8.0));
    CHECK(report.components[1].part == "sheet");
    CHECK(report.components[1].is_sheet);

    const AssetReport hollow = things.report(Fill::Sheet);
    CHECK(hollow.surface.sheets == 2);
    CHECK(hollow.surface.volume == 0.0);
    CHECK(hollow.surface.closed == 1);
}

TEST_CASE("a report notes what the reader and mending found, and asks about what is bulky") {
    CubeAndSheet things;
    things.model.notes = {"line 7: a face of one corner"};
    AssetReport report = things.report(Fill::Auto);
    REQUIRE(!report.notes.empty());
    CHECK(report.notes.front() == things.model.notes.front());
    CHECK(notes_with(report, "fill=sheet") == 1);
    CHECK(notes_with(report, "both sides") == 0);
    CHECK(notes_with(things.report(Fill::Sheet), "fill=sheet") == 0);

    things.counts.back_sides = 3;
    things.counts.twisted_edges = 1;
    things.asset.riders.push_back({1, {8}, {1.0}});
    report = things.report(Fill::Auto, /*point_limit*/ 10);
    CHECK(report.mended.back_sides == 3);
    CHECK(notes_with(report, "3 faces are stored from both sides") == 1);
    CHECK(notes_with(report, "twisted") == 1);
    CHECK(notes_with(report, "1 parts ride along") == 1);
    CHECK(notes_with(report, "could not be simplified below 11 points") == 1);
    CHECK(notes_with(things.report(Fill::Auto, 11), "could not be simplified") == 0);
}
