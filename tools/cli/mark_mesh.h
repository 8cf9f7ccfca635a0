// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <span>

namespace ductile::cli {

/// A look without pictures.
Look plain_look(const char* name, const Vec3& colour);

/// A mesh of balls, bars, arrows and faces, each in a colour of its own (linear RGB): what is drawn
/// beside a body to show something about it.
class MarkMesh {
public:
    explicit MarkMesh(const char* name) : MarkMesh(plain_look(name, Vec3::Ones())) {}
    explicit MarkMesh(const Look& look) { mesh_.looks.push_back(look); }

    void add_ball(const Vec3& middle, double radius, const Vec3& colour);
    /// Nothing where both ends are one.
    void add_bar(const Vec3& from, const Vec3& to, double radius, const Vec3& colour);
    /// A bar with a head, which is all of it where it is short.
    void add_arrow(const Vec3& from, const Vec3& to, double radius, const Vec3& colour);
    /// Part of a ring about an axis (unit), with a head at its end. `start`: where it begins, from
    /// the middle, across the axis [m]; `angle` >= 0 [rad].
    void add_arc(const Vec3& middle, const Vec3& axis, const Vec3& start, double angle,
                 double radius, const Vec3& colour);
    void add_face(std::span<const Vec3> corners, const Vec3& normal, const Vec3& colour);
    /// A triangle of a mesh, flat.
    void add_triangle(std::span<const Vec3> points, const Triangle& t, const Vec3& colour);

    bool is_empty() const { return mesh_.triangles.empty(); }

    RecordedBody body(const char* name) &&;

private:
    void add_vertex(const Vec3& p, const Vec3& n, const Vec3& colour);
    void add_corners(const Triangle& t);
    void add_cone(const Vec3& foot, const Vec3& tip, double radius, const Vec3& colour);

    RenderMesh mesh_;
};

}  // namespace ductile::cli
