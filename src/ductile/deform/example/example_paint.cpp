// SPDX-License-Identifier: MIT
#include <ductile/core/expression.h>
#include <ductile/core/field_messages.h>
#include <ductile/deform/example/example_paint.h>
#include <ductile/geom/rig.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ductile {
namespace {

/// Of a kind of factors.
struct PaintRange {
    double least, most;
};
constexpr PaintRange kYieldPaint{0.0, 100.0}, kRadiusPaint{0.01, 100.0}, kPosePaint{0.0, 10.0};

Status check_paint(const ExampleMap& map, const std::string& where) {
    if (map.formula.empty() != map.colour.has_value()) {
        return Error{"a painted map has one of formula and colour", where,
                     map.formula.empty() ? "give one of them" : "leave the other out"};
    }
    if (map.colour) return {};
    const Result<Expression> read = parse_expression(map.formula, kMapVariables);
    if (read) return {};
    const Error& error = read.error();
    return Error{error.where + ": " + error.what, where + "/formula", error.hint};
}

Result<std::vector<double>> paint_numbers(const ExampleMap& map, const SurfaceAsset& asset,
                                          const PaintRange& range, const std::string& where) {
    Result<std::vector<double>> numbers =
        map.colour ? map_from_colours(asset, *map.colour, map.black, map.white)
                   : map_from_formula(map.formula, asset.surface.points);
    if (!numbers) return Error{numbers.error().what, where, numbers.error().hint};
    for (const double x : numbers.value()) {
        if (x >= range.least && x <= range.most) continue;
        return Error{
            fmt::format("it is {} at a point, not in [{}, {}]", x, range.least, range.most), where,
            ""};
    }
    return numbers;
}

std::ptrdiff_t pose_of(const Rig& rig, std::string_view name) {
    const auto is_it = [&](const RigPose& pose) { return pose.name == name; };
    const auto found = std::find_if(rig.poses.begin(), rig.poses.end(), is_it);
    return found == rig.poses.end() ? -1 : found - rig.poses.begin();
}

std::string pose_pointer(const PosePaint& paint) { return pointer_below("/poses", paint.pose); }

}  // namespace

Status check(const ExamplePaint& paint, const Rig& rig) {
    if (paint.yield) {
        if (Status fine = check_paint(*paint.yield, "/yield"); !fine) return fine;
    }
    if (paint.radius) {
        if (Status fine = check_paint(*paint.radius, "/radius"); !fine) return fine;
    }
    std::vector<std::string_view> names;
    for (const RigPose& pose : rig.poses) names.push_back(pose.name);
    for (const PosePaint& pose : paint.poses) {
        if (pose_of(rig, pose.pose) < 0) {
            return Error{"the rig has no pose of this name", pose_pointer(pose),
                         suggestion(pose.pose, names)};
        }
        if (Status fine = check_paint(pose.map, pose_pointer(pose)); !fine) return fine;
    }
    return {};
}

Result<ExampleFactors> example_factors(const ExamplePaint& paint, const Rig& rig,
                                       const SurfaceAsset& asset) {
    if (Status fine = check(paint, rig); !fine) return fine.error();
    ExampleFactors factors;
    const auto read = [&](const ExampleMap& map, const PaintRange& range, const std::string& where,
                          std::vector<double>& into) -> Status {
        Result<std::vector<double>> numbers = paint_numbers(map, asset, range, where);
        if (!numbers) return numbers.error();
        into = std::move(numbers).value();
        return {};
    };
    Status done;
    if (paint.yield) done = read(*paint.yield, kYieldPaint, "/yield", factors.yield);
    if (done && paint.radius) done = read(*paint.radius, kRadiusPaint, "/radius", factors.radius);
    if (!paint.poses.empty()) factors.poses.resize(rig.poses.size());
    for (std::size_t i = 0; done && i < paint.poses.size(); ++i) {
        const PosePaint& pose = paint.poses[i];
        done = read(pose.map, kPosePaint, pose_pointer(pose),
                    factors.poses[static_cast<std::size_t>(pose_of(rig, pose.pose))]);
    }
    if (!done) return done.error();
    return factors;
}

}  // namespace ductile
