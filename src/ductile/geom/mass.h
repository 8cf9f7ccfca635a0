// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// Mass, centre of mass and inertia of a body at rest in its own frame.
struct MassProperties {
    double mass = 0.0;              ///< [kg], > 0.
    Vec3 centre_b = Vec3::Zero();   ///< [m]
    Mat3 inertia_b = Mat3::Identity();  ///< About the centre, along the body's axes [kg m^2].
};

/// What a surface is made of inside.
struct MassModel {
    double density = 7850.0;  ///< [kg/m^3], > 0.
    /// 0: the surface bounds a solid. > 0: it is a sheet of this thickness [m].
    double thickness = 0.0;
};

/// Exact mass properties of the polyhedron (thickness 0) or of the sheet of triangles.
///
/// The inertia is symmetric positive definite and physical (principal moments obey a + b >= c).
/// Error: no volume or area, a negative volume (inside out), a number that is not finite, an
/// inertia too thin to be physical.
Result<MassProperties> mass_properties(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles, const MassModel& model);

/// Whether the inertia is one that a rigid body can have: symmetric, positive, a + b >= c.
Status check_mass(const MassProperties& mass);

/// Of a box, a sphere and a cylinder (axis y), solid, about their centres, for static checks and primitives.
MassProperties box_mass(const Vec3& size, double density);
MassProperties sphere_mass(double radius, double density);

/// Signed volume of a closed surface [m^3], positive if it faces outward.
double volume(std::span<const Vec3> points, std::span<const Triangle> triangles);

}  // namespace ductile
