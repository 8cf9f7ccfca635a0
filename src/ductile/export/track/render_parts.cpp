// SPDX-License-Identifier: MIT
#include <ductile/export/track/render_parts.h>

#include <algorithm>
#include <map>

namespace ductile {
namespace {

RenderPart gather_part(std::int32_t look, std::vector<Triangle> triangles) {
    RenderPart part;
    part.look = look;
    part.triangles = std::move(triangles);
    part.vertices.reserve(3 * part.triangles.size());
    for (const Triangle& t : part.triangles) {
        part.vertices.insert(part.vertices.end(), t.begin(), t.end());
    }
    std::sort(part.vertices.begin(), part.vertices.end());
    part.vertices.erase(std::unique(part.vertices.begin(), part.vertices.end()),
                        part.vertices.end());
    for (Triangle& t : part.triangles) {
        for (std::int32_t& v : t) {
            const auto place = std::lower_bound(part.vertices.begin(), part.vertices.end(), v);
            v = static_cast<std::int32_t>(place - part.vertices.begin());
        }
    }
    return part;
}

}  // namespace

std::vector<RenderPart> split_by_look(const RenderMesh& mesh, const MeshPart& part) {
    std::map<std::int32_t, std::vector<Triangle>> by_look;
    for (std::int32_t i = 0; i < part.triangle_count; ++i) {
        const std::int32_t t = part.first_triangle + i;
        by_look[mesh.triangle_looks[t]].push_back(mesh.triangles[t]);
    }
    std::vector<RenderPart> parts;
    for (auto& [look, triangles] : by_look) {
        parts.push_back(gather_part(look, std::move(triangles)));
    }
    return parts;
}

std::vector<RenderPart> split_by_look(const RenderMesh& mesh) {
    MeshPart all;
    all.triangle_count = static_cast<std::int32_t>(mesh.triangles.size());
    all.vertex_count = static_cast<std::int32_t>(mesh.points.size());
    return split_by_look(mesh, all);
}

}  // namespace ductile
