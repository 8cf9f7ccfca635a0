// SPDX-License-Identifier: MIT
// Each front gathers its entries of the matrix and what its children add, finishes its columns and
// hands the rest on to its parent. Taking over untouched parts of another factor is the idea of
// Herholz and Alexa 2018, "Factor Once"; theirs lies in columns, ours in whole fronts, whose bits
// depend on nothing but the values below them.
#include <ductile/core/assert.h>
#include <ductile/geom/front_solve.h>
#include <ductile/geom/sparse_cholesky.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ductile {
namespace {

using front::Index;
using front::kCell;
using front::kStrip;

// A pivot is as good as zero below this share of the matrix' own diagonal: it is what rounding
// leaves of a row that depends on others.
constexpr double kLeastPivot = 1e-14;

/// How a front lies in strips: first its own rows, each strip up to the diagonal, then those below.
/// What it hands on are strips of a lower triangle.
struct FrontShape {
    explicit FrontShape(const FrontTree::Front& f)
        : columns(f.end - f.first), rows(f.end_row - f.first_row) {}
    Index columns, rows;

    static Index strips_of(Index n) { return (n + kStrip - 1) / kStrip; }
    /// Columns in all strips of a triangle before this one.
    static Index triangle(Index strip) { return kStrip / 2 * strip * (strip + 1); }

    Index top_strips() const { return strips_of(columns); }
    Index strips() const { return strips_of(columns) + strips_of(rows); }
    Index top() const { return kStrip * strips_of(columns); }  ///< The first row below.
    Index height() const { return kStrip * strips(); }
    /// Columns in all strips before this one.
    Index before(Index strip) const {
        const Index whole = columns / kStrip;
        return strip <= whole ? triangle(strip) : triangle(whole) + (strip - whole) * columns;
    }
    /// Columns in strips, all together.
    Index panel_size() const { return before(strips()); }
    Index update_size() const { return triangle(strips_of(rows)); }
};

/// Finishes rows of the panel, `count` strips that begin at `strip`, in columns up to `end`.
template <class Scalar, int S>
void finish_rows(double* panel, const FrontShape& shape, Index strip, Index end) {
    double* rows = panel + shape.before(strip) * kCell<Scalar>;
    const Index step = (shape.before(strip + 1) - shape.before(strip)) * kCell<Scalar>;
    for (Index first = 0; first < end; first += kStrip) {
        const double* by = panel + shape.before(first / kStrip) * kCell<Scalar>;
        front::with_width(shape.columns - first, [&](auto width) {
            front::finish_tile<Scalar, S, width>(rows, step, by, first);
        });
    }
}

template <class Scalar>
bool finish_diagonal(double* panel, const FrontShape& shape, Index strip, const double* least) {
    double* at = panel + shape.before(strip) * kCell<Scalar>;
    const Index first = kStrip * strip;
    bool is_done = false;
    front::with_width(shape.columns - first, [&](auto width) {
        is_done = front::finish_diagonal<Scalar, width>(at, first, least + first);
    });
    return is_done;
}

/// Finishes a front's columns, strip by strip. `least`: what pivots must exceed. False: one does
/// not.
template <class Scalar>
bool finish_columns(double* panel, const FrontShape& shape, const double* least) {
    constexpr int kTogether = front::kTogether<Scalar>;
    const Index tops = shape.top_strips(), strips = shape.strips();
    for (Index s = 0; s < tops; ++s) {
        const bool is_first = s % kTogether == 0;
        if (is_first && s + kTogether <= tops) {
            finish_rows<Scalar, kTogether>(panel, shape, s, kStrip * s);
        } else if (is_first) {
            finish_rows<Scalar, 1>(panel, shape, s, kStrip * s);
        } else {
            front::finish_tile<Scalar, 1, kStrip>(panel + shape.before(s) * kCell<Scalar>, 0,
                                                  panel + shape.before(s - 1) * kCell<Scalar>,
                                                  kStrip * (s - 1));
        }
        if (!finish_diagonal<Scalar>(panel, shape, s, least)) return false;
    }
    Index s = tops;
    for (; s + kTogether <= strips; s += kTogether) {
        finish_rows<Scalar, kTogether>(panel, shape, s, shape.columns);
    }
    for (; s < strips; ++s) finish_rows<Scalar, 1>(panel, shape, s, shape.columns);
    return true;
}

/// What the finished columns leave for the parent, before that of the children is added.
template <class Scalar>
void fill_update(const double* panel, const FrontShape& shape, double* update) {
    constexpr int kTogether = front::kTogether<Scalar>;
    const Index step = shape.columns * kCell<Scalar>, strips = FrontShape::strips_of(shape.rows);
    const double* below = panel + shape.before(shape.top_strips()) * kCell<Scalar>;
    const auto fill = [&](auto together, Index s, Index begin, Index end) {
        const Index from = FrontShape::triangle(s) * kCell<Scalar>;
        const Index next = FrontShape::triangle(s + 1) * kCell<Scalar>;
        for (Index t = begin; t < end; ++t) {
            front::product_tile<Scalar, together>(
                below + s * step, step, below + t * step, shape.columns,
                update + from + t * kStrip * kCell<Scalar>, next - from);
        }
    };
    constexpr std::integral_constant<int, 1> one;
    for (Index s = 0; s < strips; s += kTogether) {
        const Index end = std::min(s + kTogether, strips);
        if (end - s == kTogether) {
            fill(std::integral_constant<int, kTogether>{}, s, 0, s + 1);
        } else {
            fill(one, s, 0, s + 1);
        }
        for (Index t = s + 1; t < end; ++t) fill(one, t, s + 1, t + 1);
    }
}

}  // namespace

/// What factoring needs besides the factor: who the children are, and room for what fronts hand on.
/// That of a front is needed until its parent is done, so those of even and of odd depth each make
/// a stack.
template <class Scalar>
class SparseCholesky<Scalar>::Work {
public:
    Work(const FrontTree& tree, std::span<const std::uint8_t> is_kept)
        : place(tree.vertices().size()),
          first_child(tree.fronts().size(), -1),
          next_child(tree.fronts().size(), -1),
          depth(tree.fronts().size(), 0) {
        for (std::size_t f = tree.fronts().size(); f-- > 0;) {
            const std::int32_t parent = tree.fronts()[f].parent;
            if (parent < 0) continue;
            depth[f] = depth[parent] ^ 1;
            next_child[f] = first_child[parent];
            first_child[parent] = static_cast<std::int32_t>(f);
        }
        std::size_t top[2] = {0, 0}, most[2] = {0, 0};
        offset.assign(tree.fronts().size(), 0);
        for (std::size_t f = 0; f < tree.fronts().size(); ++f) {
            if (is_kept[f]) continue;
            for (std::int32_t c = first_child[f]; c >= 0; c = next_child[c]) {
                if (!is_kept[c]) top[depth[c]] -= update_size(tree.fronts()[c]);
            }
            offset[f] = top[depth[f]];
            top[depth[f]] += update_size(tree.fronts()[f]);
            most[depth[f]] = std::max(most[depth[f]], top[depth[f]]);
        }
        for (int k = 0; k < 2; ++k) stack[k] = PooledArray(most[k]);
    }

    static std::size_t update_size(const FrontTree::Front& front) {
        return static_cast<std::size_t>(kCell<Scalar> * FrontShape(front).update_size());
    }
    double* update(std::size_t f) { return stack[depth[f]].get() + offset[f]; }

    /// Takes up a front: where its columns and rows lie.
    void begin(const FrontTree& tree, const FrontTree::Front& front) {
        const FrontShape shape(front);
        const auto top = static_cast<std::int32_t>(shape.top());
        for (std::int32_t c = front.first; c < front.end; ++c) place[c] = c - front.first;
        for (std::int32_t r = front.first_row; r < front.end_row; ++r) {
            place[tree.rows()[r]] = top + r - front.first_row;
        }
        panel_row.clear();
        update_row.clear();
        for (Index s = 0; s < shape.strips(); ++s) {
            const Index own = shape.before(s) * kCell<Scalar>;
            const Index handed = (FrontShape::triangle(s - top / kStrip) - top) * kCell<Scalar>;
            for (int i = 0; i < kStrip; ++i) {
                panel_row.push_back(own + i);
                update_row.push_back(handed + i);
            }
        }
        child_places.clear();
    }

    std::vector<std::int32_t> place;  ///< Per column: its row in the front at hand.
    /// Per row of the front at hand: where it begins in the panel, and in what is handed on. Column
    /// c of it is c cells further.
    std::vector<Index> panel_row, update_row;
    std::vector<std::int32_t> child_places;  ///< The same of its children's rows, child by child.
    std::vector<std::int32_t> first_child, next_child;
    std::vector<std::uint8_t> depth;  ///< Even or odd.
    std::vector<std::size_t> offset;
    PooledArray stack[2];
    std::vector<double> least;
};

namespace {

/// Adds columns `begin` .. `end` of what a child hands on, a lower triangle with a row for each of
/// `place`, its place in the parent.
template <class Scalar>
void add_update(const double* child, std::span<const std::int32_t> place, Index begin, Index end,
                double* to, const Index* row_start) {
    const auto rows = static_cast<Index>(place.size());
    const auto add = [](double* at, const double* from) {
        at[0] += from[0];
        if constexpr (front::kPlanes<Scalar> == 2) at[kStrip] += from[kStrip];
    };
    for (Index top = begin / kStrip * kStrip; top < rows; top += kStrip) {
        const double* strip = child + FrontShape::triangle(top / kStrip) * kCell<Scalar>;
        const Index count = std::min<Index>(kStrip, rows - top);
        double* at[kStrip];
        front::unroll<kStrip>(
            [&](auto i) { at[i] = to + row_start[place[top + std::min<Index>(i, count - 1)]]; });
        Index j = begin;
        for (; count == kStrip && j < std::min(end, top + 1); ++j) {
            const Index column = place[j] * kCell<Scalar>;
            const double* from = strip + j * kCell<Scalar>;
            front::unroll<kStrip>([&](auto i) { add(at[i] + column, from + i); });
        }
        for (; j < std::min(end, top + count); ++j) {
            const Index column = place[j] * kCell<Scalar>;
            const double* from = strip + j * kCell<Scalar>;
            for (Index i = std::max<Index>(j - top, 0); i < count; ++i)
                add(at[i] + column, from + i);
        }
    }
}

/// The front's own entries of the matrix, and where pivots must stay above.
template <class Scalar>
void add_entries(const FrontTree& tree, const FrontTree::Front& front,
                 const EdgeMatrix<Scalar>& matrix, std::span<const std::int32_t> place,
                 const Index* row_start, double* panel, std::vector<double>& least) {
    const auto vertices = tree.vertices();
    least.clear();
    for (std::int32_t c = front.first; c < front.end; ++c) {
        const double diagonal = matrix.diagonal[vertices[c]];
        panel[row_start[place[c]] + place[c] * kCell<Scalar>] = diagonal;
        least.push_back(kLeastPivot * std::max(diagonal, 0.0));
    }
    for (std::int32_t e = front.first_entry; e < front.end_entry; ++e) {
        const FrontTree::Entry& entry = tree.entries()[e];
        const Scalar value = matrix.edge[entry.edge];
        const bool is_upper = vertices[entry.row] < vertices[entry.column];
        front::set(panel + row_start[place[entry.row]] + place[entry.column] * kCell<Scalar>,
                   is_upper ? value : front::conjugate(value));
    }
}

}  // namespace

template <class Scalar>
bool SparseCholesky<Scalar>::has_same_values(const FrontTree::Front& front,
                                             const EdgeMatrix<Scalar>& matrix) const {
    const EdgeMatrix<Scalar>& base = *base_->base_matrix_;
    for (std::int32_t c = front.first; c < front.end; ++c) {
        const std::int32_t v = tree_.vertices()[c];
        if (matrix.diagonal[v] != base.diagonal[v]) return false;
    }
    for (std::int32_t e = front.first_entry; e < front.end_entry; ++e) {
        const std::int32_t edge = tree_.entries()[e].edge;
        if (matrix.edge[edge] != base.edge[edge]) return false;
    }
    return true;
}

template <class Scalar>
std::vector<std::uint8_t> SparseCholesky<Scalar>::unchanged_fronts(
    const EdgeMatrix<Scalar>& matrix) const {
    const auto fronts = tree_.fronts();
    std::vector<std::uint8_t> is_kept(fronts.size(), 0);
    if (!base_) return is_kept;
    const auto base_fronts = base_->tree_.fronts();
    std::vector<std::int32_t> missing(base_fronts.size(), 0);
    for (const FrontTree::Front& f : base_fronts) {
        if (f.parent >= 0) ++missing[f.parent];
    }
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        const FrontTree::Front& front = fronts[f];
        const FrontTree::Front& origin = base_fronts[front.origin];
        const FrontShape now(front), then(origin);
        is_kept[f] = missing[front.origin] == 0 && base_->panels_[front.origin] &&
                     now.columns == then.columns && now.rows == then.rows &&
                     has_same_values(front, matrix);
        if (is_kept[f] && origin.parent >= 0) --missing[origin.parent];
    }
    return is_kept;
}

template <class Scalar>
bool SparseCholesky<Scalar>::factor(const EdgeMatrix<Scalar>& matrix, bool is_base) {
    const auto fronts = tree_.fronts();
    const std::vector<std::uint8_t> is_kept = unchanged_fronts(matrix);
    Work work(tree_, is_kept);
    std::size_t panel_size = 0, updates_size = 0;
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        if (!is_kept[f]) panel_size += kCell<Scalar> * FrontShape(fronts[f]).panel_size();
        if (is_base) updates_size += Work::update_size(fronts[f]);
    }
    storage_ = PooledArray(panel_size);
    update_storage_ = PooledArray(updates_size);
    panels_.assign(fronts.size(), nullptr);
    updates_.assign(is_base ? fronts.size() : 0, nullptr);
    double *next_panel = storage_.get(), *next_update = update_storage_.get();
    bool is_whole = true;
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        if (is_kept[f]) {
            panels_[f] = base_->panels_[fronts[f].origin];
            ++kept_fronts_;
            continue;
        }
        double* update = is_base ? next_update : work.update(f);
        const bool is_done = factor_front(f, matrix, is_kept, work, next_panel, update);
        if (!is_done && !is_base) return false;
        is_whole = is_whole && is_done;
        if (is_done) panels_[f] = next_panel;
        if (is_done && is_base) updates_[f] = update;
        next_panel += kCell<Scalar> * FrontShape(fronts[f]).panel_size();
        if (is_base) next_update += Work::update_size(fronts[f]);
    }
    return is_whole;
}

template <class Scalar>
bool SparseCholesky<Scalar>::factor_front(std::size_t f, const EdgeMatrix<Scalar>& matrix,
                                          std::span<const std::uint8_t> is_kept, Work& work,
                                          double* panel, double* update) {
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    work.begin(tree_, front);
    std::fill_n(panel, shape.panel_size() * kCell<Scalar>, 0.0);
    add_entries(tree_, front, matrix, work.place, work.panel_row.data(), panel, work.least);
    const auto handed = [&](std::int32_t c) -> const double* {
        if (is_kept[c]) return base_->updates_[tree_.fronts()[c].origin];
        return updates_.empty() ? work.update(c) : updates_[c];
    };
    std::size_t count = 0;
    for (std::int32_t c = work.first_child[f]; c >= 0; c = work.next_child[c]) {
        if (!panels_[c]) return false;
        const FrontTree::Front& child = tree_.fronts()[c];
        Index own = 0;
        for (std::int32_t r = child.first_row; r < child.end_row; ++r) {
            work.child_places.push_back(work.place[tree_.rows()[r]]);
            own += work.child_places.back() < shape.columns;
        }
        const auto places = std::span<const std::int32_t>(work.child_places).subspan(count);
        add_update<Scalar>(handed(c), places, 0, own, panel, work.panel_row.data());
        count += places.size();
    }
    if (!finish_columns<Scalar>(panel, shape, work.least.data())) return false;
    fill_update<Scalar>(panel, shape, update);
    count = 0;
    for (std::int32_t c = work.first_child[f]; c >= 0; c = work.next_child[c]) {
        const FrontShape child(tree_.fronts()[c]);
        const auto places = std::span<const std::int32_t>(work.child_places)
                                .subspan(count, static_cast<std::size_t>(child.rows));
        const auto own = std::lower_bound(places.begin(), places.end(), shape.top());
        add_update<Scalar>(handed(c), places, own - places.begin(), child.rows, update,
                           work.update_row.data());
        count += places.size();
    }
    return true;
}

template <class Scalar>
Result<SparseCholesky<Scalar>> SparseCholesky<Scalar>::make(
    FrontTree tree, const EdgeMatrix<Scalar>& matrix, std::shared_ptr<const SparseCholesky> base) {
    DUCTILE_ASSERT(matrix.diagonal.size() == tree.vertex_count(), "a matrix of the tree's graph");
    SparseCholesky made(std::move(tree));
    made.base_ = std::move(base);
    if (!made.factor(matrix, false)) {
        return Error{"a smooth field has no unique solution", "",
                     "some part of the region has no value to start from"};
    }
    return made;
}

template <class Scalar>
std::shared_ptr<const SparseCholesky<Scalar>> SparseCholesky<Scalar>::make_base(
    FrontTree tree, EdgeMatrix<Scalar> matrix) {
    DUCTILE_ASSERT(matrix.diagonal.size() == tree.vertex_count(), "a matrix of the tree's graph");
    const std::shared_ptr<SparseCholesky> made(new SparseCholesky(std::move(tree)));
    made->factor(matrix, true);
    made->base_matrix_ = std::make_unique<EdgeMatrix<Scalar>>(std::move(matrix));
    return made;
}

template <class Scalar>
std::size_t SparseCholesky<Scalar>::bytes() const {
    Index sum = 0;
    for (const FrontTree::Front& f : tree_.fronts()) sum += FrontShape(f).panel_size();
    return sizeof(double) * kCell<Scalar> * static_cast<std::size_t>(sum);
}

template <class Scalar>
void SparseCholesky<Scalar>::solve(Eigen::Ref<Fields> fields) const {
    DUCTILE_ASSERT(static_cast<std::size_t>(fields.rows()) == tree_.vertex_count(),
                   "a row per vertex");
    Index k = 0;
    for (; k + 2 <= fields.cols(); k += 2) solve_columns<2>(fields.middleCols(k, 2));
    if (k < fields.cols()) solve_columns<1>(fields.middleCols(k, 1));
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_columns(Eigen::Ref<Fields> fields) const {
    constexpr Index sides = front::kSides<Scalar, Q>;
    const auto vertices = tree_.vertices();
    const auto columns = static_cast<Index>(vertices.size());
    const auto fronts = tree_.fronts();
    Index height = 0, most = 0;
    for (const FrontTree::Front& f : fronts) {
        height = std::max(height, FrontShape(f).height());
        most = std::max(most, FrontShape(f).columns);
    }
    // What a row has for all sides lies together: rows are read here and there.
    const PooledArray room(
        static_cast<std::size_t>(sides * (columns + height + most * front::kLane)));
    double *x = room.get(), *part = x + sides * columns, *sums = part + sides * height;
    const auto for_each = [&](auto&& call) {
        for (Index c = 0; c < columns; ++c) {
            double* at = x + c * sides;
            for (int q = 0; q < Q; ++q) call(fields(vertices[c], q), at + q * sides / Q);
        }
    };
    for_each([](const Scalar& field, double* at) {
        at[0] = std::real(field);
        if constexpr (front::kPlanes<Scalar> == 2) at[1] = std::imag(field);
    });
    for (std::size_t f = 0; f < fronts.size(); ++f) solve_forward<Q>(f, x, part);
    for (std::size_t f = fronts.size(); f-- > 0;) solve_backward<Q>(f, x, part, sums);
    for_each([](Scalar& field, const double* at) {
        if constexpr (front::kPlanes<Scalar> == 2) {
            field = {at[0], at[1]};
        } else {
            field = at[0];
        }
    });
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_forward(std::size_t f, double* x, double* part) const {
    constexpr Index sides = front::kSides<Scalar, Q>;
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    const Index height = shape.height(), tops = shape.top_strips();
    double* own = x + front.first * sides;
    for (Index side = 0; side < sides; ++side) {
        double* to = part + side * height;
        for (Index c = 0; c < shape.columns; ++c) to[c] = own[c * sides + side];
        std::fill(to + shape.columns, to + height, 0.0);
    }
    const double* strip = panels_[f];
    for (Index s = 0; s < tops; ++s) {
        const Index row = s * kStrip, width = std::min<Index>(kStrip, shape.columns - row);
        front::forward_strip<Scalar, Q>(strip, row, part, row, height);
        strip += row * kCell<Scalar>;
        front::forward_diagonal<Scalar, Q>(strip, width, part + row, height);
        strip += width * kCell<Scalar>;
    }
    for (Index s = tops; s < shape.strips(); ++s, strip += shape.columns * kCell<Scalar>) {
        front::forward_strip<Scalar, Q>(strip, shape.columns, part, s * kStrip, height);
    }
    const auto rows = tree_.rows().subspan(front.first_row, shape.rows);
    for (Index side = 0; side < sides; ++side) {
        const double* from = part + side * height;
        for (Index c = 0; c < shape.columns; ++c) own[c * sides + side] = from[c];
        from += shape.top();
        for (Index r = 0; r < shape.rows; ++r) x[rows[r] * sides + side] += from[r];
    }
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_backward(std::size_t f, double* x, double* part,
                                            double* sums) const {
    constexpr Index sides = front::kSides<Scalar, Q>;
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    const Index height = shape.height(), tops = shape.top_strips();
    const auto rows = tree_.rows().subspan(front.first_row, shape.rows);
    double* own = x + front.first * sides;
    for (Index side = 0; side < sides; ++side) {
        double* to = part + side * height;
        for (Index c = 0; c < shape.columns; ++c) to[c] = own[c * sides + side];
        std::fill(to + shape.columns, to + shape.top(), 0.0);
        to += shape.top();
        for (Index r = 0; r < shape.rows; ++r) to[r] = x[rows[r] * sides + side];
        std::fill(to + shape.rows, to + height - shape.top(), 0.0);
    }
    std::fill_n(sums, shape.columns * sides * front::kLane, 0.0);
    const double* strip = panels_[f] + shape.panel_size() * kCell<Scalar>;
    for (Index s = shape.strips(); s-- > tops;) {
        strip -= shape.columns * kCell<Scalar>;
        front::backward_strip<Scalar, Q>(strip, shape.columns, part + s * kStrip, height, sums);
    }
    for (Index s = tops; s-- > 0;) {
        const Index row = s * kStrip, width = std::min<Index>(kStrip, shape.columns - row);
        strip = panels_[f] + shape.before(s) * kCell<Scalar>;
        front::backward_diagonal<Scalar, Q>(strip + row * kCell<Scalar>, width, part + row, height,
                                            sums + row * sides * front::kLane);
        front::backward_strip<Scalar, Q>(strip, row, part + row, height, sums);
    }
    for (Index side = 0; side < sides; ++side) {
        const double* from = part + side * height;
        for (Index c = 0; c < shape.columns; ++c) own[c * sides + side] = from[c];
    }
}

template class SparseCholesky<double>;
template class SparseCholesky<std::complex<double>>;

}  // namespace ductile
