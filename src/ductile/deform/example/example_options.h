// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/deform/example/example_paint.h>
#include <ductile/deform/example/example_step.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// How an impact comes to its full effect.
enum class ExampleFade {
    Exponential,  ///< Fast at first, in few steps (equation 13, with lambda as a time).
    Eased,        ///< Without a jerk at either end.
};
inline std::span<const std::string_view> enum_names(ExampleFade) {
    static constexpr std::string_view names[] = {"exponential", "eased"};
    return names;
}

/// How impacts turn a body towards the example poses of its rig. Letters are those of Jones et al.
/// 2016.
struct ExampleOptions {
    std::string rig{};                    ///< A rig file, or the name of one that comes along.
    std::vector<std::string> left_out{};  ///< Poses of the rig that this body does not take.
    ExampleMapping mapping = ExampleMapping::Direction;
    double softness = 18.0;     ///< How far shares go per length of the wanted move (alpha) [1/m].
    double yield_speed = 0.75;  ///< Change of speed, impulse over mass, that leaves no mark (beta).
    double reference_time = 1.0 / 60.0;  ///< The move is what is beyond that, times this [s].
    double radius = 0.0;  ///< How far an impact reaches (gamma) [m]; 0: by the body's size.
    ExampleFade fade = ExampleFade::Exponential;
    double fade_time = 0.04;    ///< In which all but a third has happened (lambda) [s].
    double rebound_loss = 4.0;  ///< How fast the rebound falls with the mean change (nu).
    double recovery = 0.5;      ///< Restitution that comes back per second (mu) [1/s].
    double share = 0.7;    ///< Of an impact's energy, where the body has other layers, too; (0, 1].
    ExamplePaint paint{};  ///< Where it yields sooner, reaches further, takes more of a pose.
};
template <class Visitor>
void visit_fields(ExampleOptions& o, Visitor&& field) {
    field(file_field("rig", "a rig file, or a rig that comes along: barrel, car ..."), o.rig);
    field(Field{"left_out", "", 0, 0, "poses of the rig that this body does not take"}, o.left_out);
    field(Field{"mapping", "", 0, 0, "how a wanted move becomes a change of shares"}, o.mapping);
    field(Field{"softness", "1/m", 0.0, 1e4, "how far shares go per length of the wanted move"},
          o.softness);
    field(Field{"yield_speed", "m/s", 0.0, 1e3, "impulse over mass that leaves no mark"},
          o.yield_speed);
    field(Field{"reference_time", "s", 1e-6, 10.0, "the wanted move is what is beyond, times this"},
          o.reference_time);
    field(Field{"radius", "m", 0.0, 1e4, "how far an impact reaches; 0: by the body's size"},
          o.radius);
    field(Field{"fade", "", 0, 0, "how an impact comes to its full effect"}, o.fade);
    field(Field{"fade_time", "s", 0.0, 100.0, "in which all but a third of it has happened"},
          o.fade_time);
    field(Field{"rebound_loss", "", 0.0, 1e3, "how fast the rebound falls with the mean change"},
          o.rebound_loss);
    field(Field{"recovery", "1/s", 0.0, 1e3, "restitution that comes back per second"}, o.recovery);
    field(Field{"share", "", 0.01, 1.0, "of an impact's energy, where the body has other layers"},
          o.share);
    field(Field{"paint", "", 0, 0, "where it yields sooner, reaches further, takes more of a pose"},
          o.paint);
}

}  // namespace ductile
