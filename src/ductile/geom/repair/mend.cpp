// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/repair/half_edge_pairs.h>
#include <ductile/geom/repair/mend.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A closed surface with less volume than this share of area times size is folded flat.
constexpr double kFoldedFlat = 1e-9;
// Of squared longest edge: below this, an area is what rounding leaves of none.
constexpr double kNoArea = 1e-12;
constexpr std::size_t kMendGrain = 4096;
// Share of its area that must agree on a winding for an open component to keep it.
constexpr double kClearMajority = 0.6;

// Twice the area up to which a face counts as having none.
double least_area(std::span<const Vec3> points, const Triangle& t) {
    const double longest_sq = std::max({(points[t[1]] - points[t[0]]).squaredNorm(),
                                        (points[t[2]] - points[t[1]]).squaredNorm(),
                                        (points[t[0]] - points[t[2]]).squaredNorm()});
    return kNoArea * longest_sq;
}

Triangle turned(const Triangle& t) { return {t[0], t[2], t[1]}; }

// Faces that meet, numbered in the order of their lowest face; -1 for faces not in use.
std::vector<std::int32_t> label_components(std::span<const std::uint8_t> is_used,
                                           std::span<const HalfEdge> across, std::int32_t& count) {
    std::vector<std::int32_t> label(is_used.size(), -1), queue;
    count = 0;
    for (std::size_t first = 0; first < is_used.size(); ++first) {
        if (!is_used[first] || label[first] >= 0) continue;
        label[first] = count;
        queue.assign(1, static_cast<std::int32_t>(first));
        while (!queue.empty()) {
            const std::int32_t f = queue.back();
            queue.pop_back();
            for (HalfEdge s = 3 * f; s < 3 * f + 3; ++s) {
                if (across[s] < 0 || label[across[s] / 3] >= 0) continue;
                label[across[s] / 3] = count;
                queue.push_back(across[s] / 3);
            }
        }
        ++count;
    }
    return label;
}

// What several steps ask of a face, as the file winds it.
struct FaceSize {
    double area = 0.0;     // Twice; negative if it is not more than rounding makes.
    double outward = 0.0;  // Six times the volume between it and the reference.

    bool is_sliver() const { return std::signbit(area); }
};

// Sums over a component that decide about its winding.
struct WindingSums {
    double area = 0.0, turned = 0.0;  // Of all, and of those turned against the file; twice.
    double outward = 0.0;             // Six times the volume between the faces and the reference.
    bool has_area = false;            // Whether any face has.
    bool is_closed = true;

    // Whether most of an open one's area, as it is wound now, was turned, or not; else undecided.
    bool is_clear() const {
        const double share = area > 0 ? turned / area : 0.0;
        return share < 1.0 - kClearMajority || share > kClearMajority;
    }
    bool is_mostly_turned() const { return area > 0 && turned / area > kClearMajority; }
};

class Mender {
public:
    Mender(std::span<const Vec3> points, std::span<const Triangle> triangles)
        : points_(points), triangles_(triangles), reference_(bounds(points).centre()) {}

    Mended run() {
        out_.faces = find_repeated_faces(points_.size(), triangles_);
        is_used_.resize(triangles_.size());
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            is_used_[f] = out_.faces.fate[f] == FaceFate::Kept;
        }
        pairs_ = pair_half_edges(points_, triangles_, is_used_);
        fans_ = split_fans(points_.size(), triangles_, is_used_, pairs_);
        measure_faces();
        orient_components();
        write_surface();
        write_across();
        describe_components();
        count();
        return std::move(out_);
    }

private:
    void measure_faces() {
        sizes_.resize(triangles_.size());
        parallel_for(triangles_.size(), kMendGrain, [&](std::size_t f) {
            const Triangle& t = triangles_[f];
            const Vec3 v = area_vector(points_, t);
            const double area = v.norm();
            sizes_[f].area = area > least_area(points_, t) ? area : -area;
            sizes_[f].outward = (points_[t[0]] - reference_).dot(v);
        });
    }

    void orient_components() {
        std::int32_t component_count = pairs_.patch_count;
        // Only crowded edges join patches, or part them.
        label_ = pairs_.crowded.empty()
                     ? std::move(pairs_.patch)
                     : label_components(is_used_, pairs_.across, component_count);
        std::vector<WindingSums> sums(component_count);
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (label_[f] >= 0) add_face(static_cast<std::int32_t>(f), sums[label_[f]]);
        }
        const std::vector<std::uint8_t> turns = which_turn(sums);
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (label_[f] < 0) continue;
            if (turns[label_[f]]) pairs_.is_flipped[f] ^= 1;
            if (sums[label_[f]].has_area) continue;
            is_used_[f] = 0;
            label_[f] = -1;
            out_.faces.fate[f] = FaceFate::NoArea;
        }
    }

    void add_face(std::int32_t f, WindingSums& sum) const {
        const bool is_flipped = pairs_.is_flipped[f] != 0;
        const double area = std::abs(sizes_[f].area);
        sum.area += area;
        sum.has_area |= !sizes_[f].is_sliver();
        if (is_flipped) sum.turned += area;
        sum.outward += is_flipped ? -sizes_[f].outward : sizes_[f].outward;
        const HalfEdge s = 3 * f;
        const std::vector<HalfEdge>& across = pairs_.across;
        sum.is_closed &= across[s] >= 0 && across[s + 1] >= 0 && across[s + 2] >= 0;
    }

    // Per component: whether all its faces should turn.
    std::vector<std::uint8_t> which_turn(std::span<const WindingSums> sums) const {
        std::vector<std::uint8_t> turns(sums.size(), 0);
        bool is_all_clear = true;
        for (std::size_t c = 0; c < sums.size(); ++c) {
            const WindingSums& sum = sums[c];
            is_all_clear &= sum.is_closed || sum.is_clear();
            turns[c] = sum.is_closed ? sum.outward < 0 : sum.is_mostly_turned();
        }
        if (!is_all_clear) look_from_within(sums, turns);
        return turns;
    }

    // Moving the reference to the middle of the area makes an open surface's volume that of a shell
    // seen from within.
    void look_from_within(std::span<const WindingSums> sums,
                          std::vector<std::uint8_t>& turns) const {
        std::vector<Vec3> area_vectors(sums.size(), Vec3::Zero()), middles = area_vectors;
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (label_[f] < 0) continue;
            const Triangle t = pairs_.is_flipped[f] ? turned(triangles_[f]) : triangles_[f];
            const Vec3 middle = (points_[t[0]] + points_[t[1]] + points_[t[2]]) / 3.0 - reference_;
            area_vectors[label_[f]] += area_vector(points_, t);
            middles[label_[f]] += std::abs(sizes_[f].area) * middle;
        }
        for (std::size_t c = 0; c < sums.size(); ++c) {
            if (sums[c].is_closed || sums[c].is_clear()) continue;
            const Vec3 middle = sums[c].area > 0 ? Vec3(middles[c] / sums[c].area) : middles[c];
            turns[c] = sums[c].outward - middle.dot(area_vectors[c]) < 0;
        }
    }

    void write_surface() {
        const std::size_t all = points_.size() + fans_.copy_of.size();
        std::vector<std::int32_t> number(all, -1);
        for (std::size_t c = 0; c < fans_.corner_points.size(); ++c) {
            if (is_used_[c / 3]) number[fans_.corner_points[c]] = 0;
        }
        const auto kept = static_cast<std::size_t>(std::count(number.begin(), number.end(), 0));
        out_.surface.points.reserve(kept);
        out_.point_source.reserve(kept);
        for (std::size_t p = 0; p < all; ++p) {
            const auto source = static_cast<std::int32_t>(
                p < points_.size() ? p : fans_.copy_of[p - points_.size()]);
            if (number[p] < 0) continue;
            number[p] = static_cast<std::int32_t>(out_.surface.points.size());
            out_.surface.points.push_back(points_[source]);
            out_.point_source.push_back(source);
        }
        out_.corner_points.assign(triangles_.size(), Triangle{-1, -1, -1});
        out_.face_surface.assign(triangles_.size(), -1);
        const auto used = static_cast<std::size_t>(std::count(is_used_.begin(), is_used_.end(), 1));
        out_.surface.triangles.reserve(used);
        out_.triangle_source.reserve(used);
        out_.is_flipped.reserve(used);
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            if (!is_used_[f]) continue;
            Triangle& t = out_.corner_points[f];
            for (int k = 0; k < 3; ++k) t[k] = number[fans_.corner_points[3 * f + k]];
            out_.face_surface[f] = static_cast<std::int32_t>(out_.surface.triangles.size());
            out_.surface.triangles.push_back(pairs_.is_flipped[f] ? turned(t) : t);
            out_.triangle_source.push_back(static_cast<std::int32_t>(f));
            out_.is_flipped.push_back(pairs_.is_flipped[f]);
        }
    }

    void write_across() {
        out_.across.resize(3 * out_.surface.triangles.size());
        parallel_for(out_.surface.triangles.size(), kMendGrain, [&](std::size_t i) {
            const HalfEdge mine = 3 * out_.triangle_source[i];
            for (int k = 0; k < 3; ++k) {
                // A turned face {0, 2, 1} walks its half edges the other way round.
                const HalfEdge other = pairs_.across[mine + (out_.is_flipped[i] ? 2 - k : k)];
                HalfEdge& across = out_.across[3 * i + k];
                across = -1;
                if (other < 0) continue;
                const std::int32_t g = out_.face_surface[other / 3];
                across = 3 * g + (out_.is_flipped[g] ? 2 - other % 3 : other % 3);
            }
        });
    }

    void describe_components() {
        std::vector<std::int32_t> number;  // Components without area left gaps.
        out_.component.resize(out_.surface.triangles.size());
        for (std::size_t i = 0; i < out_.component.size(); ++i) {
            const auto label = static_cast<std::size_t>(label_[out_.triangle_source[i]]);
            if (label >= number.size()) number.resize(label + 1, -1);
            if (number[label] < 0) {
                number[label] = static_cast<std::int32_t>(out_.components.size());
                out_.components.push_back({.first_triangle = static_cast<std::int32_t>(i)});
            }
            out_.component[i] = number[label];
            add_triangle(static_cast<std::int32_t>(i), out_.components[number[label]]);
        }
        for (SurfaceComponent& c : out_.components) {
            if (!c.is_closed()) c.volume = 0.0;
        }
        count_points_and_loops();
    }

    void add_triangle(std::int32_t i, SurfaceComponent& c) const {
        const FaceSize& size = sizes_[out_.triangle_source[i]];
        ++c.triangles;
        c.area += 0.5 * std::abs(size.area);
        c.volume += (out_.is_flipped[i] ? -size.outward : size.outward) / 6.0;
        for (int k = 0; k < 3; ++k) {
            if (out_.across[3 * i + k] < 0) ++c.border_sides;
        }
    }

    void count_points_and_loops() {
        const std::vector<Triangle>& triangles = out_.surface.triangles;
        std::vector<std::uint8_t> is_counted(out_.surface.points.size(), 0);
        std::vector<HalfEdge> border(out_.surface.points.size(),
                                     -1);  // The border half edge from a point.
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t p = triangles[i][k];
                if (out_.across[3 * i + k] < 0) border[p] = static_cast<HalfEdge>(3 * i + k);
                if (is_counted[p]) continue;
                is_counted[p] = 1;
                SurfaceComponent& component = out_.components[out_.component[i]];
                ++component.points;
                component.box.add(out_.surface.points[p]);
            }
        }
        for (std::size_t p = 0; p < border.size(); ++p) {
            if (border[p] < 0) continue;
            ++out_.components[out_.component[border[p] / 3]].border_loops;
            for (auto at = static_cast<std::int32_t>(p); border[at] >= 0;) {
                const HalfEdge s = border[at];
                border[at] = -1;
                at = end_of(triangles, s);
            }
        }
    }

    void count() {
        MendCounts& n = out_.counts;
        for (const FaceFate fate : out_.faces.fate) {
            if (fate == FaceFate::Collapsed) ++n.collapsed;
            if (fate == FaceFate::Copy) ++n.copies;
            if (fate == FaceFate::BackSide) ++n.back_sides;
            if (fate == FaceFate::Fin) ++n.fins;
            if (fate == FaceFate::NoArea) ++n.without_area;
        }
        for (const std::int32_t f : out_.triangle_source) n.slivers += sizes_[f].is_sliver();
        for (const std::uint8_t flipped : out_.is_flipped) n.flipped += flipped;
        n.nonmanifold_edges = pairs_.nonmanifold_edges;
        n.twisted_edges = pairs_.twisted_edges;
        std::vector<std::uint8_t> is_source(points_.size(), 0);
        for (const std::int32_t source : out_.point_source) {
            if (is_source[source]) ++n.split_points;
            is_source[source] = 1;
        }
        n.unused_points = static_cast<std::int32_t>(
            std::count(is_source.begin(), is_source.end(), std::uint8_t{0}));
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> triangles_;
    Vec3 reference_;
    std::vector<std::uint8_t> is_used_;
    HalfEdgePairs pairs_;
    Fans fans_;
    std::vector<FaceSize> sizes_;
    std::vector<std::int32_t> label_;
    Mended out_;
};

}  // namespace

bool SurfaceComponent::is_solid() const {
    return is_closed() && volume > kFoldedFlat * area * box.diagonal();
}

Mended mend_surface(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    return Mender(points, triangles).run();
}

}  // namespace ductile
