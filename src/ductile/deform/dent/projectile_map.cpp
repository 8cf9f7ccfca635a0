// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/deform/dent/zbuffer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

// A broadened dent ends where its Gaussians have fallen to a hundredth; that much is taken off.
constexpr double kEnd = 0.01;
// How far heat flows, as a share of the reach of the broadening: ridges go, features stay.
constexpr double kHeatShare = 0.08;
constexpr std::int32_t kMostSmoothings = 200;
// A cell is this share of the struck mesh's edges: what is finer it cannot show.
constexpr double kCellPerEdge = 0.25;
// Of the distance, what counts as the deepest part of a print in a sheet.
constexpr double kCoreShare = 0.95;
// A rim ends after so many of its widths.
constexpr double kRimReach = 4.0;
// Where the rim would start at the footprint's edge if no flank were in the way, over its height
// (validation/ball_on_block.csv).
constexpr double kRimFoot = 2.2;
// A rim is no higher than this share of the footprint's radius: what is pushed up comes from the
// flanks, and once these stand upright, as of a ball that is in by more than its radius, they push
// no more of it (finite elements have 0.14 at most under what is round).
constexpr double kHighestRim = 0.25;
// The widest that a rim is made for its volume, over the footprint's radius.
constexpr double kWidestRim = 1.0;
constexpr int kRimHalvings = 30;
// Distances are read off Gaussians that fall so far, in powers of e, over their reach.
constexpr double kDistanceFall = 100.0;
// Samples across the pressed part at least, however coarse that mesh is.
constexpr double kLeastSamples = 10.0;
// And across what is long and narrow, where that is to be seen.
constexpr double kSamplesAcross = 16.0;

// Lengths of so little more than a whole number of cells have that number: rounding must not decide
// about one more.
constexpr double kWholeSlack = 1e-6;

// Space as the impact sees it: x and y across its way, z beyond the plane of the struck surface.
class ImpactView {
public:
    explicit ImpactView(const ProjectilePress& press) : from_(press.from_b) {
        const double s = std::sin(press.slant), c = std::cos(press.slant);
        across_ = press.direction_b.cross(press.from_b);
        way_ = c * press.direction_b - s * press.from_b;
        side_ = c * press.from_b + s * press.direction_b;
        tilt_ = s / c;
        cosine_ = c;
        for (const Vec3& place : press.places_b) {
            origin_ += place / static_cast<double>(press.places_b.size());
        }
        // Up to the foremost of them: what lies behind the plane is reached by the fading push,
        // what lay before it would be left standing.
        double foremost = kInfinity;
        for (const Vec3& place : press.places_b) {
            foremost = std::min(foremost, (place - origin_).dot(press.direction_b));
        }
        origin_ += foremost * press.direction_b;
    }

    const Vec3& way() const { return way_; }
    Vec3 seen(const Vec3& p_b) const {
        const Vec3 d = p_b - origin_;
        const double x = d.dot(side_);
        return {x, d.dot(across_), d.dot(way_) + tilt_ * x};
    }
    /// Rows: what seen x, y and z grow along.
    Mat3 axes() const {
        Mat3 rows;
        rows << side_.transpose(), across_.transpose(), (way_ + tilt_ * side_).transpose();
        return rows;
    }
    /// The place of the plane that is seen at (x, y).
    Vec3 on_plane(double x, double y) const {
        return origin_ + (x / cosine_) * from_ + y * across_;
    }
    Box seen(const Box& box_b) const {
        Box out;
        for (int k = 0; k < 8; ++k) {
            out.add(seen(Vec3((k & 1) ? box_b.upper.x() : box_b.lower.x(),
                              (k & 2) ? box_b.upper.y() : box_b.lower.y(),
                              (k & 4) ? box_b.upper.z() : box_b.lower.z())));
        }
        return out;
    }

private:
    Vec3 origin_ = Vec3::Zero(), from_, way_, side_, across_;
    double tilt_ = 0.0, cosine_ = 1.0;
};

// Whether a place is on the side that goes first.
bool leads(const SurfaceQuery& surface, const SurfacePoint& at, const Vec3& way) {
    if (at.triangle < 0) return false;
    const Triangle& t = surface.triangles()[at.triangle];
    const std::span<const Vec3> p = surface.points();
    return (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).dot(way) > 0;
}

// How much further the projectile reaches than the place it touches first, along the impact: less
// than 0 if it has yet to come. Nothing if it is not met.
std::optional<double> lead_of(const ProjectilePress& press, const ImpactView& view) {
    const Transform to_other = press.to_body.inverse();
    const Vec3 way = to_other.direction(view.way());
    std::optional<double> lead;
    for (const Vec3& place : press.places_b) {
        const Vec3 start = to_other.point(place);
        const SurfacePoint behind = press.surface->first_hit(start, -way);
        const SurfacePoint ahead = press.surface->first_hit(start, way);
        // Its front: what has gone by with more than half of itself has its back nearer.
        const bool has_front_behind = leads(*press.surface, behind, way);
        const bool has_front_ahead = leads(*press.surface, ahead, way);
        const bool is_ahead = has_front_ahead != has_front_behind
                                  ? has_front_ahead
                                  : ahead.distance < behind.distance;
        const SurfacePoint& nearest = is_ahead ? ahead : behind;
        if (nearest.triangle < 0) continue;
        const double further = &nearest == &ahead ? nearest.distance : -nearest.distance;
        lead = std::max(lead.value_or(-kInfinity), further);
    }
    return lead;
}

// A convex polygon: a triangle that six planes may have cut. Each adds a corner; where the polygon
// lies in the plane itself, as a floor's does, rounding may add half as many as there are.
class CutPolygon {
public:
    void push_back(const Vec3& corner) {
        DUCTILE_ASSERT(count_ < corners_.size(), "six cuts make at most 28 corners of three");
        corners_[count_++] = corner;
    }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    Vec3& operator[](std::size_t i) { return corners_[i]; }
    const Vec3& operator[](std::size_t i) const { return corners_[i]; }
    Vec3* begin() { return corners_.data(); }
    Vec3* end() { return corners_.data() + count_; }
    const Vec3* begin() const { return corners_.data(); }
    const Vec3* end() const { return corners_.data() + count_; }

private:
    std::array<Vec3, 28> corners_;
    std::size_t count_ = 0;
};

// What of a polygon lies above (or below) a value of one coordinate.
CutPolygon clipped(const CutPolygon& polygon, int axis, double value, bool above) {
    CutPolygon out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const bool has_p = above ? p[axis] >= value : p[axis] <= value;
        const bool has_q = above ? q[axis] >= value : q[axis] <= value;
        if (has_p) out.push_back(p);
        if (has_p == has_q) continue;
        Vec3 cut = p + ((value - p[axis]) / (q[axis] - p[axis])) * (q - p);
        cut[axis] = value;
        out.push_back(cut);
    }
    return out;
}

// Many polygons, corner after corner.
struct Polygons {
    std::vector<Vec3> corners;
    std::vector<std::size_t> ends;  // of each, in corners

    template <class Range>
    void add(const Range& polygon) {
        corners.insert(corners.end(), polygon.begin(), polygon.end());
        ends.push_back(corners.size());
    }
};

// The part of the projectile that comes beyond `low`, what is beyond `high` flattened there.
Polygons pressed_part(const ProjectilePress& press, const ImpactView& view, const Box& window,
                      double low, double high) {
    // Of a box of the projectile's, how far it reaches along each axis of the view.
    const Mat3 axes = view.axes() * press.to_body.rotation.toRotationMatrix();
    const Mat3 widths = axes.cwiseAbs();
    const Vec3 origin = view.seen(press.to_body.translation);
    const auto may_press = [&](const Box& box) {
        const Vec3 middle = axes * box.centre() + origin;
        const Vec3 half = widths * (0.5 * (box.upper - box.lower));
        return middle.z() + half.z() >= low && middle.x() + half.x() >= window.lower.x() &&
               middle.x() - half.x() <= window.upper.x() &&
               middle.y() + half.y() >= window.lower.y() &&
               middle.y() - half.y() <= window.upper.y();
    };
    const std::span<const Vec3> points = press.surface->points();
    const Vec3 lower(window.lower.x(), window.lower.y(), low);
    const Vec3 upper(window.upper.x(), window.upper.y(), high);
    Polygons part;
    for (const std::int32_t t : press.surface->within(may_press)) {
        std::array<Vec3, 3> seen;
        bool is_whole = true;
        for (std::size_t k = 0; k < 3; ++k) {
            seen[k] = axes * points[press.surface->triangles()[t][k]] + origin;
            is_whole = is_whole && (seen[k].array() >= lower.array()).all() &&
                       (seen[k].array() <= upper.array()).all();
        }
        if (is_whole) {
            part.add(seen);
            continue;
        }
        CutPolygon corners;
        for (const Vec3& corner : seen) corners.push_back(corner);
        corners = clipped(corners, 2, low, true);
        for (const int axis : {0, 1}) {
            const auto is_out = [&](const Vec3& c) {
                return !(c[axis] >= window.lower[axis] && c[axis] <= window.upper[axis]);
            };
            if (!std::any_of(corners.begin(), corners.end(), is_out)) continue;
            corners = clipped(corners, axis, window.lower[axis], true);
            corners = clipped(corners, axis, window.upper[axis], false);
        }
        if (corners.empty()) continue;
        if (CutPolygon beyond = clipped(corners, 2, high, true); !beyond.empty()) {
            for (Vec3& c : beyond) c.z() = high;
            part.add(beyond);
            corners = clipped(corners, 2, high, false);
        }
        if (!corners.empty()) part.add(corners);
    }
    return part;
}

// The polygons as triangles for a depth picture. Long edges get points of their own: a blade that
// is thinner than a cell must not fall between the samples.
void add_triangles(const Polygons& part, double cell, std::vector<Vec3>& points,
                   std::vector<Triangle>& triangles) {
    std::size_t begin = 0;
    for (const std::size_t end : part.ends) {
        const std::span<const Vec3> corners(part.corners.data() + begin, end - begin);
        begin = end;
        const auto first = static_cast<std::int32_t>(points.size());
        const auto count = static_cast<std::int32_t>(corners.size());
        points.insert(points.end(), corners.begin(), corners.end());
        for (std::int32_t k = 1; k + 1 < count; ++k) {
            triangles.push_back({first, first + k, first + k + 1});
        }
        if (count < 3) triangles.push_back({first, first, first + count - 1});
        for (std::int32_t k = 0; k < count; ++k) {
            const Vec3 &p = corners[k], &q = corners[(k + 1) % count];
            const double steps = std::floor((q - p).head<2>().norm() / cell - kWholeSlack);
            for (double s = 1.0; s <= steps; s += 1.0) {
                const auto at = static_cast<std::int32_t>(points.size());
                points.push_back(p + (s / (steps + 1.0)) * (q - p));
                triangles.push_back({at, at, at});
            }
        }
    }
}

// The part of the picture plane between two corners.
struct Rectangle {
    Vec2 lower = Vec2::Constant(kInfinity), upper = Vec2::Constant(-kInfinity);

    void add(const Vec2& p) {
        lower = lower.cwiseMin(p);
        upper = upper.cwiseMax(p);
    }
    void widen(double by) {
        lower.array() -= by;
        upper.array() += by;
    }
    void cut(const Box& window) {
        lower = lower.cwiseMax(window.lower.head<2>());
        upper = upper.cwiseMin(window.upper.head<2>());
    }
    Vec2 size() const { return upper - lower; }
};

// As many samples as it takes to cover a length.
std::int32_t samples(double length, double cell) {
    return std::clamp(static_cast<std::int32_t>(std::ceil(length / cell - kWholeSlack)) + 1, 3,
                      kDentMapSide);
}

// How far each sample is from those that are true, and those themselves 0 [m]; exact up to `reach`.
std::vector<double> distances_from(const DentMap& map, const std::vector<char>& is_part,
                                   double reach) {
    DentMap part = map;
    for (std::size_t i = 0; i < part.depths.size(); ++i) part.depths[i] = is_part[i] ? 1.0 : 0.0;
    // The envelope of one Gaussian over each sample of the part tells how far the nearest is.
    const double sharpness = kDistanceFall / (reach * reach);
    broaden(part, sharpness);
    for (double& z : part.depths) {
        z = z < 1.0 ? std::sqrt(-std::log(std::max(z, 1e-300)) / sharpness) : 0.0;
    }
    return std::move(part.depths);
}

double area_of(const DentMap& map, const std::vector<char>& is_part) {
    return static_cast<double>(std::count(is_part.begin(), is_part.end(), 1)) * map.cell * map.cell;
}

/// A rim around a footprint: along the flank of what presses, then down again.
class Rim {
public:
    /// `flank`: depths of the projectile beyond the plane, negative outside its footprint.
    /// `reached`: what of a push comes to the surface at each sample, where it has a volume.
    Rim(const DentMap& map, std::span<const double> flank, const ProjectilePress& press,
        std::span<const double> reached)
        : flank_(flank), highest_(press.rim_height * press.distance) {
        std::vector<char> is_pressed(flank.size());
        for (std::size_t i = 0; i < flank.size(); ++i) is_pressed[i] = flank[i] > 0.0;
        radius_ = std::sqrt(area_of(map, is_pressed) / kPi);
        highest_ = std::min(highest_, kHighestRim * radius_);
        width_ = press.rim_width * radius_;
        const double reach = press.rim_volume > 0.0 ? widest() : width_;
        away_ = distances_from(map, is_pressed, kRimReach * reach);
        if (press.rim_volume > 0.0) fit_width(map, press.rim_volume, reached);
    }

    /// By how much a sample is raised [m].
    double height(std::size_t i) const { return height(i, width_); }

private:
    double widest() const { return kWidestRim * radius_; }

    double height(std::size_t i, double width) const {
        if (flank_[i] > 0.0 || !(away_[i] < kRimReach * width)) return 0.0;
        const double end = std::exp(-kRimReach);
        const double fall = (std::exp(-away_[i] / width) - end) / (1.0 - end);
        return std::max(0.0, std::min({highest_, kRimFoot * highest_ * fall, -flank_[i]}));
    }

    // The wider the more it holds.
    void fit_width(const DentMap& map, double share, std::span<const double> reached) {
        double wanted = 0.0;
        for (std::size_t i = 0; i < flank_.size(); ++i) {
            wanted += share * reached[i] * map.depths[i];
        }
        double low = 0.0, high = widest();
        for (int k = 0; k < kRimHalvings; ++k) {
            width_ = 0.5 * (low + high);
            double held = 0.0;
            for (std::size_t i = 0; i < flank_.size(); ++i) held += reached[i] * height(i, width_);
            (held < wanted ? low : high) = width_;
        }
    }

    std::span<const double> flank_;
    double highest_, radius_ = 0.0, width_ = 0.0;
    std::vector<double> away_;
};

// What of a push comes to the surface, sample by sample.
std::vector<double> reached_shares(const ProjectilePress& press, const ImpactView& view,
                                   const DentMap& map, const Vec2& middle) {
    std::vector<double> out(map.depths.size(), 1.0);
    if (!press.reached) return out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto column = static_cast<std::int32_t>(i) % map.columns;
        const auto row = static_cast<std::int32_t>(i) / map.columns;
        out[i] = press.reached(view.on_plane(middle.x() + map.x(column), middle.y() + map.y(row)));
    }
    return out;
}

// Where smoothing has pressed in, the rim is what is left of it.
void raise_rim(DentMap& map, const Rim& rim) {
    for (std::size_t i = 0; i < map.depths.size(); ++i) map.depths[i] -= rim.height(i);
}

// Bends the sheet in around the deepest part.
void bend_basin(DentMap& map, const BasinShape& basin, double distance) {
    std::vector<char> is_core(map.depths.size());
    Rectangle core;
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            const bool is_deep = map.at(i, j) > kCoreShare * distance;
            is_core[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.columns) +
                    static_cast<std::size_t>(i)] = is_deep;
            if (is_deep) core.add({map.x(i), map.y(j)});
        }
    }
    const double radius =
        std::min(std::sqrt(area_of(map, is_core) / kPi), 0.5 * (core.size().minCoeff() + map.cell));
    const std::vector<double> away = distances_from(map, is_core, basin.span);
    for (std::size_t i = 0; i < map.depths.size(); ++i) {
        const double r = is_core[i] ? 0.0 : away[i] + radius;
        map.depths[i] = std::max(map.depths[i], distance * basin.share(r));
    }
}

void round_off(DentMap& map, std::span<const double> profile, double distance, double reach) {
    broaden(map, sharpness_for(reach));
    for (std::size_t i = 0; i < map.depths.size(); ++i) {
        const double lowered = (map.depths[i] - kEnd * distance) / (1.0 - kEnd);
        map.depths[i] = std::max(profile[i], lowered);
    }
    const double flow = kHeatShare * reach / map.cell;
    smooth(map, std::clamp(static_cast<std::int32_t>(4.0 * flow * flow), 1, kMostSmoothings),
           profile);
}

}  // namespace

std::optional<ProjectileMap> projectile_map(const ProjectilePress& press) {
    DUCTILE_ASSERT(press.surface && !press.places_b.empty(), "a projectile and where it touches");
    DUCTILE_ASSERT(press.distance > 0.0 && press.edge > 0.0 && press.other_edge > 0.0,
                   "a distance and a resolution");
    DUCTILE_ASSERT(press.grid >= 2, "a grid with a cell");
    const ImpactView view(press);
    const std::optional<double> lead = press.lead ? press.lead : lead_of(press, view);
    if (!lead) return std::nullopt;
    const Box window = view.seen(press.box_b);
    // The flank above the plane is where a rim may rise along.
    const double above = press.rim_height * press.distance;
    const Polygons part = pressed_part(press, view, window, *lead - press.distance - above, *lead);
    if (part.ends.empty()) return std::nullopt;
    Rectangle pressed;
    for (const Vec3& c : part.corners) pressed.add(c.head<2>());

    const double narrow = pressed.size().minCoeff();
    const double reach = 2.0 * press.smoothing * (0.5 * narrow + press.distance);
    Rectangle region = pressed;
    double around = reach;
    if (above > 0.0) {
        const double width = press.rim_volume > 0.0 ? kWidestRim : press.rim_width;
        around = std::max(around, kRimReach * width * 0.5 * narrow);
    }
    if (press.basin) around = std::max(around, press.basin->span);
    around = std::max(around, press.margin * pressed.size().maxCoeff() / (press.grid - 1));
    region.widen(around);
    region.cut(window);
    const double wide = region.size().maxCoeff();
    // Finer than half the finer mesh's edges nothing is to be seen in either.
    const double wanted = std::max(0.5 * std::min(press.edge, press.other_edge),
                                   std::min(kCellPerEdge * press.edge, narrow / kLeastSamples));
    double cell = wide / (press.grid - 1);
    if (press.is_even) {
        const double narrower = region.size().minCoeff();
        cell = std::min(std::sqrt(wide * narrower) / (press.grid - 1), narrower / kSamplesAcross);
    }
    cell = std::max({cell, wide / (kDentMapSide - 1), wanted, 1e-9});

    ProjectileMap out;
    const Vec2 middle = 0.5 * (region.lower + region.upper);
    out.middle_b = view.on_plane(middle.x(), middle.y());
    out.map = empty_map(samples(region.size().x(), cell), samples(region.size().y(), cell), cell);
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
    add_triangles(part, cell, points, triangles);
    DentFrame frame;
    frame.origin = {middle.x(), middle.y(), 0.0};
    press_profile(points, triangles, frame, press.distance + above, out.map);
    if (!(out.map.deepest() > above)) return std::nullopt;
    std::vector<double> flank;
    if (above > 0.0) {
        flank = out.map.depths;
        for (double& z : flank) z -= above;
        for (double& z : out.map.depths) z = std::max(0.0, z - above);
    }
    out.profile = out.map.depths;
    if (press.basin) bend_basin(out.map, *press.basin, press.distance);
    if (reach > 0.0) round_off(out.map, out.profile, press.distance, reach);
    if (above > 0.0) {
        std::vector<double> reached;
        if (press.rim_volume > 0.0) reached = reached_shares(press, view, out.map, middle);
        raise_rim(out.map, Rim(out.map, flank, press, reached));
    }
    return out;
}

}  // namespace ductile
