// SPDX-License-Identifier: MIT
// Dong, Liu, Ou and Zheng 2011, "A Simple Method for Real-Time Metal Shell Simulation": sections 3
// and 6. Where we differ: springs between all neighbouring vertices would need thousands of sweeps
// to carry a change across a sheet, so only control points on the borders of sub-shells move; where
// the springs hold the vertices between is found once, as weights.
#include <ductile/deform/shell/shell_borders.h>
#include <ductile/deform/shell/shell_rig.h>
#include <ductile/geom/pieces/clusters.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace ductile {
namespace {

// Parts smaller than this share of a sub-shell's area do not bend by themselves.
constexpr double kSmallPart = 0.25;
// Control points along a border are at most so many sub-shell sizes apart.
constexpr double kSpacing = 1.2;
// Of a sub-shell without a border: so many control points, spread out.
constexpr std::size_t kLeastControls = 4;
// Points by which a sub-shell is met.
constexpr std::size_t kSamples = 12;
// Skins and parts are tied where their control points are nearer than this share of a sub-shell.
constexpr double kTieReach = 0.35;
// The weakest spring, over the mean of its sub-shell: obtuse triangles would have negative ones.
constexpr double kWeakestSpring = 0.02;
// Edges below this share of the mean are slivers'.
constexpr double kShortEdge = 0.35;
// Passes over the weights when creases are fully rounded.
constexpr int kMostRounding = 10;

// Points of `from`, spread out: the furthest from those chosen, one after the other.
std::vector<std::int32_t> spread_points(std::span<const Vec3> points,
                                        std::span<const std::int32_t> from,
                                        std::vector<std::int32_t> chosen, std::size_t count) {
    if (from.empty()) return chosen;
    if (chosen.empty()) {
        Vec3 middle = Vec3::Zero();
        for (const std::int32_t v : from) middle += points[v];
        middle /= double(from.size());
        const auto nearer = [&](std::int32_t a, std::int32_t b) {
            return (points[a] - middle).squaredNorm() < (points[b] - middle).squaredNorm();
        };
        chosen.push_back(*std::min_element(from.begin(), from.end(), nearer));
    }
    std::vector<double> distance_sq(from.size(), kInfinity);
    std::size_t seen = 0;
    while (true) {
        for (; seen < chosen.size(); ++seen) {
            for (std::size_t i = 0; i < from.size(); ++i) {
                const double d = (points[from[i]] - points[chosen[seen]]).squaredNorm();
                distance_sq[i] = std::min(distance_sq[i], d);
            }
        }
        const auto far = std::max_element(distance_sq.begin(), distance_sq.end());
        if (chosen.size() >= count || !(*far > 0)) return chosen;
        chosen.push_back(from[static_cast<std::size_t>(far - distance_sq.begin())]);
    }
}

// The largest weights, each less what the first one left out has, so that nothing jumps where one
// comes in; of sum 1.
void shorten_row(std::vector<ControlWeight>& row) {
    std::stable_sort(row.begin(), row.end(), [](const ControlWeight& a, const ControlWeight& b) {
        return a.weight > b.weight;
    });
    if (row.size() > ShellRig::kMostWeights) {
        const double cut = row[ShellRig::kMostWeights].weight;
        row.resize(ShellRig::kMostWeights);
        for (ControlWeight& w : row) w.weight -= cut;
    }
    std::erase_if(row, [](const ControlWeight& w) { return !(w.weight > 0); });
    double sum = 0.0;
    for (const ControlWeight& w : row) sum += w.weight;
    for (ControlWeight& w : row) w.weight /= sum;
    std::sort(row.begin(), row.end(),
              [](const ControlWeight& a, const ControlWeight& b) { return a.control < b.control; });
}

bool comes_before(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// Makes a rig step by step.
class RigMaker {
public:
    RigMaker(const ShellSurface& surface, const ShellOptions& options)
        : points_(surface.points),
          triangles_(surface.triangles),
          is_rigid_(surface.is_rigid),
          options_(options),
          graph_(vertex_graph(points_.size(), triangles_)),
          row_(points_.size()) {}

    Result<ShellRig> make() {
        rig_.stretch_limit = options_.stretch_limit;
        rig_.point_area = vertex_areas(points_, triangles_);
        rig_.normals = vertex_normals(points_, triangles_);
        const std::vector<std::int32_t> faces = faces_that_bend();
        if (faces.empty()) {
            return Error{"nothing of this body can crumple", "", "it is all rigid parts"};
        }
        cut(faces);
        set_controls();
        set_weights();
        for (int pass = 0; pass < std::lround(kMostRounding * options_.rounding); ++pass) {
            round_creases();
        }
        set_riders();
        for (std::vector<ControlWeight>& row : row_) rig_.rows.push_back(row);
        set_samples();
        set_ties();
        rig_.edges = bending_edges(triangles_, rig_.shell_of);
        double sum = 0.0;
        for (const MeshEdge& e : rig_.edges) sum += (points_[e[0]] - points_[e[1]]).norm();
        rig_.short_edge = kShortEdge * sum / double(std::max<std::size_t>(1, rig_.edges.size()));
        return std::move(rig_);
    }

private:
    bool is_rigid(std::int32_t v) const {
        return !is_rigid_.empty() && is_rigid_[static_cast<std::size_t>(v)] != 0;
    }

    // Faces of parts that are large enough, apart from rigid ones.
    std::vector<std::int32_t> faces_that_bend() const {
        std::vector<std::uint8_t> is_soft(points_.size(), 0);
        for (std::size_t v = 0; v < points_.size(); ++v) {
            is_soft[v] = !is_rigid(static_cast<std::int32_t>(v));
        }
        const VertexComponents parts = vertex_components(graph_, is_soft);
        std::vector<double> part_area(static_cast<std::size_t>(parts.count), 0.0);
        double area = 0.0;
        const auto part_of = [&](const Triangle& t) {
            for (const std::int32_t v : t) {
                if (parts.component[v] >= 0) return parts.component[v];
            }
            return -1;
        };
        for (const Triangle& t : triangles_) {
            const std::int32_t part = part_of(t);
            const double own = 0.5 * area_vector(points_, t).norm();
            if (part < 0 || !std::isfinite(own)) continue;
            part_area[static_cast<std::size_t>(part)] += own;
            area += own;
        }
        const double least = kSmallPart * area / options_.sub_shells;
        std::vector<std::int32_t> faces;
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            const std::int32_t part = part_of(triangles_[f]);
            if (part >= 0 && part_area[static_cast<std::size_t>(part)] >= least) {
                faces.push_back(static_cast<std::int32_t>(f));
            }
        }
        return faces;
    }

    void cut(std::span<const std::int32_t> faces) {
        const Clusters clusters = cluster_faces(points_, triangles_, faces,
                                                {.count = options_.sub_shells,
                                                 .distance_weight = options_.distance_weight,
                                                 .scale = ClusterScale::ClusterSize});
        rig_.face_shell = clusters.of_face;
        rig_.shells.resize(clusters.representatives.size());
        rig_.shell_of.assign(points_.size(), -1);
        members_.resize(rig_.shells.size());
        double area = 0.0;
        for (const std::int32_t f : faces) {
            area += 0.5 * area_vector(points_, triangles_[f]).norm();
            const std::int32_t shell = rig_.face_shell[f];
            for (const std::int32_t v : triangles_[f]) {
                members_[static_cast<std::size_t>(shell)].push_back(v);
                if (rig_.shell_of[v] < 0) rig_.shell_of[v] = shell;
            }
        }
        for (std::vector<std::int32_t>& own : members_) {
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
        }
        rig_.shell_size = std::sqrt(area / double(rig_.shells.size()));
    }

    void set_controls() {
        borders_ = find_borders(points_, triangles_, rig_.face_shell, kSpacing * rig_.shell_size);
        for (const std::vector<std::int32_t>& own : members_) {
            std::vector<std::int32_t> controls;
            for (const std::int32_t v : own) {
                if (borders_.is_control[v]) controls.push_back(v);
            }
            if (controls.size() >= 3) continue;
            for (const std::int32_t v : spread_points(points_, own, controls, kLeastControls)) {
                borders_.is_control[v] = 1;
            }
        }
        control_of_.assign(points_.size(), -1);
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (!borders_.is_control[v]) continue;
            control_of_[v] = static_cast<std::int32_t>(rig_.control_points.size());
            rig_.control_points.push_back(static_cast<std::int32_t>(v));
            rig_.control_rest.push_back(points_[v]);
            rig_.is_pinned.push_back(is_rigid(static_cast<std::int32_t>(v)));
        }
        rig_.by_place.resize(rig_.control_points.size());
        std::iota(rig_.by_place.begin(), rig_.by_place.end(), 0);
        std::stable_sort(rig_.by_place.begin(), rig_.by_place.end(),
                         [&](std::int32_t a, std::int32_t b) {
                             return comes_before(rig_.control_rest[a], rig_.control_rest[b]);
                         });
        for (std::size_t s = 0; s < members_.size(); ++s) {
            for (const std::int32_t v : members_[s]) {
                if (control_of_[v] >= 0) rig_.shells[s].controls.push_back(control_of_[v]);
            }
        }
    }

    void set_weights() {
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (control_of_[v] >= 0) row_[v] = {{control_of_[v], 1.0}};
        }
        for (const BorderChain& chain : borders_.chains) set_chain_weights(chain.points);
        const std::vector<Vec3> cotangents = half_cotangents(points_, triangles_);
        std::vector<std::vector<std::int32_t>> faces(rig_.shells.size());
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (rig_.face_shell[f] >= 0) {
                faces[static_cast<std::size_t>(rig_.face_shell[f])].push_back(
                    static_cast<std::int32_t>(f));
            }
        }
        for (std::size_t s = 0; s < rig_.shells.size(); ++s) {
            set_inner_weights(s, faces[s], cotangents);
        }
    }

    // Linear between the control points at both ends. Those in between may be control points of a
    // sub-shell without a border of its own: they keep to themselves.
    void set_chain_weights(std::span<const std::int32_t> chain) {
        std::vector<double> along = {0.0};
        for (std::size_t i = 1; i < chain.size(); ++i) {
            along.push_back(along.back() + (points_[chain[i]] - points_[chain[i - 1]]).norm());
        }
        for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
            if (control_of_[chain[i]] >= 0) continue;
            const double t = along.back() > 0 ? along[i] / along.back() : 0.5;
            std::vector<ControlWeight> row = {{control_of_[chain.front()], 1.0 - t},
                                              {control_of_[chain.back()], t}};
            if (row[0].control == row[1].control) row = {{row[0].control, 1.0}};
            shorten_row(row);
            row_[chain[i]] = std::move(row);
        }
    }

    // Inside a sub-shell: where springs between neighbours are in equilibrium, its border given.
    void set_inner_weights(std::size_t s, std::span<const std::int32_t> faces,
                           std::span<const Vec3> cotangents) {
        const std::vector<std::int32_t>& own = members_[s];
        const std::vector<std::int32_t>& controls = rig_.shells[s].controls;
        const auto place = [&](std::int32_t v) {
            return std::lower_bound(own.begin(), own.end(), v) - own.begin();
        };
        std::vector<Triangle> local;
        std::vector<Vec3> springs;
        double sum = 0.0;
        for (const std::int32_t f : faces) {
            const Triangle& t = triangles_[f];
            local.push_back(
                {std::int32_t(place(t[0])), std::int32_t(place(t[1])), std::int32_t(place(t[2]))});
            springs.push_back(cotangents[f]);
            sum += cotangents[f].cwiseAbs().sum() / 3.0;
        }
        const double weakest =
            kWeakestSpring * sum / double(std::max<std::size_t>(1, faces.size()));
        for (Vec3& c : springs) c = c.cwiseMax(weakest > 0 ? weakest : 1.0);
        std::vector<std::uint8_t> is_given(own.size(), 0);
        Eigen::MatrixXd given =
            Eigen::MatrixXd::Zero(Eigen::Index(own.size()), Eigen::Index(controls.size()));
        bool is_any_free = false;
        for (std::size_t i = 0; i < own.size(); ++i) {
            is_given[i] = !row_[own[i]].empty();
            is_any_free = is_any_free || !is_given[i];
            for (const ControlWeight& w : row_[own[i]]) {
                const auto at = std::lower_bound(controls.begin(), controls.end(), w.control);
                if (at == controls.end() || *at != w.control) continue;
                given(Eigen::Index(i), at - controls.begin()) = w.weight;
            }
        }
        if (!is_any_free) return;
        const auto solver = SmoothSolver<double>::make(
            cotangent_laplacian(own.size(), local, springs), is_given, {}, 0.0);
        Eigen::MatrixXd found = given;
        if (solver) found = solver.value().solve(given, Eigen::MatrixXd(0, given.cols()));
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!is_given[i]) take_row(found.row(Eigen::Index(i)), controls, own[i]);
        }
    }

    // What rounding made negative is nothing; without any weight a point follows the nearest.
    void take_row(const Eigen::RowVectorXd& weights, std::span<const std::int32_t> controls,
                  std::int32_t v) {
        std::vector<ControlWeight> row;
        for (Eigen::Index k = 0; k < weights.size(); ++k) {
            if (weights[k] > 1e-12) row.push_back({controls[std::size_t(k)], weights[k]});
        }
        if (row.empty()) {
            const auto nearer = [&](std::int32_t a, std::int32_t b) {
                return (rig_.control_rest[a] - points_[v]).squaredNorm() <
                       (rig_.control_rest[b] - points_[v]).squaredNorm();
            };
            row.push_back({*std::min_element(controls.begin(), controls.end(), nearer), 1.0});
        }
        shorten_row(row);
        row_[v] = std::move(row);
    }

    // Every point halfway to what its neighbours follow.
    void round_creases() {
        std::vector<std::vector<ControlWeight>> next(row_.size());
        for (std::size_t v = 0; v < row_.size(); ++v) {
            if (row_[v].empty()) continue;
            std::map<std::int32_t, double> sum;
            std::size_t count = 0;
            for (const std::int32_t n : graph_[v]) count += !row_[n].empty();
            for (const ControlWeight& w : row_[v])
                sum[w.control] += count > 0 ? 0.5 * w.weight : 1.0;
            for (const std::int32_t n : graph_[v]) {
                for (const ControlWeight& w : row_[n]) {
                    sum[w.control] += 0.5 * w.weight / double(count);
                }
            }
            for (const auto& [control, weight] : sum) next[v].push_back({control, weight});
            shorten_row(next[v]);
        }
        row_ = std::move(next);
    }

    // Small parts go with the nearest large one.
    void set_riders() {
        std::vector<Triangle> carriers;
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (rig_.face_shell[f] >= 0) carriers.push_back(triangles_[f]);
        }
        std::unique_ptr<SurfaceQuery> query;
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (rig_.shell_of[v] >= 0 || is_rigid(std::int32_t(v)) || !is_finite(points_[v])) {
                continue;
            }
            if (!query) query = std::make_unique<SurfaceQuery>(points_, carriers);
            const SurfacePoint at = query->closest_point(points_[v]);
            if (at.triangle < 0) continue;
            int corner = 0;
            at.barycentric.maxCoeff(&corner);
            row_[v] = row_[carriers[std::size_t(at.triangle)][std::size_t(corner)]];
        }
    }

    void set_samples() {
        for (std::size_t s = 0; s < rig_.shells.size(); ++s) {
            rig_.shells[s].samples = spread_points(points_, members_[s], {}, kSamples);
        }
    }

    // Control points near each other that share no sub-shell, nor have a neighbour in common: of
    // another part, or of the sheet's other skin.
    void set_ties() {
        const std::size_t count = rig_.control_points.size();
        std::vector<std::set<std::int32_t>> near(count);
        for (const SubShell& shell : rig_.shells) {
            for (const std::int32_t a : shell.controls) {
                near[a].insert(shell.controls.begin(), shell.controls.end());
            }
        }
        const double reach_sq = std::pow(kTieReach * rig_.shell_size, 2);
        for (std::size_t a = 0; a < count; ++a) {
            std::int32_t best = -1;
            double least = reach_sq;
            for (std::size_t b = 0; b < count; ++b) {
                const double d = (rig_.control_rest[a] - rig_.control_rest[b]).squaredNorm();
                if (!(d < least)) continue;
                const bool is_neighbour =
                    std::any_of(near[a].begin(), near[a].end(),
                                [&](std::int32_t c) { return near[c].count(std::int32_t(b)) > 0; });
                if (is_neighbour) continue;
                least = d;
                best = std::int32_t(b);
            }
            if (best < 0) continue;
            const auto own = std::int32_t(a);
            rig_.ties.push_back({std::min(own, best), std::max(own, best)});
        }
        const auto key = [](const ShellTie& t) { return std::pair(t.a, t.b); };
        std::sort(rig_.ties.begin(), rig_.ties.end(),
                  [&](const ShellTie& x, const ShellTie& y) { return key(x) < key(y); });
        rig_.ties.erase(
            std::unique(rig_.ties.begin(), rig_.ties.end(),
                        [&](const ShellTie& x, const ShellTie& y) { return key(x) == key(y); }),
            rig_.ties.end());
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> triangles_;
    std::span<const std::uint8_t> is_rigid_;
    const ShellOptions& options_;
    VertexGraph graph_;
    ShellRig rig_;
    ShellBorders borders_;
    std::vector<std::vector<std::int32_t>> members_;  // points of each sub-shell
    std::vector<std::int32_t> control_of_;            // per point; -1: none
    std::vector<std::vector<ControlWeight>> row_;
};

}  // namespace

std::vector<MeshEdge> bending_edges(std::span<const Triangle> triangles,
                                    std::span<const std::int32_t> shell_of) {
    std::vector<MeshEdge> edges;
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            if (a != b && shell_of[a] >= 0 && shell_of[b] >= 0) {
                edges.push_back({std::min(a, b), std::max(a, b)});
            }
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::int32_t ShellRig::find_control(const Vec3& rest, std::span<const std::uint8_t> taken) const {
    const auto first = std::lower_bound(
        by_place.begin(), by_place.end(), rest, [&](std::int32_t c, const Vec3& p) {
            return comes_before(control_rest[static_cast<std::size_t>(c)], p);
        });
    for (auto at = first; at != by_place.end(); ++at) {
        if (control_rest[static_cast<std::size_t>(*at)] != rest) break;
        if (!taken[static_cast<std::size_t>(*at)]) return *at;
    }
    return -1;
}

Result<ShellRig> make_shell_rig(const ShellSurface& surface, const ShellOptions& options) {
    return RigMaker(surface, options).make();
}

}  // namespace ductile
