// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/track/written_vertices.h>
#include <ductile/geom/tri_mesh.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace ductile {

static_assert(std::endian::native == std::endian::little, "numbers are written as they stand");

/// Whether copies of a vertex differ in their texture coordinates, so that corners need their own.
inline bool has_seams(const RenderMesh& mesh, const WrittenVertices& written) {
    if (mesh.uvs.empty() || written.are_drawn()) return false;
    const std::vector<Vec2> first =
        written.pick(std::span<const Vec2>(mesh.uvs), [](std::size_t) { return Vec2(0, 0); });
    for (std::size_t v = 0; v < mesh.uvs.size(); ++v) {
        if (mesh.uvs[v] != first[written.of_drawn(static_cast<std::int32_t>(v))]) return true;
    }
    return false;
}
inline constexpr const char* kPlyCornerUvs = "property list uchar float texcoord\n";

/// Bytes of a little-endian PLY file in the making; remembers whether a number did not fit.
class PlyBuffer {
public:
    explicit PlyBuffer(std::string header = "") : bytes_(std::move(header)) {}

    void add(double value) {
        all_fit_ = all_fit_ && std::abs(value) <= std::numeric_limits<float>::max();  // NaN: no
        append(static_cast<float>(value));
    }
    template <class Vector>
    void add_all(const Vector& v) {
        for (Eigen::Index i = 0; i < v.size(); ++i) add(v[i]);
    }
    /// A share of light as screens have it.
    void add_level(double light) {
        const double x = std::clamp(light, 0.0, 1.0);
        const double level = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
        add_byte(level);
    }
    void add_byte(double share) {
        append(static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(share, 0.0, 1.0))));
    }
    void add_index(std::int32_t index) { append(index); }
    void add(const Triangle& t) {
        append(std::uint8_t(3));
        for (const std::int32_t v : t) append(v);
    }
    /// The texture coordinates of a triangle's corners; (0, 0) is below.
    void add_uvs(const std::vector<Vec2>& uvs, const Triangle& t) {
        append(std::uint8_t(6));
        for (const std::int32_t v : t) {
            add_all(uvs.empty() ? Vec2(0, 0) : Vec2(uvs[v].x(), 1.0 - uvs[v].y()));
        }
    }
    bool all_fit() const { return all_fit_; }
    std::string take() { return std::move(bytes_); }

private:
    template <class T>
    void append(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        bytes_.append(raw, sizeof(T));
    }
    std::string bytes_;
    bool all_fit_ = true;
};

}  // namespace ductile
