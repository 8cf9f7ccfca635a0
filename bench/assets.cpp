// SPDX-License-Identifier: MIT
// What preparing a mesh file costs, stage by stage, against reading the same file: a bumpy sphere
// as OBJ text with normals and UVs, split along a seam, at 35,000, 350,000 and 1,000,000 vertices.
// Best of several rounds; the ratios count. Memory is the process's peak, less what it had before,
// over the raw mesh (points, triangles, UVs); the sizes run from small to large, so each peak is
// its own.
#include <ductile/asset/bind_mesh.h>
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/hash.h>
#include <ductile/geom/repair/mend.h>
#include <ductile/geom/repair/simplify.h>
#include <ductile/geom/repair/weld.h>
#include <ductile/io/read_model.h>

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

using namespace ductile;

namespace {

// At least so many rounds, and as many as fit this time: small meshes are measured within a few
// milliseconds, in which other work on the machine counts for much.
constexpr int kRounds = 3;
constexpr double kRoundsMs = 500.0;

template <class Work>
double best_ms(Work&& work) {
    double best = kInfinity, spent = 0.0;
    for (int i = 0; i < kRounds || spent < kRoundsMs; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count());
        spent += took.count();
    }
    return best;
}

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// A sphere of `columns` x `columns / 2` quads with waves on it; the last column repeats the first
// with other UVs.
std::string bumpy_sphere_obj(int columns) {
    const int rows = columns / 2;
    std::string text;
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i) {
            const double u = 2 * kPi * (i % columns) / columns, v = kPi * j / rows;
            const double r = 1.0 + 0.05 * std::sin(9 * u) * std::sin(v) * std::sin(11 * v);
            const Vec3 n(std::sin(v) * std::cos(u), std::cos(v), -std::sin(v) * std::sin(u));
            text +=
                fmt::format("v {:.6f} {:.6f} {:.6f}\nvn {:.4f} {:.4f} {:.4f}\nvt {:.5f} {:.5f}\n",
                            r * n.x(), r * n.y(), r * n.z(), n.x(), n.y(), n.z(),
                            static_cast<double>(i) / columns, static_cast<double>(j) / rows);
        }
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const int a = j * (columns + 1) + i + 1, b = a + columns + 1;
            text += fmt::format("f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2} {3}/{3}/{3}\n", a, b, b + 1,
                                a + 1);
        }
    }
    return text;
}

void print(const char* stage, double ms, double read) {
    fmt::print("  {:<34}{:9.1f} ms {:7.2f} x read\n", stage, ms, ms / read);
}

// The stages one by one. What they make is gone when preparing is measured, which makes its own.
void time_stages(const ModelMesh& mesh, double read) {
    Weld weld;
    print("weld", best_ms([&] { weld = weld_points(mesh.points, 1e-6); }), read);
    std::vector<Triangle> places = mesh.triangles;
    for (Triangle& t : places) {
        for (std::int32_t& v : t) v = weld.place[v];
    }
    Mended mended;
    print("mend", best_ms([&] { mended = mend_surface(weld.points, places); }), read);
    Simplified simple;
    print("simplify to 20,000 points", best_ms([&] {
              simple = simplify_surface(mended.surface.points, mended.surface.triangles,
                                        {.points = 20'000});
          }),
          read);
    print("bind to these", best_ms([&] { bind_mesh(mesh.points, mesh.normals, simple.surface); }),
          read);
}

void run(int columns, double before) {
    const std::string text = bumpy_sphere_obj(columns);
    const auto bytes = std::as_bytes(std::span(text));
    Model model;
    const double read =
        best_ms([&] { model = read_model(bytes, "bumpy.obj", ReadContext{}).value(); });
    const ModelMesh& mesh = model.meshes[0];
    fmt::print("{} vertices, {} triangles, {:.1f} MB of text\n", mesh.points.size(),
               mesh.triangles.size(), 1e-6 * static_cast<double>(text.size()));
    print("read", read, read);
    time_stages(mesh, read);
    const auto prepare = [&](std::int32_t limit) {
        Hasher hash;
        const double ms = best_ms([&] {
            const PreparedAsset p =
                prepare_asset(model, {.scale = 1.0, .surface_points = limit}).value();
            hash = {};
            hash.add(p.asset.surface.points);
            for (const SurfaceAnchor& a : p.asset.anchors) hash.add(a.weights);
        });
        print(limit > 1'000'000 ? "prepare, all points" : "prepare, simplified", ms, read);
        fmt::print("  {:<34}{:016x}\n", "", hash.value());
    };
    prepare(5'000'000);
    prepare(20'000);
    const double raw = static_cast<double>(mesh.points.size() * (sizeof(Vec3) + sizeof(Vec2)) +
                                           mesh.triangles.size() * sizeof(Triangle));
    const double used = peak_bytes() - before;
    fmt::print("  peak memory {:.0f} MB, {:.1f} x the raw mesh\n", 1e-6 * used, used / raw);
}

}  // namespace

int main(int argc, char** argv) {
    const double before = peak_bytes();
    const int most = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    for (const int vertices : {35'000, 350'000, 1'000'000}) {
        if (vertices <= most) run(static_cast<int>(std::sqrt(2.0 * vertices)), before);
    }
    return 0;
}
