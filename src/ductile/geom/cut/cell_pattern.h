// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// A plane that cuts all that it meets: normal . p = offset.
struct CutPlane {
    Vec3 normal = Vec3::UnitX();  ///< Unit.
    double offset = 0.0;          ///< [m]
};
template <class Visitor>
void visit_fields(CutPlane& p, Visitor&& field) {
    field(Field{"normal", "", -1e6, 1e6, "of the plane, of any length"}, p.normal);
    field(Field{"offset", "m", -1e6, 1e6, "how far the plane is from the origin"}, p.offset);
}

/// A pattern that divides all space into convex cells. Either sites, whose cells are the places
/// nearest to them, or planes, whose cells are what no plane goes through; or neither, and what is
/// there already are the pieces.
struct CellPattern {
    std::vector<Vec3> sites;  ///< [m]
    /// Distances to sites are measured after this map: below 1 along an axis draws cells out.
    Mat3 metric = Mat3::Identity();

    std::vector<CutPlane> planes;
    /// Cells of planes that stay together, by the place of their middle: bricks. Where `brick` has
    /// no positive size each cell is for itself.
    struct Bricks {
        Vec3 origin = Vec3::Zero();  ///< Corner of a brick [m].
        Vec3 size = Vec3::Zero();    ///< Length, height, depth [m].
        double shift = 0.5;          ///< Of every other course, in lengths.
    } bricks;

    /// Above 0: pieces are the parts that the mesh is made of, joined where faces of theirs are no
    /// further apart than this [m].
    double touch = 0.0;
};

/// What a pattern looks like.
enum class PatternKind {
    Uniform,    ///< Cells of about one size all over.
    Clustered,  ///< Small cells around the centre, large ones far from it.
    Splinters,  ///< Cells drawn out along the axis: wood.
    Rings,      ///< Rings and rays about the axis through the centre: glass.
    Bricks,     ///< Bricks in courses, every other one shifted by half a brick.
    Planes,     ///< Planes by hand.
    Parts,      ///< The parts that the mesh is made of, as its artist cut them.
};
inline std::span<const std::string_view> enum_names(PatternKind) {
    static constexpr std::string_view names[] = {"uniform", "clustered", "splinters", "rings",
                                                 "bricks",  "planes",    "parts"};
    return names;
}

/// How to make one. Fields that a kind does not use are ignored.
struct PatternOptions {
    PatternKind kind = PatternKind::Uniform;
    std::int32_t cells = 32;    ///< Of sites, about how many; of rings, at most.
    std::int32_t seed = 1;      ///< Of chance.
    Vec3 axis = Vec3::UnitY();  ///< Of splinters and rings; any length but 0.
    double stretch = 6.0;       ///< How many times longer splinters are than wide, >= 1.
    double spread = 0.25;       ///< Of a cluster [share of the box's diagonal].
    double jitter = 0.6;        ///< How far chance moves rings and rays, in [0, 1].
    std::int32_t rays = 9;      ///< That begin at the centre; every second ring doubles them.
    double first_ring = 0.05;   ///< Radius of the first ring [share of the box's diagonal].
    Vec3 brick = Vec3(0.25, 0.075, 0.12);  ///< Length (x), height (y), depth (z) [m].
    std::vector<CutPlane> planes{};        ///< By hand.
    double touch = 1e-3;  ///< How far apart parts may be that touch [share of the box's diagonal].
};
template <class Visitor>
void visit_fields(PatternOptions& o, Visitor&& field) {
    field(Field{"kind", "", 0, 0, "what it looks like"}, o.kind);
    field(Field{"cells", "", 1, 1e4, "about how many cells"}, o.cells);
    field(Field{"seed", "", 0, 2e9, "of chance"}, o.seed);
    field(Field{"axis", "", -1e6, 1e6, "along splinters; through the middle of rings"}, o.axis);
    field(Field{"stretch", "", 1.0, 1e3, "how many times longer splinters are than wide"},
          o.stretch);
    field(Field{"spread", "", 1e-3, 1e3, "how wide a cluster is, as a share of the body's size"},
          o.spread);
    field(Field{"jitter", "", 0.0, 1.0, "how far chance moves rings and rays"}, o.jitter);
    field(Field{"rays", "", 3, 360, "rays that begin at the centre"}, o.rays);
    field(Field{"first_ring", "", 1e-3, 10.0,
                "radius of the first ring, as a share of the body's size"},
          o.first_ring);
    field(Field{"brick", "m", 1e-4, 1e4, "length, height, depth of a brick"}, o.brick);
    field(Field{"planes", "", 0, 0, "planes by hand"}, o.planes);
    field(Field{"touch", "", 1e-9, 1.0,
                "how far apart parts may be that touch, as a share of the body's size"},
          o.touch);
}

/// Makes the pattern for what lies in `box`, about `centre`. Same input, same bits. Error: an axis
/// or a normal without a direction; planes asked for and none given; more than 100,000 cells.
Result<CellPattern> make_pattern(const PatternOptions& options, const Box& box, const Vec3& centre);

}  // namespace ductile
