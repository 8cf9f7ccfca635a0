// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// Where the particles of a coat sit on the bone.
enum class TissueLayout {
    Surface,  ///< At random over any surface, none nearer than `spacing`; outwards along normals.
    Box,      ///< A grid over a box, blown up from its middle: the layout of the seed's chapter 6.
    Chain,    ///< One row of `layers` particles up from the middle of the bone, `thickness` long.
};
inline std::span<const std::string_view> enum_names(TissueLayout) {
    static constexpr std::string_view names[] = {"surface", "box", "chain"};
    return names;
}

/// Particles around a place that keep their shape together, beside the groups of neighbours.
struct TissueGroup {
    Vec3 position = Vec3::Zero();  ///< From the middle of the bone's box, in its frame [m].
    double radius = 0.01;          ///< Those whose centres are this near to it at rest [m], > 0.
};
template <class Visitor>
void visit_fields(TissueGroup& g, Visitor&& field) {
    field(Field{"position", "m", -1e3, 1e3, "from the middle of the bone"}, g.position);
    field(Field{"radius", "m", 1e-6, 1e3, "particles this near to it are of the group"}, g.radius);
}

/// A soft coat around a rigid bone. Plain data; every default is usable as it stands.
struct TissueOptions {
    TissueLayout layout = TissueLayout::Surface;
    double thickness =
        0.01;                ///< From the bone to the skin [m], > 0; unused with a skin of its own.
    std::string skin{};      ///< A mesh file around the bone to fill and to draw; else `thickness`.
    double extrusion = 2.0;  ///< Box layout: how many times as large as the bone the skin is, > 1.
    std::int32_t per_edge = 3;    ///< Box layout: particles along an edge, >= 2.
    double spacing = 0.0;         ///< Between particles on the bone [m]; 0: about 60 of them.
    std::int32_t layers = 1;      ///< Of outer particles, between bone and skin.
    std::int32_t group_size = 5;  ///< Particles of its own layer in a group; neighbours above and
                                  ///< below come on top.
    double flatness = 0.4;  ///< Height of a particle over its width; low ones lie flat in the skin.
    double stiffness = 2e5;      ///< Modulus of the coat [Pa].
    double torsion = 0.0;        ///< How stiff neighbours are against a twist, over that; 0: only
                                 ///< the centres of groups turn.
    double stretch_limit = 0.0;  ///< How far off its place in a group a particle may be, over its
                                 ///< distance from the group's middle; 0: any.
    double yield_strain = 0.0;   ///< Strain of a group beyond which it flows; 0: never.
    double flow = 5.0;           ///< What of a strain beyond it becomes rest, per second [1/s].
    double flow_limit = 0.5;     ///< Most strain that becomes rest.
    std::vector<TissueGroup> groups{};  ///< Made by hand.
    double damping = 40.0;              ///< Of its motion against the bone [1/s].
    double mass = 0.0;        ///< Of the outer particles together [kg]; 0: from density and volume.
    double density = 1000.0;  ///< Of the coat [kg/m^3].
    double friction = 0.0;    ///< Of its skin; 0: as its body's.
    bool is_rigid = false;    ///< One rigid body of the outer shape and the whole mass: to compare.
    bool touches_itself = false;  ///< Whether particles of this coat collide with each other.
    std::uint64_t seed = 1;       ///< Where chance begins: same seed, same places.
};
template <class Visitor>
void visit_fields(TissueOptions& o, Visitor&& field) {
    field(Field{"layout", "", 0, 0, "where particles sit on the bone"}, o.layout);
    field(Field{"thickness", "m", 1e-5, 1e3, "from bone to skin"}, o.thickness);
    field(file_field("skin", "a mesh file around the bone, instead of a thickness"), o.skin);
    field(Field{"extrusion", "", 1.01, 100.0, "box layout: size of the skin over the bone's"},
          o.extrusion);
    field(Field{"per_edge", "", 2, 50, "box layout: particles along an edge"}, o.per_edge);
    field(Field{"spacing", "m", 0.0, 1e3, "between particles; 0: about 60 in a layer"}, o.spacing);
    field(Field{"layers", "", 1, 50, "of outer particles"}, o.layers);
    field(Field{"group_size", "", 1, 100, "particles of its own layer in a group"}, o.group_size);
    field(Field{"flatness", "", 0.05, 1.0, "height of a particle over its width"}, o.flatness);
    field(Field{"stiffness", "Pa", 1.0, 1e12, "modulus of the coat"}, o.stiffness);
    field(Field{"torsion", "", 0.0, 100.0,
                "how stiff neighbours are against a twist between them, over that"},
          o.torsion);
    field(Field{"stretch_limit", "", 0.0, 10.0,
                "how far off its place in a group a particle may be, in distances from the "
                "group's middle; 0: any"},
          o.stretch_limit);
    field(Field{"yield_strain", "", 0.0, 10.0, "strain beyond which it flows; 0: never"},
          o.yield_strain);
    field(Field{"flow", "1/s", 0.0, 1e3, "what of a strain beyond it becomes rest, per second"},
          o.flow);
    field(Field{"flow_limit", "", 0.0, 10.0, "most strain that becomes rest"}, o.flow_limit);
    field(Field{"groups", "", 0, 0, "particles that keep their shape together, made by hand"},
          o.groups);
    field(Field{"damping", "1/s", 0.0, 1e4, "of the coat's motion against the bone"}, o.damping);
    field(Field{"mass", "kg", 0.0, 1e9, "of the coat; 0: from density and volume"}, o.mass);
    field(Field{"density", "kg/m^3", 1e-3, 1e6, "of the coat"}, o.density);
    field(Field{"friction", "", 0.0, 10.0, "of the skin; 0: as its body's"}, o.friction);
    field(Field{"is_rigid", "", 0, 0, "one rigid body of the same outer shape instead"},
          o.is_rigid);
    field(Field{"touches_itself", "", 0, 0, "whether particles of this coat collide"},
          o.touches_itself);
    field(Field{"seed", "", 0, 1e15, "same seed, same places"}, o.seed);
}

/// How all coats of a world are solved. Plain data; every default is usable as it stands.
struct TissueSolverOptions {
    double longest_part = 1.0 / 960.0;  ///< Steps are cut into parts no longer than this [s].
    std::int32_t sweeps = 1;            ///< Visits of all groups in a part, to and fro in turn.
    std::int32_t contact_rounds = 16;   ///< Visits of all contacts after each sweep.
    bool contacts_once = false;  ///< Contacts before matching only, as in the seed: faster, softer.
    double sleep_speed = 0.05;  ///< All may rest below this [sizes of a coat per second]; 0: never.
};
template <class Visitor>
void visit_fields(TissueSolverOptions& o, Visitor&& field) {
    field(Field{"longest_part", "s", 1e-6, 0.1, "steps are cut into parts no longer than this"},
          o.longest_part);
    field(Field{"sweeps", "", 1, 100, "visits of all groups in a part, to and fro in turn"},
          o.sweeps);
    field(Field{"contact_rounds", "", 1, 100, "visits of all contacts after each sweep"},
          o.contact_rounds);
    field(Field{"contacts_once", "", 0, 0, "contacts before matching only"}, o.contacts_once);
    field(Field{"sleep_speed", "1/s", 0.0, 1e3,
                "all may rest when slower, in sizes of a coat per second; 0: never"},
          o.sleep_speed);
}

}  // namespace ductile
