// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <solids/solid_measures.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

using namespace ductile;
using test::euler_characteristic;
using test::signed_volume;

namespace {

constexpr SolidKind kKinds[] = {
    SolidKind::Box,   SolidKind::Sphere, SolidKind::Capsule, SolidKind::Cylinder, SolidKind::Plank,
    SolidKind::Plate, SolidKind::Torus,  SolidKind::Barrel,  SolidKind::Car,      SolidKind::Beam};

std::string name_of(SolidKind kind) {
    return std::string(enum_names(kind)[static_cast<std::size_t>(kind)]);
}

SurfaceAsset made(const SolidOptions& options) {
    Result<SurfaceAsset> result = make_solid(options);
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? std::string() : result.error().text()));
    return std::move(result).value();
}

// Shapes off the beaten track too: rounded, stretched, thin.
std::vector<SolidOptions> variants() {
    std::vector<SolidOptions> list;
    for (SolidKind kind : kKinds) list.push_back({.kind = kind});
    list.push_back({.kind = SolidKind::Box, .size = Vec3(1, 2, 0.5), .rounding = 0.1});
    list.push_back({.kind = SolidKind::Box, .size = Vec3(1, 1, 1), .rounding = 0.5});
    list.push_back({.kind = SolidKind::Plate, .size = Vec3(1, 0.02, 1), .rounding = 0.01});
    list.push_back({.kind = SolidKind::Sphere, .size = Vec3(1, 1.3, 0.8)});
    list.push_back({.kind = SolidKind::Capsule, .size = Vec3(1, 1, 1)});
    list.push_back({.kind = SolidKind::Capsule, .size = Vec3(0.6, 2, 0.8)});
    list.push_back({.kind = SolidKind::Cylinder, .size = Vec3(1, 0.05, 1.2)});
    list.push_back({.kind = SolidKind::Cylinder, .size = Vec3(1, 1, 1), .rounding = 0.1});
    list.push_back({.kind = SolidKind::Cylinder, .size = Vec3(1, 1, 1), .rounding = 0.5});
    list.push_back({.kind = SolidKind::Cylinder, .size = Vec3(1, 2, 1), .rounding = 0.4});
    list.push_back({.kind = SolidKind::Torus, .size = Vec3(1, 9, 1.4), .tube = 0.2});
    list.push_back(
        {.kind = SolidKind::Barrel, .size = Vec3(0.585, 0.88, 0.585), .resolution = 0.02});
    list.push_back(
        {.kind = SolidKind::Barrel, .size = Vec3(0.585, 0.88, 0.585), .resolution = 0.2});
    return list;
}

struct Variant {
    SolidOptions options;
    SurfaceAsset asset;
};

const std::vector<Variant>& made_variants() {
    static const std::vector<Variant> list = [] {
        std::vector<Variant> all;
        for (const SolidOptions& o : variants()) all.push_back({o, made(o)});
        return all;
    }();
    return list;
}

// The first variants are the kinds as they come.
const SurfaceAsset& default_of(SolidKind kind) {
    return made_variants()[static_cast<std::size_t>(kind)].asset;
}

double min_angle_deg(const TriMesh& mesh) {
    double least = 180.0;
    for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 u = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
            const Vec3 v = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
            least = std::min(least, std::atan2(u.cross(v).norm(), u.dot(v)) * 180.0 / kPi);
        }
    }
    return least;
}

std::uint64_t hash_of(const SurfaceAsset& asset) {
    Hasher h;
    h.add(asset.surface.points);
    h.add(asset.render.points);
    h.add(asset.render.normals);
    for (const Vec2& uv : asset.render.uvs) {
        h.add(uv.x());
        h.add(uv.y());
    }
    for (const Triangle& t : asset.render.triangles) {
        for (std::int32_t i : t) h.add(static_cast<std::uint64_t>(i));
    }
    return h.value();
}

}  // namespace

TEST_CASE("every solid fills its bounding box and is centred in it") {
    for (const auto& [o, asset] : made_variants()) {
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        Vec3 size = o.size == Vec3::Zero() ? natural_size(o.kind) : o.size;
        if (o.kind == SolidKind::Torus) size.y() = 2 * o.tube;
        const Box box = bounds(asset.surface.points);
        CHECK((box.upper - 0.5 * size).norm() < 1e-12 * size.norm());
        CHECK((box.lower + 0.5 * size).norm() < 1e-12 * size.norm());
    }
}

TEST_CASE("every solid but the car is closed and faces outward") {
    for (const auto& [o, asset] : made_variants()) {
        if (o.kind == SolidKind::Car) continue;
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        CHECK(is_closed(asset.surface.triangles));
        CHECK(signed_volume(asset.surface) > 0.0);
        CHECK(euler_characteristic(asset.surface) == (o.kind == SolidKind::Torus ? 0 : 2));
    }
}

TEST_CASE("render vertices lie on the surface points they follow, with unit normals") {
    for (const auto& [o, asset] : made_variants()) {
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        const RenderMesh& mesh = asset.render;
        REQUIRE(mesh.normals.size() == mesh.points.size());
        REQUIRE(mesh.uvs.size() == mesh.points.size());
        REQUIRE(asset.anchors.size() == mesh.points.size());
        REQUIRE(mesh.triangle_looks.size() == mesh.triangles.size());
        REQUIRE(mesh.triangles.size() == asset.surface.triangles.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            wrong += mesh.points[i] != asset.surface.points[asset.anchors[i].points[0]];
            wrong += !(std::abs(mesh.normals[i].norm() - 1.0) < 1e-12);
            wrong += !(mesh.uvs[i].minCoeff() >= -1e-12 && mesh.uvs[i].maxCoeff() <= 1 + 1e-12);
        }
        for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
            const auto look = static_cast<std::size_t>(mesh.triangle_looks[f]);
            wrong += look >= mesh.looks.size();
            for (int k = 0; k < 3; ++k) {
                wrong +=
                    asset.anchors[mesh.triangles[f][k]].points[0] != asset.surface.triangles[f][k];
            }
        }
        CHECK(wrong == 0);
        std::vector<int> used(asset.surface.points.size(), 0);
        for (const SurfaceAnchor& a : asset.anchors) used[a.points[0]] = 1;
        CHECK(std::count(used.begin(), used.end(), 0) == 0);
    }
}

TEST_CASE("vertex normals lean the way their faces look") {
    for (const auto& [o, asset] : made_variants()) {
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        const RenderMesh& mesh = asset.render;
        double least = 1.0;
        for (const Triangle& t : mesh.triangles) {
            const Vec3 n = area_vector(mesh.points, t).normalized();
            for (std::int32_t i : t) least = std::min(least, n.dot(mesh.normals[i]));
        }
        // Coarse round ends turn up to 45 degrees within a face.
        CHECK(least > (o.kind == SolidKind::Car ? 0.3 : 0.55));
    }
}

TEST_CASE("texture triangles never turn over or run back over the seam") {
    for (const auto& [o, asset] : made_variants()) {
        if (o.kind == SolidKind::Car) continue;
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        const RenderMesh& mesh = asset.render;
        std::size_t wrong = 0;
        for (const Triangle& t : mesh.triangles) {
            const Vec2 u = mesh.uvs[t[1]] - mesh.uvs[t[0]];
            const Vec2 v = mesh.uvs[t[2]] - mesh.uvs[t[0]];
            // v runs down in glTF, so a picture seen upright has negative area here.
            wrong += !(u.x() * v.y() - u.y() * v.x() < 0.0);
            // A face that wraps around would be mirrored or wide; boxes may be one face wide.
            const bool is_round = o.kind != SolidKind::Box && o.kind != SolidKind::Plank &&
                                  o.kind != SolidKind::Plate;
            wrong += is_round && std::max(std::abs(u.x()), std::abs(v.x())) > 0.5;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("triangles are well shaped") {
    // Kinds whose features are no finer than their edges.
    for (SolidKind kind : {SolidKind::Box, SolidKind::Sphere, SolidKind::Capsule,
                           SolidKind::Cylinder, SolidKind::Torus}) {
        for (double resolution : {0.0, 0.1, 0.037}) {
            CAPTURE(name_of(kind));
            CAPTURE(resolution);
            const SurfaceAsset asset = made({.kind = kind, .resolution = resolution});
            CHECK(min_angle_deg(asset.surface) > 25.0);
        }
    }
    CHECK(min_angle_deg(made({.kind = SolidKind::Plank}).surface) > 15.0);
    for (const auto& [o, asset] : made_variants()) {
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        // Rims and panel gaps stay as narrow as they are, however coarse the rest.
        const bool is_coarse = o.kind == SolidKind::Barrel && o.resolution > 0.1;
        const double least = o.kind == SolidKind::Car ? 0.5 : is_coarse ? 1.0 : 5.0;
        CHECK(min_angle_deg(asset.surface) > least);
    }
}

TEST_CASE("volumes approach the formulas with the square of the edge length") {
    const double r = 0.2;
    const double rounded_box =
        0.6 * 0.6 * 0.6 + 6 * 0.6 * 0.6 * r + 3 * 0.6 * kPi * r * r + 4.0 / 3 * kPi * r * r * r;
    // Pappus: rectangles, and a quarter disc swept around the axis.
    const double rounded_cylinder =
        kPi * 0.25 * 0.6 +
        2 * (kPi * 0.3 * 0.3 * r + 2 * kPi * (kPi * r * r / 4) * (0.3 + 4 * r / (3 * kPi)));
    struct Case {
        SolidOptions options;
        double volume;
    };
    const Case cases[] = {
        {{.kind = SolidKind::Box, .size = Vec3(1, 1, 1), .rounding = r}, rounded_box},
        {{.kind = SolidKind::Sphere, .size = Vec3(1, 2, 3)}, kPi},
        {{.kind = SolidKind::Capsule, .size = Vec3(1, 2, 1)}, kPi / 6 + kPi / 4},
        {{.kind = SolidKind::Cylinder, .size = Vec3(1, 1, 2)}, kPi / 2},
        {{.kind = SolidKind::Cylinder, .size = Vec3(1, 1, 1), .rounding = r}, rounded_cylinder},
        {{.kind = SolidKind::Torus, .size = Vec3(1, 0, 1), .tube = 0.15},
         2 * kPi * kPi * 0.35 * 0.15 * 0.15},
    };
    for (const Case& c : cases) {
        CAPTURE(name_of(c.options.kind));
        SolidOptions coarse = c.options;
        SolidOptions fine = c.options;
        coarse.resolution = 0.1;
        fine.resolution = 0.025;
        if (c.options.kind == SolidKind::Torus) {
            coarse.size.y() = fine.size.y() = 1.0;
        }
        const double coarse_error = c.volume - signed_volume(made(coarse).surface);
        const double fine_error = c.volume - signed_volume(made(fine).surface);
        CHECK(coarse_error > 0.0);  // Points lie on the surface, so chords cut it short.
        CHECK(coarse_error < 0.12 * c.volume);
        CHECK(fine_error > 0.0);
        CHECK(fine_error < coarse_error / 8.0);  // 16 but for whole numbers of segments.
    }
    const SurfaceAsset box = made({.kind = SolidKind::Box, .size = Vec3(0.5, 2, 3)});
    CHECK(test::near(signed_volume(box.surface), 3.0, 1e-12));
}

TEST_CASE("sharp solids have sharp normals and rounded ones smooth normals") {
    const SurfaceAsset sharp = made({.kind = SolidKind::Box, .resolution = 0.25});
    const SurfaceAsset rounded =
        made({.kind = SolidKind::Box, .rounding = 0.1, .resolution = 0.25});
    for (const Vec3& n : sharp.render.normals) CHECK(n.cwiseAbs().maxCoeff() == 1.0);
    // One normal per place, whatever seams split it.
    std::vector<Vec3> normal_of(rounded.surface.points.size(), Vec3::Zero());
    for (std::size_t i = 0; i < rounded.render.points.size(); ++i) {
        Vec3& known = normal_of[rounded.anchors[i].points[0]];
        if (known.isZero()) known = rounded.render.normals[i];
        CHECK((known - rounded.render.normals[i]).norm() < 1e-9);
    }
}

TEST_CASE("meshes are mirror images of themselves") {
    for (SolidKind kind : {SolidKind::Box, SolidKind::Sphere, SolidKind::Capsule,
                           SolidKind::Cylinder, SolidKind::Torus, SolidKind::Barrel}) {
        CAPTURE(name_of(kind));
        const SurfaceAsset asset = made({.kind = kind, .resolution = 0.06});
        Vec3 sum = Vec3::Zero();
        for (const Vec3& p : asset.surface.points) sum += p;
        sum /= static_cast<double>(asset.surface.points.size());
        if (kind == SolidKind::Barrel) {
            CHECK(std::abs(sum.z()) < 1e-12);  // Its two bungs differ, one at each end of x.
        } else {
            CHECK(sum.norm() < 1e-12);
        }
    }
}

TEST_CASE("a finer resolution never gives fewer points and is met by the edges") {
    for (SolidKind kind : kKinds) {
        CAPTURE(name_of(kind));
        const double longest = natural_size(kind).maxCoeff();
        std::size_t before = 0;
        for (double parts : {8.0, 18.0, 40.0}) {
            const SolidOptions o = {.kind = kind, .resolution = longest / parts};
            const SurfaceAsset asset = made(o);
            CHECK(asset.surface.points.size() > before);
            before = asset.surface.points.size();
            double edge = 0.0;
            for (const Triangle& t : asset.surface.triangles) {
                for (int k = 0; k < 3; ++k) {
                    edge = std::max(
                        edge,
                        (asset.surface.points[t[k]] - asset.surface.points[t[(k + 1) % 3]]).norm());
                }
            }
            // The diagonal of a square whose side was rounded up by half; a car is stretched.
            CHECK(edge < (kind == SolidKind::Car ? 3.0 : 2.5) * o.resolution);
        }
    }
}

TEST_CASE("default resolutions give the promised numbers of points") {
    for (SolidKind kind : kKinds) {
        CAPTURE(name_of(kind));
        const auto count = static_cast<double>(default_of(kind).surface.points.size());
        const double aim = kind == SolidKind::Car ? 10000.0 : 1800.0;
        CHECK(count > 0.7 * aim);
        CHECK(count < 1.4 * aim);
    }
}

TEST_CASE("the resolution that is chosen keeps points few, however long and thin the solid") {
    for (const SolidKind kind : kKinds) {
        for (int axes = 1; axes < 7; ++axes) {
            for (const double length : {50.0, 1e4}) {
                SolidOptions options{.kind = kind, .size = Vec3(1, 1, 1)};
                for (int axis = 0; axis < 3; ++axis) {
                    if (axes >> axis & 1) options.size[axis] = length;
                }
                CAPTURE(name_of(kind));
                CAPTURE(options.size.transpose());
                const Result<SurfaceAsset> solid = make_solid(options);
                if (!solid) continue;  // a capsule that is too low, a car that is none
                CHECK(solid.value().surface.points.size() < 100000);
            }
        }
    }
}

TEST_CASE("the same options give the same bytes") {
    for (const auto& [o, asset] : made_variants()) {
        const std::string kind = name_of(o.kind);
        CAPTURE(kind);
        if (o.kind == SolidKind::Car) continue;  // Below, coarser: it takes longest.
        CHECK(hash_of(made(o)) == hash_of(asset));
    }
    const SolidOptions car = {.kind = SolidKind::Car, .resolution = 0.3};
    CHECK(hash_of(made(car)) == hash_of(made(car)));
}

TEST_CASE("impossible options are refused with the field's name") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (SolidKind kind : kKinds) {
        CAPTURE(name_of(kind));
        const Vec3 size = natural_size(kind);
        for (double bad : {-1.0, 0.0, nan, inf, 1e-9, 1e9}) {
            CAPTURE(bad);
            const Result<SurfaceAsset> result =
                make_solid({.kind = kind, .size = Vec3(size.x(), size.y(), bad)});
            REQUIRE(!result.ok());
            CHECK(result.error().where == "size");
        }
        for (double bad : {-0.1, nan, inf, 1e-5, 1e-300}) {
            CAPTURE(bad);
            const Result<SurfaceAsset> result = make_solid({.kind = kind, .resolution = bad});
            REQUIRE(!result.ok());
            CHECK(result.error().where == "resolution");
        }
    }
    for (SolidKind kind : {SolidKind::Box, SolidKind::Cylinder, SolidKind::Plank}) {
        for (double bad : {-0.1, 0.51, nan, inf}) {
            const Result<SurfaceAsset> result =
                make_solid({.kind = kind, .size = Vec3(1, 1, 1), .rounding = bad});
            REQUIRE(!result.ok());
            CHECK(result.error().where == "rounding");
        }
    }
    for (double bad : {-0.1, 0.0, 0.25, 1.0, nan, inf}) {
        const Result<SurfaceAsset> result =
            make_solid({.kind = SolidKind::Torus, .size = Vec3(1, 1, 1), .tube = bad});
        REQUIRE(!result.ok());
        CHECK(result.error().where == "tube");
    }
    CHECK(!make_solid({.kind = SolidKind::Capsule, .size = Vec3(1, 0.5, 1)}).ok());
    CHECK(!make_solid({.kind = static_cast<SolidKind>(77), .size = Vec3(1, 1, 1)}).ok());
}

TEST_CASE("an edge longer than the body gives its coarsest mesh") {
    for (SolidKind kind : kKinds) {
        CAPTURE(name_of(kind));
        const SurfaceAsset asset = made({.kind = kind, .resolution = 1000.0});
        CHECK(asset.surface.points.size() >= 8);
        CHECK(signed_volume(asset.surface) > 0.0);
    }
}

TEST_CASE("a barrel's lids lie behind its rims and its bungs stand on the upper one") {
    for (double resolution : {0.0, 0.06, 0.03, 0.02, 0.015, 0.011}) {
        CAPTURE(resolution);
        const SurfaceAsset barrel = made({.kind = SolidKind::Barrel, .resolution = resolution});
        CHECK(is_closed(barrel.surface.triangles));
        double lid = -1.0;
        double bung = -1.0;
        for (const Vec3& p : barrel.surface.points) {
            if (std::hypot(p.x(), p.z()) < 0.05) lid = std::max(lid, p.y());
            if (std::hypot(p.x(), p.z()) < 0.24) bung = std::max(bung, p.y());
        }
        CHECK(lid < 0.44 - 0.015);
        CHECK(bung > lid + 0.005);
        CHECK(bung < 0.44);
    }
}

TEST_CASE("a car is alike on both sides, open at its wheel arches and wears all its looks") {
    const SurfaceAsset& car = default_of(SolidKind::Car);
    CHECK(!is_closed(car.surface.triangles));
    std::vector<int> faces(car.render.looks.size(), 0);
    for (std::int32_t look : car.render.triangle_looks) ++faces[look];
    for (std::size_t i = 0; i < faces.size(); ++i) {
        CAPTURE(car.render.looks[i].name);
        CHECK(faces[i] > 0);
    }
    CHECK(car.render.looks[0].name == "paint");
    double left = 0.0;
    double right = 0.0;
    for (const Triangle& t : car.surface.triangles) {
        const Vec3 middle =
            (car.surface.points[t[0]] + car.surface.points[t[1]] + car.surface.points[t[2]]) / 3;
        (middle.x() < 0 ? left : right) += area_vector(car.surface.points, t).norm();
    }
    CHECK(test::near(left, right, 1e-3));
}

TEST_CASE("a car's edges are shared by at most two faces, and those agree in winding") {
    const SurfaceAsset& car = default_of(SolidKind::Car);
    std::vector<std::pair<std::int32_t, std::int32_t>> edges;
    for (const Triangle& t : car.surface.triangles) {
        for (int k = 0; k < 3; ++k) edges.emplace_back(t[k], t[(k + 1) % 3]);
    }
    std::sort(edges.begin(), edges.end());
    CHECK(std::adjacent_find(edges.begin(), edges.end()) == edges.end());
}

TEST_CASE("every kind has a name of its own") {
    const auto names = enum_names(SolidKind::Box);
    CHECK(names.size() == std::size(kKinds) + 1);  // and the blend, which needs parts
    CHECK(name_of(SolidKind::Box) == "box");
    CHECK(name_of(SolidKind::Car) == "car");
}

TEST_CASE("solids of more than a million points are refused with a resolution that fits") {
    for (const SolidKind kind : kKinds) {
        SolidOptions fine{.kind = kind, .resolution = 1e-5};
        const Result<SurfaceAsset> made = make_solid(fine);
        REQUIRE_FALSE(made.ok());
        CHECK(made.error().where == "resolution");
        CHECK(made.error().hint.find("m fits") != std::string::npos);
    }
}

TEST_CASE("a beam has two flanges and a web, however coarse it is") {
    const Vec3 size(0.2, 0.3, 3.0);
    const double wall = kBeamWall * size.x();
    const double section = 2 * wall * size.x() + wall * (size.y() - 2 * wall);
    for (const double resolution : {0.0, 0.02, 0.3, 1.5, 10.0}) {
        CAPTURE(resolution);
        const SurfaceAsset beam =
            made({.kind = SolidKind::Beam, .size = size, .resolution = resolution});
        CHECK(is_closed(beam.surface.triangles));
        CHECK(euler_characteristic(beam.surface) == 2);
        CHECK(test::near(signed_volume(beam.surface), section * size.z(), 1e-9));
        const Box box = bounds(beam.surface.points);
        CHECK((box.upper - 0.5 * size).norm() < 1e-12);
        CHECK((box.lower + 0.5 * size).norm() < 1e-12);
    }
    CHECK(
        made({.kind = SolidKind::Beam, .size = size, .resolution = 1.5}).surface.triangles.size() ==
        92);
    // One that is as low as its flanges are thick still has both.
    const SurfaceAsset low = made({.kind = SolidKind::Beam, .size = Vec3(1.0, 0.1, 1.0)});
    CHECK(is_closed(low.surface.triangles));
}
