// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>

namespace ductile::python {

/// How a projectile is pressed into a flat surface.
struct ProjectileOptions {
    Quat rotation = Quat::Identity();
    double distance = 0.05;
    double smoothing = 0.0;
    double slant_deg = 0.0;
    std::int32_t grid = 100;
    double edge = 0.0;
};
template <class Visitor>
void visit_fields(ProjectileOptions& o, Visitor&& field) {
    field(Field{"distance", "m", 1e-6, 1e4, "how far it is pressed in, along its way"}, o.distance);
    field(Field{"rotation", "", 0, 0, "how the projectile is turned"}, o.rotation);
    field(Field{"smoothing", "", 0.0, 1.0, "how softly the dent runs out; 0: not at all"},
          o.smoothing);
    field(Field{"slant_deg", "deg", 0.0, 80.0, "how far from the way in it comes"}, o.slant_deg);
    field(Field{"grid", "", 8, 1024, "samples along the longer side at most"}, o.grid);
    field(Field{"edge", "m", 0.0, 100.0, "of the struck mesh's triangles; 0: as the projectile's"},
          o.edge);
}

}  // namespace ductile::python
