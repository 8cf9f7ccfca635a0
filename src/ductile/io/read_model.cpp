// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/io/import/read_assimp.h>
#include <ductile/io/mesh_format.h>
#include <ductile/io/obj/read_obj.h>
#include <ductile/io/polygons/read_off.h>
#include <ductile/io/polygons/read_ply.h>
#include <ductile/io/polygons/read_stl.h>
#include <ductile/io/read_model.h>
#include <ductile/io/tet/read_gmsh.h>
#include <ductile/io/tet/read_medit.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace ductile {
namespace {

// Of the name's last part, in lower case, with its dot; empty for none.
std::string extension_of(std::string_view name) {
    std::string extension = std::filesystem::path(name).extension().string();
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

bool goes_to_assimp(std::string_view extension) {
    const std::span<const std::string_view> known = assimp_extensions();
    return std::find(known.begin(), known.end(), extension) != known.end();
}

// Text formats whose readers take a text for granted.
bool is_text_format(MeshFormat format) {
    return format == MeshFormat::Obj || format == MeshFormat::Off || format == MeshFormat::Medit ||
           format == MeshFormat::Gmsh;
}

Result<Model> read_as(MeshFormat format, std::span<const std::byte> bytes,
                      const ReadContext& context) {
    const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string_view text = without_byte_order_mark(whole);
    if (is_text_format(format)) {
        if (Status is_text = check_is_text(text); !is_text) return is_text.error();
    }
    switch (format) {
        case MeshFormat::Obj:
            return read_obj(text, context);
        case MeshFormat::Ply:
            return read_ply(whole, context);
        case MeshFormat::Stl:
            return read_stl(text, context);
        case MeshFormat::Off:
            return read_off(text, context);
        case MeshFormat::Gltf:
            return read_gltf(bytes, context);
        case MeshFormat::Medit:
            return read_medit(text, context);
        case MeshFormat::Gmsh:
            return read_gmsh(text, context);
        case MeshFormat::Unknown:
            break;
    }
    return Error{"is of no format that ductile reads", "",
                 "OBJ, PLY, STL, OFF, glTF, GLB, Medit, Gmsh, and what assimp reads by its "
                 "extension"};
}

Result<Model> read_bytes(std::span<const std::byte> bytes, std::string_view name,
                         const ReadContext& context) {
    if (bytes.empty()) return Error{"is empty", "", ""};
    if (bytes.size() > context.limits.file_bytes) {
        return Error{fmt::format("is larger than the limit of {} bytes", context.limits.file_bytes),
                     "", "decimate the mesh before loading it"};
    }
    const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string extension = extension_of(name);
    const MeshFormat by_content = format_of_content(without_byte_order_mark(whole));
    const MeshFormat by_name = format_of_extension(extension);
    // The first word of an OBJ or STL is short enough to begin something else.
    const bool is_vague = by_content == MeshFormat::Unknown || by_content == MeshFormat::Obj ||
                          (by_content == MeshFormat::Stl && !is_exact_binary_stl(whole)) ||
                          whole.starts_with('{');
    if (is_vague && goes_to_assimp(extension)) return read_assimp(bytes, extension, context);
    const MeshFormat format = by_content == MeshFormat::Unknown ? by_name : by_content;
    Result<Model> model = read_as(format, bytes, context);
    if (model.ok() && by_name != MeshFormat::Unknown && by_name != format) {
        model.value().notes.insert(
            model.value().notes.begin(),
            fmt::format("the file is called {} but holds {}", extension, format_name(format)));
    }
    return model;
}

}  // namespace

Result<Model> read_model(const std::filesystem::path& path, const ReadLimits& limits) {
    std::error_code no_size;  // A pipe has none; reading it stops at the limit.
    const std::uintmax_t size = std::filesystem::file_size(path, no_size);
    if (!no_size && size > limits.file_bytes) {
        return Error{
            fmt::format("has {} bytes, more than the limit of {}", size, limits.file_bytes),
            path.string(), "decimate the mesh before loading it"};
    }
    const Result<std::string> content = read_file(path, limits.file_bytes);
    if (!content) return content.error();
    ReadContext context;
    context.folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    context.limits = limits;
    return read_model(std::as_bytes(std::span(content.value())), path.string(), context);
}

Result<Model> read_model(std::span<const std::byte> bytes, std::string_view name,
                         const ReadContext& context) {
    Result<Model> model = read_bytes(bytes, name, context);
    if (model.ok()) return model;
    const Error& error = model.error();
    const std::string where = error.where.empty() ? "" : ": " + error.where;
    return Error{error.what, std::string(name) + where, error.hint};
}

}  // namespace ductile
