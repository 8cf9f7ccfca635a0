// SPDX-License-Identifier: MIT
// Wavefront's OBJ and MTL; metallic and roughness as Exocortex' extension has them (Pm, Pr).
#include <ductile/core/file.h>
#include <ductile/export/sequence/obj_text.h>
#include <ductile/export/track/render_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ductile {

std::string obj_line_of(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ') c = '_';
    }
    return name;
}

std::string obj_word_of(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    }
    return name;
}

ObjMaterials::ObjMaterials(const std::string& stem) : stem_(obj_word_of(stem)) {}

std::string ObjMaterials::picture_of(const Look& look) {
    if (!look.texture || look.texture->bytes.empty()) return "";
    const auto known = std::find(pictures_.begin(), pictures_.end(), look.texture);
    if (known != pictures_.end()) return picture_names_[known - pictures_.begin()];
    const bool is_png = look.texture->mime_type == "image/png";
    picture_names_.push_back(
        fmt::format("{}_{}.{}", stem_, pictures_.size(), is_png ? "png" : "jpg"));
    pictures_.push_back(look.texture);
    return picture_names_.back();
}

const std::vector<std::string>& ObjMaterials::add(const RenderMesh& mesh) {
    const auto [known, is_new] = names_.try_emplace(&mesh);
    if (!is_new) return known->second;
    for (const Look& look : mesh.looks) {
        const Vec3& c = look.base_colour;
        const std::string name = fmt::format("{}_{}", obj_word_of(look.name), count_++);
        text_ +=
            fmt::format("\nnewmtl {}\nKd {:.9g} {:.9g} {:.9g}\nd {:.9g}\nPm {:.9g}\nPr {:.9g}\n",
                        name, c.x(), c.y(), c.z(), look.opacity, look.metallic, look.roughness);
        const std::string picture = picture_of(look);
        if (!picture.empty()) text_ += fmt::format("map_Kd {}\n", picture);
        known->second.push_back(name);
    }
    return known->second;
}

Status ObjMaterials::write(const std::filesystem::path& path) const {
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
        const std::span<const std::byte> bytes = pictures_[i]->bytes;
        if (Status done = write_file(path.parent_path() / picture_names_[i], bytes); !done) {
            return done;
        }
    }
    return write_file(path, text_);
}

void append_obj_vertices(std::string& text, const RenderMesh& mesh, std::span<const Vec3> points,
                         std::span<const Vec3> normals, const Transform& to_file) {
    auto out = std::back_inserter(text);
    const auto append = [&](const char* word, const auto& v) {
        text += word;
        for (Eigen::Index i = 0; i < v.size(); ++i) {
            fmt::format_to(out, " {}", static_cast<float>(v[i]));
        }
        text += '\n';
    };
    for (const Vec3& p : points) append("v", to_file.point(p));
    for (const Vec2& uv : mesh.uvs) append("vt", Vec2(uv.x(), 1.0 - uv.y()));
    for (const Vec3& n : normals) append("vn", to_file.direction(n));
}

namespace {

void append_looks(std::string& text, const RenderMesh& mesh, const WrittenVertices& written,
                  const std::vector<RenderPart>& looks, std::span<const std::string> materials,
                  const ObjCounts& before) {
    auto out = std::back_inserter(text);
    for (const RenderPart& look : looks) {
        fmt::format_to(out, "usemtl {}\n", materials[look.look]);
        for (const Triangle& t : look.triangles) {
            text += 'f';
            for (const std::int32_t local : t) {
                const std::int32_t drawn = look.vertices[local];
                const auto index = static_cast<std::size_t>(drawn) + 1;
                const auto place = static_cast<std::size_t>(written.of_drawn(drawn)) + 1;
                fmt::format_to(out, " {}/", before.vertices + place);
                if (!mesh.uvs.empty()) fmt::format_to(out, "{}", before.uvs + index);
                fmt::format_to(out, "/{}", before.normals + index);
            }
            text += '\n';
        }
    }
}

}  // namespace

void append_obj_faces(std::string& text, const RenderMesh& mesh, const WrittenVertices& written,
                      std::span<const std::string> materials, char part_keyword,
                      const ObjCounts& before) {
    if (mesh.parts.empty()) {
        return append_looks(text, mesh, written, split_by_look(mesh), materials, before);
    }
    for (const MeshPart& part : mesh.parts) {
        if (part.triangle_count == 0) continue;
        text += fmt::format("{} {}\n", part_keyword, obj_line_of(part.name));
        append_looks(text, mesh, written, split_by_look(mesh, part), materials, before);
    }
}

}  // namespace ductile
