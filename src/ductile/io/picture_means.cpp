// SPDX-License-Identifier: MIT
#include <ductile/io/picture_means.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

// Where a triangle is looked at: its middle, and halfway to its corners.
constexpr std::array<std::array<double, 3>, 4> kPlaces = {{{1.0 / 3, 1.0 / 3, 1.0 / 3},
                                                           {2.0 / 3, 1.0 / 6, 1.0 / 6},
                                                           {1.0 / 6, 2.0 / 3, 1.0 / 6},
                                                           {1.0 / 6, 1.0 / 6, 2.0 / 3}}};

Vec3 pixel_at(const RgbaImage& picture, const Vec2& uv) {
    const auto place = [](double share, std::int32_t count) {
        const double within = share - std::floor(share);
        return std::min(static_cast<std::int32_t>(within * count), count - 1);
    };
    const std::size_t x = static_cast<std::size_t>(place(uv.x(), picture.width));
    const std::size_t y = static_cast<std::size_t>(place(uv.y(), picture.height));
    const std::uint8_t* p =
        picture.rgba.data() + 4 * (y * static_cast<std::size_t>(picture.width) + x);
    return Vec3(p[0], p[1], p[2]) / 255.0;
}

}  // namespace

std::optional<Vec3> picture_mean(const RgbaImage& picture, std::span<const ModelMesh> meshes,
                                 std::int32_t look) {
    Vec3 sum = Vec3::Zero();
    double areas = 0.0;
    for (const ModelMesh& mesh : meshes) {
        if (mesh.uvs.empty()) continue;
        for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
            if (mesh.triangle_looks[f] != look) continue;
            const Triangle& t = mesh.triangles[f];
            const double area = area_vector(mesh.points, t).norm();
            if (!(area > 0) || !std::isfinite(area)) continue;
            for (const std::array<double, 3>& w : kPlaces) {
                const Vec2 uv =
                    w[0] * mesh.uvs[t[0]] + w[1] * mesh.uvs[t[1]] + w[2] * mesh.uvs[t[2]];
                if (!uv.allFinite()) continue;
                sum += area * pixel_at(picture, uv);
                areas += area;
            }
        }
    }
    if (!(areas > 0)) return std::nullopt;
    return Vec3(sum / areas);
}

void add_picture_means(const PictureMeans& means, Look& look) {
    if (means.metal) {
        look.roughness *= means.metal->y();
        look.metallic *= means.metal->z();
    }
    if (means.occlusion) {
        look.base_colour *= 1.0 - means.occlusion_strength * (1.0 - means.occlusion->x());
    }
}

}  // namespace ductile
