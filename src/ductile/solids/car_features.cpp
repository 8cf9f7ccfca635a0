// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/smooth_curve.h>
#include <ductile/solids/car_shape.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Outline = std::function<double(const Vec3&)>;
using Corners = std::vector<Vec2>;

constexpr double kGapWidth = 0.009;   // [m] Wider than life, to be seen from a few metres off.
constexpr double kSealWidth = 0.016;  // [m] Black frame of a window.

// Shapes are drawn in one of three views and bounded in depth, so that each is a continuous
// function of the place, as cutting needs it, and yet marks one side of the car only.

// Negative near the flanks, which lean in above the waist; positive on bonnet, roof and glass.
double off_flank(const Vec3& p) {
    return std::min(0.71, 0.71 - 0.415 * (p.y() - 0.965)) - std::abs(p.x());
}
Outline from_side(Corners corners, double rounding) {
    return [=](const Vec3& p) {
        return std::max(polygon_distance(corners, {p.z(), p.y()}, rounding), off_flank(p));
    };
}
Outline from_above(Corners corners, double rounding, double lowest) {
    return [=](const Vec3& p) {
        return std::max(polygon_distance(corners, {std::abs(p.x()), p.z()}, rounding),
                        lowest - p.y());
    };
}
// `first_z` bounds the shape towards the middle of the car: front if positive, else rear.
Outline from_end(Corners corners, double rounding, double first_z) {
    return [=](const Vec3& p) {
        const double behind = first_z > 0 ? first_z - p.z() : p.z() - first_z;
        return std::max(polygon_distance(corners, {std::abs(p.x()), p.y()}, rounding), behind);
    };
}
Outline grown(Outline outline, double by) {
    return [=](const Vec3& p) { return outline(p) - by; };
}
Outline both(Outline a, Outline b) {
    return [=](const Vec3& p) { return std::max(a(p), b(p)); };
}

Outline side_windows() {
    return from_side({{0.60, 1.005},
                      {0.15, 1.275},
                      {-0.20, 1.335},
                      {-0.80, 1.350},
                      {-1.20, 1.315},
                      {-1.47, 1.150},
                      {-1.36, 1.035},
                      {-0.60, 1.010}},
                     0.022);
}
Outline windscreen() {
    return from_above(
        {{-1, 0.83}, {0.35, 0.81}, {0.625, 0.73}, {0.470, 0.19}, {0.30, 0.215}, {-1, 0.225}}, 0.03,
        0.85);
}
Outline rear_window() {
    return from_end({{-1, 1.045}, {0.575, 1.045}, {0.48, 1.295}, {-1, 1.31}}, 0.03, -1.45);
}

// Both doors of a side: straight in front, around the wheel arch behind.
Outline doors() {
    const Outline panel = from_side(
        {{0.80, 0.30}, {0.86, 0.60}, {0.80, 0.96}, {0.80, 1.8}, {-1.16, 1.8}, {-1.16, 0.30}}, 0.01);
    return [=](const Vec3& p) {
        const double arch = std::hypot(p.z() - kWheelPlaces[1], p.y() - kWheelRadius);
        return std::max(panel(p), kArchRadius + 0.065 - arch);
    };
}
Outline bonnet() {
    return from_above({{-1, 0.93},
                       {0.66, 0.83},
                       {0.675, 1.45},
                       {0.64, 1.68},
                       {0.56, 1.83},
                       {0.40, 1.92},
                       {0.20, 1.965},
                       {-1, 1.98}},
                      0.02, 0.55);
}
Outline tailgate() {
    return from_end(
        {{-1, 0.52}, {0.48, 0.52}, {0.50, 0.70}, {0.60, 0.93}, {0.53, 1.36}, {-1, 1.395}}, 0.02,
        -1.50);
}

std::vector<CarFeature> drawn_features() {
    const Outline b_pillar = [](const Vec3& p) {
        return std::max(std::abs(p.z() + 0.27) - 0.035, off_flank(p));
    };
    const Outline b_gap = [](const Vec3& p) { return std::max(p.z() + 0.27, off_flank(p)); };
    // Above the waist the window frames stand for the gaps.
    const auto is_below_glass = [](const Vec3& p) { return p.y() < 0.975; };
    const auto is_door = [=, door = doors()](const Vec3& p) {
        return is_below_glass(p) && door(p) < 0.0;
    };
    const Outline sill = [](const Vec3& p) { return p.y() - 0.265; };
    const Outline intake =
        from_end({{-1, 0.345}, {0.47, 0.350}, {0.43, 0.420}, {-1, 0.425}}, 0.03, 1.6);
    const Outline grille =
        from_end({{-1, 0.618}, {0.35, 0.624}, {0.36, 0.650}, {-1, 0.650}}, 0.022, 1.6);
    const Outline head_lamps = from_end(
        {{0.455, 0.598}, {0.62, 0.600}, {0.95, 0.66}, {0.95, 0.725}, {0.60, 0.678}, {0.465, 0.660}},
        0.012, 1.66);
    const Outline fog_lamps =
        from_end({{0.60, 0.36}, {0.70, 0.37}, {0.69, 0.42}, {0.60, 0.415}}, 0.012, 1.6);
    const Outline tail_lamps = from_end(
        {{0.47, 0.79}, {0.60, 0.75}, {0.95, 0.76}, {0.95, 0.90}, {0.66, 0.90}, {0.47, 0.86}}, 0.012,
        -1.76);
    const Outline front_plate =
        from_end({{-1, 0.485}, {0.25, 0.485}, {0.25, 0.565}, {-1, 0.565}}, 0.008, 1.6);
    const Outline rear_plate =
        from_end({{-1, 0.655}, {0.25, 0.655}, {0.25, 0.735}, {-1, 0.735}}, 0.008, -1.6);
    return {
        {bonnet(), kCarGap, kGapWidth, true},
        {tailgate(), kCarGap, kGapWidth},
        {doors(), kCarGap, kGapWidth, false, is_below_glass},
        {b_gap, kCarGap, kGapWidth, false, is_door},
        {sill, kCarTrim},
        {intake, kCarTrim, 0.0, true},
        {grille, kCarTrim, 0.0, true},
        {head_lamps, kCarHeadLamp, 0.0, true},
        {fog_lamps, kCarHeadLamp, 0.0, true},
        {tail_lamps, kCarTailLamp, 0.0, true},
        {front_plate, kCarPlate, 0.0, true},
        {rear_plate, kCarPlate, 0.0, true},
        {grown(windscreen(), kSealWidth), kCarTrim},
        {windscreen(), kCarGlass},
        {grown(rear_window(), kSealWidth), kCarTrim},
        {rear_window(), kCarGlass},
        {grown(side_windows(), kSealWidth), kCarTrim},
        {side_windows(), kCarGlass},
        {both(side_windows(), b_pillar), kCarTrim},
    };
}

}  // namespace

std::vector<Look> car_looks() {
    return {
        {"paint", Vec3(0.80, 0.42, 0.03), 0.0, 0.25, 1.0},
        // Dark and opaque: there is nothing inside to see.
        {"glass", Vec3(0.012, 0.014, 0.016), 0.0, 0.06, 1.0},
        {"trim", Vec3(0.018, 0.018, 0.019), 0.0, 0.5, 1.0},
        {"gap", Vec3(0.01, 0.01, 0.01), 0.0, 0.9, 1.0},
        {"head_lamp", Vec3(0.78, 0.80, 0.82), 0.6, 0.12, 1.0},
        {"tail_lamp", Vec3(0.45, 0.01, 0.01), 0.0, 0.12, 1.0},
        {"plate", Vec3(0.72, 0.72, 0.68), 0.0, 0.5, 1.0},
        {"tyre", Vec3(0.022, 0.022, 0.023), 0.0, 0.85, 1.0},
        {"rim", Vec3(0.62, 0.63, 0.65), 1.0, 0.28, 1.0},
    };
}

const std::vector<CarFeature>& car_features() {
    static const std::vector<CarFeature> features = drawn_features();
    return features;
}

}  // namespace ductile
