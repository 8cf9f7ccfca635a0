// SPDX-License-Identifier: MIT
// A pose from a simulation (Jones et al. 2016, figure 5): a drum of springs is pressed against a
// wall by a bar, and what becomes of it is written as a copy of the mesh. `ductile rig` fits
// handles to it:
//     example_spring_pose out && ./ductile rig out/pressed_drum.json
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

using ductile::Triangle;
using ductile::Vec3;

namespace {

struct Spring {
    int a, b;
    double length;
    double stiffness;  // share of what is missing that one sweep makes up for
};

// Along every edge, and from corner to corner across it: those keep the sheet from folding freely.
std::vector<Spring> springs_of(const std::vector<Vec3>& points,
                               const std::vector<Triangle>& triangles) {
    std::map<std::pair<int, int>, int> across;
    std::vector<Spring> springs;
    const auto add = [&](int a, int b, double stiffness) {
        springs.push_back({a, b, (points[a] - points[b]).norm(), stiffness});
    };
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            const auto [other, is_new] = across.try_emplace(std::minmax(a, b), c);
            if (is_new) add(a, b, 0.9);
            if (!is_new) add(other->second, c, 0.25);
        }
    }
    return springs;
}

// One sweep: springs, then the wall to the left and the bar that comes from the right.
void sweep(const std::vector<Spring>& springs, double bar_x, std::vector<Vec3>& points) {
    for (const Spring& s : springs) {
        const Vec3 way = points[s.b] - points[s.a];
        const Vec3 move = 0.5 * s.stiffness * (1.0 - s.length / way.norm()) * way;
        points[s.a] += move;
        points[s.b] -= move;
    }
    constexpr double kBar = 0.12;
    for (Vec3& p : points) {
        p.x() = std::max(p.x(), -0.29);
        // Not quite across the drum, so that it buckles to one side.
        const Vec3 off(p.x() - bar_x, p.y() - 0.05 - 0.15 * p.z(), 0.0);
        if (off.norm() < kBar) p += (kBar / off.norm() - 1.0) * off;
    }
}

void write_obj(const std::filesystem::path& path, const std::vector<Vec3>& points,
               const std::vector<Triangle>& triangles) {
    std::ofstream out(path);
    for (const Vec3& p : points) out << fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const Triangle& t : triangles) {
        out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::filesystem::path folder = count > 1 ? arguments[1] : ".";
    std::filesystem::create_directories(folder);
    const auto drum = ductile::make_solid({.kind = ductile::SolidKind::Barrel});
    if (!drum) return fmt::print(stderr, "{}\n", drum.error().text()), 1;
    const auto& [rest, triangles] = drum.value().surface;
    const std::vector<Spring> springs = springs_of(rest, triangles);
    std::vector<Vec3> points = rest;
    constexpr int kSteps = 150, kSweeps = 25;
    for (int step = 0; step <= kSteps; ++step) {
        const double bar_x = 0.42 - 0.34 * step / kSteps;
        for (int i = 0; i < kSweeps; ++i) sweep(springs, bar_x, points);
    }
    write_obj(folder / "drum.obj", rest, triangles);
    write_obj(folder / "drum_pressed.obj", points, triangles);
    std::ofstream(folder / "pressed_drum.json")
        << R"({"mesh": "drum.obj", "handle_count": 40, "nodes": 1800,)"
        << R"( "poses": {"pressed": {"copy": "drum_pressed.obj"}}})"
        << "\n";
    fmt::print("{} springs; wrote {}\n", springs.size(), (folder / "pressed_drum.json").string());
}
