// SPDX-License-Identifier: MIT
#include <ductile/geom/tri_mesh.h>
#include <ductile/sim/object_parts.h>

#include <algorithm>

namespace ductile {

std::size_t part_count(std::span<const std::int32_t> part_of_point) {
    std::int32_t last = -1;
    for (const std::int32_t part : part_of_point) {
        if (part < 0) return 0;
        last = std::max(last, part);
    }
    std::vector<std::uint8_t> is_there(static_cast<std::size_t>(last + 1), 0);
    for (const std::int32_t part : part_of_point) is_there[static_cast<std::size_t>(part)] = 1;
    const bool is_whole =
        std::all_of(is_there.begin(), is_there.end(), [](std::uint8_t is) { return is != 0; });
    return is_whole ? is_there.size() : 0;
}

std::int32_t part_of_piece(const Piece& piece, std::span<const std::int32_t> part_of_point) {
    std::vector<std::int32_t> parts;
    for (const std::int32_t v : piece.tracked) {
        parts.push_back(part_of_point[static_cast<std::size_t>(v)]);
    }
    std::sort(parts.begin(), parts.end());
    std::int32_t best = parts[0];
    std::ptrdiff_t most = 0;
    for (auto at = parts.begin(); at != parts.end();) {
        const auto end = std::upper_bound(at, parts.end(), *at);
        if (end - at > most) {
            most = end - at;
            best = *at;
        }
        at = end;
    }
    return best;
}

Result<std::vector<MassProperties>> part_masses(std::span<const Triangle> triangles,
                                                std::span<const Vec3> points,
                                                std::span<const std::int32_t> part_of_point,
                                                double mass) {
    const std::size_t count = part_count(part_of_point);
    // Each third of a triangle's mass at its corner's side, half way to the middle.
    struct Lump {
        Vec3 place;
        double area;
        std::size_t part;
    };
    std::vector<Lump> lumps;
    double area = 0.0;
    for (const Triangle& corners : triangles) {
        const double third = area_vector(points, corners).norm() / 3.0;
        const Vec3 middle = (points[corners[0]] + points[corners[1]] + points[corners[2]]) / 3.0;
        for (const std::int32_t v : corners) {
            lumps.push_back({0.5 * (points[v] + middle), third,
                             static_cast<std::size_t>(part_of_point[static_cast<std::size_t>(v)])});
            area += third;
        }
    }
    if (!(area > 0)) return Error{"the surface has no area", "", ""};
    std::vector<MassProperties> masses(count);
    for (MassProperties& m : masses) m = {0.0, Vec3::Zero(), Mat3::Zero()};
    for (const Lump& lump : lumps) {
        masses[lump.part].mass += lump.area / area * mass;
        masses[lump.part].centre_b += lump.area / area * mass * lump.place;
    }
    for (MassProperties& m : masses) {
        if (!(m.mass > 0)) return Error{"a part has no area", "", ""};
        m.centre_b /= m.mass;
    }
    for (const Lump& lump : lumps) {
        const Vec3 r = lump.place - masses[lump.part].centre_b;
        masses[lump.part].inertia_b +=
            lump.area / area * mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    return masses;
}

}  // namespace ductile
