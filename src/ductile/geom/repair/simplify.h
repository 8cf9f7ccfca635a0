// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

struct SimplifyOptions {
    std::int32_t points = 50'000;  ///< Points aimed at, > 0.
    double error_limit = 0.01;     ///< Furthest a face may move, as a share of the largest extent.
};

struct Simplified {
    TriMesh surface;
    std::vector<std::int32_t> point_source;  ///< Per point: the point of the input that it is.
    double error = 0.0;                      ///< As the simplifier estimates it [m].
};

/// A surface of fewer triangles between some of the same points (meshoptimizer: quadric errors,
/// borders kept). Stops above the aim where the error limit or the topology asks for it. A surface
/// many times as dense as the aim is thinned out in pieces first, on several threads: half the
/// work, and no further from the given one. Nothing is promised about manifoldness: mend what comes
/// out. Same input, same bytes, at any number of threads. Requires: finite points, valid indices.
Simplified simplify_surface(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const SimplifyOptions& options);

}  // namespace ductile
