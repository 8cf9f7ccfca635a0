// SPDX-License-Identifier: MIT
// Section 3.1 of Brunel et al. 2020 takes every region in intersection as it is; a hand through a
// window (Figure 1) needs to know which of its parts lie beyond.
#include <ductile/deform/press/overlap/arrange_overlaps.h>
#include <ductile/deform/press/overlap/meeting_curve.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

constexpr const char* kJoined =
    "the rigid body goes right through, or joins this overlap to another one: no single piece of "
    "its surface lies under it";
constexpr const char* kAround =
    "the rigid body reaches around: the curves around this overlap lie on different sides of it";

/// One overlap while it is sorted out.
struct DraftOverlap {
    std::vector<std::int32_t> curves;    ///< Those that count.
    std::vector<std::int32_t> vertices;  ///< Inside the rigid body.
    std::vector<std::int32_t> beyond;    ///< Filled.
    std::int32_t rigid_part = -1;
    const char* trouble = nullptr;
    bool is_absorbed = false;
};

class OverlapArranger {
public:
    OverlapArranger(const PressSurface& soft, const PressSurface& rigid,
                    std::span<const std::uint8_t> soft_is_inside,
                    std::span<const std::uint8_t> rigid_is_inside, MeshCrossings& crossings)
        : soft_(soft),
          rigid_(rigid),
          soft_is_inside_(soft_is_inside),
          crossings_(crossings),
          curves_(chain_crossings(soft, rigid, crossings)),
          curve_of_(crossings.of_first.size() + crossings.of_second.size(), -1),
          is_dropped_(curves_.size(), 0) {
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            for (const std::int32_t x : curves_[c].crossings) {
                curve_of_[x] = static_cast<std::int32_t>(c);
            }
        }
        const auto count = static_cast<std::int32_t>(curves_.size());
        soft_in_ = side_parts(soft, crossings.of_first, of_first(), count, soft_is_inside, true);
        rigid_in_ =
            side_parts(rigid, crossings.of_second, of_second(), count, rigid_is_inside, true);
    }

    std::vector<PressOverlap> arrange() {
        draft();
        join_within_triangles();
        const bool has_several =
            std::any_of(drafts_.begin(), drafts_.end(),
                        [](const DraftOverlap& d) { return d.curves.size() > 1; });
        if (has_several) fill_all();
        for (DraftOverlap& d : drafts_) find_rigid_part(d);
        refuse_joined();
        std::vector<PressOverlap> overlaps = finish();
        drop_crossings();
        return overlaps;
    }

private:
    std::span<const std::int32_t> of_first() const {
        return std::span(curve_of_).first(crossings_.of_first.size());
    }
    std::span<const std::int32_t> of_second() const {
        return std::span(curve_of_).subspan(crossings_.of_first.size());
    }

    void draft() {
        drafts_.resize(soft_in_.count);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const std::int32_t part = soft_in_.of_curve[c];
            if (part >= 0) drafts_[part].curves.push_back(static_cast<std::int32_t>(c));
        }
        for (std::size_t v = 0; v < soft_in_.of_vertex.size(); ++v) {
            const std::int32_t part = soft_in_.of_vertex[v];
            if (part >= 0) drafts_[part].vertices.push_back(static_cast<std::int32_t>(v));
        }
    }

    // A curve that crosses no rigid edge lies in one triangle; so does all that it bounds with
    // other curves there.
    void join_within_triangles() {
        for (const DraftOverlap& d : drafts_) {
            for (const std::int32_t c : d.curves) {
                if (rigid_in_.of_curve[c] >= 0) continue;
                rigid_in_.of_curve[c] = rigid_in_.count++;
                const std::int32_t triangle = rigid_triangle(curves_[c].crossings[0]);
                for (const std::int32_t other : d.curves) {
                    if (other == c || !meets(other, triangle)) continue;
                    if (rigid_in_.of_curve[other] < 0) continue;  // Joins in its own turn.
                    rigid_in_.of_curve[c] = rigid_in_.of_curve[other];
                    break;
                }
            }
        }
    }
    std::int32_t rigid_triangle(std::int32_t crossing) const {
        const std::size_t firsts = crossings_.of_first.size();
        const auto at = static_cast<std::size_t>(crossing);
        return at < firsts ? crossings_.of_first[at].triangle : -1;
    }
    bool meets(std::int32_t curve, std::int32_t triangle) const {
        const auto& all = curves_[curve].crossings;
        return std::any_of(all.begin(), all.end(),
                           [&](std::int32_t x) { return rigid_triangle(x) == triangle; });
    }

    /// The soft surface as a graph: overlaps and what lies between them are its nodes, curves its
    /// edges.
    struct Regions {
        SideParts out;
        std::vector<double> area;          ///< Per node: overlaps first [m^2].
        std::vector<std::int32_t> around;  ///< Per curve: the node on its outer side.
    };
    std::int32_t node_of(const Regions& regions, std::int32_t v) const {
        if (soft_in_.of_vertex[v] >= 0) return soft_in_.of_vertex[v];
        const std::int32_t out = regions.out.of_vertex[v];
        return out >= 0 ? soft_in_.count + out : -1;
    }
    Regions find_regions() const {
        Regions regions;
        const auto count = static_cast<std::int32_t>(curves_.size());
        regions.out =
            side_parts(soft_, crossings_.of_first, of_first(), count, soft_is_inside_, false);
        regions.area.assign(soft_in_.count + regions.out.count, 0.0);
        for (const Triangle& t : soft_.triangles) {
            const double third = area_vector(soft_.points, t).norm() / 6.0;
            for (const std::int32_t v : t) {
                const std::int32_t node = node_of(regions, v);
                if (node >= 0) regions.area[node] += third;
            }
        }
        for (std::int32_t c = 0; c < count; ++c) {
            const std::int32_t out = regions.out.of_curve[c];
            regions.around.push_back(out >= 0 ? soft_in_.count + out : -1);
        }
        return regions;
    }

    /// Numbers of connected parts of that graph without the node `removed`.
    std::vector<std::int32_t> parts_without(const Regions& regions, std::int32_t removed) const {
        std::vector<std::int32_t> part(regions.area.size());
        std::iota(part.begin(), part.end(), 0);
        // Few nodes: lowering labels until nothing changes is enough.
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                const std::int32_t a = soft_in_.of_curve[c], b = regions.around[c];
                if (a < 0 || b < 0 || a == removed || part[a] == part[b]) continue;
                part[a] = part[b] = std::min(part[a], part[b]);
                is_changed = true;
            }
        }
        return part;
    }

    void fill_all() {
        const Regions regions = find_regions();
        for (std::size_t i = 0; i < drafts_.size(); ++i) {
            if (drafts_[i].curves.size() > 1) fill(regions, static_cast<std::int32_t>(i));
        }
        for (std::size_t i = 0; i < drafts_.size(); ++i) {
            if (!drafts_[i].is_absorbed) continue;
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                if (soft_in_.of_curve[c] == static_cast<std::int32_t>(i)) is_dropped_[c] = 1;
            }
        }
    }

    void fill(const Regions& regions, std::int32_t number) {
        DraftOverlap& d = drafts_[number];
        const std::vector<std::int32_t> part = parts_without(regions, number);
        std::vector<double> area(part.size(), 0.0);
        for (std::size_t n = 0; n < part.size(); ++n) area[part[n]] += regions.area[n];
        const auto side = [&](std::int32_t c) {
            return regions.around[c] >= 0 ? part[regions.around[c]] : -1;
        };
        std::int32_t bulk = -1, front = -1;
        for (const std::int32_t c : d.curves) {
            if (side(c) >= 0 && (bulk < 0 || area[side(c)] > area[bulk])) bulk = side(c);
        }
        for (const std::int32_t c : d.curves) {
            if (side(c) == bulk && front < 0) front = rigid_in_.of_curve[c];
        }
        std::vector<std::uint8_t> is_filled(part.size(), 0);
        for (const std::int32_t c : d.curves) {
            const bool is_through = rigid_in_.of_curve[c] != front;
            if (side(c) >= 0 && side(c) != bulk && is_through) is_filled[side(c)] = 1;
        }
        std::erase_if(d.curves, [&](std::int32_t c) {
            const bool is_gone = side(c) >= 0 && is_filled[side(c)];
            if (is_gone) is_dropped_[c] = 1;
            return is_gone;
        });
        if (std::find(is_filled.begin(), is_filled.end(), 1) == is_filled.end()) return;
        for (std::size_t v = 0; v < soft_.points.size(); ++v) {
            const std::int32_t node = node_of(regions, static_cast<std::int32_t>(v));
            if (node < 0 || node == number || !is_filled[part[node]]) continue;
            d.beyond.push_back(static_cast<std::int32_t>(v));
            if (node < soft_in_.count) drafts_[node].is_absorbed = true;
        }
    }

    void find_rigid_part(DraftOverlap& d) const {
        for (const std::int32_t c : d.curves) {
            const std::int32_t part = rigid_in_.of_curve[c];
            if (d.rigid_part >= 0 && part != d.rigid_part) d.trouble = kAround;
            if (d.rigid_part < 0) d.rigid_part = part;
        }
    }

    void refuse_joined() {
        std::vector<std::int32_t> users(rigid_in_.count, 0);
        const auto counts = [](const DraftOverlap& d) {
            return !d.is_absorbed && d.rigid_part >= 0 && !(d.vertices.empty() && d.beyond.empty());
        };
        for (const DraftOverlap& d : drafts_) users[std::max(d.rigid_part, 0)] += counts(d);
        for (DraftOverlap& d : drafts_) {
            if (counts(d) && users[d.rigid_part] > 1) d.trouble = kJoined;
        }
    }

    CurvePoint curve_point(std::int32_t crossing) const {
        const std::size_t firsts = crossings_.of_first.size();
        const auto at = static_cast<std::size_t>(crossing);
        CurvePoint point;
        if (at < firsts) {
            const EdgeCrossing& c = crossings_.of_first[at];
            point.soft = {{c.low, c.high, c.low}, {1.0 - c.along, c.along, 0.0}};
            point.rigid_triangle = c.triangle;
            point.rigid_weights = c.barycentric;
            point.position = c.position;
            return point;
        }
        const EdgeCrossing& c = crossings_.of_second[at - firsts];
        const Triangle& t = soft_.triangles[c.triangle];
        point.soft = {{t[0], t[1], t[2]}, {c.barycentric[0], c.barycentric[1], c.barycentric[2]}};
        point.position = c.position;
        for (const std::int32_t f : rigid_.faces[c.low]) {
            const Triangle& r = rigid_.triangles[f];
            point.rigid_weights = Vec3::Zero();
            for (int k = 0; k < 3; ++k) {
                if (r[k] == c.low) point.rigid_weights[k] = 1.0 - c.along;
                if (r[k] == c.high) point.rigid_weights[k] = c.along;
            }
            point.rigid_triangle = f;
            if (r[0] == c.high || r[1] == c.high || r[2] == c.high) break;
        }
        return point;
    }

    void add_curve(std::int32_t curve, PressOverlap& overlap) const {
        const MeetingCurve& from = curves_[curve];
        const std::size_t first = overlap.curve.size(), count = from.crossings.size();
        overlap.loops.push_back(static_cast<std::int32_t>(first));
        overlap.is_closed = overlap.is_closed && from.is_closed;
        for (const std::int32_t x : from.crossings) overlap.curve.push_back(curve_point(x));
        const std::size_t steps = from.is_closed ? count : count - 1;
        for (std::size_t i = 0; i < steps; ++i) {
            CurvePoint &a = overlap.curve[first + i], &b = overlap.curve[first + (i + 1) % count];
            const double half = 0.5 * (a.position - b.position).norm();
            a.length += half;
            b.length += half;
        }
    }

    std::vector<PressOverlap> finish() {
        std::vector<std::vector<std::int32_t>> under(rigid_in_.count);
        for (std::size_t v = 0; v < rigid_in_.of_vertex.size(); ++v) {
            const std::int32_t part = rigid_in_.of_vertex[v];
            if (part < 0) continue;
            for (const std::int32_t f : rigid_.faces[v]) under[part].push_back(f);
        }
        std::vector<PressOverlap> overlaps;
        for (DraftOverlap& d : drafts_) {
            if (d.is_absorbed || (d.vertices.empty() && d.beyond.empty())) continue;
            PressOverlap& overlap = overlaps.emplace_back();
            overlap.inside = std::move(d.vertices);
            overlap.inside.insert(overlap.inside.end(), d.beyond.begin(), d.beyond.end());
            std::sort(overlap.inside.begin(), overlap.inside.end());
            overlap.beyond = std::move(d.beyond);
            overlap.trouble = d.trouble ? d.trouble : "";
            if (d.trouble == kJoined) overlap.joined = d.rigid_part;
            for (const std::int32_t c : d.curves) add_curve(c, overlap);
            if (d.rigid_part >= 0) overlap.under = under[d.rigid_part];
            for (const CurvePoint& p : overlap.curve) overlap.under.push_back(p.rigid_triangle);
            std::sort(overlap.under.begin(), overlap.under.end());
            overlap.under.erase(std::unique(overlap.under.begin(), overlap.under.end()),
                                overlap.under.end());
        }
        std::sort(overlaps.begin(), overlaps.end(),
                  [](const auto& a, const auto& b) { return a.inside.front() < b.inside.front(); });
        return overlaps;
    }

    void drop_crossings() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < crossings_.of_first.size(); ++i) {
            if (curve_of_[i] >= 0 && is_dropped_[curve_of_[i]]) continue;
            crossings_.of_first[kept++] = crossings_.of_first[i];
        }
        crossings_.of_first.resize(kept);
    }

    const PressSurface& soft_;
    const PressSurface& rigid_;
    std::span<const std::uint8_t> soft_is_inside_;
    MeshCrossings& crossings_;
    std::vector<MeetingCurve> curves_;
    std::vector<std::int32_t> curve_of_;    ///< Per crossing: those of soft edges first.
    std::vector<std::uint8_t> is_dropped_;  ///< Per curve: within what was filled.
    SideParts soft_in_, rigid_in_;
    std::vector<DraftOverlap> drafts_;
};

}  // namespace

std::vector<PressOverlap> arrange_overlaps(const PressSurface& soft, const PressSurface& rigid,
                                           std::span<const std::uint8_t> soft_is_inside,
                                           std::span<const std::uint8_t> rigid_is_inside,
                                           MeshCrossings& crossings) {
    return OverlapArranger(soft, rigid, soft_is_inside, rigid_is_inside, crossings).arrange();
}

}  // namespace ductile
