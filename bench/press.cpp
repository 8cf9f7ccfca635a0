// SPDX-License-Identifier: MIT
// Times press beside Tables 1 and 2 of Brunel et al. 2020, on shapes of our own with as many moved
// vertices (D) as the seed's; the working region (W) is what press finds around them by itself.
// "alone" is a frame from two meshes and nothing else. "ready" is one whose bodies are prepared, as
// the seed's are, but without a factor kept from earlier frames; "kept" one of a long animation,
// with such factors: the rigid surface goes back and forth by 1e-3 m a frame. Stages are those of
// kept frames. Also: frames on two threads, and a small contact on a large mesh. Usage: bench_press
// [ROUNDS [ROW]], a row by its name to time it alone.
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_frames.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>

using namespace ductile;

namespace {

constexpr std::array<const char*, 7> kStages = {"i.", "m.", "c.", "p.", "di.", "g.", "de."};
constexpr double kStep = 1e-3;
constexpr double kTurnAfter = 20.37;  // Steps. No whole number: no pose comes twice.

/// Processor time: nobody else's work on the machine counts.
double now_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

TriMesh solid(SolidKind kind, const Vec3& size, double resolution, const Vec3& at,
              const Quat& turn = Quat::Identity()) {
    TriMesh mesh =
        make_solid({.kind = kind, .size = size, .resolution = resolution}).value().surface;
    for (Vec3& p : mesh.points) p = turn * p + at;
    return mesh;
}

TriMesh ball(double diameter, double resolution, const Vec3& at) {
    return solid(SolidKind::Sphere, Vec3::Constant(diameter), resolution, at);
}

TriMesh rod(double diameter, double length, double resolution, const Vec3& at, const Vec3& axis) {
    return solid(SolidKind::Capsule, Vec3(diameter, length, diameter), resolution, at,
                 turn_between(Vec3::UnitY(), axis));
}

/// In the plane y = 0, `side` cells of `edge` m each way, facing up.
TriMesh sheet(int side, double edge) {
    TriMesh mesh;
    for (int j = 0; j <= side; ++j) {
        for (int i = 0; i <= side; ++i) {
            mesh.points.emplace_back(edge * (i - 0.5 * side), 0.0, edge * (0.5 * side - j));
        }
    }
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            const std::int32_t a = j * (side + 1) + i, b = a + side + 1;
            mesh.triangles.push_back({a, a + 1, b + 1});
            mesh.triangles.push_back({a, b + 1, b});
        }
    }
    return mesh;
}

TriMesh together(TriMesh a, const TriMesh& b) {
    const auto first = static_cast<std::int32_t>(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const Triangle& t : b.triangles) {
        a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    return a;
}

struct Row {
    const char* name;    ///< Rigid, soft, as in the seed.
    int seed_w, seed_d;  ///< Vertices.
    double seed_ms;
    TriMesh soft, rigid;
    Vec3 way;  ///< Where the rigid one goes, out of the soft one.
    PressOptions options;
};

std::vector<Row> rows() {
    const auto up = Vec3::UnitY();
    const auto slab = [&](double depth) {
        return solid(SolidKind::Box, Vec3(3, 1, 3), 0.5, Vec3(0, depth - 0.5, 0));
    };
    const auto on_slab = [&](double r) { return ball(1.0, r, Vec3(0, 0.5, 0)); };
    const auto teeth = [&](double r) {
        return together(
            together(ball(0.16, r, Vec3(-0.3, 0.92, 0)), ball(0.16, r, Vec3(0, 1.05, 0))),
            ball(0.16, r, Vec3(0.3, 0.92, 0)));
    };
    // Extents are what gives as many moved vertices as the seed's.
    const PressOptions rods{.stiffness = 0.08, .extent = 0.35},
        comb{.stiffness = 0.05, .extent = 0.2}, ball_of_1{.stiffness = 0.25, .extent = 0.6};
    std::vector<Row> all;
    const auto add_rods = [&](const char* name, int w, int d, double ms, double r,
                              const Vec3& axis) {
        all.push_back({name, w, d, ms, rod(0.4, 1.4, r, Vec3::Zero(), Vec3::UnitX()),
                       rod(0.4, 1.4, r, Vec3(0.01, 0.3, 0.02), axis), up, rods});
    };
    add_rods("caps, caps crossed", 3028, 2608, 50.8, 0.0165, Vec3::UnitZ());
    add_rods("caps, vertical caps", 1465, 1120, 18.9, 0.0255, Vec3::UnitZ());
    add_rods("caps, caps parallel", 3028, 1913, 29.7, 0.022, Vec3::UnitX());
    add_rods("vertical caps, caps", 3028, 875, 23.4, 0.0285, Vec3::UnitZ());
    all.push_back({"plane, sphere", 639, 568, 9.93, on_slab(0.063), slab(0.1), -up, ball_of_1});
    all.push_back({"sphere, plane",
                   1521,
                   1456,
                   16.9,
                   sheet(60, 1.0 / 30),
                   ball(0.6, 0.03, Vec3(0.013, 0.2, 0.007)),
                   up,
                   {.stiffness = 0.3, .extent = 0.55}});
    all.push_back({"small sphere, big sphere", 10183, 9995, 233.1, on_slab(0.0122),
                   ball(0.5, 0.03, Vec3(0.01, 1.15, 0.02)), up, ball_of_1});
    all.push_back({"window, hand", 2314, 1064, 69.1, on_slab(0.046), slab(0.1), -up, ball_of_1});
    all.push_back({"comb, bunny", 35542, 4413, 378.4, on_slab(0.0105), teeth(0.015), up, comb});
    all.push_back({"finger, squid",
                   29871,
                   13144,
                   646.8,
                   on_slab(0.0104),
                   rod(0.2, 0.8, 0.02, Vec3(0.01, 1.32, 0.02), up),
                   up,
                   {.stiffness = 0.1, .extent = 0.6}});
    all.push_back({"ball, torso", 529, 407, 6.2, on_slab(0.06),
                   ball(0.5, 0.06, Vec3(0.01, 1.15, 0.02)), up, ball_of_1});
    all.push_back(
        {"hand, pillow", 26234, 18612, 728.5, on_slab(0.0105), slab(0.1), -up, ball_of_1});
    all.push_back(
        {"comb, bunny: like W", 35542, 0, 378.4, on_slab(0.0093), slab(0.1), -up, ball_of_1});
    return all;
}

/// Back and forth, so that any number of frames stays in contact.
Transform pose_at(const Row& row, int frame) {
    const double steps = std::abs(std::remainder(frame, 2.0 * kTurnAfter));
    return {Quat::Identity(), kStep * steps * row.way};
}

/// Of one round of a row [ms].
struct Times {
    std::vector<double> alone, ready, kept;
    std::array<std::vector<double>, kStages.size()> stages;
};

void time_kept(const Row& row, const Presser& presser, const PressRigid& rigid, int frame,
               Times& times) {
    std::array<double, kStages.size()> spent{};
    const double start = now_ms();
    double last = start;
    const PressStageCallback on_stage = [&](PressStage stage) {
        spent[static_cast<std::size_t>(stage)] += now_ms() - last;
        last = now_ms();
    };
    const auto pressed = presser.press(row.soft.points, rigid, pose_at(row, frame), on_stage);
    if (!pressed || pressed.value().report.zones == 0) return;  // Short for another reason.
    times.kept.push_back(now_ms() - start);
    for (std::size_t s = 0; s < spent.size(); ++s) times.stages[s].push_back(spent[s]);
}

/// The second frame of a new presser: the first made what does not depend on the frame.
double time_ready(const Row& row, const PressRigid& rigid, int frame) {
    const Presser presser = Presser::make(row.soft, {row.options}).value();
    presser.press(row.soft.points, rigid, pose_at(row, frame)).value();
    const double start = now_ms();
    presser.press(row.soft.points, rigid, pose_at(row, frame + 1)).value();
    return now_ms() - start;
}

void time_row(const Row& row, int rounds) {
    const Presser presser = Presser::make(row.soft, {row.options}).value();
    const PressRigid rigid = PressRigid::make(row.rigid).value();
    const Pressed pressed = presser.press(row.soft.points, rigid).value();
    // Factors are kept once this many vertices were solved for.
    for (std::size_t sum = 0; sum < 3 * row.soft.points.size() && pressed.report.moved_points > 0;
         sum += pressed.report.moved_points) {
        presser.press(row.soft.points, rigid).value();
    }
    Times times;
    bool is_same = true;
    for (int i = 0; i < rounds; ++i) {
        const double start = now_ms();
        const Result<Pressed> alone = press_soft(row.soft, row.rigid, {row.options});
        times.alone.push_back(now_ms() - start);
        is_same = is_same && alone.value().points == pressed.points;
        times.ready.push_back(time_ready(row, rigid, i));
        time_kept(row, presser, rigid, i, times);
    }
    const Pressed again = presser.press(row.soft.points, rigid).value();
    is_same = is_same && again.points == pressed.points;
    Hasher hash;
    hash.add(std::span<const Vec3>(pressed.points));
    fmt::print("{:26}{:>7}{:>7}{:>8}{:>7}", row.name, row.seed_w, row.seed_d,
               pressed.report.working_points, pressed.report.moved_points);
    for (const auto& stage : times.stages) fmt::print("{:>7.2f}", median(stage));
    const double kept = median(times.kept), ready = median(times.ready);
    const double alone = median(times.alone);
    fmt::print("{:>8.2f}{:>8.2f}{:>8.2f}{:>8.1f}{:>7.1f}{:>7.1f}{:>7.1f}  {:016x}{}{}\n", kept,
               ready, alone, row.seed_ms, row.seed_ms / kept, row.seed_ms / ready,
               row.seed_ms / alone, hash.value(), is_same ? "" : "  BITS DIFFER",
               pressed.report.zones > 0 && pressed.report.fallbacks == 0 ? "" : "  NOT PRESSED");
}

/// Wall clock and processor time of an animation on one and on two threads.
void time_threads(const Row& row, int frames) {
    const Presser presser = Presser::make(row.soft, {row.options}).value();
    const PressRigid rigid = PressRigid::make(row.rigid).value();
    std::vector<PressFrame> film(frames);
    for (int i = 0; i < frames; ++i) film[i].rigid_pose = pose_at(row, i);
    std::array<double, 2> best_wall = {1e30, 1e30}, best_cpu = {1e30, 1e30};
    std::array<std::uint64_t, 2> hashes{};
    for (int round = 0; round < 3; ++round) {
        for (int threads = 1; threads <= 2; ++threads) {
            const ThreadLimit limit(threads);
            const auto wall = std::chrono::steady_clock::now();
            const double cpu = now_ms();
            const auto all = press_frames(presser, rigid, film);
            best_cpu[threads - 1] = std::min(best_cpu[threads - 1], now_ms() - cpu);
            const std::chrono::duration<double, std::milli> spent =
                std::chrono::steady_clock::now() - wall;
            best_wall[threads - 1] = std::min(best_wall[threads - 1], spent.count());
            Hasher hash;
            for (const Pressed& p : all.value()) hash.add(std::span<const Vec3>(p.points));
            hashes[threads - 1] = hash.value();
        }
    }
    fmt::print(
        "\n{} frames of \"{}\", best of 3: {:.0f} ms on one thread, {:.0f} ms on two: {:.2f} "
        "times as fast; processor time {:.0f} and {:.0f} ms{}\n",
        frames, row.name, best_wall[0], best_wall[1], best_wall[0] / best_wall[1], best_cpu[0],
        best_cpu[1], hashes[0] == hashes[1] ? "" : "  BITS DIFFER");
}

/// The same contact on sheets of the same edges, of some thousand and of 350,000 vertices.
void time_large(int rounds) {
    std::array<double, 2> ms{};
    for (const bool is_large : {false, true}) {
        const TriMesh soft = sheet(is_large ? 590 : 60, 0.01);
        const Presser presser = Presser::make(soft, {{.stiffness = 0.05, .extent = 0.12}}).value();
        const PressRigid rigid =
            PressRigid::make(ball(0.15, 0.01, Vec3(0.003, 0.05, 0.002))).value();
        std::vector<double> kept;
        Pressed last;
        for (int i = 0; i <= rounds; ++i) {
            const double start = now_ms();
            last = presser.press(soft.points, rigid).value();
            if (i > 0) kept.push_back(now_ms() - start);
        }
        ms[is_large] = median(kept);
        fmt::print("{}{} vertices: {:.2f} ms a kept frame, {} moved of {} solved for\n",
                   is_large ? "" : "\na small contact on a sheet of ", soft.points.size(),
                   ms[is_large], last.report.moved_points, last.report.working_points);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    const std::vector<Row> all = rows();
    {
        const ThreadLimit one(1);
        fmt::print("medians of {} frames, one thread, ms of processor time\n", rounds);
        fmt::print("{:26}{:>7}{:>7}{:>8}{:>7}", "seed's row", "its W", "its D", "W", "D");
        for (const char* stage : kStages) fmt::print("{:>7}", stage);
        fmt::print("{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}{:>7}  hash\n", "kept", "ready", "alone", "seed",
                   "/kept", "/ready", "/alone");
        const std::string_view only = argc > 2 ? argv[2] : "";
        for (const Row& row : all) {
            if (only.empty() || row.name == only) time_row(row, rounds);
        }
        if (!only.empty()) return 0;
        time_large(rounds);
    }
    time_threads(all[all.size() - 2], 16);
    return 0;
}
