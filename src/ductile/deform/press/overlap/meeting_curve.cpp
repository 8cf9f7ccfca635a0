// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/joined_sets.h>
#include <ductile/deform/press/overlap/meeting_curve.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace ductile {
namespace {

/// A piece of curve, named by the soft and the rigid triangle it lies in, and one end of it.
struct PieceEnd {
    std::int64_t piece;
    std::int32_t crossing;
};

/// Calls visit(face) for the faces that have an edge.
template <class Visit>
void faces_at_edge(const PressSurface& surface, std::int32_t low, std::int32_t high,
                   Visit&& visit) {
    for (const std::int32_t f : surface.faces[low]) {
        const Triangle& t = surface.triangles[f];
        if (t[0] == high || t[1] == high || t[2] == high) visit(f);
    }
}

std::vector<PieceEnd> piece_ends(const PressSurface& soft, const PressSurface& rigid,
                                 const MeshCrossings& crossings) {
    std::vector<PieceEnd> ends;
    ends.reserve(2 * (crossings.of_first.size() + crossings.of_second.size()));
    const auto add = [&](std::int32_t on_soft, std::int32_t on_rigid, std::int32_t crossing) {
        ends.push_back({(static_cast<std::int64_t>(on_soft) << 32) | on_rigid, crossing});
    };
    std::int32_t number = 0;
    for (const EdgeCrossing& c : crossings.of_first) {
        faces_at_edge(soft, c.low, c.high, [&](std::int32_t f) { add(f, c.triangle, number); });
        ++number;
    }
    for (const EdgeCrossing& c : crossings.of_second) {
        faces_at_edge(rigid, c.low, c.high, [&](std::int32_t f) { add(c.triangle, f, number); });
        ++number;
    }
    std::sort(ends.begin(), ends.end(), [](const PieceEnd& a, const PieceEnd& b) {
        return std::pair(a.piece, a.crossing) < std::pair(b.piece, b.crossing);
    });
    return ends;
}

bool is_same_edge(const EdgeCrossing& a, const EdgeCrossing& b) {
    return a.low == b.low && a.high == b.high;
}

/// Floods the vertices of one side from the ends of crossed edges, over edges without crossings.
class SideFlood {
public:
    SideFlood(const PressSurface& surface, std::span<const EdgeCrossing> crossings,
              std::span<const std::uint8_t> is_inside, bool wants_inside)
        : surface_(surface),
          is_inside_(is_inside),
          wants_inside_(wants_inside),
          label_(surface.points.size(), -1),
          is_end_(surface.points.size(), 0) {
        for (const EdgeCrossing& c : crossings) {
            is_end_[c.low] = is_end_[c.high] = 1;
            if (crossed_.empty() || crossed_.back() != std::pair(c.low, c.high)) {
                crossed_.emplace_back(c.low, c.high);
            }
        }
    }

    /// The number of the vertex' part; -1 if it is on the other side.
    std::int32_t part(std::int32_t v) {
        if ((is_inside_[v] != 0) != wants_inside_) return -1;
        if (label_[v] < 0) fill(v, count_++);
        return label_[v];
    }
    std::int32_t count() const { return count_; }
    std::vector<std::int32_t> take_labels() { return std::move(label_); }

private:
    void fill(std::int32_t from, std::int32_t label) {
        label_[from] = label;
        open_.assign(1, from);
        while (!open_.empty()) {
            const std::int32_t v = open_.back();
            open_.pop_back();
            for (const std::int32_t w : surface_.graph[v]) {
                if (label_[w] >= 0 || (is_inside_[w] != 0) != wants_inside_) continue;
                if (is_end_[v] && is_end_[w] && is_crossed(v, w)) continue;
                label_[w] = label;
                open_.push_back(w);
            }
        }
    }
    bool is_crossed(std::int32_t v, std::int32_t w) const {
        return std::binary_search(crossed_.begin(), crossed_.end(),
                                  std::pair(std::min(v, w), std::max(v, w)));
    }

    const PressSurface& surface_;
    std::span<const std::uint8_t> is_inside_;
    bool wants_inside_;
    std::vector<std::int32_t> label_;
    std::vector<std::uint8_t> is_end_;  ///< Per vertex: an edge at it is crossed.
    std::vector<std::pair<std::int32_t, std::int32_t>> crossed_;  ///< Edges, ascending.
    std::vector<std::int32_t> open_;
    std::int32_t count_ = 0;
};

}  // namespace

std::vector<CurvePiece> curve_pieces(const PressSurface& soft, const PressSurface& rigid,
                                     const MeshCrossings& crossings) {
    const std::vector<PieceEnd> ends = piece_ends(soft, rigid, crossings);
    std::vector<CurvePiece> pieces;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        if (ends[i].piece != ends[i + 1].piece) continue;
        pieces.push_back({static_cast<std::int32_t>(ends[i].piece >> 32),
                          static_cast<std::int32_t>(ends[i].piece & 0xffffffff),
                          {ends[i].crossing, ends[i + 1].crossing}});
        ++i;
    }
    return pieces;
}

std::vector<MeetingCurve> chain_crossings(const PressSurface& soft, const PressSurface& rigid,
                                          const MeshCrossings& crossings) {
    const std::size_t count = crossings.of_first.size() + crossings.of_second.size();
    std::vector<std::array<std::int32_t, 2>> next(count, {-1, -1});
    const auto link = [&](std::int32_t from, std::int32_t to) {
        auto& links = next[from];
        if (links[0] < 0) {
            links[0] = to;
        } else if (links[1] < 0) {
            links[1] = to;
        }
    };
    for (const CurvePiece& piece : curve_pieces(soft, rigid, crossings)) {
        link(piece.ends[0], piece.ends[1]);
        link(piece.ends[1], piece.ends[0]);
    }
    std::vector<MeetingCurve> curves;
    std::vector<std::uint8_t> is_taken(count, 0);
    const auto walk = [&](std::int32_t start) {
        MeetingCurve& curve = curves.emplace_back();
        for (std::int32_t at = start; at >= 0;) {
            is_taken[at] = 1;
            curve.crossings.push_back(at);
            const auto [a, b] = next[at];
            at = a >= 0 && !is_taken[a] ? a : b >= 0 && !is_taken[b] ? b : -1;
        }
        const auto [a, b] = next[curve.crossings.back()];
        curve.is_closed = curve.crossings.size() > 2 && (a == start || b == start);
    };
    // Open ones from an end, so that they are found whole.
    for (std::size_t c = 0; c < count; ++c) {
        if (!is_taken[c] && next[c][1] < 0) walk(static_cast<std::int32_t>(c));
    }
    for (std::size_t c = 0; c < count; ++c) {
        if (!is_taken[c]) walk(static_cast<std::int32_t>(c));
    }
    return curves;
}

SideParts side_parts(const PressSurface& surface, std::span<const EdgeCrossing> crossings,
                     std::span<const std::int32_t> curve_of, std::int32_t curve_count,
                     std::span<const std::uint8_t> is_inside, bool wants_inside) {
    DUCTILE_ASSERT(curve_of.size() == crossings.size(), "a curve per crossing");
    SideFlood flood(surface, crossings, is_inside, wants_inside);
    std::vector<std::array<std::int32_t, 2>>
        joined;  // A curve and a part of vertices, or -1 - curve.
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        const EdgeCrossing& c = crossings[i];
        const bool is_first = i == 0 || !is_same_edge(c, crossings[i - 1]);
        const bool is_last = i + 1 == crossings.size() || !is_same_edge(c, crossings[i + 1]);
        // Before the crossing the edge is on the wanted side iff it leaves it there.
        const bool is_before = c.goes_in != wants_inside;
        if (is_first && is_before) {
            if (const std::int32_t p = flood.part(c.low); p >= 0)
                joined.push_back({curve_of[i], p});
        }
        if (is_last && !is_before) {
            if (const std::int32_t p = flood.part(c.high); p >= 0)
                joined.push_back({curve_of[i], p});
        }
        if (!is_last && !is_before) joined.push_back({curve_of[i], -1 - curve_of[i + 1]});
    }
    JoinedSets sets(static_cast<std::size_t>(curve_count + flood.count()));
    std::vector<std::uint8_t> is_met(curve_count, 0);
    for (const auto& [curve, other] : joined) {
        is_met[curve] = 1;
        if (other < 0) is_met[-1 - other] = 1;
        sets.join(curve, other >= 0 ? curve_count + other : -1 - other);
    }
    SideParts parts;
    std::vector<std::int32_t> number(curve_count + flood.count(), -1);
    const auto part_of = [&](std::int32_t node) {
        std::int32_t& n = number[sets.of(node)];
        if (n < 0) n = parts.count++;
        return n;
    };
    for (std::int32_t c = 0; c < curve_count; ++c) {
        parts.of_curve.push_back(is_met[c] ? part_of(c) : -1);
    }
    std::vector<std::int32_t> of_label;
    for (std::int32_t l = 0; l < flood.count(); ++l) of_label.push_back(part_of(curve_count + l));
    parts.of_vertex = flood.take_labels();
    for (std::int32_t& label : parts.of_vertex) {
        if (label >= 0) label = of_label[label];
    }
    return parts;
}

}  // namespace ductile
