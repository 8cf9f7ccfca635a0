// SPDX-License-Identifier: MIT
// Lazarus and Verroust 1999, "Level Set Diagrams of Polyhedral Objects": connected parts of level
// sets of the distance from one end, strung together. Theirs are curves on the surface, ours slices
// of a lattice, so the surface may be anything. Near an end slices lie around a corner of the body
// instead of across it: those do not count, the bone goes straight on to the end.
#include <ductile/core/assert.h>
#include <ductile/deform/bend/curve_skeleton.h>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace ductile {
namespace {

// Slices along the body, and cells that one is thick at least.
constexpr double kSlices = 40.0, kCellsPerSlice = 1.5;
// Slices around a corner reach this many times as far as they are wide (root mean square): the
// diagonal of a square's side is 1.41 of its width, which is 2.45 times that.
constexpr double kCornerReach = 3.5;
// How far beside the middle line a corner lies in such widths: 1.73 of a square's side.
constexpr double kCornerOffset = 2.0;

// A body that fills less than this of the box along its principal axes has limbs or is bent: a ball
// fills 0.52 of its box, a bunny a third.
constexpr double kCompactFill = 0.45;

/// A connected slice of the lattice.
struct Slice {
    Vec3 middle = Vec3::Zero();
    double level = 0.0;               ///< Mean distance from the end that slices begin at [m].
    double width = 0.0;               ///< Root mean square distance of its nodes from the middle.
    std::vector<std::int32_t> nodes;  ///< And those of branches that were taken off it.
    std::set<std::int32_t> next;      ///< Slices it touches.
};

/// Slices in a row between two that end or branch.
struct Chain {
    std::vector<std::int32_t> slices;
    /// By levels [m]: a bump on a wide slice is as long as it sticks out, however far it lies from
    /// the middle.
    double length = 0.0;
};

class SliceGraph {
public:
    explicit SliceGraph(const TetLattice& lattice) : lattice_(lattice) {
        const std::vector<std::int32_t> body = largest_part();
        const std::vector<double> from_any = distances(body[0]);
        const std::int32_t end = furthest(body, from_any);
        const std::vector<double> distance = distances(end);
        length_ = distance[furthest(body, distance)];
        cut(body, distance);
        nodes_ = body;
    }

    double length() const { return length_; }
    const Slice& operator[](std::int32_t s) const { return slices_[s]; }
    std::span<const std::int32_t> body() const { return nodes_; }

    /// Takes off what is shorter than `least` [m]: branches, then loops, then links.
    void simplify(double least) {
        while (remove_branch(least) || remove_loop(least) || contract_link(0.5 * least)) {
        }
    }

    /// Rows of slices, each between two that end or branch; of a ring from one of its slices back
    /// to it.
    std::vector<Chain> chains() const {
        std::vector<Chain> out;
        std::set<std::pair<std::int32_t, std::int32_t>> used;
        for (const bool is_ring : {false, true}) {
            for (std::int32_t s = 0; s < std::ssize(slices_); ++s) {
                if ((slices_[s].next.size() == 2) != is_ring) continue;
                for (const std::int32_t n : slices_[s].next) {
                    if (used.contains({s, n})) continue;
                    out.push_back(follow(s, n));
                    const std::vector<std::int32_t>& row = out.back().slices;
                    for (std::size_t i = 1; i < row.size(); ++i) {
                        used.insert({row[i - 1], row[i]});
                        used.insert({row[i], row[i - 1]});
                    }
                }
            }
        }
        return out;
    }
    bool is_end(std::int32_t s) const { return slices_[s].next.size() == 1; }

private:
    std::vector<std::int32_t> largest_part() const {
        const VertexComponents& parts = lattice_.components();
        std::vector<std::vector<std::int32_t>> nodes(static_cast<std::size_t>(parts.count));
        for (std::size_t v = 0; v < parts.component.size(); ++v) {
            nodes[parts.component[v]].push_back(static_cast<std::int32_t>(v));
        }
        return *std::max_element(nodes.begin(), nodes.end(),
                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
    }
    std::vector<double> distances(std::int32_t from) const {
        return edge_distances(lattice_.points(), lattice_.graph(), {&from, 1}, kInfinity);
    }
    static std::int32_t furthest(std::span<const std::int32_t> body,
                                 std::span<const double> distance) {
        return *std::max_element(body.begin(), body.end(), [&](std::int32_t a, std::int32_t b) {
            return distance[a] < distance[b];
        });
    }
    void cut(std::span<const std::int32_t> body, std::span<const double> distance) {
        const double thick = std::max(length_ / kSlices, kCellsPerSlice * lattice_.cell());
        const auto level = [&](std::int32_t v) { return std::floor(distance[v] / thick); };
        std::vector<std::int32_t> slice_of(lattice_.points().size(), -1);
        for (const std::int32_t seed : body) {
            if (slice_of[seed] >= 0) continue;
            const auto number = static_cast<std::int32_t>(slices_.size());
            Slice& slice = slices_.emplace_back();
            slice.nodes.push_back(seed);
            slice_of[seed] = number;
            for (std::size_t i = 0; i < slice.nodes.size(); ++i) {
                for (const std::int32_t w : lattice_.graph()[slice.nodes[i]]) {
                    if (slice_of[w] >= 0 || level(w) != level(seed)) continue;
                    slice_of[w] = number;
                    slice.nodes.push_back(w);
                }
            }
            measure(slice, distance);
        }
        for (const std::int32_t v : body) {
            for (const std::int32_t w : lattice_.graph()[v]) {
                if (slice_of[v] != slice_of[w]) slices_[slice_of[v]].next.insert(slice_of[w]);
            }
        }
    }
    void measure(Slice& slice, std::span<const double> distance) const {
        const auto count = static_cast<double>(slice.nodes.size());
        for (const std::int32_t v : slice.nodes) {
            slice.middle += lattice_.points()[v] / count;
            slice.level += distance[v] / count;
        }
        double sum = 0.0;
        for (const std::int32_t v : slice.nodes) {
            sum += (lattice_.points()[v] - slice.middle).squaredNorm();
        }
        slice.width = std::sqrt(sum / count);
    }

    Chain follow(std::int32_t from, std::int32_t next) const {
        Chain out{{from}, 0.0};
        std::int32_t last = from;
        while (true) {
            out.length += std::abs(slices_[next].level - slices_[last].level);
            out.slices.push_back(next);
            if (next == from || slices_[next].next.size() != 2) return out;
            const std::int32_t beyond = *slices_[next].next.begin() == last
                                            ? *slices_[next].next.rbegin()
                                            : *slices_[next].next.begin();
            last = next;
            next = beyond;
        }
    }
    void unlink(std::int32_t a, std::int32_t b) {
        slices_[a].next.erase(b);
        slices_[b].next.erase(a);
    }
    void take_nodes(std::int32_t to, std::int32_t from) {
        slices_[to].nodes.insert(slices_[to].nodes.end(), slices_[from].nodes.begin(),
                                 slices_[from].nodes.end());
    }
    // Takes off a row but for its last slice, which gets its nodes.
    void remove_row(std::span<const std::int32_t> row) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            unlink(row[i], row[i + 1]);
            if (slices_[row[i]].next.empty()) take_nodes(row.back(), row[i]);
        }
    }
    bool remove_branch(double least) {
        Chain best;
        for (Chain& chain : chains()) {
            if (is_end(chain.slices.back())) {
                std::reverse(chain.slices.begin(), chain.slices.end());
            }
            if (!is_end(chain.slices[0]) || is_end(chain.slices.back())) continue;
            if (chain.length < least && (best.slices.empty() || chain.length < best.length)) {
                best = chain;
            }
        }
        if (best.slices.empty()) return false;
        remove_row(best.slices);
        return true;
    }
    // Of two rows with the same ends, or one that comes back to where it began.
    bool remove_loop(double least) {
        std::map<std::pair<std::int32_t, std::int32_t>, Chain> known;
        for (const Chain& chain : chains()) {
            const auto ends = std::minmax(chain.slices[0], chain.slices.back());
            const bool is_ring = ends.first == ends.second;
            if (is_ring && chain.length < 2.0 * least) {
                remove_row(chain.slices);
                return true;
            }
            const auto [other, is_new] = known.try_emplace(ends, chain);
            if (is_ring || is_new || chain.length >= least || other->second.length >= least) {
                continue;
            }
            remove_row(chain.length < other->second.length ? chain.slices : other->second.slices);
            return true;
        }
        return false;
    }
    // Two branchings next to each other become one.
    bool contract_link(double least) {
        for (const Chain& chain : chains()) {
            const std::int32_t from = chain.slices[0], to = chain.slices.back();
            if (from == to || is_end(from) || is_end(to) || chain.length >= least) continue;
            remove_row(chain.slices);
            for (const std::int32_t n : std::set(slices_[to].next)) {
                unlink(to, n);
                if (n == from) continue;
                slices_[from].next.insert(n);
                slices_[n].next.insert(from);
            }
            take_nodes(from, to);
            slices_[from].middle = 0.5 * (slices_[from].middle + slices_[to].middle);
            return true;
        }
        return false;
    }

    const TetLattice& lattice_;
    std::vector<Slice> slices_;
    std::vector<std::int32_t> nodes_;
    double length_ = 0.0;
};

double line_distance(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 way = b - a;
    const double length_sq = way.squaredNorm();
    const double along = length_sq > 0 ? std::clamp(way.dot(p - a) / length_sq, 0.0, 1.0) : 0.0;
    return (a + along * way - p).norm();
}

/// Makes bones of rows of slices.
class BoneDrawer {
public:
    BoneDrawer(const TetLattice& lattice, const SliceGraph& graph, double slack)
        : lattice_(lattice), graph_(graph), slack_(slack) {}

    void draw(const Chain& chain) {
        const std::vector<std::int32_t>& row = chain.slices;
        const std::vector<std::int32_t> back(row.rbegin(), row.rend());
        const bool begins = graph_.is_end(row[0]), ends = graph_.is_end(back[0]);
        const auto first = begins ? past_corner(row) : std::size_t{0};
        const auto last = ends ? past_corner(back) : std::size_t{0};
        std::vector<Vec3> line;
        for (std::size_t i = first.value_or(0); i + last.value_or(0) < row.size(); ++i) {
            line.push_back(graph_[row[i]].middle);
        }
        line = corners_of(line, row[0] == back[0]);
        const bool is_unclear = !first && !last;
        if (begins && ends && (is_unclear || line.size() == 2) && is_compact()) return draw_bar();
        if (begins) reach_end(line.front(), line[1], row, first.value_or(0));
        if (ends) reach_end(line.back(), line[line.size() - 2], back, last.value_or(0));
        for (std::size_t i = 1; i < line.size(); ++i) add_bone(line[i - 1], line[i]);
    }
    void draw_bar() {
        const Mat3 axes = principal_directions();
        Vec3 from = middle(), to = middle();
        reach(from, -axes.col(2), graph_.body());
        reach(to, axes.col(2), graph_.body());
        add_bone(from, to);
    }
    std::vector<Bone> take() { return std::move(bones_); }

private:
    Vec3 middle() const {
        Vec3 sum = Vec3::Zero();
        for (const std::int32_t v : graph_.body()) sum += lattice_.points()[v];
        return sum / static_cast<double>(graph_.body().size());
    }
    // The longest last.
    Mat3 principal_directions() const {
        const Vec3 centre = middle();
        Mat3 spread = Mat3::Zero();
        for (const std::int32_t v : graph_.body()) {
            const Vec3 r = lattice_.points()[v] - centre;
            spread += r * r.transpose();
        }
        return Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors();
    }
    bool is_compact() const {
        const Mat3 axes = principal_directions();
        Box box;
        for (const std::int32_t v : graph_.body()) {
            box.add(Vec3(axes.transpose() * lattice_.points()[v]));
        }
        // A cell has two nodes.
        const double volume =
            0.5 * static_cast<double>(graph_.body().size()) * std::pow(lattice_.cell(), 3);
        const Vec3 size = box.upper - box.lower + Vec3::Constant(0.5 * lattice_.cell());
        return volume > kCompactFill * size.prod();
    }
    // Whether the first slices lie along the way that those after them go.
    bool is_corner(std::span<const std::int32_t> row, std::size_t count) const {
        const Vec3 from = graph_[row[count]].middle;
        const std::size_t on = std::min(count + count / 2 + 1, row.size() - 1);
        const Vec3 along = (from - graph_[row[on]].middle).normalized();
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3 off = along.cross(graph_[row[i]].middle - from);
            if (off.norm() > kCornerOffset * graph_[row[count]].width) return false;
        }
        return true;
    }
    // How many slices of a row that begins at an end lie around its corner; nothing where that is
    // half of them or more: no bar begins there.
    std::optional<std::size_t> past_corner(std::span<const std::int32_t> row) const {
        double gone = 0.0;
        for (std::size_t i = 0; 2 * i < row.size(); ++i) {
            if (gone > kCornerReach * graph_[row[i]].width) {
                return is_corner(row, i) ? std::optional(i) : std::nullopt;
            }
            if (i + 1 == row.size()) break;
            gone += (graph_[row[i + 1]].middle - graph_[row[i]].middle).norm();
        }
        return {};
    }
    // Moves a place along a unit vector as far as the nodes go, less what a lattice is larger.
    void reach(Vec3& place, const Vec3& along, std::span<const std::int32_t> nodes) const {
        double furthest = 0.0;
        for (const std::int32_t v : nodes) {
            furthest = std::max(furthest, along.dot(lattice_.points()[v] - place));
        }
        place += std::max(0.0, furthest - 0.5 * lattice_.cell()) * along;
    }
    void reach_end(Vec3& end, const Vec3& before, std::span<const std::int32_t> row,
                   std::size_t trimmed) const {
        const Vec3 along = (end - before).normalized();
        std::vector<std::int32_t> nodes;
        for (std::size_t i = 0; i <= trimmed && i < row.size(); ++i) {
            nodes.insert(nodes.end(), graph_[row[i]].nodes.begin(), graph_[row[i]].nodes.end());
        }
        reach(end, along, nodes);
    }
    // Corners of a line such that all of it lies within the slack (Douglas and Peucker 1973), each
    // then moved along the line to where it serves best.
    void add_corners(std::span<const Vec3> line, std::size_t from, std::size_t to,
                     std::vector<std::size_t>& corners) const {
        std::size_t worst = from;
        double most = slack_;
        for (std::size_t i = from + 1; i < to; ++i) {
            const double distance = line_distance(line[i], line[from], line[to]);
            if (!(distance > most)) continue;
            most = distance;
            worst = i;
        }
        if (worst != from) {
            add_corners(line, from, worst, corners);
            add_corners(line, worst, to, corners);
        } else {
            corners.push_back(to);
        }
    }
    static double misfit(std::span<const Vec3> line, std::size_t from, std::size_t to) {
        double sum = 0.0;
        for (std::size_t i = from + 1; i < to; ++i) {
            sum += std::pow(line_distance(line[i], line[from], line[to]), 2);
        }
        return sum;
    }
    std::vector<Vec3> corners_of(std::span<const Vec3> line, bool is_ring) const {
        std::vector<std::size_t> corners = {0};
        // A ring needs three corners at least.
        const std::size_t third = (line.size() - 1) / 3;
        const auto parts =
            is_ring ? std::vector{third, 2 * third, line.size() - 1} : std::vector{line.size() - 1};
        for (const std::size_t to : parts) add_corners(line, corners.back(), to, corners);
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
            double least = kInfinity;
            std::size_t best = corners[k];
            for (std::size_t i = corners[k - 1] + 1; i < corners[k + 1]; ++i) {
                const double sum =
                    misfit(line, corners[k - 1], i) + misfit(line, i, corners[k + 1]);
                if (!(sum < least)) continue;
                least = sum;
                best = i;
            }
            corners[k] = best;
        }
        std::vector<Vec3> out;
        for (const std::size_t k : corners) out.push_back(line[k]);
        return out;
    }
    void add_bone(const Vec3& from, const Vec3& to) {
        bones_.push_back({fmt::format("bone{}", bones_.size() + 1), from, to});
    }

    const TetLattice& lattice_;
    const SliceGraph& graph_;
    double slack_;
    std::vector<Bone> bones_;
};

}  // namespace

Result<Skeleton> curve_skeleton(const TetLattice& lattice, const CurveSkeletonOptions& options) {
    SliceGraph graph(lattice);
    if (!(graph.length() > 0)) {
        return Error{"the lattice is too coarse for a skeleton", "", "make its cells smaller"};
    }
    graph.simplify(options.least_branch * graph.length());
    BoneDrawer drawer(lattice, graph, options.straightness * graph.length());
    const std::vector<Chain> chains = graph.chains();
    for (const Chain& chain : chains) drawer.draw(chain);
    std::vector<Bone> bones = drawer.take();
    if (bones.empty()) {
        drawer.draw_bar();
        bones = drawer.take();
    }
    return skeleton_of_bones(std::move(bones), 1e-6 * graph.length());
}

}  // namespace ductile
