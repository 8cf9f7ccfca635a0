// SPDX-License-Identifier: MIT
#include <ductile/io/mesh_format.h>
#include <ductile/io/polygons/read_off.h>
#include <ductile/io/polygons/read_stl.h>
#include <ductile/io/text_cursor.h>

#include <algorithm>
#include <array>

namespace ductile {
namespace {

// The first words of statements that an OBJ begins with; comments are passed over before.
constexpr std::array<std::string_view, 11> kObjWords{"v",      "vt",     "vn", "f", "o", "g",
                                                     "mtllib", "usemtl", "s",  "l", "p"};
constexpr std::size_t kFormatProbe = 64 << 10;  // Bytes of comments that are looked through.

struct FormatExtension {
    std::string_view extension;
    MeshFormat format;
};
constexpr std::array<FormatExtension, 8> kFormatExtensions{{
    {".obj", MeshFormat::Obj},
    {".ply", MeshFormat::Ply},
    {".stl", MeshFormat::Stl},
    {".off", MeshFormat::Off},
    {".glb", MeshFormat::Gltf},
    {".gltf", MeshFormat::Gltf},
    {".mesh", MeshFormat::Medit},
    {".msh", MeshFormat::Gmsh},
}};

}  // namespace

std::string_view format_name(MeshFormat format) {
    switch (format) {
        case MeshFormat::Obj:
            return "OBJ";
        case MeshFormat::Ply:
            return "PLY";
        case MeshFormat::Stl:
            return "STL";
        case MeshFormat::Off:
            return "OFF";
        case MeshFormat::Gltf:
            return "glTF";
        case MeshFormat::Medit:
            return "Medit";
        case MeshFormat::Gmsh:
            return "Gmsh";
        case MeshFormat::Unknown:
            break;
    }
    return "unknown";
}

MeshFormat format_of_content(std::string_view bytes) {
    if (bytes.starts_with("glTF")) return MeshFormat::Gltf;
    if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) return MeshFormat::Ply;
    if (is_exact_binary_stl(bytes)) return MeshFormat::Stl;
    TextCursor at(bytes.substr(0, kFormatProbe));
    at.skip_space();
    if (at.peek() == '{') return MeshFormat::Gltf;
    const std::string_view word = at.word();
    if (word == "$MeshFormat" || word == "$NOD" || word == "$Comments") return MeshFormat::Gmsh;
    if (word == "MeshVersionFormatted") return MeshFormat::Medit;
    if (begins_like_off(bytes.substr(0, kFormatProbe))) return MeshFormat::Off;
    if (is_same_word(word, "solid")) return MeshFormat::Stl;
    if (std::find(kObjWords.begin(), kObjWords.end(), word) != kObjWords.end()) {
        return MeshFormat::Obj;
    }
    return MeshFormat::Unknown;
}

MeshFormat format_of_extension(std::string_view extension) {
    for (const FormatExtension& known : kFormatExtensions) {
        if (is_same_word(known.extension, extension)) return known.format;
    }
    return MeshFormat::Unknown;
}

}  // namespace ductile
