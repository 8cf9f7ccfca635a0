// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/solids/patch_builder.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace ductile {

/// Looks of the car, in the order of `car_looks`.
enum CarLook : std::int32_t {
    kCarPaint,
    kCarGlass,
    kCarTrim,
    kCarGap,
    kCarHeadLamp,
    kCarTailLamp,
    kCarPlate,
    kCarTyre,
    kCarRim,
};
std::vector<Look> car_looks();

// The car as drawn: 1.45 m high, standing on y = 0, its front towards +z. `make_solid` brings it
// to the size asked for.
constexpr double kWheelRadius = 0.322;
constexpr double kWheelWidth = 0.205;
constexpr double kWheelTrack = 0.715;              ///< x of a wheel's middle [m].
constexpr double kWheelPlaces[2] = {1.34, -1.29};  ///< z of the axles [m].
constexpr double kArchRadius = 0.375;
constexpr double kArchInside = 0.52;  ///< x at which a wheel arch ends [m].

/// Half size of the lattice box that `car_body` bends, and the radius of its edges [m].
extern const Vec3 kCarLattice;
constexpr double kCarEdge = 0.11;

/// The smooth body: takes a place on the lattice box to the car's skin [m].
Vec3 car_body(const Vec3& lattice);

/// Unit outward normal of the skin there; `axis` is the box face the place is on.
Vec3 car_body_normal(const Vec3& lattice, const Vec3& axis);

/// One thing that is drawn on the skin.
struct CarFeature {
    std::function<double(const Vec3&)> outline;  ///< Negative inside; about a distance [m].
    CarLook look = kCarPaint;
    double width = 0.0;     ///< > 0: not the inside but a strip this wide along the outline [m].
    bool is_small = false;  ///< Its outline wants finer faces than the rest.
    /// Where a strip is drawn; empty: everywhere.
    std::function<bool(const Vec3&)> is_drawn = {};

    bool covers(const Vec3& p) const {
        if (is_drawn && !is_drawn(p)) return false;
        return width > 0.0 ? std::abs(outline(p)) < 0.5 * width : outline(p) < 0.0;
    }
};

/// Windows, lamps, trim and gaps; a later one covers an earlier one.
const std::vector<CarFeature>& car_features();

/// The wheel arches: negative inside them, the under side within the arch's depth included.
double car_arches(const Vec3& p);

/// Adds the parts that are not cut from the skin, each a closed surface of its own: four wheels and
/// two mirrors.
void add_car_parts(PatchBuilder& builder, double edge_length);

}  // namespace ductile
