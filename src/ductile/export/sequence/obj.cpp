// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/export/sequence/obj_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace ductile {
namespace {

bool all_finite(std::span<const Vec3> values) {
    return std::all_of(values.begin(), values.end(), [](const Vec3& v) { return is_finite(v); });
}

}  // namespace

Status write_obj(const SurfaceAsset& asset, std::span<const Vec3> points,
                 std::span<const Vec3> normals, const std::filesystem::path& path, ObjParts parts,
                 const Transform& to_file) {
    const RenderMesh& mesh = asset.render;
    if (points.size() != mesh.points.size() || normals.size() != points.size() ||
        (!mesh.uvs.empty() && mesh.uvs.size() != points.size())) {
        return Error{"points, normals and UVs differ in number", path.string(), ""};
    }
    if (!all_finite(points) || !all_finite(normals)) {
        return Error{"a point or normal is not finite", path.string(), ""};
    }
    std::filesystem::path library = path;
    library.replace_extension(".mtl");
    ObjMaterials materials(path.stem().string());
    std::string text = fmt::format("# ductile\nmtllib {}\n", library.filename().string());
    const WrittenVertices written(mesh);
    append_obj_vertices(text, mesh, written.points(points), normals, to_file);
    append_obj_faces(text, mesh, written, materials.add(mesh),
                     parts == ObjParts::Objects ? 'o' : 'g');
    if (Status done = materials.write(library); !done) return done;
    return write_file(path, text);
}

}  // namespace ductile
