// SPDX-License-Identifier: MIT
// What one dent costs on a body of 35,000 points and on one of 350,000 with edges as long: the same
// dents, stage by stage, against doing each stage for the whole body as one would without an index.
// Medians over dents at different places, in one thread; the ratios count. The last lines are whole
// steps of a simulation; the hashes say that both ways come to the same surface. Then whole
// impacts: a ball strikes, and its map of 100 x 100 samples is drawn, broadened, smoothed, guarded
// and pressed.
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/core/rng.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/surface_follower.h>

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

using namespace ductile;

namespace {

constexpr int kDents = 25;
constexpr double kEdge = 0.02;  // [m]

// Of this thread: what others do at the same time does not count.
double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Timing {
    std::vector<double> ms;

    template <class Work>
    void take(Work&& work) {
        const double begin = processor_ms();
        work();
        ms.push_back(processor_ms() - begin);
    }
    double median() {
        std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
        return ms[ms.size() / 2];
    }
};

// An octahedron of `cuts` edges a side, blown up to a ball with waves on it: 4 cuts^2 + 2 points.
TriMesh bumpy_ball(int cuts) {
    TriMesh mesh;
    const double radius = kEdge * cuts * 2.0 / kPi;
    std::vector<std::vector<std::int32_t>> rows;
    for (int j = -cuts; j <= cuts; ++j) {
        const int around = std::max(1, 4 * (cuts - std::abs(j)));
        std::vector<std::int32_t>& row = rows.emplace_back();
        for (int i = 0; i < around; ++i) {
            const double u = 2 * kPi * i / around, v = 0.5 * kPi * j / cuts;
            const Vec3 n(std::cos(v) * std::cos(u), std::sin(v), -std::cos(v) * std::sin(u));
            const double wave = std::sin(9 * n.x()) * std::sin(11 * n.y()) * std::sin(7 * n.z());
            row.push_back(static_cast<std::int32_t>(mesh.points.size()));
            mesh.points.push_back(radius * (1.0 + 0.02 * wave) * n);
        }
    }
    for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
        const bool grows = rows[j + 1].size() > rows[j].size();
        const std::vector<std::int32_t>&small = grows ? rows[j] : rows[j + 1],
              &large = grows ? rows[j + 1] : rows[j];
        const auto side = static_cast<int>(large.size() / 4);
        for (int q = 0; q < 4; ++q) {
            for (int k = 0; k < side; ++k) {
                const auto at = [&](const std::vector<std::int32_t>& row, int per_side, int i) {
                    const int count = static_cast<int>(row.size());
                    return row[count == 1 ? 0 : (q * per_side + i) % count];
                };
                const std::int32_t a = at(large, side, k), b = at(large, side, k + 1);
                const std::int32_t c = at(small, side - 1, k);
                mesh.triangles.push_back(grows ? Triangle{a, c, b} : Triangle{a, b, c});
                if (k + 1 == side) continue;
                const std::int32_t d = at(small, side - 1, k + 1);
                mesh.triangles.push_back(grows ? Triangle{c, d, b} : Triangle{c, b, d});
            }
        }
    }
    return mesh;
}

DentHit some_dent(Rng& rng, const BodyShape& shape, double reach) {
    DentHit hit;
    const Vec3 from{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    hit.direction_b = -from.normalized();
    hit.position_b = -0.5 * shape.size / std::sqrt(3.0) * hit.direction_b;
    hit.radius = reach;
    hit.depth = 0.25 * reach;
    return hit;
}

enum Stage { Press, Mass, Normals, Pieces, Query, kStages };
constexpr std::array<std::string_view, kStages> kNames = {
    "press", "mass", "normals", "pieces touched and dented", "refit of the closest-point tree"};

struct Costs {
    std::array<double, kStages> ours{}, whole_body{};
    double refine = 0.0, step = 0.0, points_moved = 0.0;
};

Costs run(const std::shared_ptr<const BodyShape>& shape, double reach) {
    std::array<Timing, kStages> ours, rival;
    Timing refine, steps;
    const double tolerance = SimOptions{}.fill_tolerance * shape->size;
    double moved_sum = 0.0;

    BodyState state(shape);
    SurfaceFollower follower(shape, 0.1 * tolerance);
    MassSums sums = *shape->rest_sums;
    SurfaceQuery query(shape->rest(), shape->triangles());
    PieceCut cut{shape->pieces.top};
    Journal journal;
    std::vector<Vec3> all(shape->rest().begin(), shape->rest().end()), all_normals;
    std::vector<std::int32_t> touched;
    volatile double sink = 0.0;
    Rng rng(1);
    for (int i = 0; i < kDents; ++i) {
        const DentHit hit = some_dent(rng, *shape, reach);
        journal.add(0.0, 0.0, hit);
        ours[Press].take([&] { (void)state.update(journal, 0.0); });
        const std::span<const Vec3> points = state.points();
        moved_sum += static_cast<double>(state.touched().size());
        follower.follow(points, state.unskinned(), state.frames(), state.touched());
        const std::span<const std::int32_t> around = follower.touched_triangles();
        ours[Mass].take([&] {
            sums.update(points, around);
            sink = sums.properties(1.0).value().mass;
        });
        std::vector<std::int32_t> turned;
        std::vector<Vec3> normals(follower.normals().begin(), follower.normals().end());
        IndexSet set(points.size());
        ours[Normals].take([&] {
            for (const std::int32_t f : around) {
                for (const std::int32_t v : shape->triangles()[f]) set.insert(v);
            }
            set.take(turned);
            update_normals(points, shape->triangles(), shape->vertex_faces, turned, normals);
        });
        ours[Pieces].take([&] {
            touched = pieces_holding(shape->pieces, shape->vertex_pieces, cut, state.touched());
        });
        ours[Query].take([&] { query.refit(points, around); });

        const std::vector<Vec3> before = all;
        std::vector<Vec3> scratch(all.size());
        rival[Press].take([&] {
            scratch = all;
            press_dent(scratch, shape->rest(), hit, 1.0);
            std::size_t differ = 0;
            for (std::size_t v = 0; v < all.size(); ++v) differ += scratch[v] != all[v];
            all.swap(scratch);
            sink = static_cast<double>(differ);
        });
        rival[Mass].take([&] { sink = shape->mass_of(all).value().mass; });
        rival[Normals].take([&] { all_normals = vertex_normals(all, shape->triangles()); });
        rival[Pieces].take([&] {
            std::size_t count = 0;
            for (const std::int32_t piece : cut.active) {
                const std::vector<std::int32_t>& held = shape->pieces.pieces[piece].vertices;
                count += std::any_of(held.begin(), held.end(),
                                     [&](std::int32_t v) { return all[v] != before[v]; });
            }
            for (std::size_t v = 0; v < all.size(); ++v) {
                count += (all[v] - shape->rest()[v]).norm() > 0.1 * tolerance;
            }
            sink = static_cast<double>(count);
        });
        rival[Query].take([&] { query.refit(all); });

        const SurfaceChange since{state.boxes(), follower.dented(), follower.changed(),
                                  follower.ever_changed()};
        refine.take([&] {
            refine_cut(shape->pieces, shape->vertex_pieces, points, follower.normals(), since,
                       tolerance, SimOptions{}.piece_budget, cut);
        });
        follower.forget_changes();
    }
    Hasher whole;
    whole.add(std::span<const Vec3>(all));
    fmt::print("  surface {:016x}, for the whole body {:016x}\n", state.hash(), whole.value());

    ScriptedEngine engine;
    Simulation sim(engine, {});
    const ObjectId id = sim.add_deformable({}, shape).value();
    Rng again(1);
    for (int i = 0; i < kDents; ++i) {
        (void)sim.schedule_hit(id, sim.time(), 0.0, some_dent(again, *shape, reach));
        steps.take([&] { sim.step(0.01); });
    }
    Costs costs;
    for (int s = 0; s < kStages; ++s) {
        costs.ours[s] = ours[s].median();
        costs.whole_body[s] = rival[s].median();
    }
    costs.refine = refine.median();
    costs.step = steps.median();
    costs.points_moved = moved_sum / kDents;
    return costs;
}

struct ImpactCosts {
    double step = 0.0, rest = 0.0, points_moved = 0.0;
    std::int32_t columns = 0, rows = 0;
};

// Balls of 0.4 m strike from all sides [m/s]; `rest` is a step in which nothing happens.
ImpactCosts run_impacts(const std::shared_ptr<const BodyShape>& shape, double speed) {
    Timing steps, rests;
    ScriptedEngine engine;
    Simulation sim(engine, {});
    BodyDesc desc;
    desc.name = "ball";
    desc.collider = SphereCollider{0.2};
    desc.mass = sphere_mass(0.2, 7850);
    const ObjectId ball = sim.add_rigid(desc, 1.0).value();
    const ObjectId body = sim.add_deformable({}, shape).value();
    const SurfaceQuery surface(shape->rest(), shape->triangles());
    Rng rng(1);
    ImpactCosts costs;
    for (int i = 0; i < kDents; ++i) {
        const Vec3 out =
            Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}.normalized();
        const Vec3 side = 0.3 * any_perpendicular(out);
        const SurfacePoint struck = surface.first_hit(10.0 * shape->size * out, -out);
        Transform beside;
        beside.translation = struck.position + 0.2 * out;
        engine.set_motion(sim.body(ball), beside, Vec3::Zero(), Vec3::Zero());
        engine.set_motion(sim.body(body), {}, Vec3::Zero(), Vec3::Zero());
        engine.script({.time = sim.time() + 0.005,
                       .a = sim.body(ball),
                       .b = sim.body(body),
                       .point_w = struck.position,
                       .normal_w = -out,
                       .velocity_w = speed * (side - out)});
        steps.take([&] { sim.step(0.01); });
        for (int k = 0; k < 12; ++k) rests.take([&] { sim.step(0.01); });
        costs.points_moved += static_cast<double>(sim.state(body).touched().size()) / kDents;
    }
    for (const Hit& hit : sim.journal(body).hits()) {
        const DentHit& dent = std::get<DentHit>(hit.record);
        if (!dent.map) continue;
        costs.columns = std::max(costs.columns, dent.map->columns());
        costs.rows = std::max(costs.rows, dent.map->rows());
    }
    costs.step = steps.median();
    costs.rest = rests.median();
    return costs;
}

std::shared_ptr<const BodyShape> ball(int cuts) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = bumpy_ball(cuts);
    const double begin = processor_ms();
    DentOptions options;
    options.smoothing = 0.5;
    Result<std::shared_ptr<const BodyShape>> shape =
        make_body_shape(asset, {}, {make_dent_deformer(options)});
    if (!shape) {
        fmt::print("{}\n", shape.error().text());
        std::exit(1);
    }
    fmt::print("{} points, {} triangles, {} pieces on top, prepared in {:.1f} s\n",
               asset->surface.points.size(), asset->surface.triangles.size(),
               shape.value()->pieces.top.size(), 1e-3 * (processor_ms() - begin));
    return std::move(shape).value();
}

void print(std::string_view stage, double small, double large) {
    fmt::print("  {:<34}{:9.3f} ms{:9.3f} ms {:7.2f} x\n", stage, small, large, large / small);
}

}  // namespace

int main(int argc, char** argv) {
    const ThreadLimit one_thread(1);
    const int cuts = argc > 1 ? std::atoi(argv[1]) : 94;
    const auto small = ball(cuts);
    const auto large = ball(static_cast<int>(std::lround(cuts * std::sqrt(10.0))));
    for (const double reach : {0.1, 0.2, 0.4}) {
        fmt::print("dents of radius {} m: {} edges\n", reach, std::lround(reach / kEdge));
        Costs a = run(small, reach), b = run(large, reach);
        fmt::print("  points moved: {:.0f} and {:.0f}\n", a.points_moved, b.points_moved);
        double ours[2] = {a.refine, b.refine}, rival[2] = {a.refine, b.refine};
        for (int s = 0; s < kStages; ++s) {
            print(kNames[s], a.ours[s], b.ours[s]);
            print("  for the whole body", a.whole_body[s], b.whole_body[s]);
            ours[0] += a.ours[s], ours[1] += b.ours[s];
            rival[0] += a.whole_body[s], rival[1] += b.whole_body[s];
        }
        print("refine the collider", a.refine, b.refine);
        print("all stages", ours[0], ours[1]);
        print("  for the whole body", rival[0], rival[1]);
        print("a step of a simulation with a dent", a.step, b.step);
    }
    for (const double speed : {1.5, 10.0, 100.0}) {
        const ImpactCosts a = run_impacts(small, speed), b = run_impacts(large, speed);
        fmt::print("impacts of a ball at {} m/s: maps of {} x {}, {:.0f} and {:.0f} points moved\n",
                   speed, a.columns, a.rows, a.points_moved, b.points_moved);
        print("a step with a whole dent", a.step, b.step);
        print("a step with nothing", a.rest, b.rest);
        fmt::print(
            "  goals: below 2 ms on the smaller body ({}), at most 1.5 x on the larger ({})\n",
            a.step < 2.0 ? "reached" : "missed", b.step < 1.5 * a.step ? "reached" : "missed");
    }
    return 0;
}
