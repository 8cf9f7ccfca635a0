// SPDX-License-Identifier: MIT
#include <ductile/skin/render_skin.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <limits>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

struct Posed {
    std::vector<Vec3> points, normals;
};

Posed pose(const RenderSkin& skin, std::span<const Vec3> surface_points) {
    Posed out;
    skin.pose(surface_points, out.points, out.normals);
    return out;
}

// A mesh whose render vertices are split by `key(face)`: faces of equal key share their vertices.
// Normals are those of the welded surface (smooth) or of the faces (creased).
template <class Key>
std::shared_ptr<const SurfaceAsset> split_asset(const TriMesh& mesh, bool is_smooth, Key&& key) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = mesh;
    RenderMesh& render = asset->render;
    const std::vector<Vec3> smooth = vertex_normals(mesh.points, mesh.triangles);
    std::map<std::pair<std::int32_t, int>, std::int32_t> made;
    for (const Triangle& t : mesh.triangles) {
        Triangle split{};
        for (int k = 0; k < 3; ++k) {
            const auto [at, is_new] =
                made.try_emplace({t[k], key(t)}, static_cast<std::int32_t>(render.points.size()));
            split[k] = at->second;
            if (!is_new) continue;
            render.points.push_back(mesh.points[t[k]]);
            render.normals.push_back(is_smooth ? smooth[t[k]]
                                               : area_vector(mesh.points, t).normalized());
            render.uvs.push_back(Vec2::Zero());
            asset->anchors.push_back(SurfaceAnchor::on_point(t[k]));
        }
        render.triangles.push_back(split);
        render.triangle_looks.push_back(0);
    }
    render.looks.emplace_back();
    return asset;
}

// A sphere cut open along x = 0, as a UV seam would: two vertices at each place of the cut.
std::shared_ptr<const SurfaceAsset> seamed_sphere(int levels) {
    const TriMesh sphere = sphere_mesh(1.0, levels);
    return split_asset(sphere, true, [&](const Triangle& t) {
        return (sphere.points[t[0]] + sphere.points[t[1]] + sphere.points[t[2]]).x() > 0 ? 1 : 0;
    });
}

// A cube with one vertex per corner and side.
std::shared_ptr<const SurfaceAsset> creased_cube() {
    const TriMesh cube = box_mesh(-Vec3::Ones(), Vec3::Ones());
    return split_asset(cube, false, [&](const Triangle& t) {
        int axis = 0;
        const Vec3 n = area_vector(cube.points, t);
        n.cwiseAbs().maxCoeff(&axis);
        return n[axis] > 0 ? axis : axis + 3;
    });
}

double worst_length_error(std::span<const Vec3> normals) {
    double worst = 0.0;
    for (const Vec3& n : normals) raise_to(worst, std::abs(n.norm() - 1.0));
    return worst;
}

}  // namespace

TEST_CASE("an unmoved surface gives back the asset's points and normals bit for bit") {
    auto bent = std::make_shared<SurfaceAsset>(*seamed_sphere(2));
    for (Vec3& n : bent->render.normals)
        n = (n + Vec3(0.02, 0, 0)).normalized();     // an artist's own
    for (Vec3& p : bent->render.points) p *= 1.001;  // drawn a hair off the surface
    for (const auto& asset : {std::shared_ptr<const SurfaceAsset>(bent), creased_cube()}) {
        const Posed posed = pose(RenderSkin(asset), asset->surface.points);
        CHECK(posed.points == asset->render.points);
        CHECK(posed.normals == asset->render.normals);
    }
}

TEST_CASE("points and normals go along when the surface moves rigidly") {
    Rng rng(1);
    for (const auto& asset : {seamed_sphere(3), creased_cube()}) {
        const RenderSkin skin(asset);
        for (int i = 0; i < 20; ++i) {
            const Transform move{random_rotation(rng), random_vec(rng, 3.0)};
            const Posed posed = pose(skin, placed(asset->surface, move).points);
            double worst = 0.0;
            for (std::size_t v = 0; v < posed.points.size(); ++v) {
                raise_to(worst, (posed.points[v] - move.point(asset->render.points[v])).norm());
                raise_to(worst,
                         (posed.normals[v] - move.direction(asset->render.normals[v])).norm());
            }
            CHECK(worst < 1e-12);
        }
    }
}

TEST_CASE("a seam stays smooth and follows the true normals of the moved surface") {
    const auto asset = seamed_sphere(4);
    REQUIRE(asset->render.points.size() > asset->surface.points.size());
    const RenderSkin skin(asset);
    // An ellipsoid, whose normals are known: x / a^2.
    const Vec3 axes(1.0, 0.7, 1.3);
    std::vector<Vec3> moved = asset->surface.points;
    for (Vec3& p : moved) p = p.cwiseProduct(axes);
    const Posed posed = pose(skin, moved);
    std::map<std::int32_t, Vec3> seen;
    double worst = 0.0;
    for (std::size_t v = 0; v < posed.normals.size(); ++v) {
        const std::int32_t s = asset->anchors[v].points[0];
        const Vec3 expected = moved[s].cwiseQuotient(axes.cwiseAbs2()).normalized();
        raise_to(worst, (posed.normals[v] - expected).norm());
        const auto [at, is_new] = seen.try_emplace(s, posed.normals[v]);
        if (!is_new) CHECK(at->second == posed.normals[v]);
    }
    CHECK(worst < 0.03);
    CHECK(worst_length_error(posed.normals) < 1e-14);
}

TEST_CASE("creases stay sharp when a cube is sheared") {
    const auto asset = creased_cube();
    std::vector<Vec3> moved = asset->surface.points;
    for (Vec3& p : moved) p.x() += 0.5 * p.y();
    const Posed posed = pose(RenderSkin(asset), moved);
    for (const Triangle& t : asset->render.triangles) {
        const Vec3 n = area_vector(posed.points, t).normalized();
        for (std::int32_t v : t) CHECK((posed.normals[v] - n).norm() < 1e-14);
    }
}

TEST_CASE("posing depends on the surface alone, not on what was posed before") {
    const auto asset = seamed_sphere(2);
    const RenderSkin skin(asset);
    std::vector<Vec3> moved = asset->surface.points;
    for (Vec3& p : moved) p.y() *= p.y() > 0 ? 0.4 : 1.0;
    const Posed fresh = pose(skin, moved);
    Posed reused;
    skin.pose(asset->surface.points, reused.points, reused.normals);
    skin.pose(moved, reused.points, reused.normals);
    CHECK(reused.points == fresh.points);
    CHECK(reused.normals == fresh.normals);
    skin.pose(asset->surface.points, reused.points, reused.normals);
    CHECK(reused.normals == asset->render.normals);
}

TEST_CASE("a surface that collapses, folds over or leaves all bounds keeps usable normals") {
    for (const auto& asset : {seamed_sphere(2), creased_cube()}) {
        const RenderSkin skin(asset);
        const auto check = [&](auto&& move) {
            std::vector<Vec3> moved = asset->surface.points;
            for (Vec3& p : moved) p = move(p);
            const Posed posed = pose(skin, moved);
            CHECK(worst_length_error(posed.normals) < 1e-12);
        };
        check([](const Vec3&) -> Vec3 { return Vec3::Zero(); });
        check([](const Vec3& p) -> Vec3 { return {p.x(), 0, 0}; });
        check([](const Vec3& p) -> Vec3 { return {p.x(), 0, p.z()}; });
        check([](const Vec3& p) -> Vec3 { return -p; });
        check([](const Vec3& p) -> Vec3 { return 1e160 * p; });
        check([](const Vec3& p) -> Vec3 { return 1e-160 * p; });
    }
}

TEST_CASE("a vertex that no face uses stays with its surface point and keeps its normal") {
    auto asset = std::make_shared<SurfaceAsset>(*creased_cube());
    asset->render.points.push_back(Vec3(5, 5, 5));
    asset->render.normals.push_back(Vec3::UnitZ());
    asset->render.uvs.push_back(Vec2::Zero());
    asset->anchors.push_back(SurfaceAnchor::on_point(0));
    std::vector<Vec3> moved = asset->surface.points;
    moved[0] += Vec3(0.25, 0, 0);
    const Posed posed = pose(RenderSkin(asset), moved);
    CHECK(posed.points.back() == Vec3(5.25, 5, 5));
    CHECK(test::near(posed.normals.back().norm(), 1.0, 1e-14));
}
