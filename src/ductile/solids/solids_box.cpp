// SPDX-License-Identifier: MIT
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace ductile {
namespace {

Look box_look(SolidKind kind) {
    switch (kind) {
        case SolidKind::Plank:
            return {"wood", Vec3(0.42, 0.25, 0.12), 0.0, 0.7, 1.0};
        case SolidKind::Plate:
            return {"metal", Vec3(0.58, 0.59, 0.60), 1.0, 0.35, 1.0};
        default:
            return {"default", Vec3(0.75, 0.72, 0.66), 0.0, 0.6, 1.0};
    }
}

}  // namespace

std::vector<double> rounded_knots(double half, double rounding, double edge_length) {
    std::vector<double> knots;
    const double flat = half - rounding;
    // Each face owns half of the quarter turn at its edge.
    const int arc =
        rounding > 0 ? std::max(1, static_cast<int>(std::lround(rounding * kPi / 4 / edge_length)))
                     : 0;
    for (int i = 0; i < arc; ++i) {
        knots.push_back(-flat - rounding * std::tan(kPi / 4 * (arc - i) / arc));
    }
    if (flat > 1e-9 * half) {
        const std::int32_t parts = even_parts(2 * flat, edge_length);
        for (std::int32_t i = 0; i < parts; ++i) knots.push_back(flat * (2.0 * i / parts - 1.0));
        knots.push_back(flat);
    } else {
        knots.push_back(0.0);
    }
    for (int i = arc - 1; i >= 0; --i) knots.push_back(-knots[i]);
    // Lines meet the mirrored ones exactly.
    const std::size_t n = knots.size();
    for (std::size_t i = 0; i < n / 2; ++i) knots[n - 1 - i] = -knots[i];
    return knots;
}

std::int32_t even_parts(double length, double edge_length) {
    const auto parts = static_cast<std::int32_t>(std::lround(length / edge_length));
    if (parts <= 1) return 1;
    return parts + parts % 2;
}

Vec2 box_face_uv(const Vec3& p, const Vec3& face_normal, const Vec3& half) {
    const Vec3 unit = p.cwiseQuotient(half);
    Vec2 seen;  // To the right and down.
    if (face_normal.x() != 0) {
        seen = {-face_normal.x() * unit.z(), -unit.y()};
    } else if (face_normal.z() != 0) {
        seen = {face_normal.z() * unit.x(), -unit.y()};
    } else {
        seen = {unit.x(), face_normal.y() * unit.z()};
    }
    return 0.5 * (seen + Vec2(1, 1));
}

void add_lattice_box(PatchBuilder& builder, const std::vector<double> (&knots)[3],
                     const std::function<Vec3(const Vec3&)>& position, const LatticeCorner& corner,
                     std::int32_t look) {
    const std::array<std::int64_t, 3> count = {static_cast<std::int64_t>(knots[0].size()),
                                               static_cast<std::int64_t>(knots[1].size()),
                                               static_cast<std::int64_t>(knots[2].size())};
    std::unordered_map<std::int64_t, std::int32_t> known;  // Only looked up, never walked.
    const auto place = [&](const std::array<std::int64_t, 3>& i) {
        return Vec3(knots[0][i[0]], knots[1][i[1]], knots[2][i[2]]);
    };
    const auto point_at = [&](const std::array<std::int64_t, 3>& i) {
        const std::int64_t key = (i[0] * count[1] + i[1]) * count[2] + i[2];
        const auto [entry, is_new] = known.try_emplace(key, 0);
        if (is_new) entry->second = builder.add_point(position(place(i)));
        return entry->second;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            // Of the two other axes `u` goes first, so that the grid turns counter-clockwise.
            const int u = (axis + (side ? 1 : 2)) % 3;
            const int v = (axis + (side ? 2 : 1)) % 3;
            Vec3 normal = Vec3::Zero();
            normal[axis] = side ? 1.0 : -1.0;
            for (std::int64_t j = 0; j + 1 < count[v]; ++j) {
                for (std::int64_t i = 0; i + 1 < count[u]; ++i) {
                    std::array<std::array<std::int64_t, 3>, 4> at;
                    for (int k = 0; k < 4; ++k) {
                        at[k][axis] = side ? count[axis] - 1 : 0;
                        at[k][u] = i + (k == 1 || k == 2);
                        at[k][v] = j + (k >= 2);
                    }
                    const auto add = [&](int a, int b, int c) {
                        const Vec3 middle = (place(at[a]) + place(at[b]) + place(at[c])) / 3;
                        std::array<PatchCorner, 3> face;
                        for (int k = 0; k < 3; ++k) {
                            const auto& index = at[k == 0 ? a : k == 1 ? b : c];
                            face[k] = corner(place(index), normal, middle);
                            face[k].point = point_at(index);
                        }
                        builder.add_triangle(face[0], face[1], face[2], look);
                    };
                    const bool is_left = 2 * i + 2 <= count[u] - 1;
                    const bool is_low = 2 * j + 2 <= count[v] - 1;
                    if (is_left == is_low) {
                        add(0, 1, 2);
                        add(0, 2, 3);
                    } else {
                        add(0, 1, 3);
                        add(1, 2, 3);
                    }
                }
            }
        }
    }
}

SurfaceAsset make_box(const SolidOptions& options) {
    const Vec3 half = 0.5 * options.size;
    const RoundedBox shape{half.array() - options.rounding, options.rounding};
    const std::vector<double> knots[3] = {
        rounded_knots(half.x(), options.rounding, options.resolution),
        rounded_knots(half.y(), options.rounding, options.resolution),
        rounded_knots(half.z(), options.rounding, options.resolution)};
    PatchBuilder builder;
    const std::int32_t look = builder.add_look(box_look(options.kind));
    const auto corner = [&](const Vec3& p, const Vec3& face_normal, const Vec3&) {
        const Vec3 normal = shape.rounding > 0 ? shape.normal(p) : face_normal;
        return PatchCorner{0, box_face_uv(p, face_normal, half), normal};
    };
    add_lattice_box(
        builder, knots, [&](const Vec3& p) { return shape.position(p); }, corner, look);
    return builder.finish();
}

// A cube blown up to a sphere, its grid lines at equal angles: triangles differ little in size
// and none is thin, and there is no pole.
SurfaceAsset make_sphere(const SolidOptions& options) {
    const Vec3 half = 0.5 * options.size;
    const double largest = half.maxCoeff();
    // The edges of a cube-sphere's face are a quarter turn long.
    const std::int32_t parts = std::max(2, even_parts(largest * kPi / 2, options.resolution));
    std::vector<double> line(parts + 1, 0.0);
    for (std::int32_t i = 0; i < parts / 2; ++i) {
        line[parts - i] = std::tan(kPi / 4 * (parts - 2 * i) / parts);
        line[i] = -line[parts - i];
    }
    const std::vector<double> knots[3] = {line, line, line};
    PatchBuilder builder;
    const std::int32_t look = builder.add_look({"default", Vec3(0.75, 0.72, 0.66), 0.0, 0.45, 1.0});
    const auto corner = [&](const Vec3& p, const Vec3&, const Vec3& towards) {
        const Vec3 unit = p.normalized();
        // Longitude from -z over +x: the seam lies in grid lines, so a face is on one side of it.
        const bool is_pole = p.x() == 0 && p.z() == 0;
        double turn = std::atan2(is_pole ? towards.x() : p.x(), is_pole ? towards.z() : p.z());
        if (std::abs(turn) > 0.999999 * kPi) turn = std::copysign(kPi, towards.x());
        const Vec2 uv(0.5 + turn / (2 * kPi), std::acos(std::clamp(unit.y(), -1.0, 1.0)) / kPi);
        return PatchCorner{0, uv, unit.cwiseQuotient(half).normalized()};
    };
    add_lattice_box(
        builder, knots, [&](const Vec3& p) { return Vec3(p.normalized().cwiseProduct(half)); },
        corner, look);
    return builder.finish();
}

}  // namespace ductile
