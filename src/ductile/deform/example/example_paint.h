// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/painted_map.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

struct Rig;

/// Factors that an artist paints on a body, given by exactly one of formula and colour. Both hold
/// on any mesh of the body, a refined one included.
struct ExampleMap {
    std::string formula{};                 ///< Of x, y and z in the body's frame [m].
    std::optional<PaintChannel> colour{};  ///< Of the vertex colours.
    double black = 0.0;                    ///< The factor where a colour is 0.
    double white = 1.0;                    ///< The factor where a colour is 1.
};
template <class Visitor>
void visit_fields(ExampleMap& m, Visitor&& field) {
    field(Field{"formula", "", 0, 0, "of x, y and z in the body's own frame [m]"}, m.formula);
    field(Field{"colour", "", 0, 0, "a channel of the mesh's vertex colours"}, m.colour);
    field(Field{"black", "", 0.0, 100.0, "what a colour of 0 stands for"}, m.black);
    field(Field{"white", "", 0.0, 100.0, "what a colour of 1 stands for"}, m.white);
}

/// How readily each point takes one pose.
struct PosePaint {
    std::string pose{};  ///< Its name in the rig.
    ExampleMap map{};    ///< In [0, 10]; 0: never.
};
inline std::string& key_of(PosePaint& p) { return p.pose; }
template <class Visitor>
void visit_fields(PosePaint& p, Visitor&& field) {
    visit_fields(p.map, field);
}

/// What is painted on a body with example poses. None: 1 everywhere, to the bit.
struct ExamplePaint {
    std::optional<ExampleMap> yield{};   ///< Of the yield speed where it is struck, in [0, 100].
    std::optional<ExampleMap> radius{};  ///< Of how far an impact there reaches, in [0.01, 100].
    std::vector<PosePaint> poses{};      ///< Of the change of each pose's share, point by point.
};
template <class Visitor>
void visit_fields(ExamplePaint& p, Visitor&& field) {
    field(Field{"yield", "", 0, 0, "factors of the yield speed where it is struck, 0 to 100"},
          p.yield);
    field(Field{"radius", "", 0, 0, "factors of an impact's reach where it is struck, 0.01 to 100"},
          p.radius);
    field(Field{"poses", "", 0, 0, "by name, how readily each point takes a pose, 0 to 10"},
          p.poses);
}

/// What paint comes to on one body: a factor per point, or none for 1 everywhere.
struct ExampleFactors {
    std::vector<double> yield{}, radius{};
    std::vector<std::vector<double>> poses{};  ///< One list per pose of the rig; empty: no paint.

    /// How readily point v takes a pose.
    double of_pose(std::size_t pose, std::size_t v) const {
        return poses.empty() || poses[pose].empty() ? 1.0 : poses[pose][v];
    }
    /// Makes `painted`, which begins as a copy of `change`, what point v takes of that.
    void paint(std::size_t v, std::span<const double> change, std::span<double> painted) const {
        if (poses.empty()) return;
        for (std::size_t e = 0; e < change.size(); ++e) painted[e] = of_pose(e, v) * change[e];
    }
};

/// Whether every map has one source that can be read, and every pose is one of the rig's.
/// Errors name the field.
Status check(const ExamplePaint& paint, const Rig& rig);

/// Evaluates paint on a body. Error: what `check` refuses, no vertex colours, factors out of range.
Result<ExampleFactors> example_factors(const ExamplePaint& paint, const Rig& rig,
                                       const SurfaceAsset& asset);

}  // namespace ductile
