// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>

namespace ductile {

/// Where a picture is taken from. Up in the picture is the world's Y.
struct Camera {
    Vec3 eye_w = Vec3(4, 2, 6);       ///< [m]
    Vec3 target_w = Vec3(0, 0.5, 0);  ///< What is in the middle of the picture [m].
    double field_of_view_deg = 35.0;  ///< From the lower to the upper edge.
};
template <class Visitor>
void visit_fields(Camera& c, Visitor&& field) {
    field(Field{"eye", "m", -1e6, 1e6, "where the camera stands"}, c.eye_w);
    field(Field{"target", "m", -1e6, 1e6, "what is in the middle of the picture"}, c.target_w);
    field(Field{"field_of_view_deg", "deg", 1.0, 150.0, "from the lower to the upper edge"},
          c.field_of_view_deg);
}

}  // namespace ductile
