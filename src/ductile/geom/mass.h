// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Mass, centre of mass and inertia of a body at rest in its own frame.
struct MassProperties {
    double mass = 0.0;                  ///< [kg], > 0.
    Vec3 centre_b = Vec3::Zero();       ///< [m]
    Mat3 inertia_b = Mat3::Identity();  ///< About the centre, along the body's axes [kg m^2].
};

/// What a surface is made of inside.
struct MassModel {
    double density = 7850.0;  ///< [kg/m^3], > 0.
    /// 0: the surface bounds a solid. > 0: it is a sheet of this thickness [m], or those of its
    /// triangles are that a mask names.
    double thickness = 0.0;
};

/// Exact mass properties of the polyhedron (thickness 0) or of the sheet of triangles, each
/// extruded by half the thickness to both sides (so that a flat plate is physical, too).
///
/// The inertia is exactly symmetric, positive definite and physical (principal moments obey
/// a + b >= c). Holes (a hollow box) are bounded by faces that look into the hole. Sums run
/// in the order of `MassSums`: same input, same bits. O(triangles).
/// With `is_sheet` (one per triangle) the triangles it names are sheet and the others bound a
/// solid; both are summed. Empty: all alike, as the thickness says. Error: a number that is not
/// finite, an index without a point, a density or thickness that cannot be (0 for what is named
/// sheet); no volume or area, a negative volume (inside out), a solid whose surface is open (its
/// area vectors do not cancel to 0.1 % of its area), an inertia too thin to be physical.
Result<MassProperties> mass_properties(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles, const MassModel& model,
                                       std::span<const std::uint8_t> is_sheet = {});

/// The sums behind `mass_properties`, kept so that moving a few triangles costs those alone.
///
/// Sixteen triangles in their order make a block, sixteen blocks a block of the next level, up to
/// one. Each is summed from what is in it: after `update` the sums are those of the points
/// now, bit for bit as if made anew, whatever happened between. Keeps 8 bytes per triangle, twice
/// that where a mask names both kinds.
class MassSums {
public:
    /// `about` is a box that stays the same while points move: sums are taken about its middle,
    /// and its diagonal tells what is rounding noise.
    /// Requires: valid indices; triangles and mask live as long; thickness >= 0. O(triangles).
    MassSums(std::span<const Vec3> points, std::span<const Triangle> triangles, double thickness,
             std::span<const std::uint8_t> is_sheet, const Box& about);

    /// Takes over moved points. Requires: every triangle with a moved corner is among `touched`
    /// (repeats do no harm). O(16 x touched), 16 where they are scattered over the list.
    void update(std::span<const Vec3> points, std::span<const std::int32_t> touched);

    /// Of the points as they were last told. Error: as of `mass_properties`. O(1).
    Result<MassProperties> properties(double density) const;

private:
    static constexpr std::size_t kFan = 16;

    /// Integrals over the body, relative to the reference.
    struct Sum {
        double zeroth = 0.0;              ///< Of 1.
        Vec3 first = Vec3::Zero();        ///< Of x.
        std::array<double, 6> second{};   ///< Of x x^T: xx, yy, zz, xy, xz, yz.
        double area = 0.0;                ///< Of the surface.
        Vec3 area_vector = Vec3::Zero();  ///< Zero for a closed surface.
        void add(const Sum& other);
    };
    /// Of triangles that are all sheet, or all bound a solid.
    struct Layer {
        bool is_sheet = false;
        std::vector<std::vector<Sum>> levels;  ///< Blocks of triangles first, the whole last.
    };
    void add_up(std::span<const Vec3> points);
    Sum of_triangles(std::span<const Vec3> points, bool is_sheet, std::size_t block) const;
    static Sum of_blocks(std::span<const Sum> below, std::size_t block);
    Status check_layer(const Layer& layer) const;

    std::span<const Triangle> triangles_;
    std::span<const std::uint8_t> is_sheet_;
    double thickness_;
    Vec3 reference_;
    double size_;
    std::vector<Layer> layers_;
    std::vector<IndexSet> stale_;  ///< Blocks of each level to be summed; empty between calls.
};

/// Whether a rigid body can have these: finite, mass > 0, inertia symmetric and positive (the
/// least moment above 1e-12 of the greatest), a + b >= c; each to rounding (1e-9 of the greatest).
Status check_mass(const MassProperties& mass);

/// Of solid primitives about their centres. Requires: sizes and density finite and > 0.
MassProperties box_mass(const Vec3& size, double density);
MassProperties sphere_mass(double radius, double density);
/// The cylinder's axis is y.
MassProperties cylinder_mass(double radius, double height, double density);

/// Signed volume of a closed surface [m^3], positive if it faces outward. 0 for no triangles.
double volume(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// Axes along which an inertia is diagonal.
struct PrincipalFrame {
    Quat rotation = Quat::Identity();  ///< Unit; takes principal coordinates to the inertia's.
    Vec3 moments = Vec3::Ones();       ///< About the three axes, in no order [kg m^2].
};

/// The principal axes of a symmetric inertia, as the right-handed rotation nearest to `wanted`.
///
/// Engines keep the diagonal only, in a frame of their choice; a frame that turns by itself shakes
/// whatever is cached in it. Eigenvectors alone would do that: their order and signs are free, and
/// about a barrel's axis they may point anywhere. So of the 24 orders and signs the nearest (least
/// angle) is taken; two moments closer than 1e-9 of the greatest leave a free turn about the
/// third axis, which is spent on coming nearest; and where the inertia is already diagonal along
/// `wanted` to 1e-9 the rotation is `wanted` itself, bit for bit. A barrel with a small dent has
/// determined axes, up to 45 degrees away: those are taken, since a dropped product of inertia
/// would be a body that is not the one asked for.
///
/// Guarantees: |R diag(moments) R^T - inertia| at most 1e-12 of the greatest moment, and at most
/// 2e-9 of it where the freedom above was used.
/// Requires: finite numbers, symmetric to rounding, `wanted` of unit length.
PrincipalFrame principal_axes(const Mat3& inertia, const Quat& wanted);

}  // namespace ductile
