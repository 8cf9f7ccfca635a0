// SPDX-License-Identifier: MIT
// Times the stages of press_soft beside Tables 1 and 2 of Brunel et al. 2020, on balls pressed onto
// a box and by a ball, with working regions of like size. Usage: bench_press [ROUNDS]. One thread.
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/press_bulge.h>
#include <ductile/deform/press/press_mapping.h>
#include <ductile/deform/press/press_region.h>
#include <ductile/geom/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

using namespace ductile;

namespace {

constexpr std::array<const char*, 8> kStages = {"prep", "i.", "m.", "c.", "p.", "di.", "g.", "de."};

struct Row {
    const char* name;
    std::size_t seed_points;  ///< Of the seed's working region.
    double seed_ms;           ///< Of its whole frame.
    double resolution;        ///< Of our ball of diameter 1 [m].
    bool by_ball;
};

TriMesh solid(SolidKind kind, const Vec3& size, double resolution, const Vec3& at) {
    TriMesh mesh =
        make_solid({.kind = kind, .size = size, .resolution = resolution}).value().surface;
    for (Vec3& p : mesh.points) p += at;
    return mesh;
}

/// Milliseconds per stage of one frame, as press_soft runs them; how many points it solved for.
struct Timed {
    std::array<double, 8> ms{};
    std::size_t working = 0, moved = 0;
    bool is_pressed = false;
};

Timed run_once(const TriMesh& soft, const TriMesh& rigid) {
    Timed timed;
    // Processor time: one thread, and nobody else's work on the machine counts.
    std::clock_t last = std::clock();
    const auto lap = [&](int stage) {
        const std::clock_t now = std::clock();
        timed.ms[stage] += 1e3 * static_cast<double>(now - last) / CLOCKS_PER_SEC;
        last = now;
    };
    const KeptSurface kept_soft(soft);
    const auto kept_rigid = std::make_shared<const KeptSurface>(rigid);
    const PreparedRigid prepared{kept_rigid, SurfaceQuery(rigid.points, rigid.triangles)};
    const PressSurface on(kept_soft, soft.points), by = prepared.surface();
    lap(0);
    const PressOverlaps found = find_overlaps(on, by, prepared.query);
    lap(1);
    const double extent = 0.6 * on.size, stiffness = 0.25 * on.size;
    std::vector<ContactZone> zones;
    std::vector<RigidSide> sides(soft.points.size(), RigidSide::Outside);
    for (const PressOverlap& overlap : found.overlaps) {
        const auto mapping = PressMapping::make(on, by, overlap);
        lap(2);
        if (!mapping) return timed;
        const std::vector<std::int32_t> near =
            edge_reach(on.points, on.graph, overlap.inside, extent).vertices;
        zones.push_back(find_contact_zone(on, overlap, mapping.value(), found.crossings.of_first,
                                          near, stiffness));
        for (const std::int32_t v : overlap.inside) sides[v] = RigidSide::Inside;
        lap(3);
    }
    const PressRegion region = make_region(on, zones, 1.5 * extent);
    auto distance = radial_distance(region);
    lap(4);
    if (!distance) return timed;
    std::vector<double>& radial = distance.value();
    for (double& r : radial) r = std::clamp(r / extent, 0.0, 1.0);
    const auto directions = direction_field(region, radial);
    lap(5);
    if (!directions) return timed;
    const auto guides = press_guides(region, radial, directions.value());
    lap(6);
    if (!guides) return timed;
    const PressBulge bulge = press_bulge(
        {region, radial, directions.value(), guides.value(), prepared.query, sides, {}}, {});
    lap(7);
    timed.working = region.points.size();
    timed.moved = static_cast<std::size_t>(
        std::count_if(radial.begin(), radial.end(), [](double r) { return r < 1.0; }));
    timed.is_pressed = bulge.is_kept;
    return timed;
}

std::uint64_t hash_of(const TriMesh& soft, const TriMesh& rigid) {
    const Result<Pressed> pressed = press_soft(soft, rigid);
    Hasher hash;
    if (pressed) hash.add(std::span<const Vec3>(pressed.value().points));
    return hash.value();
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    const ThreadLimit one(1);
    const Row rows[] = {
        {"plane, sphere", 639, 9.93, 0.070, false},
        {"sphere, plane", 1521, 16.9, 0.046, false},
        {"capsules", 3028, 50.8, 0.0325, true},
        {"small sphere, big sphere", 10183, 233.1, 0.0177, true},
        {"hand, pillow", 26234, 728.5, 0.0111, false},
        {"comb, bunny", 35542, 378.4, 0.0095, false},
    };
    fmt::print("median of {} frames, one thread, ms of processor time\n{:26}{:>8}{:>8}", rounds,
               "seed's row", "points", "moved");
    for (const char* stage : kStages) fmt::print("{:>8}", stage);
    fmt::print("{:>9}{:>9}{:>8}  hash\n", "total", "seed", "ratio");
    for (const Row& row : rows) {
        const TriMesh soft =
            solid(SolidKind::Sphere, Vec3::Ones(), row.resolution, Vec3(0, 0.5, 0));
        const TriMesh rigid = row.by_ball
                                  ? solid(SolidKind::Sphere, Vec3::Constant(0.5), row.resolution,
                                          Vec3(0.01, 1.15, 0.02))
                                  : solid(SolidKind::Box, Vec3(3, 1, 3), 0.5, Vec3(0, -0.4, 0));
        std::vector<Timed> frames;
        for (int i = 0; i < rounds; ++i) frames.push_back(run_once(soft, rigid));
        const auto total = [](const Timed& t) {
            double sum = 0.0;
            for (const double ms : t.ms) sum += ms;
            return sum;
        };
        std::sort(frames.begin(), frames.end(),
                  [&](const Timed& a, const Timed& b) { return total(a) < total(b); });
        const Timed& middle = frames[frames.size() / 2];
        fmt::print("{:26}{:>8}{:>8}", row.name, middle.working, middle.moved);
        for (const double ms : middle.ms) fmt::print("{:>8.2f}", ms);
        fmt::print("{:>9.1f}{:>9.1f}{:>8.2f}  {:016x}{}\n", total(middle), row.seed_ms,
                   row.seed_ms / total(middle), hash_of(soft, rigid),
                   middle.is_pressed ? "" : "  NOT PRESSED");
    }
    return 0;
}
