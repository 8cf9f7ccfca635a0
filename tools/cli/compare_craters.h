// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_law.h>

#include "compared.h"

#include <string>
#include <vector>

namespace ductile::cli {

/// What a ball of radius 1 presses in, up to nearly its radius.
PressCurve ball_press_curve();
/// How wide such a ball is at a depth `below` its deepest point's depth `depth`.
double cap_radius(double below, double depth);

/// Of a block's row, as it is named and as its Poisson's ratio was.
std::string block_name(const TableRow& row);
double block_poisson(const TableRow& row);

/// The law beside a row of a table: balls in blocks, in blocks that harden, cones, blades and
/// edges, and balls that fly into blocks.
void compare_block(const TableRow& row, std::vector<Compared>& out);
void compare_hardening(const TableRow& row, std::vector<Compared>& out);
void compare_wedge(const TableRow& row, std::vector<Compared>& out);
void compare_impact(const TableRow& row, std::vector<Compared>& out);

/// The law beside Hill's closed form of sharp edges in what does not spring back (The Mathematical
/// Theory of Plasticity, 1950, VIII.2): of a cube, 45 degrees to either side, and blunter ones.
void compare_sharp_edges(std::vector<Compared>& out);

}  // namespace ductile::cli
