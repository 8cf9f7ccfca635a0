// SPDX-License-Identifier: MIT
#include <ductile/export/render_parts.h>

namespace ductile {

std::vector<RenderPart> split_by_look(const RenderMesh& mesh) {
    std::vector<std::vector<Triangle>> by_look(mesh.looks.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        by_look[mesh.triangle_looks[t]].push_back(mesh.triangles[t]);
    }
    std::vector<RenderPart> parts;
    for (std::size_t look = 0; look < by_look.size(); ++look) {
        if (by_look[look].empty()) continue;
        RenderPart part;
        part.look = static_cast<std::int32_t>(look);
        std::vector<std::int32_t> place(mesh.points.size(), -1);
        for (const Triangle& t : by_look[look]) {
            for (const std::int32_t v : t) place[v] = 0;
        }
        for (std::size_t v = 0; v < place.size(); ++v) {
            if (place[v] < 0) continue;
            place[v] = static_cast<std::int32_t>(part.vertices.size());
            part.vertices.push_back(static_cast<std::int32_t>(v));
        }
        part.triangles = std::move(by_look[look]);
        for (Triangle& t : part.triangles) {
            for (std::int32_t& v : t) v = place[v];
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace ductile
