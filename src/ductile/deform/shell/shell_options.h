// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/deform/record_kind.h>

#include <cstdint>

namespace ductile {

/// How a body of sheet metal crumples. Plain data; every default is usable as it stands.
struct ShellOptions {
    std::int32_t sub_shells = 128;   ///< Patches that kick loose rigidly; at least one per part.
    double distance_weight = 0.5;    ///< Share of distance against angle in cutting them (delta).
    bool springs = true;             ///< Off: bare motion of the patches that are met.
    double stiffness = 1.0;          ///< Of the springs within a patch, over that of its form, > 0.
    double stretch_limit = 0.2;      ///< How much longer any edge may get than it was at rest.
    double compression_limit = 0.5;  ///< How much shorter patches may get.
    double friction = 0.4;           ///< Between the patches and what presses on them, >= 0.
    double reach = 0.0;     ///< How far along the sheet a hit acts [m]; 0: from its depth and size.
    double rounding = 0.2;  ///< Softens creases, in [0, 1]; 0: as sharp as the mesh.
    /// Stiffness on the way out over that on the way in of the contacts' springs (epsilon): its
    /// root is the body's restitution. 0: the material's.
    double stiffness_ratio = 0.0;
    double share = 1.0;            ///< Of an impact's energy that the layer takes, in [0, 1].
    double depth_limit = 0.0;      ///< Deepest push of one hit [m]; 0: from the body's extent.
    std::int32_t load_parts = 16;  ///< In how many equal parts the other body moves in, >= 1.
    std::int32_t iterations = 16;  ///< Of the springs, per part, >= 1.
};
template <class Visitor>
void visit_fields(ShellOptions& o, Visitor&& field) {
    field(Field{"sub_shells", "", 1, 1024, "patches that kick loose; at least one per large part"},
          o.sub_shells);
    field(Field{"distance_weight", "", 0.0, 1.0, "share of distance against angle in cutting them"},
          o.distance_weight);
    field(Field{"springs", "", 0, 0, "carry a hit across the sheet; off: bare motion of patches"},
          o.springs);
    field(Field{"stiffness", "", 1e-4, 1e4, "of springs within a patch, over that of its form"},
          o.stiffness);
    field(Field{"stretch_limit", "", 0.001, 10.0, "how much longer an edge may get, as a share"},
          o.stretch_limit);
    field(Field{"compression_limit", "", 0.001, 0.99, "how much shorter a patch may get"},
          o.compression_limit);
    field(Field{"friction", "", 0.0, 10.0, "between patches and what presses on them"}, o.friction);
    field(Field{"reach", "m", 0.0, kMostRecordLength,
                "how far along the sheet a hit acts; 0: from its depth"},
          o.reach);
    field(Field{"rounding", "", 0.0, 1.0, "softens creases; 0: as sharp as the mesh has them"},
          o.rounding);
    field(Field{"stiffness_ratio", "", 0.0, 1.0,
                "of contacts on the way out over the way in; its root is the restitution; 0: the "
                "material's"},
          o.stiffness_ratio);
    field(Field{"share", "", 0.0, 1.0, "of an impact's energy; layers after it get the rest"},
          o.share);
    field(
        Field{"depth_limit", "m", 0.0, kMostRecordLength, "deepest push of one hit; 0: automatic"},
        o.depth_limit);
    field(Field{"load_parts", "", 1, 1000, "in how many equal parts the other body moves in"},
          o.load_parts);
    field(Field{"iterations", "", 1, 10000, "of the springs, per part"}, o.iterations);
}

}  // namespace ductile
