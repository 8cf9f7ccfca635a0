// SPDX-License-Identifier: MIT
#include <ductile/asset/crease_normals.h>
#include <ductile/geom/repair/half_edge_pairs.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Angle-weighted sums below this are rounding noise [rad].
constexpr double kNoSum = 1e-9;

// A corner of the drawn mesh that cannot share the vertex it names.
struct Stranger {
    std::int32_t vertex, key, corner;
    friend bool operator<(const Stranger& a, const Stranger& b) {
        if (a.vertex != b.vertex) return a.vertex < b.vertex;
        return a.key != b.key ? a.key < b.key : a.corner < b.corner;
    }
};

class CreaseNormals {
public:
    CreaseNormals(const Mended& mended, std::span<const Triangle> places,
                  std::span<const std::uint8_t> lacks_normals, double crease_deg,
                  RenderMesh& render)
        : mended_(mended), places_(places), lacks_(lacks_normals), render_(render) {
        const double cosine = std::cos(std::min(crease_deg, 180.0) * kPi / 180.0);
        find_groups(cosine);
        sum_normals();
    }

    std::vector<std::int32_t> run() {
        std::vector<std::int32_t> source;
        claim_vertices();
        split_vertices(source);
        return source;
    }

private:
    // Corners around a point that are smooth together.
    void find_groups(double crease_cosine) {
        const TriMesh& surface = mended_.surface;
        normals_.resize(surface.triangles.size());
        for (std::size_t i = 0; i < normals_.size(); ++i) {
            normals_[i] = area_vector(surface.points, surface.triangles[i]).stableNormalized();
        }
        HalfEdgePairs smooth;
        smooth.across = mended_.across;
        for (std::size_t s = 0; s < smooth.across.size(); ++s) {
            const HalfEdge other = mended_.across[s];
            if (other < 0) continue;
            const Vec3 &a = normals_[s / 3], &b = normals_[other / 3];
            // A sliver has no direction to differ by.
            const bool is_smooth = a.isZero() || b.isZero() || a.dot(b) >= crease_cosine;
            if (!is_smooth) smooth.across[s] = -1;
        }
        const std::vector<std::uint8_t> all(surface.triangles.size(), 1);
        Fans fans = split_fans(surface.points.size(), surface.triangles, all, smooth);
        group_ = std::move(fans.corner_points);
        group_count_ = surface.points.size() + fans.copy_of.size();
    }

    void sum_normals() {
        const TriMesh& surface = mended_.surface;
        sums_.assign(group_count_, Vec3::Zero());
        for (std::size_t s = 0; s < group_.size(); ++s) {
            const auto side = static_cast<HalfEdge>(s);
            const Vec3& p = surface.points[start_of(surface.triangles, side)];
            const Vec3 u = surface.points[end_of(surface.triangles, side)] - p;
            const Vec3 v =
                surface.points[start_of(surface.triangles, previous_half_edge(side))] - p;
            sums_[group_[s]] += normals_[s / 3] * std::atan2(u.cross(v).norm(), u.dot(v));
        }
        for (Vec3& n : sums_) {
            const double length = n.norm();
            n = length > kNoSum ? Vec3(n / length) : Vec3(Vec3::UnitY());
        }
    }

    // The smooth group of a drawn corner, twice, and one more for its back; -1 if it has none.
    std::int32_t key_of_corner(std::int32_t face, int k) const {
        const FaceFate fate = mended_.faces.fate[face];
        const bool is_repeat = fate == FaceFate::Copy || fate == FaceFate::BackSide;
        const std::int32_t kept = is_repeat ? mended_.faces.original[face] : face;
        const std::int32_t i = mended_.face_surface[kept];
        if (i < 0) return -1;
        // A repeat may begin with another corner, and a turned face does: the places tell.
        for (HalfEdge s = 3 * i; s < 3 * i + 3; ++s) {
            const std::int32_t point = start_of(mended_.surface.triangles, s);
            if (mended_.point_source[point] != places_[face][k]) continue;
            return 2 * group_[s] + (fate == FaceFate::BackSide ? 1 : 0);
        }
        return -1;
    }

    Vec3 normal_of(std::int32_t key) const {
        return key % 2 == 0 ? sums_[key / 2] : Vec3(-sums_[key / 2]);
    }

    // The first corner of a vertex sets its normal; corners of other groups must leave it.
    void claim_vertices() {
        std::vector<std::int32_t> owner(render_.points.size(), -1);
        for (std::size_t p = 0; p < render_.parts.size(); ++p) {
            if (!lacks_[p]) continue;
            const MeshPart& part = render_.parts[p];
            for (std::int32_t f = part.first_triangle;
                 f < part.first_triangle + part.triangle_count; ++f) {
                for (int k = 0; k < 3; ++k) claim(f, k, owner);
            }
        }
        std::sort(strangers_.begin(), strangers_.end());
    }

    void claim(std::int32_t face, int k, std::vector<std::int32_t>& owner) {
        const std::int32_t key = key_of_corner(face, k);
        if (key < 0) return;
        const std::int32_t vertex = render_.triangles[face][k];
        if (owner[vertex] < 0) {
            owner[vertex] = key;
            render_.normals[vertex] = normal_of(key);
        } else if (owner[vertex] != key) {
            strangers_.push_back({vertex, key, 3 * face + k});
        }
    }

    // Strangers come sorted by vertex and so by part: each part's copies follow its vertices.
    void split_vertices(std::vector<std::int32_t>& source) {
        std::vector<std::int32_t> new_name(strangers_.size());
        std::vector<Vec3> normals;
        std::size_t next = 0;
        for (MeshPart& part : render_.parts) {
            const auto shift = static_cast<std::int32_t>(source.size()) - part.first_vertex;
            const std::int32_t end = part.first_vertex + part.vertex_count;
            for (std::int32_t v = part.first_vertex; v < end; ++v) {
                source.push_back(v);
                normals.push_back(render_.normals[v]);
            }
            const std::size_t first = next;
            for (; next < strangers_.size() && strangers_[next].vertex < end; ++next) {
                const Stranger& s = strangers_[next];
                const bool is_new = next == first || strangers_[next - 1].vertex != s.vertex ||
                                    strangers_[next - 1].key != s.key;
                if (is_new) {
                    source.push_back(s.vertex);
                    normals.push_back(normal_of(s.key));
                }
                new_name[next] = static_cast<std::int32_t>(source.size() - 1);
            }
            for (std::int32_t f = part.first_triangle;
                 f < part.first_triangle + part.triangle_count; ++f) {
                for (std::int32_t& v : render_.triangles[f]) v += shift;
            }
            part.first_vertex += shift;
            part.vertex_count = static_cast<std::int32_t>(source.size()) - part.first_vertex;
        }
        for (std::size_t i = 0; i < strangers_.size(); ++i) {
            render_.triangles[strangers_[i].corner / 3][strangers_[i].corner % 3] = new_name[i];
        }
        if (!strangers_.empty()) gather(source);
        render_.normals = std::move(normals);
    }

    void gather(std::span<const std::int32_t> source) {
        FileVertices& file = render_.file_vertices;
        if (file.empty()) {
            file.points = render_.points;
            file.of_drawn.resize(render_.points.size());
            std::iota(file.of_drawn.begin(), file.of_drawn.end(), 0);
        }
        const auto pick = [&](auto& values) {
            if (values.empty()) return;
            auto picked = values;
            picked.clear();
            for (const std::int32_t v : source) picked.push_back(values[v]);
            values = std::move(picked);
        };
        pick(render_.points);
        pick(render_.uvs);
        pick(render_.colours);
        pick(file.of_drawn);
    }

    const Mended& mended_;
    std::span<const Triangle> places_;
    std::span<const std::uint8_t> lacks_;
    RenderMesh& render_;
    std::vector<Vec3> normals_;        // Per surface triangle.
    std::vector<std::int32_t> group_;  // Per corner of the surface.
    std::size_t group_count_ = 0;
    std::vector<Vec3> sums_;  // Per group: its unit normal.
    std::vector<Stranger> strangers_;
};

// Angle-weighted over the drawn faces, or +y.
void fill_missing(RenderMesh& render) {
    const bool is_missing = std::any_of(render.normals.begin(), render.normals.end(),
                                        [](const Vec3& n) { return n.isZero(0.0); });
    if (!is_missing) return;
    const std::vector<Vec3> smooth = vertex_normals(render.points, render.triangles);
    for (std::size_t v = 0; v < smooth.size(); ++v) {
        if (render.normals[v].isZero(0.0)) render.normals[v] = smooth[v];
    }
}

}  // namespace

std::vector<std::int32_t> add_normals(const Mended& mended, std::span<const Triangle> places,
                                      std::span<const std::uint8_t> lacks_normals,
                                      double crease_deg, RenderMesh& render) {
    std::vector<std::int32_t> source;
    if (std::find(lacks_normals.begin(), lacks_normals.end(), 1) != lacks_normals.end()) {
        source = CreaseNormals(mended, places, lacks_normals, crease_deg, render).run();
    } else {
        source.resize(render.points.size());
        std::iota(source.begin(), source.end(), 0);
    }
    fill_missing(render);
    return source;
}

}  // namespace ductile
