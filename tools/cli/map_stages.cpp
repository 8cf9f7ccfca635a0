// SPDX-License-Identifier: MIT
#include "map_stages.h"

#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/projectile_map.h>

#include <algorithm>
#include <cmath>

namespace ductile::cli {
namespace {

// Colours of the seed's figures.
constexpr std::string_view kBlack = "#222", kCyan = "#35c0d0", kRed = "#c0392b", kGreen = "#1f9d55",
                           kBlue = "#2456a4", kGrey = "#aaa";
constexpr double kUsualDistance = 0.2;  // of the height
// Gaussians in the plot of them; more would be a blot.
constexpr std::int32_t kShownGaussians = 24;
// Rounds of heat on the bare profile, for comparison.
constexpr std::int32_t kHeatRounds = 40;

ProjectilePress press_of(const SurfaceQuery& surface, const TriMesh& mesh, const Vec3& place,
                         const MapKnobs& knobs) {
    ProjectilePress press;
    press.surface = &surface;
    press.direction_b = -Vec3::UnitY();
    press.from_b = Vec3::UnitX();
    press.box_b = bounds(mesh.points);
    const double size = press.box_b.diagonal();
    press.box_b.lower -= Vec3::Constant(20.0 * size);
    press.box_b.upper += Vec3::Constant(20.0 * size);
    press.lead = 0.0;  // it touches there first
    press.distance = knobs.distance;
    press.smoothing = knobs.smoothing;
    press.grid = knobs.grid;
    press.edge = press.other_edge = 1e-6 * size;  // as fine as the grid
    press.places_b = {&place, 1};
    return press;
}

Vec3 lowest_of(const TriMesh& mesh) {
    return *std::min_element(mesh.points.begin(), mesh.points.end(),
                             [](const Vec3& a, const Vec3& b) { return a.y() < b.y(); });
}

// How wide what is pressed is at its narrower side [m].
double narrow_side(const DentMap& map) {
    Vec2 lower = Vec2::Constant(kInfinity), upper = Vec2::Constant(-kInfinity);
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            if (!(map.at(i, j) > 0.0)) continue;
            lower = lower.cwiseMin(Vec2(map.x(i), map.y(j)));
            upper = upper.cwiseMax(Vec2(map.x(i), map.y(j)));
        }
    }
    return (upper - lower).minCoeff();
}

// Which sample's Gaussian is highest at each: of logarithms, so that none is too small.
std::vector<std::int32_t> uppermost(const DentMap& profile, double sharpness) {
    const double per_cell = sharpness * profile.cell * profile.cell;
    const auto count = static_cast<std::int32_t>(profile.depths.size());
    std::vector<std::int32_t> sources, owner(profile.depths.size(), -1);
    std::vector<double> logs;
    for (std::int32_t k = 0; k < count; ++k) {
        const double z = profile.depths[static_cast<std::size_t>(k)];
        if (!(z > 0.0)) continue;
        sources.push_back(k);
        logs.push_back(std::log(z));
    }
    for (std::int32_t at = 0; at < count; ++at) {
        double most = -kInfinity;
        for (std::size_t s = 0; s < sources.size(); ++s) {
            const double dx = at % profile.columns - sources[s] % profile.columns;
            const double dy = at / profile.columns - sources[s] / profile.columns;
            const double height = logs[s] - per_cell * (dx * dx + dy * dy);
            if (height <= most) continue;
            most = height;
            owner[static_cast<std::size_t>(at)] = sources[s];
        }
    }
    return owner;
}

std::int32_t deepest_sample(const DentMap& map) {
    const auto most = std::max_element(map.depths.begin(), map.depths.end());
    return static_cast<std::int32_t>(most - map.depths.begin());
}

// Depths of a row, drawn downwards.
std::vector<CutLine> row_lines(const DentMap& map, std::int32_t row, double stretch = 1.0,
                               double shift = 0.0) {
    std::vector<Vec2> points;
    for (std::int32_t i = 0; i < map.columns; ++i) {
        points.emplace_back(shift + stretch * map.x(i), -map.at(i, row));
    }
    return lines_through(points);
}

std::vector<CutLine> gaussians(const DentMap& profile, std::int32_t row, double sharpness) {
    std::vector<std::int32_t> sources;
    for (std::int32_t i = 0; i < profile.columns; ++i) {
        if (profile.at(i, row) > 0.0) sources.push_back(i);
    }
    std::vector<CutLine> lines;
    const std::size_t step = sources.size() / kShownGaussians + 1;
    for (std::size_t s = 0; s < sources.size(); s += step) {
        std::vector<Vec2> points;
        for (std::int32_t i = 0; i < profile.columns; ++i) {
            const double off = profile.x(i) - profile.x(sources[s]);
            points.emplace_back(profile.x(i),
                                -profile.at(sources[s], row) * std::exp(-sharpness * off * off));
        }
        const std::vector<CutLine> one = lines_through(points);
        lines.insert(lines.end(), one.begin(), one.end());
    }
    return lines;
}

// Where a row of a flat surface goes under a dent, `half` to either side.
std::vector<CutLine> pressed_row(const DentHit& hit, double row_z, double half) {
    const DentPress press(hit, 1.0);
    std::vector<Vec2> points;
    constexpr int kRowSteps = 300;
    for (int k = 0; k <= kRowSteps; ++k) {
        const Vec3 p = hit.position_b + Vec3(half * (2.0 * k / kRowSteps - 1.0), 0.0, row_z);
        const Vec3 to = press(p, p) - hit.position_b;
        points.emplace_back(to.x(), to.y());
    }
    return lines_through(points);
}

// How far a slanted dent of this map reaches along the surface [m].
double half_row(const DentMap& map, const MapKnobs& knobs) {
    return 0.5 * map.columns * map.cell / std::cos(knobs.slant_deg * (kPi / 180.0));
}

DentHit hit_of(const DentMap& map, double slant_deg) {
    DentHit hit;
    hit.direction_b = -Vec3::UnitY();
    hit.from_b = Vec3::UnitX();
    hit.map = grid_of(map);
    hit.radius = grid_radius(*hit.map, map.cell);
    hit.depth = map.deepest();
    hit.slant_deg = slant_deg;
    hit.attenuation = Attenuation::None;
    hit.lean = foldless_lean(hit);
    return hit;
}

CurvePanel striker_panel(const TriMesh& mesh, const MapStages& stages, const MapKnobs& knobs,
                         std::int32_t row) {
    const DentMap& map = stages.profile;
    // Off the row by a hair, so that no edge of a symmetric mesh lies in the plane.
    const CutPlane plane{2, stages.middle_z + map.y(row) + 1e-6 * map.cell};
    const double half = 0.5 * map.columns * map.cell;
    const double up = knobs.distance;
    std::vector<CutLine> near = cut_at(mesh.points, mesh.triangles, plane);
    for (CutLine& line : near) {
        for (Vec2& p : line) p.y() -= up;
    }
    std::erase_if(near, [&](const CutLine& line) {
        return std::min(line[0].y(), line[1].y()) > 1.5 * half ||
               std::abs(line[0].x() - stages.middle_x) > 1.2 * half;
    });
    const auto level = [&](double y) {
        return std::vector<CutLine>{
            {Vec2(stages.middle_x - half, y), Vec2(stages.middle_x + half, y)}};
    };
    return {"Figure 4: what strikes, the plane of its depth picture, and what it leaves",
            {{kGrey, "what strikes", std::move(near), false, 1.5},
             {kBlue, "plane of the picture", level(0.0), true, 1.5},
             {kBlack, "its profile", row_lines(map, row, 1.0, stages.middle_x)},
             {kGreen, "broadened and smoothed",
              row_lines(stages.smoothed, row, 1.0, stages.middle_x)}}};
}

CurvePanel envelope_panel(const MapStages& stages, std::int32_t row) {
    DentMap heated = stages.profile;
    smooth(heated, kHeatRounds, stages.profile.depths);
    CurvePanel panel{"Figure 6: Gaussians over the profile, their envelope, smoothed", {}};
    if (stages.sharpness > 0.0) {
        panel.curves.push_back({kCyan, "Gaussians over samples",
                                gaussians(stages.profile, row, stages.sharpness), false, 0.7});
    }
    panel.curves.push_back({kBlack, "profile", row_lines(stages.profile, row)});
    panel.curves.push_back({kRed, "upper envelope", row_lines(stages.envelope, row)});
    panel.curves.push_back({kGreen, "smoothed", row_lines(stages.smoothed, row)});
    panel.curves.push_back({kBlue, "heat on the bare profile", row_lines(heated, row), true});
    return panel;
}

// Of a map that was taken along a slanted way.
std::optional<CurvePanel> slant_panel(const TriMesh& mesh, const MapKnobs& knobs) {
    const SurfaceQuery surface(mesh.points, mesh.triangles);
    const Vec3 place = lowest_of(mesh);
    ProjectilePress press = press_of(surface, mesh, place, knobs);
    press.slant = knobs.slant_deg * (kPi / 180.0);
    const std::optional<ProjectileMap> made = projectile_map(press);
    if (!made) return std::nullopt;
    const DentMap& map = made->map;
    const std::int32_t row = deepest_sample(map) / map.columns;
    const DentHit hit = hit_of(map, knobs.slant_deg);
    DentHit straight = hit;
    straight.lean = 0.0;
    const double z = map.y(row), half = half_row(map, knobs);
    return CurvePanel{"Figure 8: a glancing impact, from the right",
                      {{kRed, "map along its way", row_lines(map, row)},
                       {kBlack, "laid along the surface", pressed_row(straight, z, half)},
                       {kGreen, "sheared its way", pressed_row(hit, z, half)}}};
}

// Of the head-on map, made to lean.
CurvePanel shear_panel(const MapStages& stages, const MapKnobs& knobs, std::int32_t row) {
    const double z = stages.smoothed.y(row), half = half_row(stages.smoothed, knobs);
    DentHit widened = hit_of(stages.smoothed, knobs.slant_deg);
    widened.widening = knobs.widening;
    widened.lean = foldless_lean(widened);
    DentHit upright = widened;
    upright.lean = 0.0;
    return {"Figure 9: the head-on map made to lean, and widened",
            {{kRed, "head-on", pressed_row(hit_of(stages.smoothed, 0.0), z, half)},
             {kBlack, "scaled and stretched", pressed_row(upright, z, half)},
             {kGreen, "sheared", pressed_row(hit_of(stages.smoothed, knobs.slant_deg), z, half)},
             {kBlue, "sheared and widened", pressed_row(widened, z, half)}}};
}

}  // namespace

Result<MapStages> map_stages(TriMesh& mesh, MapKnobs& knobs) {
    const Box box = bounds(mesh.points);
    for (Vec3& p : mesh.points) p.y() -= box.lower.y();
    if (!(knobs.distance > 0.0)) {
        knobs.distance = kUsualDistance * (box.upper.y() - box.lower.y());
    }
    if (!(knobs.distance > 0.0)) return Error{"it is flat, and presses nothing in", "", ""};
    const SurfaceQuery surface(mesh.points, mesh.triangles);
    const Vec3 place = lowest_of(mesh);
    const std::optional<ProjectileMap> made = projectile_map(press_of(surface, mesh, place, knobs));
    if (!made) return Error{"nothing of it comes down", "", "turn it with --turn"};
    MapStages stages;
    stages.smoothed = made->map;
    stages.profile = made->map;
    stages.profile.depths = made->profile;
    stages.envelope = stages.profile;
    stages.middle_x = made->middle_b.x();
    stages.middle_z = made->middle_b.z();
    if (knobs.smoothing > 0.0) {
        const double reach =
            2.0 * knobs.smoothing * (0.5 * narrow_side(stages.profile) + knobs.distance);
        stages.sharpness = sharpness_for(reach);
        broaden(stages.envelope, stages.sharpness);
        stages.owner = uppermost(stages.profile, stages.sharpness);
    }
    return stages;
}

std::vector<CurvePanel> stage_curves(const TriMesh& mesh, const MapStages& stages,
                                     const MapKnobs& knobs) {
    const std::int32_t row = deepest_sample(stages.profile) / stages.profile.columns;
    std::vector<CurvePanel> panels = {striker_panel(mesh, stages, knobs, row),
                                      envelope_panel(stages, row)};
    if (std::optional<CurvePanel> slanted = slant_panel(mesh, knobs)) {
        panels.push_back(std::move(*slanted));
    }
    panels.push_back(shear_panel(stages, knobs, row));
    return panels;
}

std::vector<CurvePanel> vector_curves(const VectorMap& map) {
    const DentMap& in = map.in;
    const std::int32_t deepest = deepest_sample(in);
    std::vector<CurvePanel> panels;
    for (const int axis : {0, 1}) {
        std::vector<Vec2> flat, straight, moved;
        const std::int32_t count = axis == 0 ? in.columns : in.rows;
        for (std::int32_t k = 0; k < count; ++k) {
            const std::int32_t i = axis == 0 ? k : deepest % in.columns;
            const std::int32_t j = axis == 0 ? deepest / in.columns : k;
            const double at = axis == 0 ? in.x(i) : in.y(j), z = -in.at(i, j);
            const Vec2& aside = map.aside[static_cast<std::size_t>(j * in.columns + i)];
            flat.emplace_back(at, 0.0);
            straight.emplace_back(at, z);
            moved.emplace_back(at + aside[axis], z);
        }
        panels.push_back({axis == 0 ? "along x, through the deepest sample"
                                    : "along y, through the deepest sample",
                          {{kGrey, "at rest", lines_through(flat), true},
                           {kBlack, "what goes in alone", lines_through(straight)},
                           {kRed, "with what goes sideways", lines_through(moved)}}});
    }
    return panels;
}

}  // namespace ductile::cli
