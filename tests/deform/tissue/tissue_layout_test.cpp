// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_options.h>
#include <ductile/deform/tissue/tissue_skin.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/solids/solids.h>

#include "test_coats.h"
#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

TriMesh round_bone(double radius) { return sphere_mesh(radius, 3); }

}  // namespace

TEST_CASE("the box layout has corners, edges and faces, and groups of one more than asked for") {
    TissueOptions options;
    for (const std::int32_t per_edge : {2, 3, 4, 5}) {
        options.per_edge = per_edge;
        const TissueRig rig = box_coat(options);
        const auto inner = static_cast<std::size_t>(std::max(0, per_edge - 2));
        const auto all = static_cast<std::size_t>(per_edge * per_edge * per_edge);
        CHECK(rig.size() == 2 * (all - inner * inner * inner));
        CHECK(2 * rig.group_count() == rig.size());
        CHECK(rig.ties.size() == rig.group_count());
        for (std::size_t g = 0; g < rig.group_count(); ++g) CHECK(rig.group(g).size() == 6);
        // No ellipsoid reaches beyond the skin, and some touch it.
        double farthest = 0.0;
        for (std::size_t i = 0; i < rig.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                const double reach = ellipsoid_reach(rig.shapes[i], Vec3::Unit(k));
                farthest = std::max(farthest, std::abs(rig.places[i][k]) + reach);
            }
        }
        CHECK(test::near(farthest, 0.02, 1e-9));
    }
}

TEST_CASE("Poisson disks keep their distance and leave no hole") {
    const TriMesh bone = round_bone(0.05);
    const double spacing = 0.012;
    const SurfaceSamples samples = poisson_samples(bone, spacing, 7);
    REQUIRE(samples.places.size() > 50);
    for (std::size_t i = 0; i < samples.places.size(); ++i) {
        CHECK(samples.normals[i].dot(samples.places[i].normalized()) > 0.95);
        for (std::size_t k = 0; k < i; ++k) {
            CHECK((samples.places[i] - samples.places[k]).norm() >= spacing);
        }
    }
    for (const Vec3& p : bone.points) {
        double nearest = 1.0;
        for (const Vec3& q : samples.places) nearest = std::min(nearest, (p - q).norm());
        CHECK(nearest < 1.5 * spacing);
    }
    CHECK(poisson_samples(bone, spacing, 7).places == samples.places);
}

TEST_CASE("layers run from the bone out to the thickness or to a given skin") {
    const TriMesh bone = round_bone(0.05), skin = round_bone(0.08), small = round_bone(0.03);
    TissueOptions options;
    options.thickness = 0.02;
    options.layers = 2;
    const auto columns = surface_columns(bone, options, nullptr).value();
    const TissueRig rig = rig_of_columns(columns, options, {.coat = 0.5, .bone = 1.0}).value();
    CHECK(rig.size() == 3 * columns.size());
    double mass = 0.0;
    for (std::size_t i = 0; i < rig.size(); ++i) {
        const double height = rig.places[i].norm();
        CHECK(height < 0.071);
        CHECK((rig.attached[i] != 0) == (height < 0.0501));
        if (!rig.attached[i]) mass += rig.masses[i];
    }
    CHECK(test::near(mass, 0.5));
    const auto reaching = surface_columns(bone, options, &skin).value();
    for (const TissueColumn& c : reaching) {
        CHECK(test::near(c.tip.norm() + c.height, 0.08, 0.02));
    }
    CHECK_FALSE(surface_columns(bone, options, &small));
    CHECK_FALSE(surface_columns(TriMesh{}, options, nullptr));
    options.spacing = 1e-5;
    CHECK_FALSE(surface_columns(bone, options, nullptr));
}

TEST_CASE("no particle sticks out of the skin, around edges, thin plates and spikes") {
    const auto box = [](const Vec3& size) {
        return make_solid({.kind = SolidKind::Box, .size = size, .rounding = 0.0}).value().surface;
    };
    TriMesh spike = round_bone(0.05);
    for (Vec3& p : spike.points) p.y() *= p.y() > 0.04 ? 3.0 : 0.3;
    const TriMesh bones[] = {box(Vec3::Constant(0.06)), box(Vec3(0.2, 0.004, 0.2)),
                             box(Vec3(0.02, 0.3, 0.02)), round_bone(0.05), spike};
    Rng rng(3);
    for (const TriMesh& bone : bones) {
        const SurfaceQuery query(bone.points, bone.triangles);
        for (const double thickness : {0.002, 0.01, 0.04}) {
            CAPTURE(thickness);
            TissueOptions options;
            options.thickness = thickness;
            const auto columns = surface_columns(bone, options, nullptr).value();
            const TissueRig rig = rig_of_columns(columns, options, {.coat = 0.5}).value();
            double furthest = 0.0, widest = 0.0;
            for (std::size_t i = columns.size(); i < rig.size(); ++i) {
                for (int k = 0; k < 40; ++k) {
                    const Vec3 way(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
                    const Vec3 at =
                        rig.places[i] + ellipsoid_support(rig.shapes[i], way.normalized());
                    furthest = std::max(furthest, query.closest_point(at).distance);
                }
                widest = std::max(widest, columns[i - columns.size()].width);
            }
            CHECK(furthest < 1.05 * thickness);
            CHECK(furthest > 0.9 * thickness);
            CHECK(widest > 0.2 * thickness);
        }
    }
}

TEST_CASE("a coat that cannot be is refused with a message") {
    TissueRig rig = box_coat();
    CHECK(check_tissue(rig).ok());
    CHECK_FALSE(check_tissue(TissueRig{}).ok());
    TissueRig fixed = rig;
    for (auto& is_attached : fixed.attached) is_attached = 1;
    CHECK_FALSE(check_tissue(fixed).ok());
    TissueRig weightless = rig;
    weightless.masses[3] = 0.0;
    CHECK_FALSE(check_tissue(weightless).ok());
    rig.members[0] = 1000;
    CHECK_FALSE(check_tissue(rig).ok());
}

TEST_CASE("the skin lies at rest where it was bound, and goes along as a whole") {
    const TissueRig rig = box_coat();
    const TriMesh surface = round_bone(0.02);
    const TissueSkin skin(surface.points, rig);
    const BodyMoment bone = test_bone(Vec3::Zero(), Vec3::Zero());
    const TissueBody coat(std::make_shared<TissueRig>(rig), bone);
    const std::vector<Vec3> points = skin.points(coat, bone.pose_w);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK((points[i] - surface.points[i]).norm() < 1e-14);
    }
}

TEST_CASE("a surface moved outwards keeps its distance everywhere, and is as even as it was") {
    const TriMesh bone = round_bone(0.03);
    for (const double thickness : {0.005, 0.03}) {
        const std::vector<Vec3> skin = offset_points(bone, thickness);
        REQUIRE(skin.size() == bone.points.size());
        for (const Vec3& p : skin) {
            CHECK(test::near(p.norm(), 0.03 + thickness, 0.01));
        }
        const double wider = (0.03 + thickness) / 0.03;
        CHECK(test::near(mean_edge_length(skin, bone.triangles),
                         wider * mean_edge_length(bone.points, bone.triangles), 0.03));
    }
}

TEST_CASE("a coarse plate's skin encloses it, with the room that round edges leave") {
    const Vec3 size(0.118, 0.0113, 0.154);
    const double t = 0.0059;
    SolidOptions plate;
    plate.kind = SolidKind::Plate;
    plate.size = size;
    plate.resolution = 0.025;
    const TriMesh bone = make_solid(plate).value().surface;
    const std::vector<Vec3> skin = offset_points(bone, t);
    const double room = swept_volume(bone.points, skin, bone.triangles);
    CHECK(test::near(room, volume(skin, bone.triangles) - volume(bone.points, bone.triangles)));
    const double faces = 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
    const double whole = faces * t + kPi * size.sum() * t * t + 4.0 / 3.0 * kPi * t * t * t;
    CHECK(room > 0.8 * whole);
    CHECK(room < whole);
}

TEST_CASE("a coat on an open sheet has the room of its area times its height") {
    const std::vector<Vec3> sheet = {{5, 1, 0}, {7, 1, 0}, {5, 1, -3}};
    const std::vector<Vec3> raised = {{5, 1.5, 0}, {7, 1.5, 0}, {5, 1.5, -3}};
    CHECK(test::near(swept_volume(sheet, raised, std::vector<Triangle>{{0, 1, 2}}), 1.5));
}
TEST_CASE("a layer has about 60 particles where nothing else is said") {
    for (const SolidKind kind : {SolidKind::Box, SolidKind::Sphere, SolidKind::Capsule,
                                 SolidKind::Torus, SolidKind::Barrel}) {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            TissueOptions options;
            options.seed = seed;
            const TriMesh bone = make_solid({.kind = kind}).value().surface;
            const std::size_t count = surface_columns(bone, options, nullptr).value().size();
            CHECK(count > 50);
            CHECK(count < 72);
        }
    }
}
