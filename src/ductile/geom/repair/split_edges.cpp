// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/repair/split_edges.h>

#include <algorithm>
#include <map>
#include <optional>

namespace ductile {
namespace {

/// Where an edge is among those marked; -1 if it is not.
std::int32_t mark_of(std::span<const MeshEdge> marked, std::int32_t a, std::int32_t b) {
    const MeshEdge edge = {std::min(a, b), std::max(a, b)};
    const auto at = std::lower_bound(marked.begin(), marked.end(), edge);
    return at != marked.end() && *at == edge ? static_cast<std::int32_t>(at - marked.begin()) : -1;
}

/// The parts of a triangle with a point on some of its sides: `middles[k]` lies on the side from
/// corner k to the next, -1 for none. `length_sq(a, b)` chooses the diagonal.
template <class LengthSq>
void cut_triangle(const Triangle& t, const Triangle& middles, LengthSq&& length_sq,
                  std::vector<Triangle>& parts) {
    const int count = (middles[0] >= 0) + (middles[1] >= 0) + (middles[2] >= 0);
    if (count == 0) {
        parts.push_back(t);
        return;
    }
    if (count == 3) {
        for (int k = 0; k < 3; ++k) parts.push_back({t[k], middles[k], middles[(k + 2) % 3]});
        parts.push_back(middles);
        return;
    }
    // Turned so that side 0 is the marked one, or side 2 the one that is not.
    int first = 0;
    for (int k = 0; k < 3; ++k) {
        if (count == 1 ? middles[k] >= 0 : middles[(k + 2) % 3] < 0) first = k;
    }
    const std::int32_t a = t[first], b = t[(first + 1) % 3], c = t[(first + 2) % 3];
    const std::int32_t m = middles[first], n = middles[(first + 1) % 3];
    if (count == 1) {
        parts.push_back({a, m, c});
        parts.push_back({m, b, c});
        return;
    }
    parts.push_back({m, b, n});
    if (length_sq(a, n) <= length_sq(m, c)) {
        parts.push_back({a, m, n});
        parts.push_back({a, n, c});
    } else {
        parts.push_back({a, m, c});
        parts.push_back({m, n, c});
    }
}

/// The points of the surface that a drawn triangle's corners are, if they are points of it.
std::optional<Triangle> anchored_to(const SurfaceAsset& asset, const Triangle& drawn) {
    Triangle corners{};
    for (int k = 0; k < 3; ++k) {
        const SurfaceAnchor& anchor = asset.anchors[drawn[k]];
        int at = -1;
        for (int i = 0; i < 3; ++i) {
            if (anchor.weights[i] == 1.0) at = i;
        }
        if (at < 0) return std::nullopt;
        corners[k] = anchor.points[at];
    }
    return corners;
}

/// Builds the drawn mesh of a split asset, part by part: a part's vertices stay together.
class RenderSplitter {
public:
    RenderSplitter(const SurfaceAsset& asset, std::span<const MeshEdge> marked)
        : asset_(asset), old_(asset.render), marked_(marked) {
        made_.render.looks = old_.looks;
    }

    SurfaceAsset run() {
        std::vector<MeshPart> parts = old_.parts;
        const bool is_one = parts.empty();
        if (is_one) {
            parts.push_back({"", -1, 0, static_cast<std::int32_t>(old_.triangles.size()), 0,
                             static_cast<std::int32_t>(old_.points.size())});
        }
        keep_file_vertices(parts.size());
        for (const MeshPart& part : parts) add_part(part);
        if (is_one) made_.render.parts.clear();
        return std::move(made_);
    }

private:
    // The file's own stay the first, in their order. New ones of one part just follow them.
    void keep_file_vertices(std::size_t part_count) {
        made_.render.file_vertices.points = old_.file_vertices.points;
        has_file_vertices_ = !old_.file_vertices.empty() || part_count > 1;
        if (has_file_vertices_ && old_.file_vertices.empty()) {
            made_.render.file_vertices.points = old_.points;
        }
    }

    std::int32_t file_vertex(std::int32_t v) const {
        return old_.file_vertices.empty() ? v : old_.file_vertices.of_drawn[v];
    }

    // Halfway between two of the file's; one for both sides of a seam.
    std::int32_t file_middle(std::int32_t a, std::int32_t b, const Vec3& place) {
        const std::int32_t p = file_vertex(a), q = file_vertex(b);
        if (p == q) return p;
        std::vector<Vec3>& points = made_.render.file_vertices.points;
        const auto [at, is_new] = file_middles_.try_emplace(
            {std::min(p, q), std::max(p, q)}, static_cast<std::int32_t>(points.size()));
        if (is_new) points.push_back(place);
        return at->second;
    }

    void add_part(const MeshPart& part) {
        RenderMesh& to = made_.render;
        MeshPart now = part;
        now.first_vertex = static_cast<std::int32_t>(to.points.size());
        now.first_triangle = static_cast<std::int32_t>(to.triangles.size());
        shift_ = now.first_vertex - part.first_vertex;
        middles_.clear();
        for (std::int32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            add_vertex(v, v, asset_.anchors[v]);
        }
        for (std::int32_t f = part.first_triangle; f < part.first_triangle + part.triangle_count;
             ++f) {
            add_triangle(f);
        }
        now.vertex_count = static_cast<std::int32_t>(to.points.size()) - now.first_vertex;
        now.triangle_count = static_cast<std::int32_t>(to.triangles.size()) - now.first_triangle;
        to.parts.push_back(now);
    }

    void add_vertex(std::int32_t a, std::int32_t b, const SurfaceAnchor& anchor) {
        RenderMesh& to = made_.render;
        to.points.push_back(a == b ? old_.points[a]
                                   : Vec3(0.5 * (old_.points[a] + old_.points[b])));
        if (has_file_vertices_) {
            to.file_vertices.of_drawn.push_back(file_middle(a, b, to.points.back()));
        }
        add_normal(a, b);
        if (!old_.uvs.empty()) {
            to.uvs.push_back(a == b ? old_.uvs[a] : Vec2(0.5 * (old_.uvs[a] + old_.uvs[b])));
        }
        if (!old_.colours.empty()) {
            to.colours.push_back(a == b ? old_.colours[a]
                                        : Vec4(0.5 * (old_.colours[a] + old_.colours[b])));
        }
        made_.anchors.push_back(anchor);
    }

    double normal_length(std::int32_t v) const {
        return old_.normal_lengths.empty() ? 1.0 : old_.normal_lengths[v];
    }

    // Halfway before it is made unit length. Halfway between unit ones, split after split, would
    // turn evenly along an edge, which light between two corners does not.
    void add_normal(std::int32_t a, std::int32_t b) {
        RenderMesh& to = made_.render;
        const Vec3 middle =
            0.5 * (normal_length(a) * old_.normals[a] + normal_length(b) * old_.normals[b]);
        const double length = middle.norm();
        const bool is_kept = a == b || !(length > 0);
        to.normals.push_back(is_kept ? old_.normals[a] : Vec3(middle / length));
        to.normal_lengths.push_back(is_kept ? normal_length(a) : length);
    }

    void add_triangle(std::int32_t f) {
        const Triangle& t = old_.triangles[f];
        Triangle middles = {-1, -1, -1};
        if (const auto corners = anchored_to(asset_, t)) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t mark = mark_of(marked_, (*corners)[k], (*corners)[(k + 1) % 3]);
                if (mark >= 0) middles[k] = middle(t[k], t[(k + 1) % 3], mark);
            }
        }
        const Triangle shifted = {t[0] + shift_, t[1] + shift_, t[2] + shift_};
        cut_triangle(
            shifted, middles,
            [&](std::int32_t a, std::int32_t b) {
                return (made_.render.points[a] - made_.render.points[b]).squaredNorm();
            },
            made_.render.triangles);
        made_.render.triangle_looks.resize(made_.render.triangles.size(), old_.triangle_looks[f]);
    }

    std::int32_t middle(std::int32_t a, std::int32_t b, std::int32_t mark) {
        const auto [at, is_new] =
            middles_.try_emplace({std::min(a, b), std::max(a, b)},
                                 static_cast<std::int32_t>(made_.render.points.size()));
        if (is_new) {
            const auto made = static_cast<std::int32_t>(asset_.surface.points.size()) + mark;
            add_vertex(std::min(a, b), std::max(a, b), SurfaceAnchor::on_point(made));
        }
        return at->second;
    }

    const SurfaceAsset& asset_;
    const RenderMesh& old_;
    std::span<const MeshEdge> marked_;
    std::int32_t shift_ = 0;  ///< Of the part's vertices.
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles_, file_middles_;
    bool has_file_vertices_ = false;
    SurfaceAsset made_;
};

}  // namespace

std::vector<MeshEdge> longer_edges(const TriMesh& mesh, double length) {
    std::vector<MeshEdge> edges;
    EdgeUses(mesh.points.size(), mesh.triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            const std::int32_t high = uses[0].high;
            if ((mesh.points[low] - mesh.points[high]).squaredNorm() > length * length) {
                edges.push_back({low, high});
            }
        });
    std::sort(edges.begin(), edges.end());
    return edges;
}

std::vector<std::int32_t> split_sources(std::span<const Triangle> triangles,
                                        std::span<const MeshEdge> marked) {
    std::vector<std::int32_t> sources;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        std::size_t parts = 1;
        for (int k = 0; k < 3; ++k) parts += mark_of(marked, t[k], t[(k + 1) % 3]) >= 0;
        sources.resize(sources.size() + parts, static_cast<std::int32_t>(f));
    }
    return sources;
}

SplitMesh split_edges(const TriMesh& mesh, std::span<const MeshEdge> marked) {
    DUCTILE_ASSERT(std::is_sorted(marked.begin(), marked.end()), "edges ascend");
    SplitMesh split;
    split.mesh.points = mesh.points;
    split.parents.assign(marked.begin(), marked.end());
    for (const MeshEdge& e : marked) {
        split.mesh.points.push_back(0.5 * (mesh.points[e[0]] + mesh.points[e[1]]));
    }
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    for (const Triangle& t : mesh.triangles) {
        Triangle middles = {-1, -1, -1};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t mark = mark_of(marked, t[k], t[(k + 1) % 3]);
            if (mark >= 0) middles[k] = first + mark;
        }
        cut_triangle(
            t, middles,
            [&](std::int32_t a, std::int32_t b) {
                return (split.mesh.points[a] - split.mesh.points[b]).squaredNorm();
            },
            split.mesh.triangles);
    }
    split.sources = split_sources(mesh.triangles, marked);
    return split;
}

SurfaceAsset split_edges(const SurfaceAsset& asset, std::span<const MeshEdge> marked) {
    DUCTILE_ASSERT(asset.render.normal_lengths.empty() ||
                       asset.render.normal_lengths.size() == asset.render.normals.size(),
                   "a length per normal, or none");
    SplitMesh split = split_edges(asset.surface, marked);
    SurfaceAsset made = RenderSplitter(asset, marked).run();
    made.riders = asset.riders;
    made.is_rigid = asset.is_rigid;
    if (!made.is_rigid.empty()) {
        for (const MeshEdge& e : marked) {
            made.is_rigid.push_back(asset.is_rigid[e[0]] && asset.is_rigid[e[1]]);
        }
    }
    made.attributes = asset.attributes;
    for (PointAttribute& attribute : made.attributes) {
        for (const MeshEdge& e : marked) {
            attribute.values.push_back(0.5 * (attribute.values[e[0]] + attribute.values[e[1]]));
        }
    }
    if (!asset.is_sheet.empty()) {
        for (const std::int32_t source : split.sources) {
            made.is_sheet.push_back(asset.is_sheet[source]);
        }
    }
    made.surface = std::move(split.mesh);
    return made;
}

}  // namespace ductile
