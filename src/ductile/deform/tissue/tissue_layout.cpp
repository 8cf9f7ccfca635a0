// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/tissue_layout.h>
#include <ductile/geom/query/surface_query.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace ductile {
namespace {

// Darts thrown per disk that would fit: enough to leave no gap for another.
constexpr double kDartsPerDisk = 30.0;
constexpr double kMostDarts = 2e6;
constexpr double kUsualColumns = 60.0;
// Poisson disks are so many on an area, times the spacing squared: measured on solids of all kinds.
constexpr double kDiskShare = 0.6;
constexpr std::size_t kMostColumns = 20000;
// A particle is this share of the way to its neighbours wide: ellipsoids overlap a little.
constexpr double kWidthShare = 0.6;
// And at most this share of the way to the layer below it high.
constexpr double kHeightShare = 0.4;
// What of a coat's height a particle may stick out of it, looked at in so many places in so many
// rings from its rim upwards; its width is found by so many halvings.
constexpr double kStickOut = 0.02;
constexpr int kRings = 4, kAround = 16, kHalvings = 6;
constexpr double kQuarterTurn = 0.5 * std::numbers::pi;
// Columns of one task.
constexpr std::size_t kColumnGrain = 16;
// Rounds in which points of an offset surface are spread evenly and put back to their distance.
constexpr int kOffsetRounds = 6;
// How far they go astray in all, of the distance: less than makes a crevice.
constexpr double kMostDrift = 0.5;
// A point whose nearest place is further than this share of the distance from its own sits in a
// crevice; it takes so many rounds to span one.
constexpr double kCreviceShare = 0.6;
constexpr int kCreviceRounds = 40;
// An attached particle weighs at most so many outer ones.
constexpr double kMostAttachedMass = 10.0;
// A length that is told in three digits is no shorter than it is.
constexpr double kRoundUp = 1.005;

double total_area(const TriMesh& mesh) {
    double area = 0.0;
    for (const Triangle& t : mesh.triangles) area += 0.5 * area_vector(mesh.points, t).norm();
    return area;
}

/// Points in cells of one size, in the order in which they came.
class PointCells {
public:
    PointCells(double size, const Box& box) : size_(size), lower_(box.lower) {
        for (int i = 0; i < 3; ++i) {
            count_[i] = std::clamp<std::int64_t>(
                static_cast<std::int64_t>((box.upper[i] - box.lower[i]) / size) + 1, 1, 128);
        }
        cells_.resize(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]));
    }
    bool has_within(const Vec3& p, double distance) const {
        const auto at = cell(p);
        for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x) {
            for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y) {
                for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
                    if (!is_there(x, y, z)) continue;
                    for (const Vec3& q : cells_[index(x, y, z)]) {
                        if ((p - q).squaredNorm() < distance * distance) return true;
                    }
                }
            }
        }
        return false;
    }
    void add(const Vec3& p) {
        const auto at = cell(p);
        cells_[index(at[0], at[1], at[2])].push_back(p);
    }

private:
    std::array<std::int64_t, 3> cell(const Vec3& p) const {
        std::array<std::int64_t, 3> at{};
        for (int i = 0; i < 3; ++i) {
            at[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>((p[i] - lower_[i]) / size_),
                                             0, count_[i] - 1);
        }
        return at;
    }
    bool is_there(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < count_[0] && y < count_[1] && z < count_[2];
    }
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return static_cast<std::size_t>((x * count_[1] + y) * count_[2] + z);
    }

    double size_;
    Vec3 lower_;
    std::array<std::int64_t, 3> count_{};
    std::vector<std::vector<Vec3>> cells_;
};

/// Vertex normals averaged over neighbours until they have spread about `distance`.
std::vector<Vec3> smoothed_normals(const TriMesh& mesh, double distance) {
    std::vector<Vec3> normals = vertex_normals(mesh.points, mesh.triangles);
    const double edge = mean_edge_length(mesh.points, mesh.triangles);
    const double spread = edge > 0 ? distance / edge : 0.0;
    const int rounds = static_cast<int>(std::clamp(spread * spread, 1.0, 50.0));
    for (int round = 0; round < rounds; ++round) {
        std::vector<Vec3> sums = normals;
        for (const Triangle& t : mesh.triangles) {
            const Vec3 sum = normals[t[0]] + normals[t[1]] + normals[t[2]];
            for (const std::int32_t i : t) sums[i] += 0.25 * sum;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const double length = sums[i].norm();
            if (length > 1e-9) normals[i] = sums[i] / length;
        }
    }
    return normals;
}

/// Moves each point that is free half-way to the mean of its neighbours, at most so far.
void relax_points(std::span<const Triangle> triangles, std::span<const std::uint8_t> is_free,
                  double farthest, std::vector<Vec3>& points) {
    std::vector<Vec3> sums(points.size(), Vec3::Zero());
    std::vector<double> counts(points.size(), 0.0);
    for (const Triangle& t : triangles) {
        const Vec3 sum = points[t[0]] + points[t[1]] + points[t[2]];
        for (const std::int32_t i : t) {
            sums[i] += sum - points[i];
            counts[i] += 2.0;
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_free[i] || counts[i] == 0) continue;
        const Vec3 step = 0.5 * (sums[i] / counts[i] - points[i]);
        const double length = step.norm();
        points[i] += length > farthest ? Vec3(farthest / length * step) : step;
    }
}

/// The `count` of `places` nearest to place i, itself first. Distances that differ by rounding are
/// equal, and go by index: the same groups on every machine.
std::vector<std::int32_t> nearest_places(std::span<const Vec3> places, std::size_t i,
                                         std::size_t count) {
    std::vector<std::pair<double, std::int32_t>> by_distance;
    double largest = 0.0;
    for (const Vec3& p : places) largest = std::max(largest, (p - places[i]).norm());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const double share = largest > 0 ? (places[k] - places[i]).norm() / largest : 0.0;
        by_distance.emplace_back(k == i ? -1.0 : std::round(share * 1e9),
                                 static_cast<std::int32_t>(k));
    }
    count = std::min(count, by_distance.size());
    std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(count),
                      by_distance.end());
    std::vector<std::int32_t> out;
    for (std::size_t k = 0; k < count; ++k) out.push_back(by_distance[k].second);
    return out;
}

/// Mean distance from place i to its nearest few [m].
double gap_around(std::span<const Vec3> places, std::size_t i) {
    const std::vector<std::int32_t> near = nearest_places(places, i, 5);
    double sum = 0.0;
    for (std::size_t k = 1; k < near.size(); ++k) sum += (places[near[k]] - places[i]).norm();
    return near.size() > 1 ? sum / static_cast<double>(near.size() - 1) : 0.0;
}

Mat3 flat_shape(const Vec3& up, double width, double height) {
    return width * width * (Mat3::Identity() - up * up.transpose()) +
           height * height * up * up.transpose();
}

/// Around the particle nearest to each place. Outer ones come first: only they turn.
Status add_groups_by_hand(std::span<const TissueGroup> groups, const Vec3& middle, TissueRig& rig) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Vec3 place = middle + groups[g].position;
        std::vector<std::pair<double, std::int32_t>> near;
        double nearest_outer = kInfinity;
        std::array<double, 2> nearest = {kInfinity, kInfinity};
        for (std::size_t i = 0; i < rig.size(); ++i) {
            const double distance = (rig.places[i] - place).norm();
            if (!rig.attached[i]) nearest_outer = std::min(nearest_outer, distance);
            nearest[1] = std::clamp(distance, nearest[0], nearest[1]);
            nearest[0] = std::min(distance, nearest[0]);
            if (distance > groups[g].radius) continue;
            near.emplace_back(rig.attached[i] ? kInfinity : distance, static_cast<std::int32_t>(i));
        }
        std::sort(near.begin(), near.end());
        if (near.size() < 2 || near[0].first == kInfinity) {
            return Error{fmt::format("fewer than two particles, one of them outer, are within {} "
                                     "m of this place; the nearest is {:.3g} m off, the nearest "
                                     "outer one {:.3g} m",
                                     groups[g].radius, nearest[0], nearest_outer),
                         fmt::format("/groups/{}", g),
                         fmt::format("a radius of {:.3g} m or more has both",
                                     kRoundUp * std::max(nearest[1], nearest_outer))};
        }
        std::vector<std::int32_t> group;
        for (const auto& [distance, i] : near) group.push_back(i);
        rig.add_group(group);
    }
    return {};
}

/// Moves tips out to the skin.
Status reach_skin(const SurfaceQuery& query, std::vector<TissueColumn>& columns) {
    for (TissueColumn& c : columns) {
        if (!query.is_inside(c.foot)) {
            return skin_beside_bone();
        }
        const SurfacePoint hit = query.first_hit(c.foot, c.up);
        const SurfacePoint near = query.closest_point(c.foot);
        // A normal that runs along the skin would make a column of no use.
        const bool is_straight = hit.triangle >= 0 && hit.distance < 3.0 * near.distance;
        c.tip = is_straight ? hit.position : near.position;
        const Vec3 way = c.tip - c.foot;
        if (!(way.norm() > 0)) return Error{"bone and skin touch", "/skin", "leave some room"};
        c.up = way.normalized();
    }
    return {};
}

/// How far a place is outside of a coat's outer surface; not above 0 inside [m].
using Outside = std::function<double(const Vec3&)>;

/// Whether a flat ellipsoid around a column's tip stays within the outer surface, where it may.
bool fits(const TissueColumn& c, double width, double slack, const Outside& outside) {
    const Vec3 side = any_perpendicular(c.up), across = c.up.cross(side);
    for (int ring = 0; ring < kRings; ++ring) {
        const double rise = ring * kQuarterTurn / kRings;
        const Vec3 middle = c.tip + std::sin(rise) * c.height * c.up;
        for (int k = 0; k < kAround; ++k) {
            const double turn = 4.0 * kQuarterTurn * k / kAround;
            const Vec3 out = std::cos(turn) * side + std::sin(turn) * across;
            if (outside(middle + std::cos(rise) * width * out) > slack) return false;
        }
    }
    return true;
}

/// The greatest width up to its own, and down to its height, with which it does.
double fitting_width(const TissueColumn& c, double slack, const Outside& outside) {
    if (c.width <= c.height || fits(c, c.width, slack, outside)) return c.width;
    double least = c.height, most = c.width;
    for (int i = 0; i < kHalvings; ++i) {
        const double width = 0.5 * (least + most);
        (fits(c, width, slack, outside) ? least : most) = width;
    }
    return least;
}

/// Widths by the way to neighbours, less where they would stick out of the outer surface; tips come
/// down by the height.
void set_sizes(const TissueOptions& options, const Outside& outside,
               std::vector<TissueColumn>& columns) {
    std::vector<Vec3> tips;
    for (const TissueColumn& c : columns) tips.push_back(c.tip);
    parallel_for(columns.size(), kColumnGrain, [&](std::size_t i) {
        TissueColumn& c = columns[i];
        const double length = (c.tip - c.foot).norm(), step = length / options.layers;
        const double gap = gap_around(tips, i);
        c.width = gap > 0 ? kWidthShare * gap : 0.5 * step;
        c.height = std::min(options.flatness * c.width, kHeightShare * step);
        c.tip -= c.height * c.up;
        c.width = fitting_width(c, kStickOut * length, outside);
    });
}

}  // namespace

Error skin_beside_bone() {
    return {"the skin does not enclose the bone", "/skin", "move or scale one of them"};
}

std::vector<TissueColumn> box_columns(const Box& box, const TissueOptions& options) {
    std::vector<TissueColumn> out;
    const Vec3 centre = box.centre(), half = 0.5 * (box.upper - box.lower);
    const std::int32_t last = options.per_edge - 1;
    const Vec3 skin = options.extrusion * half, spacing = 2.0 * skin / last;
    const double wide = kWidthShare * spacing.minCoeff();
    const double high = std::min(options.flatness * wide, kHeightShare * (skin - half).minCoeff());
    for (std::int32_t x = 0; x <= last; ++x) {
        for (std::int32_t y = 0; y <= last; ++y) {
            for (std::int32_t z = 0; z <= last; ++z) {
                const Vec3 at(2.0 * x / last - 1.0, 2.0 * y / last - 1.0, 2.0 * z / last - 1.0);
                const Vec3 edges = (at.cwiseAbs().array() > 1.0 - 1e-9).cast<double>();
                if (edges.isZero(0.0)) continue;  // inside
                TissueColumn& c = out.emplace_back();
                c.foot = centre + half.cwiseProduct(at);
                const Vec3 arm = (skin - Vec3::Constant(high)).cwiseProduct(at);
                c.tip = centre + arm;
                c.up = edges.cwiseProduct(at).normalized();
                c.height = high;
                // Balls along edges, flat within faces, nothing beyond the sides.
                const Vec3 room = skin - arm.cwiseAbs();
                c.width =
                    edges.sum() > 1.5 ? high : std::min(wide, (room + 1e9 * edges).minCoeff());
            }
        }
    }
    return out;
}

TissueColumn chain_column(const Box& box, const TissueOptions& options) {
    TissueColumn c;
    c.foot = box.centre();
    c.foot.y() = box.upper.y();
    const double step = options.thickness / options.layers;
    const Vec3 size = box.upper - box.lower;
    c.width = 0.5 * std::min(size.x(), size.z());
    c.height = kHeightShare * step;
    c.tip = c.foot + (options.thickness - c.height) * c.up;
    return c;
}

SurfaceSamples poisson_samples(const TriMesh& surface, double spacing, std::uint64_t seed) {
    SurfaceSamples out;
    std::vector<double> sums;
    double area = 0.0;
    for (const Triangle& t : surface.triangles) {
        area += 0.5 * area_vector(surface.points, t).norm();
        sums.push_back(area);
    }
    if (!(area > 0)) return out;
    const std::vector<Vec3> normals = smoothed_normals(surface, 0.25 * spacing);
    PointCells taken(spacing, bounds(surface.points));
    Rng rng(seed);
    const double darts = std::min(kMostDarts, kDartsPerDisk * (area / (spacing * spacing) + 1.0));
    for (double i = 0; i < darts; ++i) {
        const double at = rng.uniform() * area;
        const auto found = std::upper_bound(sums.begin(), sums.end() - 1, at);
        const Triangle& t = surface.triangles[static_cast<std::size_t>(found - sums.begin())];
        const double root = std::sqrt(rng.uniform()), v = rng.uniform();
        const Vec3 share(1.0 - root, root * (1.0 - v), root * v);
        const auto mix = [&](std::span<const Vec3> of) {
            return Vec3(share[0] * of[t[0]] + share[1] * of[t[1]] + share[2] * of[t[2]]);
        };
        const Vec3 place = mix(surface.points);
        if (taken.has_within(place, spacing)) continue;
        taken.add(place);
        const Vec3 normal = mix(normals);
        out.places.push_back(place);
        out.normals.push_back(normal.norm() > 1e-9 ? Vec3(normal.normalized())
                                                   : Vec3(Vec3::UnitY()));
    }
    return out;
}

Result<std::vector<TissueColumn>> surface_columns(const TriMesh& bone, const TissueOptions& options,
                                                  const TriMesh* skin) {
    const double area = total_area(bone);
    if (!(area > 0)) return Error{"a bone without a surface", "", ""};
    const double spacing =
        options.spacing > 0 ? options.spacing : std::sqrt(kDiskShare * area / kUsualColumns);
    if (area / (spacing * spacing) > static_cast<double>(kMostColumns)) {
        return Error{fmt::format("a spacing of {} m makes too many particles", spacing), "/spacing",
                     fmt::format("at least {:.2g} m", std::sqrt(area / kMostColumns))};
    }
    const SurfaceSamples samples = poisson_samples(bone, spacing, options.seed);
    std::vector<TissueColumn> out;
    for (std::size_t i = 0; i < samples.places.size(); ++i) {
        out.push_back({.foot = samples.places[i],
                       .tip = samples.places[i] + options.thickness * samples.normals[i],
                       .up = samples.normals[i]});
    }
    const SurfaceQuery outer(skin != nullptr ? skin->points : bone.points,
                             skin != nullptr ? skin->triangles : bone.triangles);
    if (skin != nullptr) {
        if (Status fine = reach_skin(outer, out); !fine) return fine.error();
    }
    set_sizes(
        options,
        [&](const Vec3& p) {
            const double distance = outer.closest_point(p).distance;
            if (skin == nullptr) return distance - options.thickness;
            return outer.is_inside(p) ? -distance : distance;
        },
        out);
    return out;
}

std::vector<Vec3> offset_points(const TriMesh& surface, double thickness) {
    const std::vector<Vec3> normals = smoothed_normals(surface, 0.5 * thickness);
    const SurfaceQuery query(surface.points, surface.triangles);
    std::vector<Vec3> out = surface.points;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += thickness * normals[i];
    std::vector<std::uint8_t> is_free(out.size(), 1), is_in_crevice(out.size(), 0);
    for (int round = 0; round < kOffsetRounds; ++round) {
        // Where edges are longer than the coat is thick, points would leave their own corner.
        relax_points(surface.triangles, is_free, kMostDrift * thickness / kOffsetRounds, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const Vec3 near = query.closest_point(out[i]).position;
            is_in_crevice[i] = (near - surface.points[i]).norm() > kCreviceShare * thickness;
            const Vec3 away = out[i] - near;
            const double size = away.norm();
            const bool is_outside = size > 1e-3 * thickness && away.dot(normals[i]) > 0;
            out[i] = near + thickness * (is_outside ? Vec3(away / size) : normals[i]);
        }
    }
    // Where two sides of a crevice meet there is no place at that distance: a skin spans it.
    for (int round = 0; round < kCreviceRounds; ++round) {
        relax_points(surface.triangles, is_in_crevice, kInfinity, out);
    }
    return out;
}

double swept_volume(std::span<const Vec3> from, std::span<const Vec3> to,
                    std::span<const Triangle> triangles) {
    double sum = 0.0;
    for (const Triangle& t : triangles) {
        const Vec3 moved[] = {to[t[0]] - from[t[0]], to[t[1]] - from[t[1]], to[t[2]] - from[t[2]]};
        const Vec3 e1 = from[t[1]] - from[t[0]], e2 = from[t[2]] - from[t[0]];
        const Vec3 f1 = moved[1] - moved[0], f2 = moved[2] - moved[0];
        // The mean of twice the area on the way, which is quadratic in time.
        const Vec3 area = e1.cross(e2) + (e1.cross(f2) + f1.cross(e2)) / 2 + f1.cross(f2) / 3;
        sum += (moved[0] + moved[1] + moved[2]).dot(area) / 6;
    }
    return sum;
}

Result<TissueRig> rig_of_columns(std::span<const TissueColumn> columns,
                                 const TissueOptions& options, const TissueMass& mass) {
    const std::size_t n = columns.size();
    if (n == 0) return Error{"a coat without particles", "", ""};
    const auto layers = static_cast<std::size_t>(options.layers);
    const double outer_mass = mass.coat / static_cast<double>(n * layers);
    const double most = kMostAttachedMass * outer_mass;
    const double attached_mass =
        mass.bone > 0 ? std::min(mass.bone / static_cast<double>(n), most) : most;
    TissueRig rig;
    std::vector<double> stiffness;
    std::vector<Vec3> feet, tips;
    for (const TissueColumn& c : columns) {
        feet.push_back(c.foot);
        tips.push_back(c.tip);
        if (!((c.tip - c.foot).norm() > 0)) {
            return Error{"bone and skin touch", "", "leave some room"};
        }
    }
    for (std::size_t layer = 0; layer <= layers; ++layer) {
        const double share = static_cast<double>(layer) / static_cast<double>(layers);
        for (std::size_t i = 0; i < n; ++i) {
            const TissueColumn& c = columns[i];
            const double step = (c.tip - c.foot).norm() / static_cast<double>(layers);
            rig.add_particle(c.foot + share * (c.tip - c.foot), flat_shape(c.up, c.width, c.height),
                             layer == 0 ? attached_mass : outer_mass, layer == 0);
            const double gap = (1.0 - share) * gap_around(feet, i) + share * gap_around(tips, i);
            stiffness.push_back(options.stiffness * (gap > 0 ? gap * gap : step * step) / step);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        rig.add_tie(static_cast<std::int32_t>(n + i), (rig.places[n + i] - rig.places[i]).norm());
    }
    for (std::size_t layer = 1; layer <= layers; ++layer) {
        const std::span<const Vec3> own(rig.places.data() + layer * n, n);
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<std::int32_t> group =
                nearest_places(own, i, static_cast<std::size_t>(options.group_size));
            for (std::int32_t& k : group) k += static_cast<std::int32_t>(layer * n);
            const auto self = static_cast<std::int32_t>(layer * n + i);
            group.push_back(self - static_cast<std::int32_t>(n));
            if (layer < layers) group.push_back(self + static_cast<std::int32_t>(n));
            rig.add_group(group);
        }
    }
    if (Status fine = add_groups_by_hand(options.groups, bounds(feet).centre(), rig); !fine) {
        return fine.error();
    }
    set_stiffness(rig, stiffness);
    rig.response = {options.torsion, options.stretch_limit, options.yield_strain, options.flow,
                    options.flow_limit};
    if (Status fine = check_tissue(rig); !fine) return fine.error();
    return rig;
}

}  // namespace ductile
