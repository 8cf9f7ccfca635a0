// SPDX-License-Identifier: MIT
// Densities and colours are handbook values. Restitutions of steel, aluminium and copper: Dong et
// al. 2011, Table 1. Yield and depth are ours, set so that a sheet-metal body of some kilograms
// starts to dent at about one metre per second and a 10 m/s hit reads as a hard one.
#include <ductile/core/names.h>
#include <ductile/material/material.h>

#include <array>
#include <vector>

namespace ductile {
namespace {

const std::array<Material, 11>& cards() {
    static const std::array<Material, 11> all = {{
        {"steel", 7850, 0.5, 0.20, 1.50, 0.0040, 0.50, {0.56, 0.57, 0.58}, 1.0, 0.35},
        {"aluminium", 2700, 0.5, 0.15, 0.60, 0.0075, 0.55, {0.91, 0.92, 0.92}, 1.0, 0.30},
        {"copper", 8960, 0.5, 0.10, 0.80, 0.0065, 0.60, {0.95, 0.64, 0.54}, 1.0, 0.28},
        {"tin", 7290, 0.45, 0.10, 0.30, 0.0110, 0.45, {0.80, 0.78, 0.74}, 1.0, 0.32},
        {"lead", 11340, 0.6, 0.05, 0.20, 0.0100, 0.70, {0.35, 0.36, 0.38}, 1.0, 0.55},
        {"wood", 650, 0.5, 0.30, 1.50, 0.0012, 0.30, {0.43, 0.26, 0.13}, 0.0, 0.65},
        {"plastic", 1050, 0.4, 0.35, 0.80, 0.0030, 0.70, {0.70, 0.70, 0.72}, 0.0, 0.45},
        {"rubber", 1100, 0.9, 0.70, 0.0, 0.0, 1.0, {0.03, 0.03, 0.03}, 0.0, 0.80},
        {"concrete", 2400, 0.7, 0.10, 0.0, 0.0, 0.0, {0.42, 0.41, 0.39}, 0.0, 0.95},
        {"stone", 2650, 0.6, 0.15, 0.0, 0.0, 0.0, {0.36, 0.34, 0.32}, 0.0, 0.90},
        {"glass", 2500, 0.4, 0.40, 0.0, 0.0, 0.0, {0.85, 0.92, 0.90}, 0.0, 0.05},
    }};
    return all;
}

}  // namespace

std::span<const Material> material_cards() { return cards(); }

Result<Material> find_material(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Material& m : cards()) {
        if (m.name == name) return m;
        known.push_back(m.name);
    }
    const std::string near = nearest_name(name, known);
    return Error{"no material is called '" + std::string(name) + "'", "",
                 near.empty() ? "`ductile materials` lists them" : "did you mean '" + near + "'?"};
}

}  // namespace ductile
