// SPDX-License-Identifier: MIT
// Each front gathers its entries of the matrix and what its children add, finishes its columns and
// hands the rest on to its parent. Taking over untouched parts of another factor is the idea of
// Herholz and Alexa 2018, "Factor Once"; theirs lies in columns, ours in whole fronts, whose bits
// depend on nothing but the values below them.
#include <ductile/core/assert.h>
#include <ductile/geom/front_kernels.h>
#include <ductile/geom/sparse_cholesky.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ductile {
namespace {

using front::Index;
using front::View;

// A pivot is as good as zero below this share of the matrix' own diagonal: it is what rounding
// leaves of a row that depends on others.
constexpr double kLeastPivot = 1e-14;

struct FrontShape {
    explicit FrontShape(const FrontTree::Front& f)
        : columns(f.end - f.first), rows(f.end_row - f.first_row) {}
    static Index even(Index n) { return (n + 1) & ~Index(1); }
    Index columns, rows;
    // Rows begin at an even place and end before one: lanes never run over.
    Index top() const { return even(columns); }
    Index height() const { return even(columns) + even(rows); }
    Index update_height() const { return even(rows); }
};

template <class Scalar>
bool finish_block(const View& block, Index width, const double* least) {
    for (Index c = 0; c < width; ++c) {
        const double pivot = std::real(front::value(block, c, c, Scalar()));
        if (!(pivot > least[c])) return false;
        const double inverse = 1.0 / std::sqrt(pivot);
        front::set(block, c, c, Scalar(inverse));
        for (Index r = c + 1; r < width; ++r) {
            front::set(block, r, c, front::value(block, r, c, Scalar()) * inverse);
        }
        for (Index d = c + 1; d < width; ++d) {
            const Scalar by = front::conjugate(front::value(block, d, c, Scalar()));
            for (Index r = d; r < width; ++r) {
                front::set(
                    block, r, d,
                    front::value(block, r, d, Scalar()) - front::value(block, r, c, Scalar()) * by);
            }
        }
    }
    return true;
}

/// Finishes a front's columns. `least`: what pivots must exceed. False: one does not.
template <class Scalar>
bool finish_columns(const View& panel, const FrontShape& shape, const double* least) {
    for (Index j = 0; j < shape.columns; j += front::kBlock) {
        const Index width = std::min<Index>(front::kBlock, shape.columns - j);
        const Index lanes = (shape.height() - j) / front::kLane;
        front::subtract_products<Scalar>(panel.at(j, 0), panel.at(j, 0), j, panel.at(j, j), lanes,
                                         width);
        const View block = panel.at(j, j);
        if (!finish_block<Scalar>(block, width, least + j)) return false;
        const Index below = j + front::kBlock <= shape.columns ? j + front::kBlock : shape.top();
        const Index left = (shape.height() - below) / front::kLane;
        const View rest = panel.at(below, j);
        if (width == 4) front::divide_rows<Scalar, 4>(block, rest, left);
        if (width == 3) front::divide_rows<Scalar, 3>(block, rest, left);
        if (width == 2) front::divide_rows<Scalar, 2>(block, rest, left);
        if (width == 1) front::divide_rows<Scalar, 1>(block, rest, left);
    }
    return true;
}

template <class Scalar>
void subtract_update(const View& panel, const FrontShape& shape, const View& update) {
    for (Index j = 0; j < shape.rows; j += front::kBlock) {
        const Index width = std::min<Index>(front::kBlock, shape.rows - j);
        const View below = panel.at(shape.top() + j, 0);
        front::subtract_products<Scalar>(below, below, shape.columns, update.at(j, j),
                                         (shape.update_height() - j) / front::kLane, width);
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
        const FrontShape shape(front);
        return static_cast<std::size_t>(front::kPlanes<Scalar> * shape.update_height() *
                                        shape.rows);
    }
    double* update(std::size_t f) { return stack[depth[f]].get() + offset[f]; }

    std::vector<std::int32_t> place;  ///< Per column: where it is in the front at hand.
    std::vector<std::int32_t> first_child, next_child;
    std::vector<std::uint8_t> depth;  ///< Even or odd.
    std::vector<std::size_t> offset;
    PooledArray stack[2];
    std::vector<std::int32_t> child_places;
    std::vector<double> least;
};

namespace {

/// Adds what a child hands on. `place`: of the child's rows in the parent, ascending.
template <class Scalar>
void add_update(const View& child, std::span<const std::int32_t> place, const View& panel,
                const FrontShape& shape, const View& update) {
    const auto rows = static_cast<Index>(place.size());
    for (Index j = 0; j < rows; ++j) {
        const bool is_own = place[j] < shape.columns;
        const View to =
            is_own ? panel.at(0, place[j]) : update.at(-shape.top(), place[j] - shape.top());
        for (Index plane = 0; plane < front::kPlanes<Scalar>; ++plane) {
            const double* source = child.data + j * child.step + plane * child.plane;
            double* target = to.data + plane * to.plane;
            for (Index i = j; i < rows; ++i) target[place[i]] += source[i];
        }
    }
}

/// The front's own entries of the matrix, and where pivots must stay above.
template <class Scalar>
void add_entries(const FrontTree& tree, const FrontTree::Front& front,
                 const EdgeMatrix<Scalar>& matrix, std::span<const std::int32_t> place,
                 const View& panel, std::vector<double>& least) {
    const auto vertices = tree.vertices();
    least.clear();
    for (std::int32_t c = front.first; c < front.end; ++c) {
        const double diagonal = matrix.diagonal[vertices[c]];
        panel.data[place[c] * (panel.step + 1)] = diagonal;
        least.push_back(kLeastPivot * std::max(diagonal, 0.0));
    }
    for (std::int32_t e = front.first_entry; e < front.end_entry; ++e) {
        const FrontTree::Entry& entry = tree.entries()[e];
        const Scalar value = matrix.edge[entry.edge];
        const bool is_upper = vertices[entry.row] < vertices[entry.column];
        front::set(panel, place[entry.row], place[entry.column],
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
        const FrontShape shape(fronts[f]);
        if (!is_kept[f]) panel_size += front::kPlanes<Scalar> * shape.height() * shape.columns;
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
        const FrontShape shape(fronts[f]);
        double* update = is_base ? next_update : work.update(f);
        const bool is_done = factor_front(f, matrix, is_kept, work, next_panel, update);
        if (!is_done && !is_base) return false;
        is_whole = is_whole && is_done;
        if (is_done) panels_[f] = next_panel;
        if (is_done && is_base) updates_[f] = update;
        next_panel += front::kPlanes<Scalar> * shape.height() * shape.columns;
        if (is_base) next_update += Work::update_size(fronts[f]);
    }
    return is_whole;
}

template <class Scalar>
bool SparseCholesky<Scalar>::factor_front(std::size_t f, const EdgeMatrix<Scalar>& matrix,
                                          std::span<const std::uint8_t> is_kept, Work& work,
                                          double* panel_data, double* update_data) {
    const FrontTree::Front& front = tree_.fronts()[f];
    const auto rows = tree_.rows();
    const FrontShape shape(front);
    const View panel = front::view<Scalar>(panel_data, shape.height());
    const View update = front::view<Scalar>(update_data, shape.update_height());
    std::fill_n(panel_data, panel.step * shape.columns, 0.0);
    std::fill_n(update_data, update.step * shape.rows, 0.0);
    for (std::int32_t c = front.first; c < front.end; ++c) work.place[c] = c - front.first;
    for (std::int32_t r = front.first_row; r < front.end_row; ++r) {
        work.place[rows[r]] = static_cast<std::int32_t>(shape.top()) + r - front.first_row;
    }
    add_entries(tree_, front, matrix, work.place, panel, work.least);
    for (std::int32_t c = work.first_child[f]; c >= 0; c = work.next_child[c]) {
        if (!panels_[c]) return false;
        const FrontTree::Front& child = tree_.fronts()[c];
        double* handed = is_kept[c]         ? base_->updates_[child.origin]
                         : updates_.empty() ? work.update(c)
                                            : updates_[c];
        work.child_places.clear();
        for (std::int32_t r = child.first_row; r < child.end_row; ++r) {
            work.child_places.push_back(work.place[rows[r]]);
        }
        add_update<Scalar>(front::view<Scalar>(handed, FrontShape(child).update_height()),
                           work.child_places, panel, shape, update);
    }
    if (!finish_columns<Scalar>(panel, shape, work.least.data())) return false;
    subtract_update<Scalar>(panel, shape, update);
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
    std::size_t sum = 0;
    for (const FrontTree::Front& f : tree_.fronts()) {
        const FrontShape shape(f);
        sum += sizeof(double) * front::kPlanes<Scalar> * shape.height() * shape.columns;
    }
    return sum;
}

template <class Scalar>
void SparseCholesky<Scalar>::solve(Eigen::Ref<Fields> fields) const {
    const auto vertices = tree_.vertices();
    const auto columns = static_cast<Index>(vertices.size());
    DUCTILE_ASSERT(static_cast<std::size_t>(fields.rows()) == tree_.vertex_count(),
                   "a row per vertex");
    Fields x(columns, fields.cols());
    for (Index k = 0; k < fields.cols(); ++k) {
        for (Index c = 0; c < columns; ++c) x(c, k) = fields(vertices[c], k);
    }
    Index most = 0;
    for (const FrontTree::Front& f : tree_.fronts()) {
        most = std::max(most, FrontShape(f).height());
    }
    std::vector<double> local(static_cast<std::size_t>(front::kPlanes<Scalar> * most));
    const auto fronts = tree_.fronts();
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        for (Index k = 0; k < x.cols(); ++k) solve_front(f, x.col(k).data(), local.data(), false);
    }
    for (std::size_t f = fronts.size(); f-- > 0;) {
        for (Index k = 0; k < x.cols(); ++k) solve_front(f, x.col(k).data(), local.data(), true);
    }
    for (Index k = 0; k < fields.cols(); ++k) {
        for (Index c = 0; c < columns; ++c) fields(vertices[c], k) = x(c, k);
    }
}

template <class Scalar>
void SparseCholesky<Scalar>::solve_front(std::size_t f, Scalar* x, double* local,
                                         bool is_back) const {
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    const auto rows = tree_.rows();
    const View panel = front::view<Scalar>(panels_[f], shape.height());
    const View part = front::view<Scalar>(local, shape.height());
    for (Index c = 0; c < shape.columns; ++c) front::set(part, c, 0, x[front.first + c]);
    if (shape.top() > shape.columns) front::set(part, shape.columns, 0, Scalar(0));
    if (shape.update_height() > shape.rows) {
        front::set(part, shape.height() - 1, 0, Scalar(0));
    }
    for (Index r = 0; r < shape.rows; ++r) {
        front::set(part, shape.top() + r, 0, is_back ? x[rows[front.first_row + r]] : Scalar(0));
    }
    const Index last = (shape.columns - 1) / front::kBlock * front::kBlock;
    for (Index step = 0; step <= last; step += front::kBlock) {
        const Index j = is_back ? last - step : step;
        const Index width = std::min<Index>(front::kBlock, shape.columns - j);
        const Index below = j + front::kBlock <= shape.columns ? j + front::kBlock : shape.top();
        const Index lanes = (shape.height() - below) / front::kLane;
        front::solve_block<Scalar>(panel.at(j, j), below - j, part.at(j, 0), width, lanes, is_back);
    }
    for (Index c = 0; c < shape.columns; ++c) {
        x[front.first + c] = front::value(part, c, 0, Scalar());
    }
    if (is_back) return;
    for (Index r = 0; r < shape.rows; ++r) {
        x[rows[front.first_row + r]] += front::value(part, shape.top() + r, 0, Scalar());
    }
}

template class SparseCholesky<double>;
template class SparseCholesky<std::complex<double>>;

}  // namespace ductile
