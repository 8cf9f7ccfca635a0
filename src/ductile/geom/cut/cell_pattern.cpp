// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/cut/cell_pattern.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Planes multiply: more of them than this along an axis is a mistake of units.
constexpr double kMostPlanes = 1000;

Vec3 uniform_in(Rng& rng, const Box& box) {
    const double x = rng.uniform(box.lower.x(), box.upper.x());
    const double y = rng.uniform(box.lower.y(), box.upper.y());
    const double z = rng.uniform(box.lower.z(), box.upper.z());
    return {x, y, z};
}

// Of several candidates the one furthest from all sites so far: cells come out of about one size
// (Mitchell 1991).
Vec3 well_spaced(Rng& rng, const Box& box, const Mat3& metric, std::span<const Vec3> sites) {
    constexpr int kCandidates = 6;
    Vec3 best = box.centre();
    double best_sq = -1.0;
    for (int k = 0; k < kCandidates; ++k) {
        const Vec3 candidate = uniform_in(rng, box);
        double nearest_sq = kInfinity;
        for (const Vec3& s : sites) {
            nearest_sq = std::min(nearest_sq, (metric * (candidate - s)).squaredNorm());
        }
        if (nearest_sq > best_sq) {
            best = candidate;
            best_sq = nearest_sq;
        }
    }
    return best;
}

// Shortens lengths along the axis.
Mat3 drawn_out(const Vec3& axis, double stretch) {
    return Mat3::Identity() - (1.0 - 1.0 / stretch) * axis * axis.transpose();
}

void add_uniform(const PatternOptions& o, const Box& box, CellPattern& pattern) {
    Rng rng(static_cast<std::uint64_t>(o.seed));
    for (std::int32_t i = 0; i < o.cells; ++i) {
        pattern.sites.push_back(well_spaced(rng, box, pattern.metric, pattern.sites));
    }
}

// A direction by chance, and a distance whose density falls with it.
void add_clustered(const PatternOptions& o, const Box& box, const Vec3& centre,
                   CellPattern& pattern) {
    Rng rng(static_cast<std::uint64_t>(o.seed));
    const double reach = o.spread * box.diagonal();
    for (std::int32_t i = 0; i < o.cells; ++i) {
        const double height = rng.uniform(-1.0, 1.0), turn = rng.uniform(0.0, 2.0 * kPi);
        const double distance = -reach * std::log(1.0 - rng.uniform());
        const double across = std::sqrt(1.0 - height * height);
        const Vec3 site =
            centre + distance * Vec3(across * std::cos(turn), across * std::sin(turn), height);
        pattern.sites.push_back(site.cwiseMax(box.lower).cwiseMin(box.upper));
    }
}

// Sites on rings, each ring twice as wide as the one within it from some radius on; cells go
// through the whole thickness, since distances along the axis hardly count.
void add_rings(const PatternOptions& o, const Box& box, const Vec3& centre, const Vec3& axis,
               CellPattern& pattern) {
    Rng rng(static_cast<std::uint64_t>(o.seed));
    const Vec3 u = any_perpendicular(axis), v = axis.cross(u);
    const double furthest = (box.upper - centre).cwiseMax(centre - box.lower).norm();
    pattern.metric = drawn_out(axis, 1e6);
    pattern.sites.push_back(centre);
    double inner = 0.5 * o.first_ring * box.diagonal();
    double rays = o.rays;
    for (int ring = 0; inner < furthest; ++ring) {
        const double outer = 1.6 * inner + 0.5 * o.first_ring * box.diagonal();
        const double start = rng.uniform();
        for (int k = 0; k < static_cast<int>(rays); ++k) {
            if (static_cast<std::int32_t>(pattern.sites.size()) >= o.cells) return;
            const double turn = 2.0 * kPi * (start + k + o.jitter * rng.uniform(-0.4, 0.4)) /
                                static_cast<int>(rays);
            const double radius =
                0.5 * (inner + outer) + o.jitter * rng.uniform(-0.3, 0.3) * (outer - inner);
            pattern.sites.push_back(centre + radius * (std::cos(turn) * u + std::sin(turn) * v));
        }
        inner = outer;
        if (ring % 2 == 1) rays *= 1.5;
    }
}

Status add_bricks(const PatternOptions& o, const Box& box, CellPattern& pattern) {
    pattern.bricks.origin = box.lower;
    pattern.bricks.size = o.brick;
    const Vec3 step(0.5 * o.brick.x(), o.brick.y(), o.brick.z());
    double cells = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        // A plane that would only shave something off is left out.
        const double count = (box.upper[axis] - box.lower[axis]) / step[axis] - 1e-6;
        if (!(count < kMostPlanes)) {
            return Error{"bricks are too small for the body", "", "make them larger"};
        }
        for (int k = 1; k <= static_cast<int>(count); ++k) {
            pattern.planes.push_back({Vec3::Unit(axis), box.lower[axis] + k * step[axis]});
        }
        cells *= count + 1.0;
    }
    if (cells > 1e5) return Error{"bricks are too small for the body", "", "make them larger"};
    return {};
}

}  // namespace

Result<CellPattern> make_pattern(const PatternOptions& o, const Box& box, const Vec3& centre) {
    const double length = o.axis.norm();
    if (!(length > 1e-9) || !is_finite(o.axis)) {
        return Error{"the axis of a pattern has no direction", "/axis", "give one that is not 0"};
    }
    const Vec3 axis = o.axis / length;
    CellPattern pattern;
    switch (o.kind) {
        case PatternKind::Uniform:
            add_uniform(o, box, pattern);
            break;
        case PatternKind::Clustered:
            add_clustered(o, box, centre, pattern);
            break;
        case PatternKind::Splinters:
            pattern.metric = drawn_out(axis, o.stretch);
            add_uniform(o, box, pattern);
            break;
        case PatternKind::Rings:
            add_rings(o, box, centre, axis, pattern);
            break;
        case PatternKind::Bricks:
            if (Status status = add_bricks(o, box, pattern); !status) return status.error();
            break;
        case PatternKind::Planes:
            if (o.planes.empty()) return Error{"a pattern of planes has none", "/planes", ""};
            for (const CutPlane& plane : o.planes) {
                const double normal = plane.normal.norm();
                if (!(normal > 1e-9)) {
                    return Error{"a plane's normal has no direction", "/planes", ""};
                }
                pattern.planes.push_back({plane.normal / normal, plane.offset});
            }
            break;
        case PatternKind::Parts:
            pattern.touch = std::max(o.touch * box.diagonal(), 1e-300);
            break;
    }
    return pattern;
}

}  // namespace ductile
