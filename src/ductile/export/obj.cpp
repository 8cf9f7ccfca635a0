// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/obj.h>
#include <ductile/export/render_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace ductile {
namespace {

// Nine digits give a float back; both file kinds end a name at white space.
std::string material_name(const RenderMesh& mesh, std::int32_t look) {
    std::string name = mesh.looks[look].name;
    for (char& c : name) {
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    }
    return fmt::format("{}_{}", name, look);  // looks may share a name
}

std::string material_text(const RenderMesh& mesh) {
    std::string text = "# ductile\n";
    for (std::size_t i = 0; i < mesh.looks.size(); ++i) {
        const Look& look = mesh.looks[i];
        const Vec3& c = look.base_colour;
        text +=
            fmt::format("\nnewmtl {}\nKd {:.9g} {:.9g} {:.9g}\nd {:.9g}\nPm {:.9g}\nPr {:.9g}\n",
                        material_name(mesh, static_cast<std::int32_t>(i)), c.x(), c.y(), c.z(),
                        look.opacity, look.metallic, look.roughness);
    }
    return text;
}

void append_triangles(std::string& text, const RenderMesh& mesh) {
    const bool has_uvs = !mesh.uvs.empty();
    for (const RenderPart& part : split_by_look(mesh)) {
        text += fmt::format("usemtl {}\n", material_name(mesh, part.look));
        for (const Triangle& t : part.triangles) {
            text += 'f';
            for (const std::int32_t local : t) {
                const std::int32_t v = part.vertices[local] + 1;
                text += has_uvs ? fmt::format(" {0}/{0}/{0}", v) : fmt::format(" {0}//{0}", v);
            }
            text += '\n';
        }
    }
}

bool all_finite(std::span<const Vec3> values) {
    return std::all_of(values.begin(), values.end(), [](const Vec3& v) { return is_finite(v); });
}

}  // namespace

Status write_obj(const SurfaceAsset& asset, std::span<const Vec3> points,
                 std::span<const Vec3> normals, const std::filesystem::path& path) {
    const RenderMesh& mesh = asset.render;
    if (points.size() != mesh.points.size() || normals.size() != points.size() ||
        (!mesh.uvs.empty() && mesh.uvs.size() != points.size())) {
        return Error{"points, normals and UVs differ in number", path.string(), ""};
    }
    if (!all_finite(points) || !all_finite(normals)) {
        return Error{"a point or normal is not finite", path.string(), ""};
    }
    std::filesystem::path materials = path;
    materials.replace_extension(".mtl");
    std::string text = fmt::format("# ductile\nmtllib {}\n", materials.filename().string());
    for (const Vec3& p : points) {
        text += fmt::format("v {:.9g} {:.9g} {:.9g}\n", p.x(), p.y(), p.z());
    }
    for (const Vec2& uv : mesh.uvs) text += fmt::format("vt {:.9g} {:.9g}\n", uv.x(), 1.0 - uv.y());
    for (const Vec3& n : normals) {
        text += fmt::format("vn {:.9g} {:.9g} {:.9g}\n", n.x(), n.y(), n.z());
    }
    append_triangles(text, mesh);
    if (Status done = write_file(materials, material_text(mesh)); !done) return done;
    return write_file(path, text);
}

}  // namespace ductile
