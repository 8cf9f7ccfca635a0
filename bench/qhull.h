// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_map.h>

#ifdef DUCTILE_HAS_QHULL
#include <libqhull_r/qhull_ra.h>

#include <cmath>
#include <cstdio>
#include <vector>

/// Builds the hull of the dual points of a map's Gaussians with Qhull (Barber, Dobkin and Huhdanpaa
/// 1996), the field's general library, and nothing of what has to follow. False if it fails.
inline bool build_qhull(const ductile::DentMap& map, double sharpness) {
    const double curvature = sharpness * map.cell * map.cell;
    std::vector<coordT> points;
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            if (!(map.at(i, j) > 0.0)) continue;
            const double x = i, y = j;
            points.insert(points.end(), {x, y, x * x + y * y - std::log(map.at(i, j)) / curvature});
        }
    }
    qhT state;
    qh_zero(&state, stderr);
    char options[] = "qhull";
    const int failed = qh_new_qhull(&state, 3, static_cast<int>(points.size() / 3), points.data(),
                                    False, options, nullptr, stderr);
    qh_freeqhull(&state, !qh_ALL);
    int left = 0, pieces = 0;
    qh_memfreeshort(&state, &left, &pieces);
    return failed == 0;
}
#endif
