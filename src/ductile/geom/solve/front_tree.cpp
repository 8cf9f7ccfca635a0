// SPDX-License-Identifier: MIT
// Fronts are the sets of the dissection as they are: a separator is full once what it separates has
// been eliminated, and a leaf is too small for its zeros to matter.
#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/core/stamped_array.h>
#include <ductile/core/thread_pooled.h>
#include <ductile/geom/solve/front_tree.h>

#include <algorithm>

namespace ductile {
namespace {

/// Where columns of a whole tree are in a masked one: all -1 but while one is made.
struct NewColumns {
    std::vector<std::int32_t> of;
};

}  // namespace

GraphEdges::GraphEdges(const VertexGraph& graph) {
    start_.reserve(graph.size() + 1);
    ends_.reserve(graph.neighbours.size() / 2);
    for (std::size_t v = 0; v < graph.size(); ++v) {
        start_.push_back(static_cast<std::int32_t>(ends_.size()));
        const auto low = static_cast<std::int32_t>(v);
        for (const std::int32_t high : graph[v]) {
            if (high > low) ends_.push_back({low, high});
        }
    }
    start_.push_back(static_cast<std::int32_t>(ends_.size()));
}

std::int32_t GraphEdges::find(std::int32_t a, std::int32_t b) const {
    const std::int32_t low = std::min(a, b), high = std::max(a, b);
    for (std::int32_t e = start_[low]; e < start_[low + 1]; ++e) {
        if (ends_[e][1] == high) return e;
    }
    return -1;
}

std::vector<std::array<std::int32_t, 3>> triangle_edges(std::span<const Triangle> triangles,
                                                        const GraphEdges& edges) {
    std::vector<std::array<std::int32_t, 3>> found;
    found.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        found.push_back({edges.find(t[1], t[2]), edges.find(t[2], t[0]), edges.find(t[0], t[1])});
    }
    return found;
}

FrontTree::FrontTree(const VertexGraph& graph, const GraphEdges& edges,
                     const Dissection& dissection)
    : vertices_(dissection.order),
      vertex_count_(graph.size()),
      column_of_(graph.size()),
      front_of_(graph.size()) {
    DUCTILE_ASSERT(dissection.order.size() == graph.size(), "a dissection of this graph");
    for (std::size_t c = 0; c < vertices_.size(); ++c) {
        column_of_[vertices_[c]] = static_cast<std::int32_t>(c);
    }
    fronts_.reserve(dissection.size());
    for (std::size_t s = 0; s < dissection.size(); ++s) {
        fronts_.push_back({.first = dissection.start[s],
                           .end = dissection.start[s + 1],
                           .parent = dissection.parent[s],
                           .origin = static_cast<std::int32_t>(s)});
        for (std::int32_t c = dissection.start[s]; c < dissection.start[s + 1]; ++c) {
            front_of_[c] = static_cast<std::int32_t>(s);
        }
    }
    find_rows(graph);
    find_entries(edges);
}

void FrontTree::find_rows(const VertexGraph& graph) {
    std::vector<std::int32_t> first_child(fronts_.size(), -1), next_child(fronts_.size(), -1);
    rows_.reserve(4 * vertices_.size());
    IndexSet rows(vertices_.size());
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        Front& front = fronts_[f];
        for (std::int32_t child = first_child[f]; child >= 0; child = next_child[child]) {
            for (std::int32_t r = fronts_[child].first_row; r < fronts_[child].end_row; ++r) {
                if (rows_[r] >= front.end) rows.insert(rows_[r]);
            }
        }
        for (std::int32_t c = front.first; c < front.end; ++c) {
            for (const std::int32_t w : graph[vertices_[c]]) {
                if (column_of_[w] >= front.end) rows.insert(column_of_[w]);
            }
        }
        front.first_row = static_cast<std::int32_t>(rows_.size());
        rows.for_each([&](std::int32_t row) { rows_.push_back(row); });
        rows.clear();
        front.end_row = static_cast<std::int32_t>(rows_.size());
        if (front.parent < 0) continue;
        next_child[f] = first_child[front.parent];
        first_child[front.parent] = static_cast<std::int32_t>(f);
    }
}

void FrontTree::find_entries(const GraphEdges& edges) {
    // Counted first, then filled: an edge belongs to the front of its earlier end.
    for (const auto& [low, high] : edges.ends()) {
        ++fronts_[front_of_[std::min(column_of_[low], column_of_[high])]].end_entry;
    }
    std::int32_t sum = 0;
    for (Front& front : fronts_) {
        const std::int32_t count = front.end_entry;
        front.first_entry = front.end_entry = sum;
        sum += count;
    }
    entries_.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto [low, high] = edges.ends()[e];
        const auto [column, row] = std::minmax({column_of_[low], column_of_[high]});
        entries_[fronts_[front_of_[column]].end_entry++] = {static_cast<std::int32_t>(e), column,
                                                            row};
    }
}

FrontTree FrontTree::masked(std::span<const std::int32_t> active) const {
    DUCTILE_ASSERT(column_of_.size() == vertex_count_, "a tree that was not masked itself");
    IndexSet columns(vertices_.size());
    for (const std::int32_t v : active) columns.insert(column_of_[v]);
    FrontTree cut;
    cut.vertex_count_ = vertex_count_;
    cut.vertices_.reserve(active.size());
    StampedArray<std::int32_t> front_of(fronts_.size(), -1);
    const ThreadPooled<NewColumns> pooled;
    std::vector<std::int32_t>& column_of = pooled->of;
    column_of.resize(std::max(column_of.size(), vertices_.size()), -1);
    std::size_t rows = 0, entries = 0;
    columns.for_each([&](std::int32_t c) {
        column_of[c] = static_cast<std::int32_t>(cut.vertices_.size());
        cut.vertices_.push_back(vertices_[c]);
        const std::int32_t f = front_of_[c];
        if (front_of[f] < 0) {
            front_of.at(f) = static_cast<std::int32_t>(cut.fronts_.size());
            cut.fronts_.push_back({.first = column_of[c], .origin = f});
            rows += static_cast<std::size_t>(fronts_[f].end_row - fronts_[f].first_row);
            entries += static_cast<std::size_t>(fronts_[f].end_entry - fronts_[f].first_entry);
        }
        cut.fronts_.back().end = column_of[c] + 1;
    });
    // All are written, and stay where both ends are active: a branch would often be missed.
    cut.rows_.resize(rows);
    cut.entries_.resize(entries);
    std::int32_t row_end = 0, entry_end = 0;
    for (Front& front : cut.fronts_) {
        const Front& whole = fronts_[front.origin];
        front.first_row = row_end;
        for (std::int32_t r = whole.first_row; r < whole.end_row; ++r) {
            const std::int32_t row = column_of[rows_[r]];
            cut.rows_[row_end] = row;
            row_end += row >= 0;
        }
        front.end_row = row_end;
        front.first_entry = entry_end;
        for (std::int32_t e = whole.first_entry; e < whole.end_entry; ++e) {
            const Entry& entry = entries_[e];
            const std::int32_t column = column_of[entry.column], row = column_of[entry.row];
            cut.entries_[entry_end] = {entry.edge, column, row};
            entry_end += (column >= 0) & (row >= 0);
        }
        front.end_entry = entry_end;
        // A front without columns is gone; its children go to the next one above that has some.
        std::int32_t parent = whole.parent;
        while (parent >= 0 && front_of[parent] < 0) parent = fronts_[parent].parent;
        front.parent = parent < 0 ? -1 : front_of[parent];
    }
    cut.rows_.resize(row_end);
    cut.entries_.resize(entry_end);
    columns.for_each([&](std::int32_t c) { column_of[c] = -1; });
    return cut;
}

double FrontTree::factor_size() const {
    double sum = 0.0;
    for (const Front& f : fronts_) {
        const double columns = f.end - f.first, rows = f.end_row - f.first_row;
        sum += columns * (columns + 1) / 2 + columns * rows;
    }
    return sum;
}

double FrontTree::multiplications() const {
    double sum = 0.0;
    for (const Front& f : fronts_) {
        for (std::int32_t c = f.first; c < f.end; ++c) {
            const double below = f.end - c - 1 + f.end_row - f.first_row;
            sum += below * (below + 3) / 2;
        }
    }
    return sum;
}

}  // namespace ductile
