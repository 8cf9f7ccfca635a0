// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/stop.h>
#include <ductile/record/picture_options.h>

namespace ductile {

/// How a picture is made, and what stands around the bodies in it.
struct RenderOptions : PictureOptions {
    bool has_ground = true;      ///< An endless concrete floor that fades into the haze.
    double ground_height = 0.0;  ///< [m]
    Vec3 ground_colour = Vec3(0.31, 0.30, 0.285);  ///< Linear RGB.
    const StopFlag* stop = nullptr;  ///< Ends a picture that takes long with an error; may be null.
};
template <class Visitor>
void visit_fields(RenderOptions& o, Visitor&& field) {
    visit_fields(static_cast<PictureOptions&>(o), field);
    field(Field{"has_ground", "", 0, 0, "an endless concrete floor"}, o.has_ground);
    field(Field{"ground_height", "m", -1e6, 1e6, "height of the endless floor"}, o.ground_height);
    field(Field{"ground_colour", "", 0.0, 1.0, "linear RGB of the endless floor"}, o.ground_colour);
}

}  // namespace ductile
