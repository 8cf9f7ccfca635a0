// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/vector_map.h>
#include <ductile/geom/tri_mesh.h>
#include <ductile/render/image.h>

#include "curve_sheet.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ductile::cli {

/// How a projectile comes, and what becomes of its map.
struct MapKnobs {
    double distance = 0.0;  ///< How far it is pressed in [m]; 0: a fifth of its height.
    double smoothing = 0.25;
    double slant_deg = 45.0;  ///< Of the panels that show a glancing impact, below 80.
    double widening = 2.0;    ///< Of the same.
    std::int32_t grid = 100;
};

/// The map of what a projectile presses in head-on, stage by stage (Patkar et al. 2014, section
/// 3.2, its figures 6 and 7).
struct MapStages {
    DentMap profile;                  ///< The bare depth picture.
    DentMap envelope;                 ///< Of Gaussians over its samples.
    DentMap smoothed;                 ///< The map that is pressed in.
    std::vector<std::int32_t> owner;  ///< The sample whose Gaussian is uppermost; -1: none.
    double sharpness = 0.0;           ///< Of the Gaussians [1/m^2]; 0: nothing is broadened.
    double middle_x = 0.0;            ///< Of the map, in the projectile's frame [m].
    double middle_z = 0.0;
};

/// Moves `mesh` down until its lowest point touches y = 0 and presses it along -y.
/// Error: nothing of it comes that way.
Result<MapStages> map_stages(TriMesh& mesh, MapKnobs& knobs);

/// Figures 4, 6, 8 and 9, from the row of the map through its deepest sample.
std::vector<CurvePanel> stage_curves(const TriMesh& mesh, const MapStages& stages,
                                     const MapKnobs& knobs);
/// Figure 7: profile, envelope, smoothed, and whose Gaussian is uppermost.
Result<Image> stage_pictures(const MapStages& stages);

/// A map of a file: where its middle row and column go, and its three parts.
std::vector<CurvePanel> vector_curves(const VectorMap& map);
Result<Image> vector_pictures(const VectorMap& map);

}  // namespace ductile::cli
