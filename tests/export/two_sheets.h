// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <memory>

namespace ductile::sample {

/// Two squares in the plane z = 0, a part each of four points and two triangles: "left" about the
/// origin, "right" 3 m beside it.
inline std::shared_ptr<SurfaceAsset> two_sheets() {
    auto asset = std::make_shared<SurfaceAsset>();
    RenderMesh& render = asset->render;
    render.looks = {Look{"paint"}};
    for (std::int32_t part = 0; part < 2; ++part) {
        const std::int32_t first = 4 * part;
        for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)}) {
            asset->anchors.push_back(
                SurfaceAnchor::on_point(static_cast<std::int32_t>(render.points.size())));
            render.points.push_back(p + Vec3(3 * part, 0, 0));
            render.normals.emplace_back(0, 0, 1);
            render.uvs.emplace_back(p.x(), p.y());
        }
        render.triangles.push_back({first, first + 1, first + 2});
        render.triangles.push_back({first, first + 2, first + 3});
        render.parts.push_back({part == 0 ? "left" : "right", -1, 2 * part, 2, first, 4});
    }
    render.triangle_looks.assign(4, 0);
    asset->surface.points = render.points;
    asset->surface.triangles = render.triangles;
    return asset;
}

}  // namespace ductile::sample
