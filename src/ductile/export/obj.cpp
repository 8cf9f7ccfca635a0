// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/obj.h>
#include <ductile/export/render_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

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

// Where the pictures of the looks go: beside the file, each once.
struct Pictures {
    std::vector<std::string> names;  ///< Per look; empty for none.
    std::vector<std::shared_ptr<const Texture>> files;
    std::vector<std::string> file_names;
};

Pictures name_pictures(const RenderMesh& mesh, const std::string& stem) {
    Pictures out;
    for (const Look& look : mesh.looks) {
        out.names.emplace_back();
        if (!look.texture || look.texture->bytes.empty()) continue;
        const auto known = std::find(out.files.begin(), out.files.end(), look.texture);
        if (known == out.files.end()) {
            const bool is_png = look.texture->mime_type == "image/png";
            out.file_names.push_back(
                fmt::format("{}_{}.{}", stem, out.files.size(), is_png ? "png" : "jpg"));
            out.files.push_back(look.texture);
            out.names.back() = out.file_names.back();
        } else {
            out.names.back() = out.file_names[known - out.files.begin()];
        }
    }
    return out;
}

std::string material_text(const RenderMesh& mesh, const Pictures& pictures) {
    std::string text = "# ductile\n";
    for (std::size_t i = 0; i < mesh.looks.size(); ++i) {
        const Look& look = mesh.looks[i];
        const Vec3& c = look.base_colour;
        text +=
            fmt::format("\nnewmtl {}\nKd {:.9g} {:.9g} {:.9g}\nd {:.9g}\nPm {:.9g}\nPr {:.9g}\n",
                        material_name(mesh, static_cast<std::int32_t>(i)), c.x(), c.y(), c.z(),
                        look.opacity, look.metallic, look.roughness);
        if (!pictures.names[i].empty()) text += fmt::format("map_Kd {}\n", pictures.names[i]);
    }
    return text;
}

void append_triangles(std::string& text, const RenderMesh& mesh,
                      const std::vector<RenderPart>& parts) {
    const bool has_uvs = !mesh.uvs.empty();
    for (const RenderPart& part : parts) {
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

// A name on a line of its own: it may hold spaces, but must not end the line.
std::string line_of(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ') c = '_';
    }
    return name;
}

void append_parts(std::string& text, const RenderMesh& mesh) {
    if (mesh.parts.empty()) return append_triangles(text, mesh, split_by_look(mesh));
    for (const MeshPart& part : mesh.parts) {
        if (part.triangle_count == 0) continue;
        text += fmt::format("o {}\n", line_of(part.name));
        append_triangles(text, mesh, split_by_look(mesh, part));
    }
}

// MTL ends a file name at white space.
std::string safe_stem(const std::filesystem::path& path) {
    std::string stem = path.stem().string();
    for (char& c : stem) {
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    }
    return stem;
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
    append_parts(text, mesh);
    const Pictures pictures = name_pictures(mesh, safe_stem(path));
    for (std::size_t i = 0; i < pictures.files.size(); ++i) {
        const std::filesystem::path picture = path.parent_path() / pictures.file_names[i];
        const std::span<const std::byte> bytes = pictures.files[i]->bytes;
        if (Status done = write_file(picture, bytes); !done) return done;
    }
    if (Status done = write_file(materials, material_text(mesh, pictures)); !done) return done;
    return write_file(path, text);
}

}  // namespace ductile
