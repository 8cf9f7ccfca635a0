// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// What a body is made of, in a handbook's numbers, and how it looks bare. Sources of the cards:
/// docs/materials.md.
struct Material {
    std::string name = "mild-steel";
    double density = 7850.0;        ///< [kg/m^3], > 0.
    double youngs_modulus = 210e9;  ///< [Pa], > 0.
    double poissons_ratio = 0.3;    ///< In [0, 0.5].
    double yield_stress = 250e6;    ///< In simple tension or compression [Pa], > 0.
    double hardness_ratio = 3.0;    ///< Hardness over yield stress; 3 for most metals (Tabor).
    double friction = 0.5;          ///< Coulomb, >= 0.
    double restitution = 0.9;       ///< Of a hit that nothing yields to, in [0, 1].
    Vec3 colour = Vec3(0.56, 0.57, 0.58);  ///< Linear RGB of the bare material.
    double metallic = 1.0;                 ///< In [0, 1].
    double roughness = 0.4;                ///< In [0, 1].
    double opacity = 1.0;                  ///< In [0, 1]; below 1 one sees through.
    double tensile_strength = 400e6;       ///< At which it tears or breaks [Pa], > 0.
    double fracture_energy = 100e3;        ///< That a broken face takes [J/m^2], >= 0.
    double hardening = 0.0;  ///< Power of the strain that its flow stress rises with, >= 0.

    /// Mean pressure under which it is indented [Pa], where it has just begun to flow.
    double hardness() const { return hardness_ratio * yield_stress; }
    /// What it adds to the compliance of a contact, (1 - nu^2) / E [1/Pa].
    double contact_compliance() const {
        return (1.0 - poissons_ratio * poissons_ratio) / youngs_modulus;
    }
};

template <class Visitor>
void visit_fields(Material& m, Visitor&& field) {
    field(Field{"name", "", 0, 0, "the card's name"}, m.name);
    field(Field{"density", "kg/m^3", 1.0, 30000.0, "mass per volume"}, m.density);
    field(Field{"youngs_modulus", "Pa", 1e3, 2e12, "how stiff it is"}, m.youngs_modulus);
    field(Field{"poissons_ratio", "", 0.0, 0.5, "how much it widens when it is squeezed"},
          m.poissons_ratio);
    field(Field{"yield_stress", "Pa", 1e3, 1e12, "stress from which on it stays deformed"},
          m.yield_stress);
    field(Field{"hardness_ratio", "", 0.5, 50.0,
                "pressure under which it is indented, over its yield stress; 3 for most metals"},
          m.hardness_ratio);
    field(Field{"hardening", "", 0.0, 0.6,
                "power of the strain that its flow stress rises with; steel 0.2, 0: not at all"},
          m.hardening);
    field(Field{"tensile_strength", "Pa", 1.0, 1e12, "tension at which it breaks"},
          m.tensile_strength);
    field(Field{"fracture_energy", "J/m^2", 0.0, 1e9, "what a broken face takes"},
          m.fracture_energy);
    field(Field{"friction", "", 0.0, 10.0, "Coulomb friction"}, m.friction);
    field(Field{"restitution", "", 0.0, 1.0,
                "how much of the approach speed comes back where nothing yields"},
          m.restitution);
    field(Field{"colour", "", 0.0, 1.0, "linear RGB of the bare material"}, m.colour);
    field(Field{"metallic", "", 0.0, 1.0, "1 for bare metal, 0 for the rest"}, m.metallic);
    field(Field{"roughness", "", 0.0, 1.0, "0 mirror, 1 chalk"}, m.roughness);
    field(Field{"opacity", "", 0.0, 1.0, "below 1 one sees through"}, m.opacity);
}

/// Of the speed that a material gives back, what a body of sheet does: it goes on ringing. From the
/// metal shells of Dong et al. 2011 (Table 1: steel 0.2, aluminium 0.15, copper 0.1), beside 0.9 of
/// the cards.
inline constexpr double kSheetRebound = 1.0 / 6.0;

/// All cards, in the order in which they are listed to people.
std::span<const Material> material_cards();

/// The card of that name, or of a common short one: steel, aluminium, plastic, wood, stone.
/// Error: names the nearest known one.
Result<Material> find_material(std::string_view name);

}  // namespace ductile
