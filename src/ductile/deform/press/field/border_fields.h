// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/field/press_region.h>
#include <ductile/geom/flatten/tangent_frame.h>

#include <complex>
#include <span>
#include <vector>

namespace ductile {

/// A zone's own direction at a crossing of its border: from where it touches back to where it was
/// at rest, as a tangential part in a frame there.
struct BorderDirection {
    TangentFrame frame;
    std::complex<double> part;
};

/// Means of values on the border at the vertices beside it, each weighted by how near it comes to
/// the vertex; then the border's values again, from these: neighbouring constraints agree.
struct BorderMeans {
    BorderMeans() = default;
    BorderMeans(const PressRegion& region, std::span<const double> values);
    double at_border(const ZoneCrossing& c) const {
        return (1.0 - c.along) * at_vertex[c.inner] + c.along * at_vertex[c.outer];
    }

    std::vector<double> at_vertex;  ///< Per point; 0 away from the border.
};

/// From this way along the surface on, as a share of the extent, a border goes far sideways.
inline constexpr double kSidewaysFrom = 0.05;

/// What follows from the zones' borders alone, spread smoothly over the region, a value per point.
struct BorderFields {
    std::vector<BorderDirection> directions;  ///< Per crossing.
    BorderMeans depth;                        ///< How deep borders are pressed [m].
    std::vector<double> flow;       ///< Out of the zones through the region's border; no scale.
    std::vector<double> amplitude;  ///< Of `depth` [m].
    /// How far directions lean from the normal, from 0 to 1, and by which share of the extent
    /// borders go sideways. Empty where none goes far.
    std::vector<double> lean, sideways;
};

/// Solves for all of them at once: that reads the region's factor once. Error: no unique solution.
Result<BorderFields> spread_from_borders(const PressRegion& region, double extent);

/// Values on the border as one smooth field over the region, a value per point.
std::vector<double> spread_from_border(const PressRegion& region, const BorderMeans& values);

}  // namespace ductile
