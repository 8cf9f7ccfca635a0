// SPDX-License-Identifier: MIT
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/flatten/flatten_patch.h>
#include <ductile/geom/flatten/rigid_fit.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/patch_system.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <optional>
#include <string>

namespace ductile {
namespace {

using Flat = std::vector<Vec2>;
using Loop = std::vector<std::int32_t>;

// A projection that shortens a triangle more than this is a bad start.
constexpr double kSteepest = 0.1;
// A step this small, as a share of the border's length, is the last one.
constexpr double kConverged = 1e-9;
// The least weight of a side in maps that must not fold; a regular mesh has 0.29.
constexpr double kLeastWeight = 0.02;

/// The borders of a patch, as faces run along them.
struct PatchBorders {
    std::vector<Loop> loops;
    bool is_sound = true;      ///< Edges have at most two faces that agree; borders do not touch.
    std::int64_t handles = 0;  ///< Of one piece.
    bool is_one = false;       ///< Piece.
};

std::vector<Loop> trace_loops(std::vector<std::int32_t>& next, std::span<const std::int32_t> from) {
    std::vector<Loop> loops;
    for (const std::int32_t start : from) {
        if (next[start] < 0) continue;
        Loop& loop = loops.emplace_back();
        for (std::int32_t at = start; next[at] >= 0;) {
            loop.push_back(at);
            const std::int32_t to = next[at];
            next[at] = -1;
            at = to;
        }
    }
    return loops;
}

PatchBorders patch_borders(std::size_t point_count, std::span<const Triangle> triangles) {
    PatchBorders found;
    std::int64_t edges = 0;
    std::vector<std::int32_t> next(point_count, -1), from;
    EdgeUses(point_count, triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            ++edges;
            const auto start = [&](const EdgeUses::Use& use) {
                return start_of(triangles, use.half_edge);
            };
            if (uses.size() > 2) found.is_sound = false;
            if (uses.size() == 2 && (start(uses[0]) == low) == (start(uses[1]) == low)) {
                found.is_sound = false;
            }
            if (uses.size() != 1) return;
            if (next[start(uses[0])] >= 0) found.is_sound = false;
            next[start(uses[0])] = end_of(triangles, uses[0].half_edge);
            from.push_back(start(uses[0]));
        });
    if (triangles.empty() || !found.is_sound) return found;
    found.loops = trace_loops(next, from);
    std::vector<std::uint8_t> is_used(point_count, 0);
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) is_used[v] = 1;
    }
    const std::int64_t used = std::count(is_used.begin(), is_used.end(), 1);
    const auto faces = static_cast<std::int64_t>(triangles.size());
    const auto borders = static_cast<std::int64_t>(found.loops.size());
    found.handles = (2 - borders - (used - edges + faces)) / 2;
    found.is_one = vertex_components(vertex_graph(point_count, triangles), is_used).count == 1;
    return found;
}

double loop_length(std::span<const Vec3> points, const Loop& loop) {
    double length = 0.0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        length += (points[loop[i]] - points[loop[(i + 1) % loop.size()]]).norm();
    }
    return length;
}

/// A disc made ready to be laid flat.
struct Disc {
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
    Loop border;
};

void close_hole(const Loop& loop, Disc& disc) {
    Vec3 centre = Vec3::Zero();
    for (const std::int32_t v : loop) centre += disc.points[v] / static_cast<double>(loop.size());
    const auto middle = static_cast<std::int32_t>(disc.points.size());
    disc.points.push_back(centre);
    for (std::size_t i = 0; i < loop.size(); ++i) {
        disc.triangles.push_back({loop[(i + 1) % loop.size()], loop[i], middle});
    }
}

Result<Disc> make_disc(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       bool fills_holes) {
    PatchBorders found = patch_borders(points.size(), triangles);
    const auto refuse = [](const char* why) {
        return Error{"the region is not a disc, so it cannot be laid flat", "", why};
    };
    if (!found.is_sound) return refuse("an edge has more than two faces, or it touches itself");
    if (!found.is_one) return refuse("it is in several pieces, or there is nothing of it");
    if (found.handles != 0) return refuse("it has a handle");
    if (found.loops.empty()) return refuse("it goes all the way round");
    if (found.loops.size() > 1 && !fills_holes) return refuse("it has a hole");
    Disc disc{{points.begin(), points.end()}, {triangles.begin(), triangles.end()}, {}};
    std::size_t longest = 0;
    for (std::size_t i = 1; i < found.loops.size(); ++i) {
        if (loop_length(points, found.loops[i]) > loop_length(points, found.loops[longest])) {
            longest = i;
        }
    }
    for (std::size_t i = 0; i < found.loops.size(); ++i) {
        if (i != longest) close_hole(found.loops[i], disc);
    }
    disc.border = std::move(found.loops[longest]);
    return disc;
}

bool has_folds(const Disc& disc, const Flat& flat) {
    double total = 0.0;
    for (const Triangle& t : disc.triangles) total += area_vector(disc.points, t).norm();
    const double least = 1e-9 * total / static_cast<double>(disc.triangles.size());
    return std::any_of(disc.triangles.begin(), disc.triangles.end(), [&](const Triangle& t) {
        const double area = flat_area(flat, t);
        if (area > 0) return false;
        return !(area_vector(disc.points, t).norm() <= least && area > -least);
    });
}

bool do_sides_cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const auto side = [](const Vec2& p, const Vec2& q, const Vec2& r) {
        return (q.x() - p.x()) * (r.y() - p.y()) - (q.y() - p.y()) * (r.x() - p.x());
    };
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/// Whether the border runs over itself: then two places of the patch lie on one of the plane.
bool is_border_crossed(const Disc& disc, const Flat& flat) {
    struct Span {
        double low, high;
        std::size_t side;
    };
    const std::size_t n = disc.border.size();
    const auto corner = [&](std::size_t i) -> const Vec2& { return flat[disc.border[i % n]]; };
    std::vector<Span> spans;
    for (std::size_t i = 0; i < n; ++i) {
        const auto [low, high] = std::minmax(corner(i).x(), corner(i + 1).x());
        spans.push_back({low, high, i});
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::pair(a.low, a.side) < std::pair(b.low, b.side);
    });
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t a = spans[i].side;
        for (std::size_t j = i + 1; j < n && spans[j].low < spans[i].high; ++j) {
            const std::size_t b = spans[j].side;
            if (do_sides_cross(corner(a), corner(a + 1), corner(b), corner(b + 1))) return true;
        }
    }
    return false;
}

bool is_good(const Disc& disc, const Flat& flat) {
    return !has_folds(disc, flat) && !is_border_crossed(disc, flat);
}

// Maps but the rounds may be of any size: they are brought to the patch's own area.
void scale_to_area(const Disc& disc, Flat& flat) {
    double wanted = 0.0, has = 0.0;
    for (const Triangle& t : disc.triangles) {
        wanted += area_vector(disc.points, t).norm();
        has += flat_area(flat, t);
    }
    if (!(has > 0 && wanted > 0)) return;
    for (Vec2& p : flat) p *= std::sqrt(wanted / has);
}

/// Looks along the mean normal; nothing if a triangle is seen too flatly, or from behind.
Flat project(const Disc& disc) {
    Vec3 mean = Vec3::Zero();
    for (const Triangle& t : disc.triangles) mean += area_vector(disc.points, t);
    if (!(mean.norm() > 0)) return {};
    mean.normalize();
    for (const Triangle& t : disc.triangles) {
        const Vec3 area = area_vector(disc.points, t);
        if (!(area.dot(mean) > kSteepest * area.norm())) return {};
    }
    const Vec3 across = mean.unitOrthogonal(), up = mean.cross(across);
    const Vec3 from = disc.points[disc.triangles[0][0]];
    Flat flat;
    flat.reserve(disc.points.size());
    for (const Vec3& p : disc.points) {
        flat.emplace_back((p - from).dot(across), (p - from).dot(up));
    }
    return flat;
}

/// Two border points far apart: whatever is nailed down there stays away from what moves.
std::array<std::int32_t, 2> pick_pins(const Disc& disc) {
    const auto farthest = [&](std::int32_t from) {
        std::int32_t best = from;
        for (const std::int32_t v : disc.border) {
            const double reach = (disc.points[v] - disc.points[from]).squaredNorm();
            if (reach > (disc.points[best] - disc.points[from]).squaredNorm()) best = v;
        }
        return best;
    };
    const std::int32_t first = farthest(disc.border[0]);
    return {first, farthest(first)};
}

/// Conformal energy is Dirichlet energy less the enclosed area, which the border alone tells.
Result<Flat> conformal_map(const Disc& disc) {
    const auto n = static_cast<std::int32_t>(disc.points.size());
    const Eigen::SparseMatrix<double> laplacian = cotangent_laplacian(
        disc.points.size(), disc.triangles, half_cotangents(disc.points, disc.triangles));
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < n; ++column) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(laplacian, column); it; ++it) {
            const auto row = static_cast<std::int32_t>(it.row());
            entries.emplace_back(row, column, it.value());
            entries.emplace_back(n + row, n + column, it.value());
        }
    }
    for (std::size_t i = 0; i < disc.border.size(); ++i) {
        const std::int32_t a = disc.border[i], b = disc.border[(i + 1) % disc.border.size()];
        entries.emplace_back(a, n + b, -0.5);
        entries.emplace_back(n + b, a, -0.5);
        entries.emplace_back(b, n + a, 0.5);
        entries.emplace_back(n + a, b, 0.5);
    }
    Eigen::SparseMatrix<double> energy(2 * n, 2 * n);
    energy.setFromTriplets(entries.begin(), entries.end());
    const auto pins = pick_pins(disc);
    std::vector<std::uint8_t> is_pinned(2 * disc.points.size(), 0);
    Eigen::MatrixXd pinned = Eigen::MatrixXd::Zero(2 * n, 1);
    for (const std::int32_t pin : pins) is_pinned[pin] = is_pinned[n + pin] = 1;
    pinned(pins[1], 0) = (disc.points[pins[1]] - disc.points[pins[0]]).norm();
    const auto solver = SmoothSolver<double>::make(energy, is_pinned, {}, 0.0);
    if (!solver) return solver.error();
    const Eigen::MatrixXd solved = solver.value().solve(pinned, Eigen::MatrixXd(0, 1));
    Flat flat(disc.points.size());
    for (std::int32_t v = 0; v < n; ++v) flat[v] = {solved(v, 0), solved(n + v, 0)};
    scale_to_area(disc, flat);
    return flat;
}

std::vector<Vec3> positive_weights(std::span<const Vec3> points,
                                   std::span<const Triangle> triangles) {
    std::vector<Vec3> weights = half_cotangents(points, triangles);
    for (Vec3& w : weights) w = w.cwiseMax(kLeastWeight);
    return weights;
}

Result<Flat> circle_map(const Disc& disc, const PatchSystem& system) {
    const auto n = static_cast<Eigen::Index>(disc.points.size());
    std::vector<std::uint8_t> is_given(disc.points.size(), 0);
    PatchFactor::Fields fields = PatchFactor::Fields::Zero(n, 2);
    const double length = loop_length(disc.points, disc.border);
    double along = 0.0;
    for (std::size_t i = 0; i < disc.border.size(); ++i) {
        const std::int32_t v = disc.border[i], w = disc.border[(i + 1) % disc.border.size()];
        const double angle = length > 0 ? 2 * kPi * along / length : 0.0;
        is_given[v] = 1;
        fields.row(v) = Eigen::RowVector2d(std::cos(angle), std::sin(angle));
        along += (disc.points[w] - disc.points[v]).norm();
    }
    const auto factor = system.factor(positive_weights(disc.points, disc.triangles), is_given);
    if (!factor) return factor.error();
    factor.value().solve(fields);
    Flat flat(disc.points.size());
    for (Eigen::Index v = 0; v < n; ++v) flat[v] = fields.row(v).transpose();
    scale_to_area(disc, flat);
    return flat;
}

/// Turns the unit disc into itself, conformally, so that the weighted mean of the points becomes
/// its centre (Douady and Earle 1986): one end of a stocking should not lie off it.
void centre_in_circle(std::span<const double> weights, Flat& flat) {
    using Complex = std::complex<double>;
    constexpr int kSteps = 12;
    for (int step = 0; step < kSteps; ++step) {
        Complex mean = 0.0;
        double sum = 0.0;
        for (std::size_t v = 0; v < flat.size(); ++v) {
            mean += weights[v] * Complex(flat[v].x(), flat[v].y());
            sum += weights[v];
        }
        if (!(sum > 0)) return;
        mean /= sum;
        for (Vec2& p : flat) {
            const Complex z(p.x(), p.y()), w = (z - mean) / (1.0 - std::conj(mean) * z);
            p = {w.real(), w.imag()};
        }
    }
}

/// Moves points of the unit disc in or out so that every circle about its centre encloses its share
/// of the weight: what a harmonic map shrinks to nothing has its size again. By a monotone
/// function of the radius with a few knots, so that points of one ring stay on one.
void even_out_radially(std::span<const double> weights, Flat& flat) {
    constexpr std::size_t kKnots = 32;
    std::vector<std::size_t> order(flat.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(flat[a].squaredNorm(), a) < std::pair(flat[b].squaredNorm(), b);
    });
    double total = 0.0, below = 0.0;
    for (const double w : weights) total += w;
    std::vector<std::array<double, 2>> knots = {{0.0, 0.0}};  // Radius squared, share below it.
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double square = flat[order[i]].squaredNorm();
        const double half = 0.5 * weights[order[i]];
        const bool is_knot = (i + 1) * kKnots / order.size() != i * kKnots / order.size();
        if (is_knot && square > knots.back()[0] + 1e-9 && square < 1.0 - 1e-9) {
            knots.push_back({square, (below + half) / total});
        }
        below += 2.0 * half;
    }
    knots.push_back({1.0, 1.0});
    for (Vec2& p : flat) {
        const double square = std::min(p.squaredNorm(), 1.0);
        const auto at = std::upper_bound(
            knots.begin() + 1, knots.end() - 1, square,
            [](double x, const std::array<double, 2>& knot) { return x < knot[0]; });
        const auto &low = *(at - 1), &high = *at;
        const double share = low[1] + (high[1] - low[1]) * (square - low[0]) / (high[0] - low[0]);
        if (square > 0) p *= std::sqrt(share / square);
    }
}

/// A start for what no direction shows as a whole: the map to a circle with its areas put right.
Result<Flat> round_start(const Disc& disc, const PatchSystem& system) {
    Result<Flat> made = circle_map(disc, system);
    if (!made) return made;
    Flat& flat = made.value();
    const double radius = flat[disc.border[0]].norm();
    if (!(radius > 0)) return made;
    for (Vec2& p : flat) p /= radius;
    const std::vector<double> areas = vertex_areas(disc.points, disc.triangles);
    centre_in_circle(areas, flat);
    even_out_radially(areas, flat);
    scale_to_area(disc, flat);
    return made;
}

/// As-rigid-as-possible steps, factored when first asked for.
class RigidRounds {
public:
    RigidRounds(const Disc& disc, const PatchSystem& system, int rounds)
        : disc_(disc),
          system_(system),
          rounds_(rounds),
          cotangents_(half_cotangents(disc.points, disc.triangles)),
          fit_(disc.points, disc.triangles, cotangents_) {}

    Result<Flat> run(Flat flat) {
        const std::int32_t pin = disc_.triangles[0][0];
        if (!factor_) {
            std::vector<std::uint8_t> is_pinned(disc_.points.size(), 0);
            is_pinned[pin] = 1;
            Result<PatchFactor> made = system_.factor(cotangents_, is_pinned);
            if (!made) return made.error();
            factor_.emplace(std::move(made.value()));
        }
        PatchFactor::Fields fields(static_cast<Eigen::Index>(flat.size()), 2);
        const Vec2 pinned = flat[pin];
        Flat asked(flat.size());
        const double tolerance = kConverged * loop_length(disc_.points, disc_.border);
        for (int round = 0; round < rounds_; ++round) {
            fit_.pull(flat, 1.0, asked);
            for (std::size_t v = 0; v < flat.size(); ++v) fields.row(v) = asked[v].transpose();
            fields.row(pin) = pinned.transpose();
            factor_->solve(fields);
            const double further = round > 0 ? kRigidRelaxation : 1.0;
            double farthest_sq = 0.0;
            for (std::size_t v = 0; v < flat.size(); ++v) {
                const Vec2 step = fields.row(v).transpose() - flat[v];
                flat[v] += further * step;
                farthest_sq = std::max(farthest_sq, step.squaredNorm());
            }
            if (farthest_sq <= tolerance * tolerance) break;
        }
        return flat;
    }

private:
    const Disc& disc_;
    const PatchSystem& system_;
    int rounds_;
    std::vector<Vec3> cotangents_;
    RigidFit fit_;
    std::optional<PatchFactor> factor_;
};

Result<Flat> flatten_disc(const Disc& disc, int rounds, bool keeps_sizes) {
    const PatchSystem system(disc.points.size(), disc.triangles);
    RigidRounds rigid_rounds(disc, system, rounds);
    if (Flat start = project(disc); !start.empty()) {
        Result<Flat> rigid = rigid_rounds.run(std::move(start));
        if (rigid && is_good(disc, rigid.value())) return rigid;
    }
    if (Result<Flat> start = round_start(disc, system); start) {
        Result<Flat> rigid = rigid_rounds.run(std::move(start.value()));
        if (rigid && is_good(disc, rigid.value())) return rigid;
    }
    const Result<Flat> conformal = conformal_map(disc);
    if (conformal) {
        Result<Flat> rigid = rigid_rounds.run(conformal.value());
        if (rigid && is_good(disc, rigid.value())) return rigid;
        if (!keeps_sizes && is_good(disc, conformal.value())) return conformal;
    }
    if (!keeps_sizes) return circle_map(disc, system);
    return Error{"the region folds when it is laid flat and keeps its sizes", "",
                 "it reaches too far round"};
}

}  // namespace

bool is_disc(std::size_t point_count, std::span<const Triangle> triangles) {
    const PatchBorders found = patch_borders(point_count, triangles);
    return found.is_sound && found.is_one && found.handles == 0 && found.loops.size() == 1;
}

Result<std::vector<Vec2>> map_to_circle(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles) {
    const Result<Disc> disc = make_disc(points, triangles, false);
    if (!disc) return disc.error();
    return circle_map(disc.value(),
                      PatchSystem(disc.value().points.size(), disc.value().triangles));
}

Result<std::vector<Vec2>> draw_patch(std::span<const Vec3> points,
                                     std::span<const Triangle> triangles,
                                     std::span<const RealConstraint> constraints,
                                     const Eigen::MatrixX2d& targets) {
    const std::vector<std::uint8_t> none(points.size(), 0);
    const auto laplacian =
        cotangent_laplacian(points.size(), triangles, positive_weights(points, triangles));
    const auto solver = SmoothSolver<double>::make(laplacian, none, constraints, kConstraintWeight);
    if (!solver) return solver.error();
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(points.size()), 2);
    const Eigen::MatrixXd solved = solver.value().solve(zero, targets);
    Flat flat(points.size());
    for (Eigen::Index v = 0; v < zero.rows(); ++v) flat[v] = solved.row(v).transpose();
    return flat;
}

Result<std::vector<Vec2>> flatten_patch(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles,
                                        const FlattenOptions& options) {
    const Result<Disc> disc = make_disc(points, triangles, options.fills_holes);
    if (!disc) return disc.error();
    Result<Flat> flat = flatten_disc(disc.value(), options.rounds, options.keeps_sizes);
    if (!flat) return flat.error();
    flat.value().resize(points.size());
    return flat;
}

}  // namespace ductile
