// SPDX-License-Identifier: MIT
// What it costs to draw a dent: a skin that follows what moved against one posed as a whole, in the
// same run, with the same bits. Last, a million drawn vertices on a surface of 50,000 points, of
// which 5,000 move, with one thread and with two. Usage: bench_skin [ROUNDS]
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/parallel.h>
#include <ductile/skin/render_skin.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

using namespace ductile;

namespace {

double microseconds_of(const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Pushes the points within `share` of the body's size around one of them a little inwards.
std::vector<std::int32_t> dent(const SurfaceAsset& asset, std::size_t at, double share,
                               std::vector<Vec3>& points) {
    const std::vector<Vec3>& rest = asset.surface.points;
    const double radius = share * bounds(rest).diagonal();
    std::vector<std::int32_t> touched;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const double off = (rest[i] - rest[at]).norm() / radius;
        if (off >= 1.0) continue;
        points[i] -= 0.01 * (1 - off) * rest[at];
        touched.push_back(static_cast<std::int32_t>(i));
    }
    return touched;
}

void compare(const char* name, const SolidOptions& options, double share, int rounds) {
    const auto asset = std::make_shared<const SurfaceAsset>(make_solid(options).value());
    const RenderSkin whole(asset);
    PosedSkin listed(asset), compared(asset);
    std::vector<Vec3> surface = asset->surface.points, points, normals;
    std::vector<double> times[3];
    std::size_t touched_count = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t at = static_cast<std::size_t>(round) * 7919 % surface.size();
        const std::vector<std::int32_t> touched = dent(*asset, at, share, surface);
        touched_count += touched.size();
        times[0].push_back(microseconds_of([&] { whole.pose(surface, points, normals); }));
        times[1].push_back(microseconds_of([&] { compared.update(surface); }));
        times[2].push_back(microseconds_of([&] { listed.update(surface, touched); }));
    }
    double median[3];
    for (int k = 0; k < 3; ++k) {
        std::nth_element(times[k].begin(), times[k].begin() + rounds / 2, times[k].end());
        median[k] = times[k][static_cast<std::size_t>(rounds / 2)];
    }
    const bool is_same = std::equal(points.begin(), points.end(), listed.points().begin()) &&
                         std::equal(normals.begin(), normals.end(), listed.normals().begin()) &&
                         std::equal(points.begin(), points.end(), compared.points().begin());
    fmt::print(
        "{:<8} {:>6} vertices, {:>5} of {:>5} points moved: whole {:7.0f} us, compared {:6.0f} us "
        "({:.1f} x), listed {:6.0f} us ({:.1f} x), {}\n",
        name, points.size(), touched_count / static_cast<std::size_t>(rounds), surface.size(),
        median[0], median[1], median[0] / median[1], median[2], median[0] / median[2],
        is_same ? "same" : "DIFFERENT");
}

// A sphere of `columns` x `columns / 2` quads with waves on it, without its seam.
Model bumpy_sphere(int columns) {
    const int rows = columns / 2;
    Model model;
    ModelMesh& mesh = model.meshes.emplace_back();
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i) {
            const double u = 2 * kPi * (i % columns) / columns, v = kPi * j / rows;
            const double r = 1.0 + 0.05 * std::sin(9 * u) * std::sin(v) * std::sin(11 * v);
            const Vec3 n(std::sin(v) * std::cos(u), std::cos(v), -std::sin(v) * std::sin(u));
            mesh.points.push_back(r * n);
            mesh.normals.push_back(n);
        }
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const int a = j * (columns + 1) + i, b = a + columns + 1;
            mesh.triangles.push_back({a, b, b + 1});
            mesh.triangles.push_back({a, b + 1, a + 1});
        }
    }
    ModelNode node;
    node.mesh = 0;
    model.nodes.push_back(node);
    return model;
}

// How long a frame of a large mesh takes, as often as `rounds`.
void draw_million(int rounds) {
    const auto prepared =
        prepare_asset(bumpy_sphere(1414), {.scale = 1.0, .surface_points = 50'000});
    if (!prepared) {
        fmt::print(stderr, "{}\n", prepared.error().text());
        std::exit(1);
    }
    const auto asset = std::make_shared<const SurfaceAsset>(prepared.value().asset);
    const std::vector<Vec3>& rest = asset->surface.points;
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        PosedSkin skin(asset);
        std::vector<Vec3> surface = rest;
        std::vector<double> times;
        std::size_t touched_count = 0, changed_count = 0;
        for (int round = 0; round < rounds; ++round) {
            const std::size_t at = static_cast<std::size_t>(round) * 7919 % rest.size();
            // About a tenth of its points.
            const std::vector<std::int32_t> touched = dent(*asset, at, 0.15, surface);
            touched_count += touched.size();
            times.push_back(microseconds_of([&] { skin.update(surface, touched); }));
            changed_count += skin.changed().size();
        }
        std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
        const double median = times[static_cast<std::size_t>(rounds / 2)];
        fmt::print(
            "{} drawn vertices, {} of {} points moved, {} vertices changed, {} threads: {:.2f} ms, "
            "{:.0f} Hz\n",
            asset->render.points.size(), touched_count / static_cast<std::size_t>(rounds),
            rest.size(), changed_count / static_cast<std::size_t>(rounds), threads, 1e-3 * median,
            1e6 / median);
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    const int rounds = argument_count > 1 ? std::max(1, std::atoi(arguments[1])) : 200;
    for (const double share : {0.05, 0.15, 1.0}) {
        compare("barrel", {.kind = SolidKind::Barrel}, share, rounds);
        compare("car", {.kind = SolidKind::Car}, share, rounds);
    }
    draw_million(std::min(rounds, 40));
}
