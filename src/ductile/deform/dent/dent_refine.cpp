// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_hollow.h>
#include <ductile/deform/dent/dent_refine.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Samples along each side of the plane that a print is measured on.
constexpr int kPrintSamples = 64;
// A ball's print is half as deep as in its middle at this share of its radius.
constexpr double kHalfDeep = 0.70710678118654752;
// From the edge of a print to the crest of its rim, and a little beyond.
constexpr double kWithRim = 1.3;

// Points of the mesh that the body had before any record refined it.
std::size_t first_points(const BodyShape& shape) {
    std::size_t count = shape.rest().size();
    for (const MeshSplit& split : shape.splits) count -= split.size();
    return count;
}

}  // namespace

DentPrint dent_print(const DentHit& hit) {
    DentHit one = hit;
    one.starts.clear();
    const DentPress press(one, 1.0);
    const double cosine = std::max(kLeastDentCosine, std::cos(hit.slant_deg * (kPi / 180.0)));
    const double half_x = hit.radius / cosine, half_y = hit.radius;
    double deepest = 0.0;
    std::vector<double> shares;
    const auto place = [](int k) { return 2.0 * (k + 0.5) / kPrintSamples - 1.0; };
    for (int j = 0; j < kPrintSamples; ++j) {
        for (int i = 0; i < kPrintSamples; ++i) {
            shares.push_back(press.share(half_x * place(i), half_y * place(j)));
            deepest = std::max(deepest, shares.back());
        }
    }
    DentPrint print;
    int count = 0;
    for (int j = 0; j < kPrintSamples; ++j) {
        for (int i = 0; i < kPrintSamples; ++i) {
            if (!(shares[j * kPrintSamples + i] >= 0.5 * deepest)) continue;
            ++count;
            print.reach = std::max(print.reach, std::hypot(half_x * place(i), half_y * place(j)));
        }
    }
    const double area = 4.0 * half_x * half_y * count / (kPrintSamples * kPrintSamples);
    print.width = area / (kPi * print.reach);
    return print;
}

double edge_under_dent(const DentRefineOptions& options, const BodyShape& shape, double reach) {
    return options.edges > 0 ? std::min(shape.edge, reach / options.edges) : shape.edge;
}

std::vector<HitRecord> meshes_under_dent(const DentRefineOptions& options, const DentHit& hit,
                                         const StruckBody& body) {
    if (!(options.edges > 0)) return {};
    const DentPrint print = dent_print(hit);
    RefineHit finer;
    finer.radius = kWithRim * print.reach / kHalfDeep;
    finer.longest_edge = print.width / kHalfDeep / options.edges;
    std::vector<Vec3> places;
    for (const DentStart& start : hit.starts) places.push_back(start.position_b);
    if (places.empty()) places.push_back(hit.position_b);
    std::vector<HitRecord> records;
    for (const Vec3& place : places) {
        const SurfacePoint at = body.surface.closest_point(place);
        finer.position_b = place + rest_place(body.shape, at) - at.position;
        finer.point_limit = 0;
        if (RecordKind<RefineHit>::marked_edges(finer, *body.shape.asset).empty()) continue;
        finer.point_limit = static_cast<std::int32_t>(first_points(body.shape)) + options.budget;
        records.push_back(finer);
    }
    return records;
}

}  // namespace ductile
