// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/skin/render_skin.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <cstring>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

using AssetPointer = std::shared_ptr<const SurfaceAsset>;

bool is_same(std::span<const Vec3> a, std::span<const Vec3> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// A sphere that is drawn four times as fine as its surface, smooth with a seam above and creased
/// below, with two parts that ride on it.
AssetPointer fine_sphere(int levels) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = sphere_mesh(1.0, levels);
    const std::vector<Vec3>& at = asset->surface.points;
    RenderMesh& render = asset->render;
    std::map<std::tuple<std::int32_t, std::int32_t, int>, std::int32_t> made;
    const auto add_vertex = [&](const SurfaceAnchor& anchor, const Vec3& normal) {
        Vec3 p = Vec3::Zero();
        for (int k = 0; k < 3; ++k) p += anchor.weights[k] * at[anchor.points[k]];
        render.points.push_back(p);
        render.normals.push_back(normal);
        render.uvs.push_back(Vec2::Zero());
        asset->anchors.push_back(anchor);
        return static_cast<std::int32_t>(render.points.size()) - 1;
    };
    const auto add_triangle = [&](const Triangle& t) {
        render.triangles.push_back(t);
        render.triangle_looks.push_back(0);
    };
    int face = 0;
    for (const Triangle& t : asset->surface.triangles) {
        const Vec3 middle = at[t[0]] + at[t[1]] + at[t[2]];
        const bool is_smooth = middle.y() > 0;
        const int key = is_smooth ? (middle.x() > 0 ? -1 : -2) : face++;
        const auto vertex = [&](std::int32_t a, std::int32_t b) {
            if (a > b) std::swap(a, b);
            const Vec3 normal = is_smooth ? Vec3((at[a] + at[b]).normalized())
                                          : Vec3(area_vector(at, t).normalized());
            const auto [found, is_new] = made.try_emplace({a, b, key}, 0);
            if (is_new) found->second = add_vertex({{a, b, a}, Vec3(0.5, 0.5, 0)}, normal);
            return found->second;
        };
        const std::int32_t ab = vertex(t[0], t[1]), bc = vertex(t[1], t[2]),
                           ca = vertex(t[2], t[0]);
        add_triangle({vertex(t[0], t[0]), ab, ca});
        add_triangle({vertex(t[1], t[1]), bc, ab});
        add_triangle({vertex(t[2], t[2]), ca, bc});
        add_triangle({ab, bc, ca});
    }
    render.parts.push_back({});
    for (const std::int32_t home : {1, 7}) {
        MeshPart part;
        part.first_vertex = static_cast<std::int32_t>(render.points.size());
        part.vertex_count = 3;
        for (int k = 0; k < 3; ++k) {
            (void)add_vertex(SurfaceAnchor::on_point(home + k), at[home + k].normalized());
            render.points.back() *= 1.1;
        }
        add_triangle({part.first_vertex, part.first_vertex + 1, part.first_vertex + 2});
        Rider rider;
        rider.part = static_cast<std::int32_t>(render.parts.size());
        for (std::int32_t p = home; p < home + 5; ++p) {
            rider.points.push_back(p);
            rider.weights.push_back(1.0 + p);
        }
        render.parts.push_back(part);
        asset->riders.push_back(rider);
    }
    render.looks.emplace_back();
    return asset;
}

/// Pushes some points in, or puts them back where they were at rest; returns which.
std::vector<std::int32_t> dent(const SurfaceAsset& asset, Rng& rng, std::vector<Vec3>& points) {
    const std::vector<Vec3>& rest = asset.surface.points;
    const Vec3 centre = rest[rng.next() % rest.size()];
    const double radius = (0.05 + 0.5 * rng.uniform()) * bounds(rest).diagonal() / 2;
    const bool is_repair = rng.next() % 4 == 0;
    std::vector<std::int32_t> touched;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double off = (rest[i] - centre).norm() / radius;
        if (off >= 1.0) continue;
        points[i] = is_repair ? rest[i] : Vec3(points[i] - 0.05 * (1 - off) * centre);
        touched.push_back(static_cast<std::int32_t>(i));
    }
    return touched;
}

AssetPointer solid(SolidKind kind, double resolution) {
    return std::make_shared<const SurfaceAsset>(
        make_solid({.kind = kind, .resolution = resolution}).value());
}

}  // namespace

TEST_CASE("a skin that follows what moved is the skin posed as a whole, bit for bit") {
    const AssetPointer assets[] = {fine_sphere(2), fine_sphere(3), solid(SolidKind::Box, 0.1),
                                   solid(SolidKind::Barrel, 0.06), solid(SolidKind::Car, 0.3)};
    for (const AssetPointer& asset : assets) {
        Rng rng(11);
        const RenderSkin whole(asset);
        PosedSkin listed(asset), compared(asset);
        std::vector<Vec3> surface = asset->surface.points, points, normals;
        whole.pose(surface, points, normals);
        CHECK(is_same(listed.points(), points));
        CHECK(is_same(listed.normals(), normals));
        for (int step = 0; step < 60; ++step) {
            const std::vector<std::int32_t> touched = dent(*asset, rng, surface);
            const std::vector<Vec3> old_points = points, old_normals = normals;
            whole.pose(surface, points, normals);
            listed.update(surface, touched);
            compared.update(surface);
            REQUIRE(is_same(listed.points(), points));
            REQUIRE(is_same(listed.normals(), normals));
            REQUIRE(is_same(compared.points(), points));
            REQUIRE(is_same(compared.normals(), normals));
            // What is not named has not changed.
            std::vector<std::uint8_t> is_named(points.size(), 0);
            for (const std::int32_t v : listed.changed()) is_named[v] = 1;
            std::size_t unnamed = 0;
            for (std::size_t v = 0; v < points.size(); ++v) {
                unnamed +=
                    !is_named[v] && (points[v] != old_points[v] || normals[v] != old_normals[v]);
            }
            REQUIRE(unnamed == 0);
            CHECK(std::is_sorted(listed.changed().begin(), listed.changed().end()));
        }
    }
}

TEST_CASE("where nothing moved nothing is worked out again") {
    const AssetPointer asset = fine_sphere(3);
    PosedSkin skin(asset);
    CHECK(skin.changed().empty());
    std::vector<Vec3> surface = asset->surface.points;
    skin.update(surface);
    CHECK(skin.changed().empty());
    surface[5] *= 0.9;
    skin.update(surface, std::vector<std::int32_t>{5, 5});
    const std::size_t around = skin.changed().size();
    CHECK(around > 0);
    CHECK(around < asset->render.points.size() / 4);
    skin.update(surface, std::vector<std::int32_t>{5});
    CHECK(skin.changed().empty());
}

TEST_CASE("faces crushed flat and opened again leave nothing behind") {
    const AssetPointer asset = fine_sphere(2);
    const RenderSkin whole(asset);
    PosedSkin skin(asset);
    std::vector<Vec3> surface = asset->surface.points, points, normals;
    for (Vec3& p : surface) p = Vec3(1, 2, 3);
    skin.update(surface);
    whole.pose(surface, points, normals);
    CHECK(is_same(skin.points(), points));
    CHECK(is_same(skin.normals(), normals));
    skin.update(asset->surface.points);
    whole.pose(asset->surface.points, points, normals);
    CHECK(is_same(skin.points(), points));
    CHECK(is_same(skin.normals(), normals));
}
