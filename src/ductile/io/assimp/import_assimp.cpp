// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/asset_files.h>
#include <ductile/io/assimp/import_assimp.h>
#include <ductile/io/assimp/import_rig.h>
#include <ductile/io/companion.h>
#include <ductile/io/gltf/data_uri.h>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ductile {
namespace {

constexpr double kMetresPerCentimetre = 0.01;  // the unit of FBX's UnitScaleFactor

double unit(double x) { return std::isfinite(x) ? std::clamp(x, 0.0, 1.0) : 0.0; }

/// Makes a Model of assimp's scene.
class SceneReader {
public:
    SceneReader(const aiScene& scene, const ReadContext& context)
        : scene_(scene), context_(context) {}

    Result<Model> run(std::string_view extension);

private:
    std::shared_ptr<const Texture> read_picture(const std::string& name);
    Look read_look(const aiMaterial& material);
    Status add_nodes();
    Result<std::int32_t> add_mesh(const aiNode& node);
    void append(const aiMesh& from, ModelMesh& mesh);
    void read_units(std::string_view extension);

    const aiScene& scene_;
    const ReadContext& context_;
    Model model_;
    std::map<std::string, std::shared_ptr<const Texture>> pictures_;
    std::map<std::vector<unsigned>, std::int32_t> mesh_place_;
    std::vector<std::vector<unsigned>> mesh_sources_;  ///< Of each mesh of the model.
    std::size_t vertices_ = 0;
    std::size_t triangles_ = 0;
    std::size_t left_out_ = 0;  ///< Points and lines.
    std::size_t mended_ = 0;
};

std::shared_ptr<const Texture> SceneReader::read_picture(const std::string& name) {
    const auto [known, is_new] = pictures_.try_emplace(name, nullptr);
    if (!is_new || name.empty()) return known->second;
    std::string bytes, problem = "is neither PNG nor JPEG";
    if (const aiTexture* embedded = scene_.GetEmbeddedTexture(name.c_str())) {
        if (embedded->mHeight == 0) {  // then the width is a length in bytes
            bytes.assign(reinterpret_cast<const char*>(embedded->pcData), embedded->mWidth);
        }
    } else {
        Result<std::string> content =
            read_companion(context_.folder, name, context_.limits.file_bytes);
        // Many files name pictures by where they lay on the artist's disk.
        const std::size_t last = name.find_last_of("/\\");
        if (!content && last != name.npos) {
            content =
                read_companion(context_.folder, name.substr(last + 1), context_.limits.file_bytes);
        }
        if (content) bytes = std::move(content).value();
        if (!content) problem = content.error().what;
    }
    const std::span<const std::byte> view(reinterpret_cast<const std::byte*>(bytes.data()),
                                          bytes.size());
    const std::string_view type = picture_type(view);
    if (type.empty()) {
        model_.notes.push_back(fmt::format("the picture '{}' is left out: {}", name, problem));
        return nullptr;
    }
    return known->second = std::make_shared<Texture>(
               Texture{name, std::string(type), {view.begin(), view.end()}});
}

Look SceneReader::read_look(const aiMaterial& material) {
    Look look;
    look.name = material.GetName().C_Str();
    aiColor4D colour(0.8f, 0.8f, 0.8f, 1.0f);
    if (material.Get(AI_MATKEY_BASE_COLOR, colour) != aiReturn_SUCCESS) {
        material.Get(AI_MATKEY_COLOR_DIFFUSE, colour);
    }
    look.base_colour = Vec3(unit(colour.r), unit(colour.g), unit(colour.b));
    float number = 1.0f;
    if (material.Get(AI_MATKEY_OPACITY, number) == aiReturn_SUCCESS) look.opacity = unit(number);
    if (material.Get(AI_MATKEY_METALLIC_FACTOR, number) == aiReturn_SUCCESS) {
        look.metallic = unit(number);
    }
    if (material.Get(AI_MATKEY_ROUGHNESS_FACTOR, number) == aiReturn_SUCCESS) {
        look.roughness = unit(number);
    }
    int flag = 0;
    if (material.Get(AI_MATKEY_TWOSIDED, flag) == aiReturn_SUCCESS) look.is_two_sided = flag != 0;
    for (const aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
        aiString name;
        if (look.texture || material.GetTexture(type, 0, &name) != aiReturn_SUCCESS) continue;
        look.texture = read_picture(name.C_Str());
        // assimp multiplies as we do, but writers leave the factor black or grey where a picture
        // is.
        if (look.texture && look.base_colour.isZero()) look.base_colour = Vec3::Ones();
    }
    return look;
}

void SceneReader::append(const aiMesh& from, ModelMesh& mesh) {
    const std::size_t first = mesh.points.size(), count = from.mNumVertices;
    const auto vec = [&](const aiVector3D& v) {
        const Vec3 out(v.x, v.y, v.z);
        if (out.allFinite()) return out;
        ++mended_;
        return Vec3(Vec3::Zero());
    };
    // What one mesh of a node has and another has not is filled up.
    const auto grow = [&](auto& list, bool has, const auto& fallback) {
        if (has && list.empty()) list.assign(first, fallback);
        if (has || !list.empty()) list.resize(first + count, fallback);
    };
    grow(mesh.points, true, Vec3(Vec3::Zero()));
    grow(mesh.normals, from.HasNormals(), Vec3(Vec3::Zero()));
    grow(mesh.uvs, from.HasTextureCoords(0), Vec2(Vec2::Zero()));
    grow(mesh.colours, from.HasVertexColors(0), Vec4(Vec4::Ones()));
    for (std::size_t i = 0; i < count; ++i) {
        const aiVector3D& p = from.mVertices[i];
        mesh.points[first + i] = Vec3(p.x, p.y, p.z);
        if (from.HasNormals()) mesh.normals[first + i] = vec(from.mNormals[i]);
        if (from.HasTextureCoords(0)) {
            mesh.uvs[first + i] = vec(from.mTextureCoords[0][i]).head<2>();
        }
        if (from.HasVertexColors(0)) {
            const aiColor4D& c = from.mColors[0][i];
            mesh.colours[first + i] = Vec4(unit(c.r), unit(c.g), unit(c.b), unit(c.a));
        }
    }
    for (unsigned f = 0; f < from.mNumFaces; ++f) {
        const aiFace& face = from.mFaces[f];
        const bool is_triangle =
            face.mNumIndices == 3 &&
            std::all_of(face.mIndices, face.mIndices + 3, [&](unsigned v) { return v < count; });
        left_out_ += !is_triangle;
        if (!is_triangle) continue;
        Triangle t;
        for (int k = 0; k < 3; ++k) t[k] = static_cast<std::int32_t>(first + face.mIndices[k]);
        mesh.triangles.push_back(t);
        mesh.triangle_looks.push_back(static_cast<std::int32_t>(from.mMaterialIndex));
    }
}

Result<std::int32_t> SceneReader::add_mesh(const aiNode& node) {
    if (node.mNumMeshes == 0) return -1;
    const std::vector<unsigned> sources(node.mMeshes, node.mMeshes + node.mNumMeshes);
    const auto known = mesh_place_.find(sources);
    if (known != mesh_place_.end()) return known->second;
    for (const unsigned m : sources) {
        vertices_ += scene_.mMeshes[m]->mNumVertices;
        triangles_ += scene_.mMeshes[m]->mNumFaces;
    }
    if (vertices_ > context_.limits.vertices || triangles_ > context_.limits.triangles) {
        return Error{fmt::format("more than {} vertices or {} triangles", context_.limits.vertices,
                                 context_.limits.triangles),
                     fmt::format("node '{}'", node.mName.C_Str()),
                     "thin the mesh out, or split the file"};
    }
    ModelMesh mesh;
    mesh.name = scene_.mMeshes[sources[0]]->mName.C_Str();
    if (mesh.name.empty()) mesh.name = node.mName.C_Str();
    for (const unsigned m : sources) append(*scene_.mMeshes[m], mesh);
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        if (mesh.points[i].allFinite()) continue;
        return Error{fmt::format("vertex {} of mesh '{}' is not finite", i, mesh.name),
                     fmt::format("node '{}'", node.mName.C_Str()), ""};
    }
    const auto place = static_cast<std::int32_t>(model_.meshes.size());
    model_.meshes.push_back(std::move(mesh));
    mesh_sources_.push_back(sources);
    return mesh_place_[sources] = place;
}

Status SceneReader::add_nodes() {
    struct Open {
        const aiNode* node;
        std::int32_t parent;
    };
    std::vector<Open> open = {{scene_.mRootNode, -1}};
    while (!open.empty()) {
        const auto [from, parent] = open.back();
        open.pop_back();
        Result<std::int32_t> mesh = add_mesh(*from);
        if (!mesh) return mesh.error();
        ModelNode node;
        node.name = from->mName.C_Str();
        node.parent = parent;
        node.mesh = mesh.value();
        node.to_parent = to_matrix(from->mTransformation);
        if (!node.to_parent.allFinite()) {
            return Error{"the node's place is not finite", fmt::format("node '{}'", node.name), ""};
        }
        const auto place = static_cast<std::int32_t>(model_.nodes.size());
        model_.nodes.push_back(std::move(node));
        for (unsigned c = from->mNumChildren; c-- > 0;) open.push_back({from->mChildren[c], place});
    }
    return {};
}

void SceneReader::read_units(std::string_view extension) {
    if (extension == ".dae" || extension == ".zae") {  // assimp has turned and scaled its root
        model_.metres_per_unit = 1.0;
        model_.up_axis = 1;
    }
    if (extension != ".fbx" || !scene_.mMetaData) return;
    double factor = 0.0;
    float short_factor = 0.0f;
    if (scene_.mMetaData->Get("UnitScaleFactor", short_factor)) factor = short_factor;
    scene_.mMetaData->Get("UnitScaleFactor", factor);
    if (std::isfinite(factor) && factor > 0.0) {
        model_.metres_per_unit = kMetresPerCentimetre * factor;
    }
    std::int32_t up = -1;
    if (scene_.mMetaData->Get("UpAxis", up) && up >= 0 && up <= 2) model_.up_axis = up;
}

Result<Model> SceneReader::run(std::string_view extension) {
    for (unsigned m = 0; m < scene_.mNumMaterials; ++m) {
        model_.looks.push_back(read_look(*scene_.mMaterials[m]));
    }
    if (Status good = add_nodes(); !good) return good.error();
    for (ModelMesh& mesh : model_.meshes) {
        for (std::int32_t& look : mesh.triangle_looks) {
            if (look >= std::ssize(model_.looks)) look = -1;
        }
    }
    add_rig(scene_, mesh_sources_, model_);
    read_units(extension);
    model_.format = extension.substr(1);
    std::transform(model_.format.begin(), model_.format.end(), model_.format.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    model_.notes.push_back(
        "vertices come split and ordered as the importer gives them, not as in the file: what is "
        "written does not fit the source mesh as a blend shape or cache");
    if (left_out_ > 0) {
        model_.notes.push_back(fmt::format("{} points or lines are left out", left_out_));
    }
    if (mended_ > 0) {
        model_.notes.push_back(
            fmt::format("{} normals or UVs are not finite: taken as 0", mended_));
    }
    return std::move(model_);
}

}  // namespace

Result<Model> import_assimp(std::span<const std::byte> bytes, std::string_view extension,
                            const ReadContext& context) {
    Assimp::Importer importer;
    importer.SetIOHandler(new AssetFiles(bytes, std::string(extension), context));  // it owns it
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    // Points and lines are counted by the reader; a strict check would refuse the whole file.
    const unsigned steps = aiProcess_Triangulate | aiProcess_FlipUVs;
    const aiScene* scene = importer.ReadFile(AssetFiles::main_name(extension), steps);
    if (!scene || !scene->mRootNode) {
        const std::string said = importer.GetErrorString();
        return Error{said.empty() ? "assimp finds nothing in it" : "assimp says: " + said, "",
                     "open it in Blender and export it as glTF"};
    }
    return SceneReader(*scene, context).run(extension);
}

}  // namespace ductile
