// SPDX-License-Identifier: MIT
// Small surfaces with known answers, written apart from geom/solids so that neither checks itself.
#pragma once

#include <ductile/core/rng.h>
#include <ductile/geom/tri_mesh.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace ductile::test {

/// The box [low, high], facing outward, 12 triangles.
inline TriMesh box_mesh(const Vec3& low, const Vec3& high) {
    TriMesh m;
    for (int i = 0; i < 8; ++i) {
        m.points.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(),
                              i & 4 ? high.z() : low.z());
    }
    m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return m;
}

/// A grid of `columns` x `rows` quads, wrapped around where asked; place(i, j) says where its
/// points lie. Faces look along d/di x d/dj.
template <class Place>
TriMesh grid_mesh(int columns, int rows, bool wrap_columns, bool wrap_rows, Place&& place) {
    TriMesh m;
    const int across = columns + (wrap_columns ? 0 : 1), down = rows + (wrap_rows ? 0 : 1);
    for (int j = 0; j < down; ++j) {
        for (int i = 0; i < across; ++i) m.points.push_back(place(i, j));
    }
    const auto index = [&](int i, int j) {
        return static_cast<std::int32_t>((j % down) * across + i % across);
    };
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            m.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
            m.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
        }
    }
    return m;
}

/// A sphere about the origin: an octahedron whose faces are cut into 4^levels and blown up.
inline TriMesh sphere_mesh(double radius, int levels) {
    TriMesh m;
    m.points = {Vec3::UnitX(),  Vec3::UnitY(),  Vec3::UnitZ(),
                -Vec3::UnitX(), -Vec3::UnitY(), -Vec3::UnitZ()};
    m.triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                   {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
    for (int level = 0; level < levels; ++level) {
        std::vector<Triangle> finer;
        const std::vector<Triangle> across = face_neighbours(m.triangles);
        std::vector<Triangle> middle(m.triangles.size(), Triangle{-1, -1, -1});
        for (std::size_t f = 0; f < m.triangles.size(); ++f) {
            for (int k = 0; k < 3; ++k) {
                if (middle[f][k] >= 0) continue;
                const Triangle& t = m.triangles[f];
                const auto made = static_cast<std::int32_t>(m.points.size());
                m.points.push_back((m.points[t[k]] + m.points[t[(k + 1) % 3]]).normalized());
                middle[f][k] = made;
                const std::int32_t g = across[f][k];
                for (int n = 0; n < 3; ++n) {
                    if (m.triangles[g][n] == t[(k + 1) % 3]) middle[g][n] = made;
                }
            }
            const Triangle& t = m.triangles[f];
            const Triangle& c = middle[f];
            finer.insert(
                finer.end(),
                {{t[0], c[0], c[2]}, {c[0], t[1], c[1]}, {c[2], c[1], t[2]}, {c[0], c[1], c[2]}});
        }
        m.triangles = finer;
    }
    for (Vec3& p : m.points) p *= radius;
    return m;
}

/// A torus about the y axis.
inline TriMesh torus_mesh(double ring, double tube, int columns, int rows) {
    return grid_mesh(columns, rows, true, true, [&](int i, int j) {
        const double u = -2 * std::numbers::pi * i / columns;
        const double v = 2 * std::numbers::pi * j / rows;
        const double r = ring + tube * std::cos(v);
        return Vec3(r * std::cos(u), tube * std::sin(v), r * std::sin(u));
    });
}

/// A prism over a regular polygon around the y axis, capped, centred on the origin.
inline TriMesh prism_mesh(double radius, double height, int sides) {
    TriMesh m = grid_mesh(sides, 1, true, false, [&](int i, int j) {
        const double u = -2 * std::numbers::pi * i / sides;
        return Vec3(radius * std::cos(u), (j - 0.5) * height, radius * std::sin(u));
    });
    for (std::int32_t i = 1; i + 1 < sides; ++i) {
        m.triangles.push_back({0, i + 1, i});
        m.triangles.push_back({sides, sides + i, sides + i + 1});
    }
    return m;
}

inline Vec3 random_vec(Rng& rng, double reach = 1.0) {
    return {rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-reach, reach)};
}

inline Quat random_rotation(Rng& rng) {
    Quat q;
    do {
        for (int i = 0; i < 4; ++i) q.coeffs()[i] = rng.uniform(-1, 1);
    } while (q.norm() < 0.1 || q.norm() > 1.0);
    return q.normalized();
}

inline TriMesh placed(TriMesh m, const Transform& pose) {
    for (Vec3& p : m.points) p = pose.point(p);
    return m;
}

inline TriMesh inside_out(TriMesh m) {
    for (Triangle& t : m.triangles) std::swap(t[1], t[2]);
    return m;
}

/// Both surfaces in one mesh.
inline TriMesh together(TriMesh a, const TriMesh& b) {
    const auto shift = static_cast<std::int32_t>(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const Triangle& t : b.triangles) {
        a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    }
    return a;
}

/// Loose triangles in [-1, 1]^3, about `size` large.
inline TriMesh soup_mesh(Rng& rng, int count, double size) {
    TriMesh m;
    for (std::int32_t i = 0; i < count; ++i) {
        const Vec3 at = random_vec(rng);
        for (int k = 0; k < 3; ++k) m.points.push_back(at + random_vec(rng, size));
        m.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return m;
}

/// Keeps the worst of many values; unlike std::max it lets no NaN slip by.
inline void raise_to(double& worst, double value) {
    if (!(value <= worst) && !std::isnan(worst)) worst = value;
}

}  // namespace ductile::test
