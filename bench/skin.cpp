// SPDX-License-Identifier: MIT
// What it costs to draw a dent: a skin that follows what moved against one posed as a whole, in the
// same run, with the same bits. Usage: bench_skin [ROUNDS]
#include <ductile/skin/render_skin.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

}  // namespace

int main(int argument_count, char** arguments) {
    const int rounds = argument_count > 1 ? std::max(1, std::atoi(arguments[1])) : 200;
    for (const double share : {0.05, 0.15, 1.0}) {
        compare("barrel", {.kind = SolidKind::Barrel}, share, rounds);
        compare("car", {.kind = SolidKind::Car}, share, rounds);
    }
}
