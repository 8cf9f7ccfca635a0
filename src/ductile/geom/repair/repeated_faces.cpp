// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/repair/repeated_faces.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace ductile {
namespace {

constexpr std::size_t kFaceGrain = 2048;

// A face by its points in ascending order.
struct FaceKey {
    std::int32_t middle, high, face;
    bool is_even;  // Whether ascending order is the face's own sense.

    bool same_points(const FaceKey& o) const { return middle == o.middle && high == o.high; }
    friend bool operator<(const FaceKey& a, const FaceKey& b) {
        if (a.middle != b.middle) return a.middle < b.middle;
        if (a.high != b.high) return a.high < b.high;
        return a.face < b.face;
    }
};

bool is_collapsed(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// The lowest point comes first in the face as it is turned here, which keeps its sense.
std::pair<std::int32_t, FaceKey> key_of_face(const Triangle& t, std::int32_t face) {
    const auto k = std::min_element(t.begin(), t.end()) - t.begin();
    const std::int32_t b = t[(k + 1) % 3], c = t[(k + 2) % 3];
    return {t[k], {std::min(b, c), std::max(b, c), face, b < c}};
}

// Drops patches of two-sided faces that close nothing.
void find_fins(std::size_t point_count, std::span<const Triangle> triangles,
               std::span<const std::uint8_t> has_back, FaceFates& faces) {
    std::vector<std::uint8_t> is_kept(triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        is_kept[f] = faces.fate[f] == FaceFate::Kept;
    }
    const EdgeUses edges(point_count, triangles, is_kept);
    JoinedSets patches(triangles.size());
    // Sides of two-sided faces at edges that are whole, or lack one face, without them.
    std::vector<std::int32_t> whole(triangles.size(), 0), lacking(triangles.size(), 0);
    edges.for_each([&](std::int32_t, std::span<const EdgeUses::Use> uses) {
        std::int32_t first = -1, others = 0;
        for (const EdgeUses::Use& use : uses) {
            const std::int32_t f = use.half_edge / 3;
            if (!has_back[f]) {
                ++others;
            } else if (first < 0) {
                first = f;
            } else {
                patches.join(f, first);
            }
        }
        if (first >= 0 && others >= 2) ++whole[first];
        if (first >= 0 && others == 1) ++lacking[first];
    });
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const std::int32_t root = patches.of(static_cast<std::int32_t>(f));
        if (root == static_cast<std::int32_t>(f)) continue;
        whole[root] += whole[f];
        lacking[root] += lacking[f];
    }
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const std::int32_t kept = is_kept[f] ? static_cast<std::int32_t>(f) : faces.original[f];
        if (kept < 0 || !has_back[kept]) continue;
        const std::int32_t root = patches.of(kept);
        if (whole[root] > lacking[root]) faces.fate[f] = FaceFate::Fin;
    }
}

}  // namespace

FaceFates find_repeated_faces(std::size_t point_count, std::span<const Triangle> triangles) {
    FaceFates faces;
    faces.fate.assign(triangles.size(), FaceFate::Kept);
    faces.original.assign(triangles.size(), -1);
    // Faces by their lowest point, sorted by counting.
    std::vector<std::int32_t> start(point_count + 1, 0);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        if (is_collapsed(triangles[f])) {
            faces.fate[f] = FaceFate::Collapsed;
        } else {
            ++start[*std::min_element(triangles[f].begin(), triangles[f].end()) + 1];
        }
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<FaceKey> keys(start.back());
    std::vector<std::int32_t> next(start.begin(), start.end() - 1);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        if (faces.fate[f] == FaceFate::Collapsed) continue;
        const auto [low, key] = key_of_face(triangles[f], static_cast<std::int32_t>(f));
        keys[next[low]++] = key;
    }
    std::vector<std::uint8_t> has_back(triangles.size(), 0);
    parallel_for(point_count, kFaceGrain, [&](std::size_t low) {
        const std::span<FaceKey> mine(keys.data() + start[low], start[low + 1] - start[low]);
        std::sort(mine.begin(), mine.end());
        for (std::size_t i = 1, first = 0; i < mine.size(); ++i) {
            if (!mine[i].same_points(mine[first])) {
                first = i;
                continue;
            }
            const bool is_copy = mine[i].is_even == mine[first].is_even;
            faces.fate[mine[i].face] = is_copy ? FaceFate::Copy : FaceFate::BackSide;
            faces.original[mine[i].face] = mine[first].face;
            if (!is_copy) has_back[mine[first].face] = 1;
        }
    });
    if (std::find(has_back.begin(), has_back.end(), 1) != has_back.end()) {
        find_fins(point_count, triangles, has_back, faces);
    }
    return faces;
}

}  // namespace ductile
