// SPDX-License-Identifier: MIT
// Areas and moduli of a section by Green's theorem: with u along an axis and d across it, the
// integral of f(d) over a region is minus that of F(d) du around its outline, F' = f. It needs no
// loops, only segments that run around the region, so holes and overlaps take care of themselves.
#include <ductile/core/assert.h>
#include <ductile/core/joined_sets.h>
#include <ductile/geom/section.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace ductile {
namespace {

// Directions of the neutral axis that are tried before the best is looked for between two of them.
constexpr int kSectionAxes = 36;
constexpr int kAxisRounds = 12;  // golden sections: 1e-3 rad, where the modulus hardly changes
// For the line that halves the area: it is found when no more than this share of it is amiss.
constexpr int kHalfRounds = 60;
constexpr double kHalfSlack = 1e-12;
// An outline whose ends part by more than this share of its length is open.
constexpr double kOpenOutline = 1e-3;

/// A piece of an outline in the plane, the region on its left.
struct OutlineSegment {
    Vec2 from, to;
};

double twice_area(const OutlineSegment& s) { return s.from.x() * s.to.y() - s.to.x() * s.from.y(); }

/// One connected outline: what a plane cuts from triangles that share edges.
struct Outline {
    std::vector<OutlineSegment> segments;
    bool is_sheet = false;

    double area() const {
        double twice = 0.0;
        for (const OutlineSegment& s : segments) twice += twice_area(s);
        return 0.5 * twice;
    }
    double distance(const Vec2& p) const {
        double least = kInfinity;
        for (const OutlineSegment& s : segments) {
            const Vec2 way = s.to - s.from;
            const double length_sq = way.squaredNorm();
            const double along =
                length_sq > 0 ? std::clamp(way.dot(p - s.from) / length_sq, 0.0, 1.0) : 0.0;
            least = std::min(least, (s.from + along * way - p).norm());
        }
        return least;
    }
    /// How often it goes around a place.
    int winding(const Vec2& p) const {
        int turns = 0;
        for (const OutlineSegment& s : segments) {
            const Vec2 a = s.from - p, b = s.to - p;
            if ((a.y() <= 0) == (b.y() <= 0)) continue;
            const double side = a.x() * b.y() - b.x() * a.y();
            if ((b.y() > a.y()) == (side > 0)) turns += b.y() > a.y() ? 1 : -1;
        }
        return turns;
    }
    double openness() const {
        Vec2 gap = Vec2::Zero();
        double length = 0.0;
        for (const OutlineSegment& s : segments) {
            gap += s.to - s.from;
            length += (s.to - s.from).norm();
        }
        return length > 0 ? gap.norm() / length : 0.0;
    }
};

/// The plane with axes of its own; the normal looks at the viewer.
struct SectionFrame {
    Vec3 origin, x, y, normal;
    explicit SectionFrame(const SectionPlane& plane)
        : origin(plane.place),
          x(any_perpendicular(plane.normal)),
          y(plane.normal.cross(x)),
          normal(plane.normal) {}
    Vec2 flat(const Vec3& p) const { return {x.dot(p - origin), y.dot(p - origin)}; }
    Vec3 direction(const Vec2& d) const { return d.x() * x + d.y() * y; }
    Vec3 place(const Vec2& p) const { return origin + direction(p); }
};

/// Cuts triangles and sorts what comes out by connected outlines.
class OutlineCutter {
public:
    OutlineCutter(std::span<const Vec3> points, std::span<const Triangle> triangles,
                  const SectionFrame& frame)
        : points_(points), triangles_(triangles), frame_(frame) {
        for (const Vec3& p : points) height_.push_back(frame.normal.dot(p - frame.origin));
    }

    std::vector<Outline> cut(double thickness, std::span<const std::uint8_t> is_sheet) {
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            const bool sheet = is_sheet.empty() ? thickness > 0 : is_sheet[t] != 0;
            cut_triangle(triangles_[t], sheet);
        }
        std::map<std::int32_t, std::size_t> number;
        std::vector<Outline> out;
        for (const Cut& c : cuts_) {
            const auto [at, is_new] = number.try_emplace(joined_.of(c.enters), out.size());
            if (is_new) out.emplace_back();
            out[at->second].segments.push_back(c.segment);
            out[at->second].is_sheet |= c.is_sheet;
        }
        return out;
    }

private:
    struct Cut {
        OutlineSegment segment;
        std::int32_t enters;  ///< The number of the edge it begins on.
        bool is_sheet;
    };
    // What lies in the plane counts as above it: no vertex is ever on it.
    bool is_above(std::int32_t v) const { return height_[v] >= 0.0; }

    void cut_triangle(const Triangle& t, bool sheet) {
        const int above = is_above(t[0]) + is_above(t[1]) + is_above(t[2]);
        if (above == 0 || above == 3) return;
        int alone = 0;
        while (is_above(t[alone]) != (above == 1)) ++alone;
        const std::int32_t a = t[alone], b = t[(alone + 1) % 3], c = t[(alone + 2) % 3];
        std::pair<std::int32_t, std::int32_t> enters{a, b}, leaves{a, c};
        // Seen from the normal's side the inside is on the left: with the outward normal to the
        // right, and the lone corner above, its next edge lies before its last one.
        if (above == 2) std::swap(enters, leaves);
        const std::int32_t first = edge_number(enters), last = edge_number(leaves);
        cuts_.push_back({{crossing(enters), crossing(leaves)}, first, sheet});
        joined_.join(first, last);
    }
    Vec2 crossing(std::pair<std::int32_t, std::int32_t> edge) const {
        // The same bits from both sides of the edge.
        const auto [low, high] = std::minmax(edge.first, edge.second);
        const double share = height_[low] / (height_[low] - height_[high]);
        return frame_.flat(points_[low] + share * (points_[high] - points_[low]));
    }
    std::int32_t edge_number(std::pair<std::int32_t, std::int32_t> edge) {
        const auto next = static_cast<std::int32_t>(joined_.size());
        const auto [at, is_new] = numbers_.try_emplace(std::minmax(edge.first, edge.second), next);
        if (is_new) joined_.add();
        return at->second;
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> triangles_;
    const SectionFrame& frame_;
    std::vector<double> height_;
    std::vector<Cut> cuts_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers_;
    JoinedSets joined_{0};
};

/// Segments around the material, and what is asked of them.
class SectionShape {
public:
    void add_solid(const Outline& outline) {
        segments_.insert(segments_.end(), outline.segments.begin(), outline.segments.end());
    }
    /// Each segment as a rectangle.
    void add_sheet(const Outline& outline, double thickness) {
        for (const OutlineSegment& s : outline.segments) {
            const Vec2 way = s.to - s.from;
            const double length = way.norm();
            if (!(length > 0)) continue;
            const Vec2 across = Vec2(-way.y(), way.x()) * (0.5 * thickness / length);
            const Vec2 corner[] = {s.from - across, s.to - across, s.to + across, s.from + across};
            for (int k = 0; k < 4; ++k) segments_.push_back({corner[k], corner[(k + 1) % 4]});
        }
    }

    double area() const {
        double twice = 0.0;
        for (const OutlineSegment& s : segments_) twice += twice_area(s);
        return 0.5 * twice;
    }
    Vec2 centre() const {
        Vec2 first = Vec2::Zero();
        double twice = 0.0;
        for (const OutlineSegment& s : segments_) {
            first += twice_area(s) * (s.from + s.to);
            twice += twice_area(s);
        }
        return first / (3.0 * twice);
    }
    /// About the line across the unit vector `across` that halves the area.
    double modulus(const Vec2& across) const {
        double low = kInfinity, high = -kInfinity;
        for (const OutlineSegment& s : segments_) {
            low = std::min(low, across.dot(s.from));
            high = std::max(high, across.dot(s.from));
        }
        return moment(across, halving_line(across, low, high));
    }

private:
    // Illinois' way: chords, and half the weight of an end that stays.
    double halving_line(const Vec2& across, double low, double high) const {
        const double half = 0.5 * area();
        double at_low = half, at_high = -half, line = 0.5 * (low + high);
        int last = 0;
        for (int round = 0; round < kHalfRounds; ++round) {
            line = low + (high - low) * at_low / (at_low - at_high);
            const double left = area_beyond(across, line) - half;
            if (std::abs(left) <= kHalfSlack * half) break;
            (left > 0 ? low : high) = line;
            (left > 0 ? at_low : at_high) = left;
            const int side = left > 0 ? 1 : -1;
            if (side == last) (left > 0 ? at_high : at_low) *= 0.5;
            last = side;
        }
        return line;
    }
    // Of f = 1 beyond a line: F = max(d - line, 0).
    double area_beyond(const Vec2& across, double line) const {
        const Vec2 axis(across.y(), -across.x());
        double sum = 0.0;
        for (const OutlineSegment& s : segments_) {
            const double d0 = across.dot(s.from) - line, d1 = across.dot(s.to) - line;
            const double du = axis.dot(s.to - s.from);
            if (d0 > 0 && d1 > 0) {
                sum -= 0.5 * (d0 + d1) * du;
            } else if (d0 > 0 || d1 > 0) {
                sum -= 0.5 * std::pow(std::max(d0, d1), 2) / std::abs(d0 - d1) * du;
            }
        }
        return sum;
    }
    // Integral of |d - line|: F = (d - line) |d - line| / 2, along a segment a cubic on either
    // side.
    double moment(const Vec2& across, double line) const {
        const Vec2 axis(across.y(), -across.x());
        double sum = 0.0;
        for (const OutlineSegment& s : segments_) {
            const double d0 = across.dot(s.from) - line, d1 = across.dot(s.to) - line;
            const double du = axis.dot(s.to - s.from);
            if ((d0 > 0) == (d1 > 0) || d0 == d1) {
                const double sign = d0 + d1 > 0 ? 1.0 : -1.0;
                sum -= sign / 6.0 * (d0 * d0 + d0 * d1 + d1 * d1) * du;
            } else {
                const double slope = du / (d1 - d0);  // of u over d
                sum -= slope / 6.0 * (std::pow(std::abs(d1), 3) - std::pow(std::abs(d0), 3));
            }
        }
        return sum;
    }

    std::vector<OutlineSegment> segments_;
};

Vec2 unit_at(double angle) { return {std::cos(angle), std::sin(angle)}; }

// The direction across which the modulus is least.
double weakest_angle(const SectionShape& shape) {
    const double step = kPi / kSectionAxes;
    int best = 0;
    double least = kInfinity;
    for (int k = 0; k < kSectionAxes; ++k) {
        const double modulus = shape.modulus(unit_at(k * step));
        // Of directions alike but for rounding, the first: a disc has no weak one.
        if (!(modulus < least * (1.0 - 1e-9))) continue;
        least = modulus;
        best = k;
    }
    const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
    double low = (best - 1) * step, high = (best + 1) * step;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = shape.modulus(unit_at(a)), at_b = shape.modulus(unit_at(b));
    for (int round = 0; round < kAxisRounds; ++round) {
        if (at_a < at_b) {
            high = std::exchange(b, a);
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = shape.modulus(unit_at(a));
        } else {
            low = std::exchange(a, b);
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = shape.modulus(unit_at(b));
        }
    }
    const double found = at_a < at_b ? a : b;
    return std::min(at_a, at_b) < least * (1.0 - 1e-9) ? found : best * step;
}

bool holds(const Outline& outer, const Vec2& p) {
    if (!outer.is_sheet) return outer.winding(p) != 0;
    Eigen::AlignedBox2d box;
    for (const OutlineSegment& s : outer.segments) box.extend(s.from);
    return box.contains(p);
}

// The outline nearest to the place, of solids only those that enclose something.
std::size_t nearest_outline(std::span<const Outline> outlines) {
    std::size_t best = outlines.size();
    double nearest = kInfinity;
    for (std::size_t i = 0; i < outlines.size(); ++i) {
        const Outline& o = outlines[i];
        if (!o.is_sheet && !(o.area() > 0)) continue;
        const bool is_around = !o.is_sheet && o.winding(Vec2::Zero()) > 0;
        const double distance = is_around ? 0.0 : o.distance(Vec2::Zero());
        if (best < outlines.size() && !(distance < nearest)) continue;
        nearest = distance;
        best = i;
    }
    return best;
}

}  // namespace

Result<PlasticSection> plastic_section(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles,
                                       const SectionPlane& plane, double thickness,
                                       std::span<const std::uint8_t> is_sheet) {
    DUCTILE_ASSERT(is_sheet.empty() || is_sheet.size() == triangles.size(), "one each");
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    const SectionFrame frame(plane);
    const std::vector<Outline> outlines =
        OutlineCutter(points, triangles, frame).cut(thickness, is_sheet);
    if (outlines.empty()) return Error{"the plane of the section misses the body", "", ""};
    const std::size_t main = nearest_outline(outlines);
    if (main == outlines.size()) return Error{"the section encloses nothing", "", ""};
    SectionShape shape;
    for (std::size_t i = 0; i < outlines.size(); ++i) {
        const Outline& o = outlines[i];
        if (i != main && !holds(outlines[main], o.segments[0].from)) continue;
        if (o.is_sheet) {
            shape.add_sheet(o, thickness);
        } else if (o.openness() > kOpenOutline) {
            return Error{"the outline of the section is open", "",
                         "close the surface, or give the body a thickness as a sheet"};
        } else {
            shape.add_solid(o);
        }
    }
    PlasticSection out;
    out.area = shape.area();
    if (!(out.area > 0)) return Error{"the section has no area", "", ""};
    const Vec2 across = unit_at(weakest_angle(shape));
    const Vec2 along(across.y(), -across.x());
    out.centre = frame.place(shape.centre());
    out.weak_axis = frame.direction(along);
    out.strong_axis = frame.direction(across);
    out.weak_modulus = shape.modulus(across);
    out.strong_modulus = shape.modulus(along);
    return out;
}

}  // namespace ductile
