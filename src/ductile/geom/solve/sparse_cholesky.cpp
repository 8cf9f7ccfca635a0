// SPDX-License-Identifier: MIT
// Each front gathers its entries of the matrix and what its children add, finishes its columns and
// hands the rest on to its parent. Taking over untouched parts of another factor is the idea of
// Herholz and Alexa 2018, "Factor Once"; theirs lies in columns, ours in whole fronts, whose bits
// depend on nothing but the values below them.
#include <ductile/core/assert.h>
#include <ductile/core/stamped_array.h>
#include <ductile/geom/solve/front_factor.h>
#include <ductile/geom/solve/sparse_cholesky.h>

#include <algorithm>

namespace ductile {
namespace {

using front::Index;
using front::kCell;
using front::kStrip;

// A pivot is as good as zero below this share of the matrix' own diagonal: it is what rounding
// leaves of a row that depends on others.
constexpr double kLeastPivot = 1e-14;

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
            for (Index i = std::max<Index>(j - top, 0); i < count; ++i) {
                add(at[i] + column, from + i);
            }
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
    StampedArray<std::int32_t> kept_children(base_fronts.size(), 0);
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        const FrontTree::Front& front = fronts[f];
        const FrontTree::Front& origin = base_fronts[front.origin];
        const FrontShape now(front), then(origin);
        is_kept[f] = kept_children[front.origin] == base_->child_counts_[front.origin] &&
                     base_->panels_[front.origin] && now.columns == then.columns &&
                     now.rows == then.rows && has_same_values(front, matrix);
        if (is_kept[f] && origin.parent >= 0) ++kept_children.at(origin.parent);
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
    if (!front::finish_columns<Scalar>(panel, shape, work.least.data())) return false;
    front::fill_update<Scalar>(panel, shape, update);
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
    made->child_counts_.resize(made->panels_.size());
    for (const FrontTree::Front& front : made->tree_.fronts()) {
        if (front.parent >= 0) ++made->child_counts_[front.parent];
    }
    made->base_matrix_ = std::make_unique<EdgeMatrix<Scalar>>(std::move(matrix));
    return made;
}

template <class Scalar>
std::size_t SparseCholesky<Scalar>::bytes() const {
    Index sum = 0;
    for (const FrontTree::Front& f : tree_.fronts()) sum += FrontShape(f).panel_size();
    return sizeof(double) * kCell<Scalar> * static_cast<std::size_t>(sum);
}

template class SparseCholesky<double>;
template class SparseCholesky<std::complex<double>>;

}  // namespace ductile
