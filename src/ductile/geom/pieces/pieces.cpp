// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/geom/pieces/convex.h>
#include <ductile/geom/pieces/pieces.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ductile {
namespace {

// A patch that turns through more than a half ball has no outside to speak of: below this length
// of the mean of its unit normals each point is looked at along its own normal alone.
constexpr double kMeanNormal = 0.2;

// By how much a piece must get worse where it is too coarse at rest, as a share of the tolerance.
constexpr double kWorsening = 0.1;

// A point that the hull covers, and by how much along the way the piece faces.
struct Below {
    double height;
    std::size_t place;  // In Piece::vertices.
};

// Working memory of the measurements, kept from piece to piece.
struct FitScratch {
    std::vector<Vec3> cloud;
    std::vector<Below> below;
    HullRoof along_mean;
    HullRoof along_normal;
};

Vec3 mean_normal(std::span<const std::int32_t> vertices, std::span<const Vec3> normals) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : vertices) sum += normals[v];
    return sum / static_cast<double>(vertices.size());
}

/// How the skin turns a piece's tracked points on the whole: found once per piece, which takes as
/// long as looking at some twenty points.
class PieceTurn {
public:
    PieceTurn(const Piece& piece, std::span<const SkinFrame> frames) : has_skin_(!frames.empty()) {
        if (has_skin_) turn_ = mean_turn(frames, piece.tracked);
    }
    /// A vector of the piece at rest.
    Vec3 operator()(const Vec3& at_rest) const {
        return has_skin_ ? Vec3(turn_ * at_rest) : at_rest;
    }

private:
    bool has_skin_;
    Mat3 turn_ = Mat3::Identity();
};

Vec3 inner_point(const Piece& piece, const Vec3& sum, const PieceTurn& turn) {
    return sum / static_cast<double>(piece.tracked.size()) + turn(piece.inner_offset);
}

// As piece_points.
void turned_points(const Piece& piece, std::span<const Vec3> points, const PieceTurn& turn,
                   std::vector<Vec3>& out) {
    DUCTILE_ASSERT(!piece.tracked.empty(), "a piece tracks points");
    out.clear();
    out.reserve(piece.tracked.size() + 1);
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : piece.tracked) {
        out.push_back(points[v]);
        sum += points[v];
    }
    out.push_back(inner_point(piece, sum, turn));
}

// Calls `take(i, fill, bulge)` for the points of a piece, by their place in `piece.vertices`, as
// far as one of both exceeds `allowed(i)`. Looks at those in `only`, where that is given. Points
// far below the hull come first, so that what `allowed` has learnt from them spares the others.
template <class Allowed, class Take>
void measure(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals,
             const PieceTurn& turn, const IndexSet* only, FitScratch& s, Allowed&& allowed,
             Take&& take) {
    if (piece.vertices.empty()) return;
    turned_points(piece, points, turn, s.cloud);
    const Vec3 mean = turn(piece.front_offset) + mean_normal(piece.tracked, normals);
    const bool has_front = mean.norm() > kMeanNormal;
    if (has_front) s.along_mean.reset(s.cloud, mean.normalized());
    s.below.clear();
    for (std::size_t i = 0; i < piece.vertices.size(); ++i) {
        const std::int32_t v = piece.vertices[i];
        if (only && !only->contains(v)) continue;
        const double height = has_front ? s.along_mean.height(points[v]) : kInfinity;
        if (height > allowed(i)) {
            s.below.push_back({height, i});
        } else if (height < 0.0 && height > -kInfinity) {
            // Slanting ways are longer than the distance by the slope of the surface.
            const double bulge = -height * std::max(0.0, normals[v].dot(mean) / mean.norm());
            if (bulge > allowed(i)) take(i, 0.0, bulge);
        }
    }
    std::sort(s.below.begin(), s.below.end(), [](const Below& a, const Below& b) {
        return a.height > b.height || (a.height == b.height && a.place < b.place);
    });
    for (const Below& b : s.below) {
        if (!(b.height > allowed(b.place))) continue;
        const std::int32_t v = piece.vertices[b.place];
        s.along_normal.reset(s.cloud, normals[v]);
        const double fill = std::max(std::min(b.height, s.along_normal.height(points[v])), 0.0);
        if (fill > allowed(b.place)) take(b.place, fill, 0.0);
    }
}

// Points that moved lately and are dented now.
struct RecentDents {
    std::vector<std::int32_t> points;
    Box box;
};

// The bounds of piece_points.
Box piece_box(const Piece& piece, std::span<const Vec3> points, const PieceTurn& turn) {
    Box box;
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : piece.tracked) {
        box.add(points[v]);
        sum += points[v];
    }
    box.add(inner_point(piece, sum, turn));
    return box;
}

// How deep the piece covers dented points of its neighbours, if deeper than `tolerance`: a dent
// beside it may lie under its hull. Where the hull begins only beyond a gap it does not cover. A
// piece that has not moved is asked about recent points alone: about the others the answer is the
// one that it has been given.
double guest_fill(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals,
                  const PieceTurn& turn, const SurfaceChange& since, const RecentDents& recent,
                  bool has_moved, double tolerance, FitScratch& s) {
    const Box box = piece_box(piece, points, turn);
    double fill = 0.0;
    if (!has_moved && !box.overlaps(recent.box)) return fill;
    turned_points(piece, points, turn, s.cloud);
    const auto look_at = [&](std::int32_t v) {
        if (!(box.distance_sq(points[v]) <= 0.0)) return;
        if (std::binary_search(piece.vertices.begin(), piece.vertices.end(), v)) return;
        // No hull reaches further along a direction than its furthest point does.
        const double least = std::max(fill, tolerance);
        const Vec3 &p = points[v], &n = normals[v];
        if (std::none_of(s.cloud.begin(), s.cloud.end(),
                         [&](const Vec3& q) { return n.dot(q - p) > least; })) {
            return;
        }
        s.along_normal.reset(s.cloud, n);
        const double leave = s.along_normal.height(p);
        if (!(leave > least)) return;
        s.along_normal.reset(s.cloud, -n);
        if (s.along_normal.height(p) >= 0.0) fill = leave;
    };
    if (!has_moved) {
        for (const std::int32_t v : recent.points) look_at(v);
        return fill;
    }
    since.boxes.visit([&](const Box& b) { return b.overlaps(box); },
                      [&](std::int32_t leaf) {
                          for (const std::int32_t v : since.boxes.tree().points_of(leaf)) {
                              if (since.dented.contains(v)) look_at(v);
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

// Walks down from active pieces that no longer fit.
class Refiner {
public:
    Refiner(const PieceTree& tree, std::span<const Vec3> points, std::span<const Vec3> normals,
            const SurfaceChange* since, double tolerance)
        : tree_(tree), points_(points), normals_(normals), since_(since), tolerance_(tolerance) {
        if (!since) return;
        since->recent.for_each([&](std::int32_t v) {
            if (!since->dented.contains(v)) return;
            recent_.points.push_back(v);
            recent_.box.add(points[v]);
        });
    }

    /// `late`: candidates of which all points count.
    PieceChange run(std::span<const std::int32_t> candidates, std::span<const std::int32_t> late,
                    std::int32_t budget, PieceCut& cut) {
        PieceChange change;
        IndexSet is_candidate(tree_.pieces.size());
        for (const std::int32_t index : late) {
            if (is_candidate.insert(index)) consider(index, nullptr, true);
        }
        for (const std::int32_t index : candidates) {
            if (!is_candidate.insert(index) || !holds(cut.active, index)) continue;
            consider(index, since_ ? &since_->recent : nullptr, true);
        }
        if (!recent_.points.empty()) {
            for (const std::int32_t index : cut.active) {
                if (!is_candidate.contains(index)) consider(index, nullptr, false);
            }
        }
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end());
            const std::int32_t worst = heap_.back().piece;
            heap_.pop_back();
            const std::vector<std::int32_t>& children = tree_.pieces[worst].children;
            if (cut.active.size() - 1 + children.size() > static_cast<std::size_t>(budget)) {
                continue;
            }
            erase_sorted(cut.active, worst);
            if (!erase_sorted(change.added, worst)) insert_sorted(change.removed, worst);
            for (const std::int32_t child : children) {
                insert_sorted(cut.active, child);
                insert_sorted(change.added, child);
                // At rest it fitted as well as its rest_misfits tell.
                consider(child, since_ ? &since_->ever : nullptr, true);
            }
        }
        return change;
    }

private:
    // Puts a piece on the heap if it does not fit. Its own points count if it `has_changed`: those
    // in `only`, unless its hull or the way it faces has changed, too; then all.
    void consider(std::int32_t index, const IndexSet* only, bool has_changed) {
        const Piece& piece = tree_.pieces[index];
        if (piece.children.empty()) return;
        const PieceTurn turn(piece, since_ ? since_->frames : std::span<const SkinFrame>());
        double misfit = since_ ? guest_fill(piece, points_, normals_, turn, *since_, recent_,
                                            has_changed, tolerance_, scratch_)
                               : 0.0;
        if (!(misfit > tolerance_)) misfit = 0.0;
        if (has_changed) {
            const bool is_same_hull =
                only && std::none_of(piece.tracked.begin(), piece.tracked.end(),
                                     [&](std::int32_t v) { return only->contains(v); });
            measure(
                piece, points_, normals_, turn, is_same_hull ? only : nullptr, scratch_,
                [&](std::size_t i) {
                    return std::max(
                        {misfit, tolerance_, piece.rest_misfits[i] + kWorsening * tolerance_});
                },
                [&](std::size_t, double fill, double bulge) {
                    misfit = std::max({misfit, fill, bulge});
                });
        }
        if (!(misfit > 0.0)) return;
        heap_.push_back({misfit, index});
        std::push_heap(heap_.begin(), heap_.end());
    }

    const PieceTree& tree_;
    std::span<const Vec3> points_, normals_;
    const SurfaceChange* since_;
    double tolerance_;
    RecentDents recent_;
    FitScratch scratch_;
    std::vector<Candidate> heap_;
};

// Takes out of the candidates what has hardly bent since it was last looked at, and gives those
// that waited until now.
std::vector<std::int32_t> let_wait(const PieceTree& tree, std::span<const Vec3> points,
                                   const SurfaceChange& since,
                                   std::vector<std::int32_t>& candidates, PieceCut& cut) {
    PieceLooks& looks = cut.looks;
    std::vector<std::int32_t> asked, waiting, late;
    std::set_union(candidates.begin(), candidates.end(), looks.waiting.begin(), looks.waiting.end(),
                   std::back_inserter(asked));
    for (const std::int32_t index : asked) {
        const Piece& piece = tree.pieces[index];
        const bool has_waited = holds(looks.waiting, index);
        const bool may_wait = since.least_bend > 0.0 && !since.frames.empty();
        if (!holds(cut.active, index)) {
            looks.forget(index);
        } else if (may_wait &&
                   looks.change(index, piece, points, since.frames) < since.least_bend) {
            waiting.push_back(index);
        } else {
            if (may_wait) looks.note(index, piece, points, since.frames);
            if (!may_wait) looks.forget(index);
            if (has_waited) late.push_back(index);
        }
    }
    std::erase_if(candidates, [&](std::int32_t index) { return holds(waiting, index); });
    looks.waiting = std::move(waiting);
    return late;
}

}  // namespace

void piece_points(const Piece& piece, std::span<const Vec3> points, std::vector<Vec3>& out,
                  std::span<const SkinFrame> frames) {
    turned_points(piece, points, PieceTurn(piece, frames), out);
}

PieceFit piece_fit(const Piece& piece, std::span<const Vec3> points,
                   std::span<const Vec3> normals) {
    FitScratch scratch;
    PieceFit fit;
    measure(
        piece, points, normals, PieceTurn(piece, {}), nullptr, scratch,
        [&](std::size_t) { return std::min(fit.fill, fit.bulge); },
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
        piece, points, normals, PieceTurn(piece, {}), nullptr, scratch,
        [](std::size_t) { return 0.0; },
        [&](std::size_t i, double fill, double bulge) {
            misfits[i] = static_cast<float>(std::max(fill, bulge));
        });
    return misfits;
}

Vec3 front_offset(const Piece& piece, std::span<const Vec3> normals) {
    return mean_normal(piece.vertices, normals) - mean_normal(piece.tracked, normals);
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
        for (std::int32_t piece : table[v]) {
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
                       double tolerance, std::int32_t budget, PieceCut& cut) {
    return Refiner(tree, points, normals, nullptr, tolerance).run(candidates, {}, budget, cut);
}

PieceChange refine_cut(const PieceTree& tree, const VertexPieces& table,
                       std::span<const Vec3> points, std::span<const Vec3> normals,
                       const SurfaceChange& since, double tolerance, std::int32_t budget,
                       PieceCut& cut) {
    std::vector<std::int32_t> recent;
    since.recent.for_each([&](std::int32_t v) { recent.push_back(v); });
    std::vector<std::int32_t> candidates = pieces_holding(tree, table, cut, recent);
    const std::vector<std::int32_t> late = let_wait(tree, points, since, candidates, cut);
    return Refiner(tree, points, normals, &since, tolerance).run(candidates, late, budget, cut);
}

}  // namespace ductile
