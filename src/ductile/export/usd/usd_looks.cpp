// SPDX-License-Identifier: MIT
// UsdPreviewSurface, as "UsdPreviewSurface Specification" (openusd.org) has it.
#include <ductile/core/file.h>
#include <ductile/export/usd/usd_body.h>

#include <fmt/format.h>

#include <set>

namespace ductile {
namespace {

std::string colour_text(const Vec3& c) {
    const Eigen::Vector3f f = c.cast<float>();
    return fmt::format("({}, {}, {})", f.x(), f.y(), f.z());
}

// The picture, and where on it: nodes that a surface's inputs are connected to.
void append_picture(UsdText& text, const Look& look, const std::string& path,
                    const std::string& file) {
    const Eigen::Vector3f c = look.base_colour.cast<float>();
    text.open("def Shader \"picture\"");
    text.line("uniform token info:id = \"UsdUVTexture\"");
    text.line("asset inputs:file = " + usd_asset(file));
    const auto opacity = static_cast<float>(look.opacity);
    text.line(fmt::format("float4 inputs:scale = ({}, {}, {}, {})", c.x(), c.y(), c.z(), opacity));
    text.line("token inputs:sourceColorSpace = \"sRGB\"");
    text.line(fmt::format("float2 inputs:st.connect = <{}/uv.outputs:result>", path));
    text.line("token inputs:wrapS = \"repeat\"");
    text.line("token inputs:wrapT = \"repeat\"");
    text.line("float outputs:a");
    text.line("float3 outputs:rgb");
    text.close();
    text.open("def Shader \"uv\"");
    text.line("uniform token info:id = \"UsdPrimvarReader_float2\"");
    text.line("string inputs:varname = \"st\"");
    text.line("float2 outputs:result");
    text.close();
}

void append_vertex_colour(UsdText& text) {
    text.open("def Shader \"colour\"");
    text.line("uniform token info:id = \"UsdPrimvarReader_float3\"");
    text.line("string inputs:varname = \"displayColor\"");
    text.line("float3 outputs:result");
    text.close();
}

void append_surface(UsdText& text, const Look& look, const std::string& path, bool has_picture,
                    bool has_colours) {
    text.open("def Shader \"surface\"");
    text.line("uniform token info:id = \"UsdPreviewSurface\"");
    if (has_picture) {
        text.line(
            fmt::format("color3f inputs:diffuseColor.connect = <{}/picture.outputs:rgb>", path));
    } else if (has_colours) {
        text.line(
            fmt::format("color3f inputs:diffuseColor.connect = <{}/colour.outputs:result>", path));
    } else {
        text.line("color3f inputs:diffuseColor = " + colour_text(look.base_colour));
    }
    text.line(fmt::format("float inputs:metallic = {}", static_cast<float>(look.metallic)));
    if (has_picture && look.has_holes) {
        text.line(fmt::format("float inputs:opacity.connect = <{}/picture.outputs:a>", path));
        if (look.opacity >= 1.0) text.line("float inputs:opacityThreshold = 0.5");
    } else {
        text.line(fmt::format("float inputs:opacity = {}", static_cast<float>(look.opacity)));
    }
    text.line(fmt::format("float inputs:roughness = {}", static_cast<float>(look.roughness)));
    text.line("token outputs:surface");
    text.close();
}

}  // namespace

std::string UsdPictures::name_of(const Look& look) {
    if (!look.texture || look.texture->bytes.empty()) return "";
    const auto [known, is_new] = names_.try_emplace(look.texture.get());
    if (is_new) {
        const bool is_png = look.texture->mime_type == "image/png";
        known->second = fmt::format("picture_{}.{}", pictures_.size(), is_png ? "png" : "jpg");
        pictures_.push_back(look.texture);
    }
    return known->second;
}

Status UsdPictures::write(const std::filesystem::path& folder) const {
    for (const std::shared_ptr<const Texture>& picture : pictures_) {
        const std::span<const std::byte> bytes = picture->bytes;
        if (Status done = write_file(folder / names_.at(picture.get()), bytes); !done) return done;
    }
    return {};
}

UsdLooks::Key UsdLooks::key_of(const Look& look, bool has_colours) {
    const Vec3& c = look.base_colour;
    return {look.name,
            {c.x(), c.y(), c.z(), look.metallic, look.roughness, look.opacity},
            look.has_holes,
            has_colours,
            look.texture.get()};
}

void UsdLooks::add(const RenderMesh& mesh) {
    const bool has_colours = !mesh.colours.empty();
    for (const Look& look : mesh.looks) {
        const bool is_new = known_.try_emplace(key_of(look, has_colours), looks_.size()).second;
        if (is_new) looks_.emplace_back(&look, has_colours);
    }
}

void UsdLooks::append(UsdText& text, const std::string& parent, const std::string& picture_folder,
                      UsdPictures& pictures) {
    std::set<std::string> taken;
    text.open("def Scope \"Looks\"");
    for (const auto& [look, has_vertex_colours] : looks_) {
        const std::string name = usd_name(look->name, taken);
        const std::string path = fmt::format("{}/Looks/{}", parent, name);
        const std::string file = pictures.name_of(*look);
        const bool has_colours = file.empty() && has_vertex_colours;
        text.open(fmt::format("def Material \"{}\"", name));
        text.line(
            fmt::format("token outputs:surface.connect = <{}/surface.outputs:surface>", path));
        append_surface(text, *look, path, !file.empty(), has_colours);
        if (!file.empty()) append_picture(text, *look, path, picture_folder + file);
        if (has_colours) append_vertex_colour(text);
        text.close();
        paths_.push_back(path);
    }
    text.close();
}

std::vector<std::string> UsdLooks::paths(const RenderMesh& mesh) const {
    std::vector<std::string> out;
    for (const Look& look : mesh.looks) {
        out.push_back(paths_[known_.at(key_of(look, !mesh.colours.empty()))]);
    }
    return out;
}

}  // namespace ductile
