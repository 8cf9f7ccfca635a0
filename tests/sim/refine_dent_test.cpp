// SPDX-License-Identifier: MIT
// Bodies that get finer meshes where they are dented.
#include <ductile/core/parallel.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

// Of 92 triangles: two lengths of 32, and 14 at each end.
std::shared_ptr<const BodyShape> refining_beam(std::int32_t budget = 9000) {
    DentOptions options;
    options.refine = {.edges = 3.0, .budget = budget};
    return dentable(solid(SolidKind::Beam, Vec3(0.2, 0.3, 3.0), 1.5), 0.0,
                    find_material("steel").value(), options);
}

// On the upper flange.
DentHit flange_dent(double z) {
    DentHit hit;
    hit.position_b = {0.02, 0.15, z};
    hit.direction_b = {0, -1, 0};
    hit.depth = 0.012;
    hit.radius = 0.06;
    hit.fade = 0.05;
    return hit;
}

struct DentedBeam {
    ScriptedEngine engine;
    Simulation sim{engine, {}};
    std::shared_ptr<const BodyShape> shape;
    ObjectId id;

    explicit DentedBeam(std::int32_t budget = 9000) : shape(refining_beam(budget)) {
        id = sim.add_deformable(body_desc("beam", {}, Vec3::Zero()), shape).value();
    }
    void dent(double z) {
        REQUIRE(sim.schedule_hit(id, sim.time(), 0.0, flange_dent(z)).ok());
        sim.step(0.01);
    }
    std::span<const Vec3> points() const { return sim.state(id).points(); }
};

// How far the surface is off what the dent makes of every place, at most; of its depth.
double off_by(std::span<const Vec3> points, std::span<const Triangle> triangles,
              const DentHit& hit) {
    const SurfaceQuery surface(points, triangles);
    const DentPress press(hit, 1.0);
    double worst = 0.0;
    for (int i = -20; i <= 20; ++i) {
        for (int j = -20; j <= 20; ++j) {
            const Vec3 rest = hit.position_b + hit.radius / 20.0 * Vec3(i, 0, j);
            if (std::abs(rest.x()) > 0.0999) continue;
            const Vec3 pressed = press(rest, rest);
            const SurfacePoint at = surface.first_hit(rest + Vec3(0, 0.1, 0), Vec3(0, -1, 0));
            REQUIRE(at.triangle >= 0);
            worst = std::max(worst, std::abs(at.position.y() - pressed.y()));
        }
    }
    return worst / hit.depth;
}

}  // namespace

TEST_CASE("a coarse beam shows a dent as a dense one would") {
    DentedBeam beam;
    REQUIRE(beam.shape->triangles().size() == 92);
    beam.dent(0.31);
    const BodyShape& fine = beam.sim.state(beam.id).shape();
    CHECK(beam.sim.report().incidents.empty());
    CHECK(beam.sim.report().refinements == 1);
    CHECK(beam.sim.journal(beam.id).hits().size() == 2);
    const double off = off_by(beam.points(), fine.triangles(), flange_dent(0.31));
    MESSAGE("off by ", off, " of the depth, with ", beam.points().size(), " points");
    CHECK(beam.points().size() < 2700);
    CHECK(off < 0.05);
}

TEST_CASE("a finer mesh has the old points to the bit, the new ones on their edges, no gap") {
    DentedBeam beam;
    beam.dent(0.31);
    beam.dent(-0.8);
    beam.dent(0.33);
    const BodyShape& fine = beam.sim.state(beam.id).shape();
    const std::span<const Vec3> coarse = beam.shape->rest();
    CHECK(std::equal(coarse.begin(), coarse.end(), fine.rest().begin()));
    CHECK(is_closed(fine.triangles()));
    std::size_t next = coarse.size();
    double furthest = 0.0;
    for (const MeshSplit& split : fine.splits) {
        for (const MeshEdge& e : split) {
            const Vec3 middle = 0.5 * (fine.rest()[e[0]] + fine.rest()[e[1]]);
            furthest = std::max(furthest, (fine.rest()[next++] - middle).norm());
        }
    }
    CHECK(next == fine.rest().size());
    CHECK(furthest < 1e-12);
    CHECK(test::near(fine.mass.mass, beam.shape->mass.mass, 1e-12));
    // Flat sides stay flat to the light: a drawn corner has its side's normal.
    const RenderMesh& drawn = fine.asset->render;
    double turned = 0.0;
    for (const Triangle& t : drawn.triangles) {
        const Vec3 out = area_vector(drawn.points, t).normalized();
        for (const std::int32_t v : t) turned = std::max(turned, (drawn.normals[v] - out).norm());
    }
    CHECK(turned < 1e-9);
}

TEST_CASE("pieces of the collider stay where a beam is refined, those under a dent follow it") {
    DentedBeam beam;
    const std::vector<ColliderPiece> before = beam.engine.pieces(beam.sim.body(beam.id));
    beam.dent(0.31);
    const std::vector<ColliderPiece> after = beam.engine.pieces(beam.sim.body(beam.id));
    std::vector<std::int32_t> ids;
    std::size_t kept = 0;
    for (const ColliderPiece& piece : after) {
        ids.push_back(piece.id);
        kept += std::any_of(before.begin(), before.end(), [&](const ColliderPiece& p) {
            return p.id == piece.id && p.points == piece.points;
        });
    }
    CHECK(ids == beam.sim.cut(beam.id).active);
    CHECK(kept > 0);
    const BodyShape& fine = beam.sim.state(beam.id).shape();
    const ColliderError error =
        collider_error(fine.pieces, beam.sim.cut(beam.id), beam.points(), fine.triangles());
    CHECK(error.worst() < 0.02 * fine.size);
}

TEST_CASE("a refined beam is replayed to the bit, from its first mesh as from its last") {
    DentedBeam beam;
    beam.dent(0.31);
    beam.dent(-0.8);
    const BodyShape& fine = beam.sim.state(beam.id).shape();
    const Journal& journal = beam.sim.journal(beam.id);
    const auto replayed = refined_shape(beam.shape, journal).value();
    const std::vector<Vec3> points = shape_at(*replayed, journal, beam.sim.time());
    CHECK(std::equal(points.begin(), points.end(), beam.points().begin(), beam.points().end()));
    REQUIRE(replayed->pieces.pieces.size() == fine.pieces.pieces.size());
    for (std::size_t i = 0; i < fine.pieces.pieces.size(); ++i) {
        CHECK(replayed->pieces.pieces[i].tracked == fine.pieces.pieces[i].tracked);
        CHECK(replayed->pieces.pieces[i].children == fine.pieces.pieces[i].children);
    }
    // A saved game.
    DentedBeam other;
    other.dent(1.1);
    other.dent(1.2);
    REQUIRE(other.sim.restore_journal(other.id, journal).ok());
    CHECK(std::equal(points.begin(), points.end(), other.points().begin(), other.points().end()));
    std::vector<std::int32_t> ids;
    for (const ColliderPiece& piece : other.engine.pieces(other.sim.body(other.id))) {
        ids.push_back(piece.id);
    }
    CHECK(ids == other.sim.cut(other.id).active);
}

TEST_CASE("dents and finer meshes can be taken out of a beam, in any order") {
    DentedBeam beam;
    beam.dent(0.31);
    beam.dent(-0.8);
    const std::vector<std::int64_t> meshes = mesh_hits(beam.sim.journal(beam.id));
    REQUIRE(meshes.size() == 2);
    REQUIRE(beam.sim.remove_hit(beam.id, meshes[0]));
    beam.sim.step(0.01);
    const auto replayed = refined_shape(beam.shape, beam.sim.journal(beam.id)).value();
    const std::vector<Vec3> points =
        shape_at(*replayed, beam.sim.journal(beam.id), beam.sim.time());
    CHECK(std::equal(points.begin(), points.end(), beam.points().begin(), beam.points().end()));
    std::vector<std::int64_t> rest;
    for (const Hit& hit : beam.sim.journal(beam.id).hits()) rest.push_back(hit.id);
    for (const std::int64_t id : rest) REQUIRE(beam.sim.remove_hit(beam.id, id));
    beam.sim.step(0.01);
    CHECK(std::equal(beam.points().begin(), beam.points().end(), beam.shape->rest().begin(),
                     beam.shape->rest().end()));
    CHECK(beam.sim.report().incidents.empty());
}

TEST_CASE("a beam gets no more points than its budget, and the report says once that it is full") {
    DentedBeam beam(150);
    for (const double z : {-1.1, -0.5, 0.1, 0.7, 1.2}) beam.dent(z);
    CHECK(beam.points().size() <= beam.shape->rest().size() + 150);
    CHECK(is_closed(beam.sim.state(beam.id).shape().triangles()));
    std::size_t full = 0;
    for (const Incident& incident : beam.sim.report().incidents) {
        full += incident.what.find("refine.budget") != std::string::npos;
    }
    CHECK(full == 1);
}

TEST_CASE(
    "a ball dents a refining beam alike on any number of threads, and its film has one mesh") {
    const auto shape = refining_beam();
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        const auto engine = BulletEngine::make();
        Simulation sim(*engine, {.exaggerate = 4.0});
        const ObjectId id = sim.add_deformable(body_desc("beam", {}, Vec3::Zero()), shape).value();
        REQUIRE(sim.add_rigid(ball_desc(0.1, 7800.0, {0.02, 0.26, 0.3}, {0, -12, 0}), 0.35).ok());
        Recorder recorder(60.0);
        recorder.watch(id, "beam", shape->asset, false);
        recorder.capture(sim);
        for (int i = 0; i < 12; ++i) {
            sim.step(1.0 / 240);
            recorder.capture(sim);
        }
        CHECK(sim.report().refinements > 0);
        CHECK(sim.report().incidents.empty());
        const Journal& journal = sim.journal(id);
        const auto replayed = refined_shape(shape, journal).value();
        const std::vector<Vec3> points = shape_at(*replayed, journal, sim.time());
        CHECK(std::equal(points.begin(), points.end(), sim.state(id).points().begin(),
                         sim.state(id).points().end()));
        const std::uint64_t hash = sim.state(id).hash();
        const Recording film = std::move(recorder).finish(sim);
        for (const std::vector<Vec3>& frame : film.bodies[0].shapes) {
            CHECK(frame.size() == film.bodies[0].asset->surface.points.size());
        }
        return hash;
    };
    const std::uint64_t one = run(1);
    CHECK(run(2) == one);
    CHECK(run(8) == one);
}
