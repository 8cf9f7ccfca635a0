// SPDX-License-Identifier: MIT
// Greg Turk 1994, "The PLY Polygon File Format".
#include <ductile/core/assert.h>
#include <ductile/core/file.h>
#include <ductile/export/sequence/ply_buffer.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/skin/render_skin.h>

#include <fmt/format.h>

namespace ductile {
namespace {

std::string ply_header(const RenderMesh& mesh, const WrittenVertices& written) {
    std::string text =
        "ply\nformat binary_little_endian 1.0\ncomment made by ductile\n"
        "comment units: metres\ncomment up axis: y\n";
    text += fmt::format("element vertex {}\n", written.count());
    const auto add = [&](const char* type, std::initializer_list<const char*> names) {
        for (const char* name : names) text += fmt::format("property {} {}\n", type, name);
    };
    add("float", {"x", "y", "z", "nx", "ny", "nz"});
    if (!mesh.uvs.empty()) add("float", {"s", "t"});
    if (!mesh.colours.empty()) add("uchar", {"red", "green", "blue", "alpha"});
    add("float", {"dent_depth", "strain", "scratch_x", "scratch_y", "scratch_z"});
    text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n",
                        mesh.triangles.size());
    if (has_seams(mesh, written)) text += kPlyCornerUvs;
    return text + "end_header\n";
}

Status check_counts(const RenderMesh& mesh, std::span<const Vec3> points,
                    std::span<const Vec3> normals, const DamageMap& damage) {
    const std::size_t n = mesh.points.size();
    const bool is_whole = points.size() == n && normals.size() == n &&
                          (mesh.uvs.empty() || mesh.uvs.size() == n) &&
                          (mesh.colours.empty() || mesh.colours.size() == n);
    if (!is_whole) return Error{"points, normals, UVs and colours differ in number", "", ""};
    if (damage.depth.size() != n || damage.strain.size() != n || damage.scratch.size() != n) {
        return Error{"points and their damage differ in number", "", ""};
    }
    if (mesh.triangles.empty()) return Error{"there is no triangle", "", ""};
    if (!has_valid_indices(n, mesh.triangles)) {
        return Error{"a triangle names a vertex that does not exist", "", ""};
    }
    return {};
}

void append_vertices(const RenderMesh& mesh, const WrittenVertices& written,
                     std::span<const Vec3> points, std::span<const Vec3> normals,
                     const DamageMap& damage, PlyBuffer& body) {
    const auto pick = [&]<class T>(const std::vector<T>& values, const T& none) {
        return written.pick(std::span<const T>(values), [&](std::size_t) { return none; });
    };
    const std::vector<Vec3> places = written.points(points), ways = written.normals(normals);
    const std::vector<Vec3> scratch = pick(damage.scratch, Vec3(0, 0, 0));
    const std::vector<double> depth = pick(damage.depth, 0.0), strain = pick(damage.strain, 0.0);
    std::vector<Vec2> uvs;
    std::vector<Vec4> colours;
    if (!mesh.uvs.empty()) uvs = pick(mesh.uvs, Vec2(0, 1));
    if (!mesh.colours.empty()) colours = pick(mesh.colours, Vec4(1, 1, 1, 1));
    for (std::size_t i = 0; i < places.size(); ++i) {
        body.add_all(places[i]);
        body.add_all(ways[i]);
        if (!uvs.empty()) body.add_all(Vec2(uvs[i].x(), 1.0 - uvs[i].y()));
        if (!colours.empty()) {
            for (int k = 0; k < 3; ++k) body.add_level(colours[i][k]);
            body.add_byte(colours[i][3]);
        }
        body.add(depth[i]);
        body.add(strain[i]);
        body.add_all(scratch[i]);
    }
}

}  // namespace

Result<std::string> ply_bytes(const SurfaceAsset& asset, std::span<const Vec3> points,
                              std::span<const Vec3> normals, const DamageMap& damage) {
    const RenderMesh& mesh = asset.render;
    if (Status fine = check_counts(mesh, points, normals, damage); !fine) return fine.error();
    const WrittenVertices written(mesh);
    PlyBuffer body(ply_header(mesh, written));
    append_vertices(mesh, written, points, normals, damage, body);
    const bool has_corner_uvs = has_seams(mesh, written);
    for (const Triangle& t : mesh.triangles) {
        body.add({written.of_drawn(t[0]), written.of_drawn(t[1]), written.of_drawn(t[2])});
        if (has_corner_uvs) body.add_uvs(mesh.uvs, t);
    }
    if (!body.all_fit()) {
        return Error{"a number is not finite, or fits into no float", "", ""};
    }
    return body.take();
}

Status write_final_ply(const Recording& recording, std::size_t body,
                       const std::filesystem::path& path) {
    const auto refused = [&](Error error) {
        error.where = error.where.empty() ? path.string() : path.string() + ", " + error.where;
        return error;
    };
    DUCTILE_ASSERT(body < recording.bodies.size(), "an existing body");
    const std::vector<Vec3>* surface = damaged_surface(recording, body);
    if (!surface) return refused({"the body has no shape but the one at rest", "", ""});
    const std::shared_ptr<const SurfaceAsset>& asset = recording.bodies[body].asset;
    std::vector<Vec3> points, normals;
    RenderSkin(asset).pose(*surface, points, normals);
    Result<std::string> bytes = ply_bytes(*asset, points, normals, final_damage(recording, body));
    if (!bytes) return refused(bytes.error());
    return write_file(path, bytes.value());
}

}  // namespace ductile
