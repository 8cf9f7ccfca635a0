// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/point_attribute.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

// Anything linear in the place: what is carried rightly is known everywhere.
double linear(const Vec3& p) { return 1.0 + 2.0 * p.x() - 0.5 * p.y() + 3.0 * p.z(); }

SurfaceAsset painted_box() {
    SurfaceAsset asset =
        make_solid({.kind = SolidKind::Box, .size = Vec3(1, 2, 3), .resolution = 0.5}).value();
    std::vector<double> values;
    for (const Vec3& p : asset.render.points) values.push_back(linear(p));
    add_attribute(asset, "paint", values);
    return asset;
}

}  // namespace

TEST_CASE("what is painted on vertices comes to the welded points beneath them") {
    const SurfaceAsset asset = painted_box();
    const PointAttribute* paint = find_attribute(asset, "paint");
    REQUIRE(paint);
    CHECK_FALSE(find_attribute(asset, "pain"));
    REQUIRE(paint->values.size() == asset.surface.points.size());
    CHECK(asset.render.points.size() > asset.surface.points.size());  // corners are split there
    for (std::size_t v = 0; v < paint->values.size(); ++v) {
        CHECK(test::within(paint->values[v], linear(asset.surface.points[v]), 1e-12));
    }
    CHECK(check_asset(asset).ok());
}

TEST_CASE("attributes go along when edges are split") {
    const SurfaceAsset asset = painted_box();
    std::vector<MeshEdge> marked;
    for (const Triangle& t : asset.surface.triangles) {
        for (int k = 0; k < 3; ++k) {
            marked.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
        }
    }
    std::sort(marked.begin(), marked.end());
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
    const SurfaceAsset fine = split_edges(asset, marked);
    const PointAttribute* paint = find_attribute(fine, "paint");
    REQUIRE(paint);
    REQUIRE(paint->values.size() == fine.surface.points.size());
    for (std::size_t v = 0; v < paint->values.size(); ++v) {
        CHECK(test::within(paint->values[v], linear(fine.surface.points[v]), 1e-12));
    }
    CHECK(check_asset(fine).ok());
}

TEST_CASE("points without a vertex take what their neighbours have") {
    SurfaceAsset asset = painted_box();
    std::vector<double> values =
        carry_to_surface(asset, std::vector<double>(asset.render.points.size(), 0.25));
    Rng rng(1);
    for (double& v : values) {
        if (rng.uniform() < 0.5) v = std::nan("");
    }
    fill_from_neighbours(asset.surface, values);
    for (const double v : values) CHECK(v == 0.25);
    std::vector<double> none(values.size(), std::nan(""));
    fill_from_neighbours(asset.surface, none);
    for (const double v : none) CHECK(v == 0.0);
}

TEST_CASE("an asset with an attribute of another length, or not finite, is refused") {
    SurfaceAsset asset = painted_box();
    asset.attributes[0].values.pop_back();
    CHECK_FALSE(check_asset(asset).ok());
    asset = painted_box();
    asset.attributes[0].values[3] = std::nan("");
    CHECK_FALSE(check_asset(asset).ok());
}
