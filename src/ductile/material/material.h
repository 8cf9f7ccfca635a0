// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// What a body is made of, as far as hits are concerned, and how it looks bare.
///
/// A hit with damage impulse J, which an approach at v = J / ((1 + e) m_eff) makes, leaves a dent
/// of depth
///     dent_depth_per_speed * (v - yield_speed) * sqrt(m_eff / 1 kg):
/// the depth at which a body of constant hardness has used up the energy m v^2 / 2 under a ball
/// (F ~ depth, E ~ depth^2). What yields is a matter of speed, not of mass: equal bodies, large or
/// small, come under equal stress at equal speed.
struct Material {
    std::string name = "steel";
    double density = 7850.0;   ///< [kg/m^3], > 0.
    double friction = 0.5;     ///< Coulomb, >= 0.
    double restitution = 0.2;  ///< In [0, 1].
    double yield_speed = 0.8;  ///< Approach speed up to which nothing yields [m/s], >= 0.
    double dent_depth_per_speed =
        0.004;               ///< Depth per approach speed [m per m/s], >= 0; 0: never dents.
    double smoothing = 0.5;  ///< How softly a dent fades out, in [0, 1].
    Vec3 colour = Vec3(0.56, 0.57, 0.58);  ///< Linear RGB of the bare material.
    double metallic = 1.0;                 ///< In [0, 1].
    double roughness = 0.4;                ///< In [0, 1].
    double opacity = 1.0;                  ///< In [0, 1]; below 1 one sees through.
};

template <class Visitor>
void visit_fields(Material& m, Visitor&& field) {
    field(Field{"name", "", 0, 0, "the card's name"}, m.name);
    field(Field{"density", "kg/m^3", 1.0, 30000.0, "mass per volume"}, m.density);
    field(Field{"friction", "", 0.0, 10.0, "Coulomb friction"}, m.friction);
    field(Field{"restitution", "", 0.0, 1.0, "how much of the approach speed comes back"},
          m.restitution);
    field(Field{"yield_speed", "m/s", 0.0, 1e4, "slower hits leave no mark"}, m.yield_speed);
    field(Field{"dent_depth_per_speed", "m per m/s", 0.0, 1.0,
                "dent depth per approach speed of 1 kg"},
          m.dent_depth_per_speed);
    field(Field{"smoothing", "", 0.0, 1.0, "how softly a dent fades out"}, m.smoothing);
    field(Field{"colour", "", 0.0, 1.0, "linear RGB of the bare material"}, m.colour);
    field(Field{"metallic", "", 0.0, 1.0, "1 for bare metal, 0 for the rest"}, m.metallic);
    field(Field{"roughness", "", 0.0, 1.0, "0 mirror, 1 chalk"}, m.roughness);
    field(Field{"opacity", "", 0.0, 1.0, "below 1 one sees through"}, m.opacity);
}

/// All cards, in the order in which they are listed to people.
std::span<const Material> material_cards();

/// The card of that name. Error: names the nearest known one.
Result<Material> find_material(std::string_view name);

}  // namespace ductile
