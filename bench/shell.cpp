// SPDX-License-Identifier: MIT
// What an impact on a metal shell costs: sub-shells and control points against springs between all
// vertices (the seed's own way), moving points against copying what that reads, and whole steps of
// a simulation in which all points move.
//
//     bench_shell [cells]
#include <ductile/core/parallel.h>
#include <ductile/deform/shell/shell_deformer.h>
#include <ductile/deform/shell/shell_solve.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/surface_follower.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

using namespace ductile;

double seconds_of(const auto& work) {
    double best = kInfinity;
    for (int k = 0; k < 3; ++k) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return best;
}

TriMesh sheet_of(int cells) {
    TriMesh mesh;
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            mesh.points.emplace_back(2.0 * i / cells - 1.0, 0.0, 1.0 - 2.0 * j / cells);
        }
    }
    const auto at = [&](int i, int j) { return j * (cells + 1) + i; };
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

// The front of a ball of radius 0.25 over the middle, as a mesh of its lower half would be.
TriMesh ball_of(double radius, int rings) {
    TriMesh mesh;
    const int around = 2 * rings;
    mesh.points.emplace_back(0, -radius, 0);
    for (int r = 1; r <= rings; ++r) {
        const double tilt = 0.5 * kPi * r / rings;
        for (int s = 0; s < around; ++s) {
            const double turn = 2 * kPi * s / around;
            mesh.points.push_back(radius * Vec3(std::sin(tilt) * std::cos(turn), -std::cos(tilt),
                                                std::sin(tilt) * std::sin(turn)));
        }
    }
    const auto at = [&](int r, int s) { return r == 0 ? 0 : 1 + (r - 1) * around + s % around; };
    for (int r = 0; r < rings; ++r) {
        for (int s = 0; s < around; ++s) {
            mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
            if (r > 0) mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
        }
    }
    return mesh;
}

/// Springs along all edges, swept in order (equation 6, both ends alike), what the ball meets held
/// before it and the sheet's border held, until a thousand sweeps more move no point by 1 % of the
/// depth.
struct SweptSprings {
    int sweeps = 0;
    double seconds = 0.0;
};
SweptSprings sweep_springs(const TriMesh& mesh, const ShellRig& rig, const ShellLoad& load) {
    std::vector<double> rest;
    for (const MeshEdge& e : rig.edges) {
        rest.push_back((mesh.points[e[0]] - mesh.points[e[1]]).norm());
    }
    std::vector<Vec3> p = mesh.points, before = p;
    std::vector<std::uint8_t> is_held(p.size(), 0);
    for (std::size_t v = 0; v < p.size(); ++v) {
        is_held[v] = std::max(std::abs(p[v].x()), std::abs(p[v].z())) > 0.999;
    }
    SweptSprings out;
    const auto start = std::chrono::steady_clock::now();
    constexpr int kMostSweeps = 20000, kBetween = 100;
    while (out.sweeps < kMostSweeps) {
        for (std::size_t v = 0; v < p.size(); ++v) {
            const double gap = load.striker.gap(p[v], load.depth);
            if (gap < 0) p[v] -= gap * load.striker.direction();
        }
        for (std::size_t e = 0; e < rest.size(); ++e) {
            const auto a = std::size_t(rig.edges[e][0]), b = std::size_t(rig.edges[e][1]);
            const double free = 2.0 - is_held[a] - is_held[b];
            if (!(free > 0)) continue;
            const Vec3 apart = p[a] - p[b];
            const double length = apart.norm();
            const Vec3 back = (rest[e] - length) / (length * free) * apart;
            if (!is_held[a]) p[a] += back;
            if (!is_held[b]) p[b] -= back;
        }
        if (++out.sweeps % kBetween != 0) continue;
        double most = 0.0;
        for (std::size_t v = 0; v < p.size(); ++v) most = std::max(most, (p[v] - before[v]).norm());
        before = p;
        // What is left of a change that decays by the same share again and again.
        if (most * 10.0 < 0.01 * load.depth) break;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    out.seconds = took.count();
    return out;
}

/// A ball that rests on the sheet and comes in from above.
StrikerMap striker_above(const TriMesh& mesh, const SurfaceQuery& ball, double radius) {
    BodyImpact impact;
    impact.point_b = Vec3(0.1, 0, 0.05);
    impact.starts_b = {impact.point_b};
    impact.velocity_b = Vec3(0, -10, 0);
    impact.other_surface = &ball;
    impact.other_to_body.translation = Vec3(0.1, radius, 0.05);
    StrikerMap striker(impact, -Vec3::UnitY(), bounds(mesh.points), 2.83);
    striker.touch(mesh.points, 0.05);
    return striker;
}

/// What an impact costs by how many points it touches: larger and larger balls.
void bench_contacts(int cells) {
    const TriMesh mesh = sheet_of(cells);
    const ShellOptions options;
    const ShellRig rig = make_shell_rig({mesh.points, mesh.triangles, {}}, options).value();
    for (const double radius : {0.05, 0.1, 0.2, 0.4, 0.8}) {
        const TriMesh ball = ball_of(radius, 24);
        const SurfaceQuery surface(ball.points, ball.triangles);
        const ShellLoad load{striker_above(mesh, surface, radius), 0.1, {}};
        const auto touched =
            std::count_if(mesh.points.begin(), mesh.points.end(),
                          [&](const Vec3& p) { return load.striker.gap(p, load.depth) < 0; });
        const double solve = seconds_of([&] {
            (void)solve_shell(rig, {mesh.points, mesh.points}, std::span(&load, 1), options);
        });
        fmt::print("{} vertices, {:>5} of them in contact, 0.1 m deep: {:.1f} ms\n",
                   mesh.points.size(), touched, 1e3 * solve);
    }
}

void bench(int cells) {
    const TriMesh mesh = sheet_of(cells), ball = ball_of(0.25, 24);
    const SurfaceQuery ball_surface(ball.points, ball.triangles);
    const ShellOptions options;
    ShellRig rig;
    const double prepare = seconds_of([&] {
        rig = make_shell_rig({mesh.points, mesh.triangles, {}}, options).value();
    });
    fmt::print("{} vertices, {} sub-shells, {} control points: rig {:.1f} ms\n", mesh.points.size(),
               rig.shells.size(), rig.control_rest.size(), 1e3 * prepare);
    const StrikerMap striker = striker_above(mesh, ball_surface, 0.25);
    const ShellLoad load{striker, 0.2, {}};
    ShellSolution solved;
    const double solve = seconds_of([&] {
        solved = solve_shell(rig, {mesh.points, mesh.points}, std::span(&load, 1), options);
    });
    const SweptSprings springs = sweep_springs(mesh, rig, load);
    fmt::print(
        "one impact, 0.2 m deep: {:.1f} ms; springs on all vertices: {:.0f} ms ({} sweeps); "
        "ratio 1/{:.0f}\n",
        1e3 * solve, 1e3 * springs.seconds, springs.sweeps, springs.seconds / solve);

    std::vector<Vec3> points = mesh.points, copy = mesh.points;
    constexpr int kTimes = 50;
    const double move = seconds_of([&] {
        for (int k = 0; k < kTimes; ++k) {
            for (std::size_t v = 0; v < points.size(); ++v) {
                points[v] += 1e-3 * point_shift(rig.rows[v], solved.shift);
            }
        }
    });
    std::vector<ControlWeight> weights = rig.rows.entries;
    const double copied = seconds_of([&] {
        for (int k = 0; k < kTimes; ++k) {
            std::memcpy(weights.data(), rig.rows.entries.data(),
                        weights.size() * sizeof(ControlWeight));
            std::copy(points.begin(), points.end(), copy.begin());
        }
    });
    const double per_point = 1e9 / (kTimes * double(points.size()));
    fmt::print(
        "moving all points: {:.1f} ns a point; copying what it reads: {:.1f}; ratio {:.1f} "
        "(check {:.6f})\n",
        per_point * move, per_point * copied, move / copied, points[points.size() / 2].y());
}

double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// An impact on its way that moves every control point, and so every point, in every step.
void bench_steps(int cells) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = sheet_of(cells);
    const auto made =
        make_body_shape(asset, {.material = find_material("steel").value(), .thickness = 0.002},
                        {make_shell_deformer(ShellOptions{})});
    if (!made) {
        fmt::print(stderr, "{}\n", made.error().text());
        std::exit(1);
    }
    const std::shared_ptr<const BodyShape>& shape = made.value();
    ShellHit hit;
    hit.depth = 0.2;
    for (const Vec3& rest : shape->data<ShellRig>()->control_rest) {
        const double away = rest.norm();
        hit.moves.push_back({rest, Vec3(0, -0.2 * std::exp(-4.0 * away * away), 0)});
    }
    constexpr int kSteps = 60;
    Journal journal;
    journal.add(0.0, 1.0, hit);
    BodyState state(shape);
    const SimOptions options;
    SurfaceFollower follower(shape, 0.1 * options.fill_tolerance * shape->size);
    SurfaceQuery query(shape->rest(), shape->triangles());
    std::vector<double> fold, follow, tree, whole;
    std::size_t moved = shape->rest().size();
    for (int k = 1; k < kSteps; ++k) {
        double at = processor_ms();
        const auto stage = [&](std::vector<double>& times) {
            const double now = processor_ms();
            times.push_back(now - at);
            at = now;
        };
        (void)state.update(journal, k / 60.0);
        stage(fold);
        follower.follow(state.points(), state.unskinned(), state.frames(), state.touched());
        stage(follow);
        query.refit(state.points());
        stage(tree);
        moved = std::min(moved, state.touched().size());
    }
    const auto engine = BulletEngine::make({});
    Simulation sim(*engine, options);
    const ObjectId id = sim.add_deformable({}, shape).value();
    (void)sim.schedule_hit(id, 0.0, 1.0, hit);
    sim.step(1.0 / 60.0);
    for (int k = 1; k < kSteps; ++k) {
        const double from = processor_ms();
        sim.step(1.0 / 60.0);
        whole.push_back(processor_ms() - from);
    }
    fmt::print(
        "a step with all points moving, {} to {} of them: the layer {:.2f} ms, normals and mass "
        "{:.2f} ms, closest-point tree {:.2f} ms; with collider and engine {:.2f} ms (goal 12 for "
        "26,500), {} pieces, state {:016x}\n",
        moved, shape->rest().size(), median(fold), median(follow), median(tree), median(whole),
        sim.cut(id).active.size(), sim.state_hash());
}

}  // namespace

int main(int argc, char** argv) {
    const ThreadLimit one_thread(1);
    const int asked = argc > 1 ? std::atoi(argv[1]) : 0;
    const std::vector<int> sizes =
        asked > 0 ? std::vector<int>{std::max(4, asked)} : std::vector<int>{104, 162};
    for (const int cells : sizes) bench_steps(cells);
    for (const int cells : sizes) bench_contacts(cells);
    for (const int cells : sizes) bench(cells);
    return 0;
}
