// SPDX-License-Identifier: MIT
// Shapes of Bullet that are made of triangles, as levels of games are.
#pragma once

#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/geom/triangle.h>

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace ductile::test {

/// A mesh and what it is made of.
struct TriangleShape {
    btTriangleMesh mesh;
    btBvhTriangleMeshShape shape;

    explicit TriangleShape(const std::vector<Corners>& triangles)
        : shape(filled(mesh, triangles), true) {}
    TriangleShape(const TriangleShape&) = delete;

private:
    static btTriangleMesh* filled(btTriangleMesh& mesh, const std::vector<Corners>& triangles) {
        for (const Corners& t : triangles) mesh.addTriangle(to_bt(t[0]), to_bt(t[1]), to_bt(t[2]));
        return &mesh;
    }
};

/// A square in y = 0, `size` wide around the origin, of 2 x count x count triangles.
inline std::vector<Corners> floor_triangles(double size, int count) {
    std::vector<Corners> out;
    const auto at = [&](int i, int k) {
        return Vec3(size * (double(i) / count - 0.5), 0, size * (double(k) / count - 0.5));
    };
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            out.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
            out.push_back({at(i + 1, k + 1), at(i + 1, k), at(i, k + 1)});
        }
    }
    return out;
}

/// The faces of a box, of 2 x count x count triangles each, outwards.
inline std::vector<Corners> box_triangles(const Vec3& size, int count) {
    std::vector<Corners> out;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-0.5, 0.5}) {
            for (Corners t : floor_triangles(1.0, count)) {
                for (Vec3& p : t) {
                    Vec3 q = Vec3::Zero();
                    q[axis] = side;
                    q[(axis + 1) % 3] = p.z();
                    q[(axis + 2) % 3] = p.x();
                    p = q.cwiseProduct(size);
                }
                if (side < 0) std::swap(t[0], t[1]);
                out.push_back(t);
            }
        }
    }
    return out;
}

/// Heights over a square grid around the origin, y up. Bullet moves its middle height to y = 0.
struct HeightField {
    std::vector<float> heights;
    double lowest, highest;
    btHeightfieldTerrainShape shape;

    HeightField(int count, double spacing, const std::function<double(double, double)>& height)
        : heights(sampled(count, spacing, height)),
          lowest(*std::min_element(heights.begin(), heights.end())),
          highest(*std::max_element(heights.begin(), heights.end())),
          shape(count, count, heights.data(), btScalar(lowest), btScalar(highest), 1, false) {
        shape.setLocalScaling(btVector3(btScalar(spacing), 1, btScalar(spacing)));
    }
    HeightField(const HeightField&) = delete;
    /// Where a height comes to lie.
    btScalar level(double height) const { return btScalar(height - 0.5 * (lowest + highest)); }

private:
    static std::vector<float> sampled(int count, double spacing,
                                      const std::function<double(double, double)>& height) {
        std::vector<float> out;
        const double middle = 0.5 * (count - 1);
        for (int k = 0; k < count; ++k) {
            for (int i = 0; i < count; ++i) {
                out.push_back(float(height(spacing * (i - middle), spacing * (k - middle))));
            }
        }
        return out;
    }
};

}  // namespace ductile::test
