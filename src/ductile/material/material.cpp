// SPDX-License-Identifier: MIT
// The numbers and where they come from: docs/materials.md.
#include <ductile/core/names.h>
#include <ductile/material/material.h>

#include <array>
#include <utility>
#include <vector>

namespace ductile {
namespace {

/// What it takes to break a material.
struct BreakNumbers {
    std::string_view name;
    double tensile_strength;  // [Pa]
    double fracture_energy;   // [J/m^2]
};
constexpr BreakNumbers kBreaks[] = {
    {"mild-steel", 400e6, 100e3},
    {"stainless", 515e6, 200e3},
    {"aluminium-soft", 110e6, 100e3},
    {"aluminium-6061", 310e6, 12e3},
    {"copper", 220e6, 100e3},
    {"brass", 330e6, 60e3},
    {"tin", 14e6, 100e3},
    {"lead", 17e6, 100e3},
    {"cast-iron", 200e6, 2e3},
    {"abs", 40e6, 5e3},
    {"rubber", 20e6, 10e3},
    {"pine", 3e6, 500},
    {"oak", 5.5e6, 1000},
    {"concrete", 3e6, 65},
    {"glass", 45e6, 10},
    {"sandstone", 4e6, 20},
};

std::array<Material, 16> with_breaks(std::array<Material, 16> all) {
    for (Material& card : all) {
        for (const BreakNumbers& numbers : kBreaks) {
            if (card.name != numbers.name) continue;
            card.tensile_strength = numbers.tensile_strength;
            card.fracture_energy = numbers.fracture_energy;
        }
    }
    return all;
}

const std::array<Material, 16>& cards() {
    static const std::array<Material, 16> all = with_breaks({{
        // density, E, nu, yield, hardness ratio, friction, restitution, colour, metallic, roughness
        {"mild-steel", 7850, 210e9, 0.30, 250e6, 3.0, 0.50, 0.9, {0.56, 0.57, 0.58}, 1, 0.35},
        {"stainless", 8000, 193e9, 0.29, 215e6, 3.0, 0.50, 0.9, {0.60, 0.60, 0.59}, 1, 0.25},
        {"aluminium-soft", 2700, 70e9, 0.33, 95e6, 3.0, 0.50, 0.9, {0.91, 0.92, 0.92}, 1, 0.30},
        {"aluminium-6061", 2700, 69e9, 0.33, 276e6, 3.0, 0.50, 0.9, {0.88, 0.89, 0.90}, 1, 0.30},
        {"copper", 8960, 120e9, 0.34, 140e6, 3.0, 0.50, 0.9, {0.95, 0.64, 0.54}, 1, 0.28},
        {"brass", 8530, 110e9, 0.34, 180e6, 3.0, 0.45, 0.9, {0.89, 0.72, 0.38}, 1, 0.30},
        {"tin", 7290, 50e9, 0.36, 14e6, 3.0, 0.45, 0.9, {0.80, 0.78, 0.74}, 1, 0.32},
        {"lead", 11340, 16e9, 0.44, 12e6, 3.0, 0.60, 0.9, {0.35, 0.36, 0.38}, 1, 0.55},
        {"cast-iron", 7150, 110e9, 0.26, 230e6, 3.0, 0.45, 0.8, {0.22, 0.22, 0.23}, 1, 0.60},
        {"abs", 1050, 2.3e9, 0.40, 43e6, 2.6, 0.40, 0.8, {0.70, 0.70, 0.72}, 0, 0.45},
        {"rubber", 1100, 5e6, 0.49, 15e6, 3.0, 0.90, 0.7, {0.03, 0.03, 0.03}, 0, 0.80},
        {"pine", 510, 0.8e9, 0.35, 4.1e6, 6.1, 0.50, 0.5, {0.52, 0.33, 0.17}, 0, 0.65},
        {"oak", 705, 1.6e9, 0.35, 7.0e6, 8.1, 0.50, 0.5, {0.36, 0.20, 0.09}, 0, 0.60},
        {"concrete", 2400, 30e9, 0.20, 30e6, 13.0, 0.70, 0.1, {0.42, 0.41, 0.39}, 0, 0.95},
        {"glass", 2500, 70e9, 0.22, 3.6e9, 1.5, 0.40, 0.4, {0.85, 0.92, 0.90}, 0, 0.05},
        {"sandstone", 2300, 15e9, 0.25, 60e6, 9.0, 0.60, 0.15, {0.36, 0.34, 0.32}, 0, 0.90},
    }});
    return all;
}

// What people say for short.
constexpr std::pair<std::string_view, std::string_view> kShortNames[] = {
    {"steel", "mild-steel"}, {"aluminium", "aluminium-soft"}, {"plastic", "abs"},
    {"wood", "pine"},        {"stone", "sandstone"},
};

}  // namespace

std::span<const Material> material_cards() { return cards(); }

Result<Material> find_material(std::string_view name) {
    std::string_view full = name;
    for (const auto& [short_name, meant] : kShortNames) {
        if (name == short_name) full = meant;
    }
    std::vector<std::string_view> known;
    for (const Material& m : cards()) {
        if (m.name == full) return m;
        known.push_back(m.name);
    }
    for (const auto& [short_name, meant] : kShortNames) known.push_back(short_name);
    const std::string near = nearest_name(name, known);
    return Error{"no material is called '" + std::string(name) + "'", "",
                 near.empty() ? "`ductile materials` lists them" : "did you mean '" + near + "'?"};
}

}  // namespace ductile
