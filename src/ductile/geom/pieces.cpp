// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/geom/convex.h>
#include <ductile/geom/pieces.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A patch that turns through more than a half ball has no outside to speak of: below this length
// of the mean of its unit normals each point is looked at along its own normal alone.
constexpr double kMeanNormal = 0.2;

// By how much a piece must get worse where it is too coarse at rest, as a share of the tolerance.
constexpr double kWorsening = 0.1;

// Working memory of the measurements, kept from piece to piece.
struct FitScratch {
    std::vector<Vec3> cloud;
    HullRoof along_mean;
    HullRoof along_normal;
};

Vec3 mean_normal(const Piece& piece, std::span<const Vec3> normals) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : piece.vertices) sum += normals[v];
    return sum / static_cast<double>(piece.vertices.size());
}

// Calls `take(i, fill, bulge)` for the points of a piece, by their place in `piece.vertices`, as
// far as one of both exceeds `allowed(i)`.
template <class Allowed, class Take>
void measure(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals,
             FitScratch& s, Allowed&& allowed, Take&& take) {
    if (piece.vertices.empty()) return;
    piece_points(piece, points, s.cloud);
    const Vec3 mean = mean_normal(piece, normals);
    const bool has_front = mean.norm() > kMeanNormal;
    if (has_front) s.along_mean.reset(s.cloud, mean.normalized());
    for (std::size_t i = 0; i < piece.vertices.size(); ++i) {
        const std::int32_t v = piece.vertices[i];
        const double enough = allowed(i);
        double height = kInfinity;
        double bulge = 0.0;
        if (has_front) {
            height = s.along_mean.height(points[v]);
            if (height < 0.0 && height > -kInfinity) {
                // Slanting ways are longer than the distance by the slope of the surface.
                bulge = -height * std::max(0.0, normals[v].dot(mean) / mean.norm());
            }
        }
        if (height > enough) {
            s.along_normal.reset(s.cloud, normals[v]);
            height = std::min(height, s.along_normal.height(points[v]));
        }
        const double fill = std::max(height, 0.0);
        if (fill > enough || bulge > enough) take(i, fill, bulge);
    }
}

// How deep the piece covers dented points of its neighbours: a dent beside it may lie under its
// hull. Where the hull begins only beyond a gap it does not cover. A piece that has not moved is
// asked about fresh points alone: about the others the answer is the one that it has been given.
double guest_fill(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals,
                  const DentedPoints& dented, bool has_moved, FitScratch& s) {
    piece_points(piece, points, s.cloud);
    const Box box = bounds(s.cloud);
    double fill = 0.0;
    const auto look_at = [&](std::int32_t v) {
        if (!(box.distance_sq(points[v]) <= 0.0)) return;
        if (std::binary_search(piece.vertices.begin(), piece.vertices.end(), v)) return;
        const HullSpan span = hull_span(s.cloud, points[v], normals[v]);
        if (span.is_hit() && span.enter <= 0.0) fill = std::max(fill, span.leave);
    };
    if (!has_moved) {
        for (const std::int32_t v : dented.fresh) look_at(v);
        return fill;
    }
    dented.boxes.visit([&](const Box& b) { return b.overlaps(box); },
                       [&](std::int32_t leaf) {
                           for (const std::int32_t v : dented.boxes.tree().points_of(leaf)) {
                               if (dented.all.contains(v)) look_at(v);
                           }
                       });
    return fill;
}

// A piece that might be replaced; the worst comes first, then the lowest index.
struct Candidate {
    double misfit;
    std::int32_t piece;
    bool operator<(const Candidate& o) const {
        return misfit < o.misfit || (misfit == o.misfit && piece > o.piece);
    }
};

bool holds(std::span<const std::int32_t> ascending, std::int32_t value) {
    return std::binary_search(ascending.begin(), ascending.end(), value);
}

void insert_sorted(std::vector<std::int32_t>& ascending, std::int32_t value) {
    ascending.insert(std::lower_bound(ascending.begin(), ascending.end(), value), value);
}

bool erase_sorted(std::vector<std::int32_t>& ascending, std::int32_t value) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), value);
    if (at == ascending.end() || *at != value) return false;
    ascending.erase(at);
    return true;
}

}  // namespace

void piece_points(const Piece& piece, std::span<const Vec3> points, std::vector<Vec3>& out) {
    DUCTILE_ASSERT(!piece.tracked.empty(), "a piece tracks points");
    out.clear();
    out.reserve(piece.tracked.size() + 1);
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : piece.tracked) {
        out.push_back(points[v]);
        sum += points[v];
    }
    out.push_back(sum / static_cast<double>(piece.tracked.size()) + piece.inner_offset);
}

PieceFit piece_fit(const Piece& piece, std::span<const Vec3> points,
                   std::span<const Vec3> normals) {
    FitScratch scratch;
    PieceFit fit;
    measure(
        piece, points, normals, scratch, [&](std::size_t) { return std::min(fit.fill, fit.bulge); },
        [&](std::size_t, double fill, double bulge) {
            fit.fill = std::max(fit.fill, fill);
            fit.bulge = std::max(fit.bulge, bulge);
        });
    return fit;
}

std::vector<float> piece_misfits(const Piece& piece, std::span<const Vec3> points,
                                 std::span<const Vec3> normals) {
    FitScratch scratch;
    std::vector<float> misfits(piece.vertices.size(), 0.0f);
    measure(
        piece, points, normals, scratch, [](std::size_t) { return 0.0; },
        [&](std::size_t i, double fill, double bulge) {
            misfits[i] = static_cast<float>(std::max(fill, bulge));
        });
    return misfits;
}

double fill_depth(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals) {
    return piece_fit(piece, points, normals).fill;
}

VertexPieces vertex_pieces(const PieceTree& tree, std::size_t point_count) {
    const auto each_pair = [&](auto&& visit) {
        for (std::size_t i = 0; i < tree.pieces.size(); ++i) {
            if (!tree.pieces[i].children.empty()) continue;
            for (const std::int32_t v : tree.pieces[i].vertices) {
                visit(v, static_cast<std::int32_t>(i));
            }
        }
    };
    VertexPieces table;
    table.start.assign(point_count + 1, 0);
    each_pair([&](std::int32_t v, std::int32_t) { ++table.start[v + 1]; });
    for (std::size_t v = 0; v < point_count; ++v) table.start[v + 1] += table.start[v];
    table.pieces.resize(table.start.back());
    std::vector<std::int32_t> next(table.start.begin(), table.start.end() - 1);
    each_pair([&](std::int32_t v, std::int32_t piece) { table.pieces[next[v]++] = piece; });
    return table;
}

std::vector<std::int32_t> pieces_holding(const PieceTree& tree, const VertexPieces& table,
                                         const PieceCut& cut,
                                         std::span<const std::int32_t> vertices) {
    IndexSet seen(tree.pieces.size()), found(tree.pieces.size());
    for (const std::int32_t v : vertices) {
        for (std::int32_t piece : table.of(v)) {
            // One walk up per piece; the active one above it, if any, is met once.
            for (; piece >= 0 && seen.insert(piece); piece = tree.pieces[piece].parent) {
                if (holds(cut.active, piece)) found.insert(piece);
            }
        }
    }
    std::vector<std::int32_t> ascending;
    found.take(ascending);
    return ascending;
}

PieceChange refine_cut(const PieceTree& tree, std::span<const Vec3> points,
                       std::span<const Vec3> normals, std::span<const std::int32_t> candidates,
                       double tolerance, std::int32_t budget, PieceCut& cut,
                       const DentedPoints* dented) {
    PieceChange change;
    FitScratch scratch;
    std::vector<Candidate> heap;
    const auto consider = [&](std::int32_t index, bool has_moved) {
        const Piece& piece = tree.pieces[index];
        if (piece.children.empty()) return;
        double misfit =
            dented ? guest_fill(piece, points, normals, *dented, has_moved, scratch) : 0.0;
        if (!(misfit > tolerance)) misfit = 0.0;
        if (has_moved) {
            measure(
                piece, points, normals, scratch,
                [&](std::size_t i) {
                    return std::max(tolerance, piece.rest_misfits[i] + kWorsening * tolerance);
                },
                [&](std::size_t, double fill, double bulge) {
                    misfit = std::max({misfit, fill, bulge});
                });
        }
        if (!(misfit > 0.0)) return;
        heap.push_back({misfit, index});
        std::push_heap(heap.begin(), heap.end());
    };
    for (const std::int32_t index : candidates) {
        if (holds(cut.active, index)) consider(index, true);
    }
    if (dented && !dented->fresh.empty()) {
        for (const std::int32_t index : cut.active) {
            if (std::find(candidates.begin(), candidates.end(), index) == candidates.end()) {
                consider(index, false);
            }
        }
    }
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end());
        const Candidate worst = heap.back();
        heap.pop_back();
        const std::vector<std::int32_t>& children = tree.pieces[worst.piece].children;
        if (cut.active.size() - 1 + children.size() > static_cast<std::size_t>(budget)) continue;
        if (!erase_sorted(cut.active, worst.piece)) continue;  // named twice among the candidates
        if (!erase_sorted(change.added, worst.piece)) insert_sorted(change.removed, worst.piece);
        for (const std::int32_t child : children) {
            insert_sorted(cut.active, child);
            insert_sorted(change.added, child);
            consider(child, true);
        }
    }
    return change;
}

}  // namespace ductile
