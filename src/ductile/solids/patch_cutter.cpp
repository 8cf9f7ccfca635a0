// SPDX-License-Identifier: MIT
#include <ductile/solids/patch_cutter.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// A vertex within this share of an edge from the line moves onto it, rather than leave a sliver.
constexpr double kSnapShare = 0.3;
// One that must stay, being on another line, counts as on this one within this share.
constexpr double kTouchShare = 0.08;
// A root this close is found [m]; false position needs few rounds, the limit is for odd outlines.
constexpr double kOnLine = 1e-7;
constexpr int kRounds = 40;

int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

}  // namespace

PatchCutter::PatchCutter(const std::vector<double> (&knots)[3], Map map)
    : map_(std::move(map)), half_(knots[0].back(), knots[1].back(), knots[2].back()) {
    PatchBuilder builder;
    const std::int32_t look = builder.add_look({});
    std::vector<Vec3> axes;  // One per corner, in the order in which faces ask.
    add_lattice_box(
        builder, knots, [](const Vec3& p) { return p; },
        [&](const Vec3&, const Vec3& axis, const Vec3&) {
            axes.push_back(axis);
            return PatchCorner{0, Vec2::Zero(), axis};
        },
        look);
    const SurfaceAsset box = builder.finish();
    for (const Vec3& p : box.surface.points) add_vertex(p, false);
    for (std::size_t f = 0; f < box.surface.triangles.size(); ++f) {
        faces_.push_back({box.surface.triangles[f], axes[3 * f]});
    }
}

std::int32_t PatchCutter::add_vertex(const Vec3& lattice, bool is_fixed) {
    lattice_.push_back(lattice);
    points_.push_back(map_(lattice));
    is_fixed_.push_back(is_fixed);
    return static_cast<std::int32_t>(lattice_.size()) - 1;
}

Vec3 PatchCutter::middle(const Face& face) const {
    return map_(
        (lattice_[face.corners[0]] + lattice_[face.corners[1]] + lattice_[face.corners[2]]) / 3.0);
}

std::vector<PatchCutter::Edge> PatchCutter::edges(
    const std::function<bool(std::int32_t, std::int32_t)>& is_wanted) const {
    std::vector<Edge> list;
    for (const Face& face : faces_) {
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(face.corners[k], face.corners[(k + 1) % 3]);
            if (is_wanted(a, b)) list.push_back({a, b});
        }
    }
    std::sort(list.begin(), list.end(), [](const Edge& e, const Edge& f) {
        return std::pair(e.a, e.b) < std::pair(f.a, f.b);
    });
    list.erase(std::unique(list.begin(), list.end(),
                           [](const Edge& e, const Edge& f) { return e.a == f.a && e.b == f.b; }),
               list.end());
    return list;
}

std::vector<PatchCutter::Edge> PatchCutter::crossed_edges(const std::vector<double>& values) const {
    return edges([&](std::int32_t a, std::int32_t b) {
        return sign_of(values[a]) * sign_of(values[b]) < 0;
    });
}

// Share of the way from a to b at which the outline changes sign, by the Illinois variant of false
// position: outlines are nearly linear along an edge, but may have a corner there.
double PatchCutter::crossing(const Edge& edge, const Outline& outline, double value_a,
                             double value_b) const {
    const Vec3& from = lattice_[edge.a];
    const Vec3 way = lattice_[edge.b] - from;
    double low = 0.0, high = 1.0;
    double value_low = value_a, value_high = value_b;
    double t = 0.5;
    int kept = 0;  // Which end stayed in the last round: -1 the high one, 1 the low one.
    for (int i = 0; i < kRounds; ++i) {
        t = (low * value_high - high * value_low) / (value_high - value_low);
        const double value = outline(map_(from + t * way));
        if (std::abs(value) < kOnLine) break;
        if (sign_of(value) == sign_of(value_low)) {
            low = t;
            value_low = value;
            if (kept == -1) value_high *= 0.5;
            kept = -1;
        } else {
            high = t;
            value_high = value;
            if (kept == 1) value_low *= 0.5;
            kept = 1;
        }
    }
    return std::clamp(t, 0.0, 1.0);
}

// A vertex may leave its place along an edge only if it stays on every box face it is on.
bool PatchCutter::may_move(std::int32_t from, std::int32_t to) const {
    if (is_fixed_[from]) return false;
    for (int axis = 0; axis < 3; ++axis) {
        const double p = lattice_[from][axis];
        if (std::abs(p) == half_[axis] && lattice_[to][axis] != p) return false;
    }
    return true;
}

void PatchCutter::snap(const Outline& outline, std::vector<double>& values) {
    struct Move {
        double share = 1.0;
        std::int32_t towards = -1;
    };
    std::vector<Move> moves(lattice_.size());
    for (const Edge& edge : crossed_edges(values)) {
        const double t = crossing(edge, outline, values[edge.a], values[edge.b]);
        const std::pair<std::int32_t, double> ends[2] = {{edge.a, t}, {edge.b, 1.0 - t}};
        for (int e = 0; e < 2; ++e) {
            const auto [vertex, share] = ends[e];
            const std::int32_t other = ends[1 - e].first;
            const bool moves_there = may_move(vertex, other) && share < kSnapShare;
            if (!moves_there && share >= kTouchShare) continue;
            if (share < moves[vertex].share) moves[vertex] = {share, moves_there ? other : -1};
        }
    }
    const std::vector<Vec3> before = lattice_;
    for (std::size_t v = 0; v < moves.size(); ++v) {
        if (moves[v].share == 1.0) continue;
        values[v] = 0.0;
        is_fixed_[v] = true;
        if (moves[v].towards < 0) continue;
        lattice_[v] = before[v] + moves[v].share * (before[moves[v].towards] - before[v]);
        points_[v] = map_(lattice_[v]);
    }
}

void PatchCutter::cut(const Outline& outline) {
    std::vector<double> values(points_.size());
    for (std::size_t v = 0; v < points_.size(); ++v) values[v] = outline(points_[v]);
    snap(outline, values);
    Splits splits;
    for (const Edge& edge : crossed_edges(values)) {
        const double t = crossing(edge, outline, values[edge.a], values[edge.b]);
        splits[{edge.a, edge.b}] =
            add_vertex(lattice_[edge.a] + t * (lattice_[edge.b] - lattice_[edge.a]), true);
    }
    split_faces(splits);
}

void PatchCutter::refine(const Outline& outline, double edge_length) {
    // Halved edges are not halved again where outlines pass close to each other.
    const std::vector<Edge> candidates = edges([&](std::int32_t a, std::int32_t b) {
        return std::min(std::abs(outline(points_[a])), std::abs(outline(points_[b]))) <
                   1.5 * edge_length &&
               (points_[a] - points_[b]).norm() >= 0.75 * edge_length;
    });
    Splits splits;
    for (const Edge& edge : candidates) {
        const Vec3 halfway = 0.5 * (lattice_[edge.a] + lattice_[edge.b]);
        if (std::abs(outline(map_(halfway))) > 0.5 * edge_length) continue;
        splits[{edge.a, edge.b}] = add_vertex(halfway, false);
    }
    split_faces(splits);
}

void PatchCutter::split_faces(const Splits& splits) {
    const std::vector<Face> before = std::exchange(faces_, {});
    for (const Face& face : before) {
        // Corners and split points in order around the face.
        std::array<std::int32_t, 6> loop;
        std::array<bool, 6> is_new;
        std::size_t n = 0;
        const auto put = [&](std::int32_t v, bool is_split) {
            loop[n] = v;
            is_new[n] = is_split;
            ++n;
        };
        for (int k = 0; k < 3; ++k) {
            put(face.corners[k], false);
            const auto found = splits.find(std::minmax(face.corners[k], face.corners[(k + 1) % 3]));
            if (found != splits.end()) put(found->second, true);
        }
        if (n == 3) {
            faces_.push_back(face);
            continue;
        }
        // Start at a new vertex, such that with two of them the lone corner comes next.
        std::size_t s = 0;
        while (!(is_new[s] && (n == 4 || is_new[(s + 2) % n]))) ++s;
        const auto at = [&](std::size_t i) { return loop[(s + i) % n]; };
        if (n == 4) {
            faces_.push_back({{at(0), at(1), at(2)}, face.axis});
            faces_.push_back({{at(0), at(2), at(3)}, face.axis});
            continue;
        }
        faces_.push_back({{at(0), at(1), at(2)}, face.axis});
        if (n == 6) {
            faces_.push_back({{at(2), at(3), at(4)}, face.axis});
            faces_.push_back({{at(4), at(5), at(0)}, face.axis});
            faces_.push_back({{at(0), at(2), at(4)}, face.axis});
            continue;
        }
        const double first = (points_[at(0)] - points_[at(3)]).squaredNorm();
        const double second = (points_[at(2)] - points_[at(4)]).squaredNorm();
        if (first < second) {
            faces_.push_back({{at(0), at(2), at(3)}, face.axis});
            faces_.push_back({{at(0), at(3), at(4)}, face.axis});
        } else {
            faces_.push_back({{at(0), at(2), at(4)}, face.axis});
            faces_.push_back({{at(2), at(3), at(4)}, face.axis});
        }
    }
}

void PatchCutter::remove(const Outline& outline) {
    std::erase_if(faces_, [&](const Face& face) { return outline(middle(face)) < 0.0; });
    std::vector<std::int32_t> renamed(points_.size(), -1);
    for (const Face& face : faces_) {
        for (std::int32_t v : face.corners) renamed[v] = 0;
    }
    std::int32_t count = 0;
    for (std::size_t v = 0; v < points_.size(); ++v) {
        if (renamed[v] < 0) continue;
        renamed[v] = count;
        lattice_[count] = lattice_[v];
        points_[count] = points_[v];
        is_fixed_[count] = is_fixed_[v];
        ++count;
    }
    lattice_.resize(count);
    points_.resize(count);
    is_fixed_.resize(count);
    for (Face& face : faces_) {
        for (std::int32_t& v : face.corners) v = renamed[v];
    }
}

}  // namespace ductile
