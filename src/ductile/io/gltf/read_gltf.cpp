// SPDX-License-Identifier: MIT
#include <ductile/image/decode_picture.h>
#include <ductile/io/gltf/gltf_data.h>
#include <ductile/io/gltf/gltf_motions.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/io/picture_means.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace ductile {
namespace {

// Elements may be shared by many primitives, so a small file can ask for very many. A vertex or
// key costs 3 bytes at the least; real files that share some stay far below this per byte.
constexpr std::uint64_t kMostPerByte = 16;
// Values in the JSON; each costs some 64 bytes of memory. A scene of 100,000 nodes has 2 million.
constexpr std::size_t kMostValues = 4'000'000;

using Attribute = GltfPrimitive::Attribute;

// The accessors behind a primitive's vertices: primitives with the same share them.
std::vector<std::int32_t> vertex_key(const GltfPrimitive& p) {
    constexpr std::int32_t kBreak = -2;  // no accessor, and not the sign of an absent one
    std::vector<std::int32_t> key(p.attributes.begin(), p.attributes.end());
    for (const std::vector<std::int32_t>* list : {&p.joints, &p.weights, &p.morphs}) {
        key.push_back(kBreak);
        key.insert(key.end(), list->begin(), list->end());
    }
    return key;
}

Status check_value_count(std::string_view text) {
    std::size_t values = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
        }
        values += c == ',' || c == '[' || c == '{';
    }
    if (values <= kMostValues) return {};
    return Error{fmt::format("the JSON holds more than {} values", kMostValues), "JSON", ""};
}

/// Makes a Model of a checked document.
class ModelMaker {
public:
    ModelMaker(const GltfDocument& document, GltfData& data, const ReadLimits& limits)
        : document_(document), data_(data), limits_(limits) {}

    Result<Model> run();

private:
    bool has_triangles(const GltfPrimitive& p) const {
        return p.mode >= 4 && p.attributes[Attribute::Position] >= 0;
    }
    std::uint64_t corner_count(const GltfPrimitive& p) const {
        const std::int32_t counted = p.indices >= 0 ? p.indices : p.attributes[Attribute::Position];
        return document_.accessors[counted].count;
    }
    std::uint64_t triangle_count(const GltfPrimitive& p) const {
        const std::uint64_t corners = corner_count(p);
        return p.mode == 4 ? corners / 3 : corners < 3 ? 0 : corners - 2;
    }

    void add_nodes();
    void add_looks();
    void add_means();
    const RgbaImage* pixels_of(std::int32_t image);
    void note_left_out(std::int32_t image, const Error& why);
    Status add_meshes();
    Status check_totals();
    Status add_mesh(std::size_t index);
    Status add_vertices(const GltfMesh& from, const std::string& where, ModelMesh& mesh);
    void make_arrays(const GltfMesh& from, ModelMesh& mesh);
    Status add_joints(const GltfPrimitive& p, std::size_t first, ModelMesh& mesh);
    Status add_morphs(const GltfPrimitive& p, std::size_t first, ModelMesh& mesh);
    Status add_triangles(const GltfPrimitive& p, const std::string& where, std::int32_t first,
                         ModelMesh& mesh);

    /// The numbers of one attribute, spread over vertices of `width`; zeros where it is absent.
    template <class Vector>
    Status add_attribute(std::int32_t accessor, std::size_t first, std::vector<Vector>& out,
                         bool is_scaled = false);

    const GltfDocument& document_;
    GltfData& data_;
    const ReadLimits& limits_;
    Model model_;
    std::vector<std::int32_t> node_place_;  ///< Of each glTF node in the model, -1 if left out.
    std::vector<std::int32_t> mesh_place_;
    struct VertexRun {
        std::int32_t first = 0;
        const GltfPrimitive* primitive = nullptr;  ///< The first that uses it.
    };
    std::map<std::vector<std::int32_t>, VertexRun> vertex_place_;  ///< Within one mesh.
    std::set<std::int32_t> left_out_;                              ///< Images that a note tells of.
    std::int32_t decoded_image_ = -1;   ///< The last one that a mean was asked of.
    std::optional<RgbaImage> decoded_;  ///< Nothing where it cannot be read.
    std::uint64_t spare_numbers_ = 0;
    std::size_t mended_numbers_ = 0;
};

void ModelMaker::add_nodes() {
    node_place_.assign(document_.nodes.size(), -1);
    mesh_place_.assign(document_.meshes.size(), -1);
    std::vector<std::int32_t> open(document_.roots.rbegin(), document_.roots.rend());
    while (!open.empty()) {
        const std::int32_t n = open.back();
        open.pop_back();
        const GltfNode& from = document_.nodes[n];
        ModelNode node;
        node.name = from.name;
        node.parent = document_.parents[n] < 0 ? -1 : node_place_[document_.parents[n]];
        node.mesh = from.mesh;  // both are put right once all are known
        node.skin = from.skin;
        node.to_parent = from.to_parent;
        node_place_[n] = static_cast<std::int32_t>(model_.nodes.size());
        if (from.mesh >= 0) mesh_place_[from.mesh] = 0;
        model_.nodes.push_back(std::move(node));
        open.insert(open.end(), from.children.rbegin(), from.children.rend());
    }
    if (!document_.nodes.empty()) return;
    for (std::size_t m = 0; m < document_.meshes.size(); ++m) {  // a library of meshes
        mesh_place_[m] = 0;
        ModelNode node;
        node.name = document_.meshes[m].name;
        node.mesh = static_cast<std::int32_t>(m);
        model_.nodes.push_back(std::move(node));
    }
}

void ModelMaker::add_looks() {
    for (const GltfMaterial& material : document_.materials) {
        model_.looks.push_back(material.look);
        if (left_out_.contains(material.image)) model_.looks.back().has_holes = false;
        if (material.image < 0 || left_out_.contains(material.image)) continue;
        Result<std::shared_ptr<const Texture>> picture = data_.read_picture(material.image);
        if (picture) {
            model_.looks.back().texture = picture.value();
        } else {
            model_.looks.back().has_holes = false;
            note_left_out(material.image, picture.error());
        }
    }
}

void ModelMaker::note_left_out(std::int32_t image, const Error& why) {
    if (!left_out_.insert(image).second) return;
    model_.notes.push_back(
        fmt::format("#/images/{}: the picture is left out: {}", image, why.text()));
}

// Null, with a note, where a picture cannot be read.
const RgbaImage* ModelMaker::pixels_of(std::int32_t image) {
    if (image < 0) return nullptr;
    if (decoded_image_ != image) {
        const Result<std::shared_ptr<const Texture>> picture = data_.read_picture(image);
        Result<RgbaImage> pixels =
            picture ? decode_picture(picture.value()->bytes) : Result<RgbaImage>(picture.error());
        if (!pixels) note_left_out(image, pixels.error());
        decoded_ = pixels ? std::optional(std::move(pixels).value()) : std::nullopt;
        decoded_image_ = image;
    }
    return decoded_ ? &*decoded_ : nullptr;
}

// The factor of metal is 1 in files that leave it to the picture: without that most would turn to
// metal that are none.
void ModelMaker::add_means() {
    bool has_means = false, has_unknown_metal = false;
    for (std::size_t m = 0; m < document_.materials.size(); ++m) {
        const GltfMaterial& material = document_.materials[m];
        const auto look = static_cast<std::int32_t>(m);
        PictureMeans means{.occlusion_strength = material.occlusion_strength};
        if (const RgbaImage* metal = pixels_of(material.metal_image)) {
            means.metal = picture_mean(*metal, model_.meshes, look);
        } else if (material.has_metal_picture) {
            model_.looks[m].metallic = 0.0;
            has_unknown_metal = true;
        }
        if (const RgbaImage* occlusion = pixels_of(material.occlusion_image)) {
            means.occlusion = picture_mean(*occlusion, model_.meshes, look);
        }
        add_picture_means(means, model_.looks[m]);
        has_means |= means.metal || means.occlusion;
    }
    decoded_.reset();
    if (has_means) {
        model_.notes.push_back(
            "of pictures of metal, roughness and occlusion the means over the surface are kept");
    }
    if (has_unknown_metal) {
        model_.notes.push_back("materials whose picture of metal is not read count as no metal");
    }
}

Status ModelMaker::check_totals() {
    const std::uint64_t share = kMostPerByte * data_.size();
    std::uint64_t vertices = 0, triangles = 0, extras = 0;
    std::size_t left_out = 0;
    for (std::size_t m = 0; m < document_.meshes.size(); ++m) {
        if (mesh_place_[m] < 0) continue;
        std::set<std::vector<std::int32_t>> seen;
        const std::vector<GltfPrimitive>& primitives = document_.meshes[m].primitives;
        for (std::size_t k = 0; k < primitives.size(); ++k) {
            const GltfPrimitive& p = primitives[k];
            left_out += !has_triangles(p);
            if (!has_triangles(p)) continue;
            if (seen.insert(vertex_key(p)).second) {
                const std::uint64_t count =
                    document_.accessors[p.attributes[Attribute::Position]].count;
                vertices += count;
                extras += count * (p.morphs.size() + p.joints.size());
            }
            triangles += triangle_count(p);
            const std::string where = fmt::format("#/meshes/{}/primitives/{}", m, k);
            if (vertices > limits_.vertices || triangles > limits_.triangles) {
                return Error{fmt::format("more than {} vertices or {} triangles", limits_.vertices,
                                         limits_.triangles),
                             where, "thin the mesh out, or split the file"};
            }
            if (extras > share) {
                return Error{fmt::format("{} places of morph targets and joints out of {} bytes",
                                         extras, data_.size()),
                             where, "leave out shapes or joints that are not needed"};
            }
            if (vertices > share || triangles > share) {
                return Error{fmt::format("{} vertices and {} triangles out of {} bytes", vertices,
                                         triangles, data_.size()),
                             where, "one accessor is used by too many primitives"};
            }
        }
    }
    if (left_out > 0) {
        model_.notes.push_back(
            fmt::format("{} primitives of points or lines are left out", left_out));
    }
    return {};
}

template <class Vector>
Status ModelMaker::add_attribute(std::int32_t accessor, std::size_t first, std::vector<Vector>& out,
                                 bool is_scaled) {
    if (accessor < 0) return {};
    constexpr std::size_t wide = Vector::RowsAtCompileTime;
    const GltfAccessor& a = document_.accessors[accessor];
    double* place = out[first].data();
    if (Status good = data_.read_numbers(accessor, place); !good) return good;
    const std::size_t narrow = static_cast<std::size_t>(a.width);
    for (std::size_t i = a.count; narrow < wide && i-- > 0;) {  // RGB: alpha stays 1
        double raw[wide];
        std::copy_n(place + i * narrow, narrow, raw);
        std::fill(raw + narrow, raw + wide, 1.0);
        std::copy_n(raw, wide, place + i * wide);
    }
    // Whole numbers where shares are meant count as such even if the file forgets to say so.
    const bool is_whole = is_scaled && a.type != GltfNumber::Float && !a.is_normalized;
    const double most = std::exp2(8.0 * static_cast<double>(size_of(a.type))) - 1.0;
    for (std::size_t i = 0; i < a.count * wide; ++i) {
        const bool is_alpha = narrow < wide && i % wide == wide - 1;
        if (is_whole && !is_alpha) place[i] /= most;
        if (std::isfinite(place[i])) continue;
        place[i] = 0.0;
        ++mended_numbers_;
    }
    return {};
}

// Arrays of the mesh for all that some primitive of it has, and where each one's vertices begin.
void ModelMaker::make_arrays(const GltfMesh& from, ModelMesh& mesh) {
    std::array<bool, 4> has = {};
    std::size_t total = 0, joint_sets = 0;
    vertex_place_.clear();
    for (const GltfPrimitive& p : from.primitives) {
        if (!has_triangles(p)) continue;
        const VertexRun run{static_cast<std::int32_t>(total), &p};
        if (!vertex_place_.try_emplace(vertex_key(p), run).second) continue;
        total += document_.accessors[p.attributes[Attribute::Position]].count;
        joint_sets = std::max(joint_sets, p.joints.size());
        for (std::size_t k = 0; k < has.size(); ++k) has[k] = has[k] || p.attributes[k] >= 0;
    }
    mesh.points.assign(total, Vec3::Zero());
    if (has[Attribute::Normal]) mesh.normals.assign(total, Vec3::Zero());
    if (has[Attribute::Uv]) mesh.uvs.assign(total, Vec2::Zero());
    if (has[Attribute::Colour]) mesh.colours.assign(total, Vec4::Ones());
    mesh.joints.assign(joint_sets * total, {0, 0, 0, 0});
    mesh.joint_weights.assign(joint_sets * total, Vec4::Zero());
    for (const std::string& name : from.morph_names) {
        mesh.morphs.push_back({name, std::vector<Vec3>(total, Vec3::Zero())});
    }
}

Status ModelMaker::add_joints(const GltfPrimitive& p, std::size_t first, ModelMesh& mesh) {
    const std::size_t count = document_.accessors[p.attributes[Attribute::Position]].count;
    std::vector<Vec4> joints(count, Vec4::Zero());
    for (std::size_t set = 0; set < p.joints.size(); ++set) {
        const std::size_t at = set * mesh.points.size() + first;
        Status good = add_attribute(p.weights[set], at, mesh.joint_weights, true);
        if (good) good = add_attribute(p.joints[set], 0, joints);
        if (!good) return good;
        for (std::size_t i = 0; i < count; ++i) {
            for (int k = 0; k < 4; ++k) {
                mesh.joints[at + i][static_cast<std::size_t>(k)] =
                    static_cast<std::int32_t>(std::min(joints[i][k], 65535.0));
            }
        }
    }
    return {};
}

Status ModelMaker::add_morphs(const GltfPrimitive& p, std::size_t first, ModelMesh& mesh) {
    for (std::size_t m = 0; m < p.morphs.size(); ++m) {
        Status good = add_attribute(p.morphs[m], first, mesh.morphs[m].moves);
        if (!good) return good;
    }
    return {};
}

Status ModelMaker::add_vertices(const GltfMesh& from, const std::string& where, ModelMesh& mesh) {
    make_arrays(from, mesh);
    for (const auto& [key, run] : vertex_place_) {
        const GltfPrimitive& p = *run.primitive;
        if (document_.accessors[p.attributes[Attribute::Position]].count == 0) continue;
        const std::size_t first = static_cast<std::size_t>(run.first);
        const std::size_t mended = mended_numbers_;
        Status good = add_attribute(p.attributes[Attribute::Position], first, mesh.points);
        if (good && mended_numbers_ != mended) {
            return Error{"a vertex has a position that is not finite",
                         fmt::format("#/accessors/{}", p.attributes[Attribute::Position]),
                         fmt::format("it is used by {}", where)};
        }
        if (good) good = add_attribute(p.attributes[Attribute::Normal], first, mesh.normals);
        if (good) good = add_attribute(p.attributes[Attribute::Uv], first, mesh.uvs);
        if (good) good = add_attribute(p.attributes[Attribute::Colour], first, mesh.colours, true);
        if (good) good = add_joints(p, first, mesh);
        if (good) good = add_morphs(p, first, mesh);
        if (!good) return good;
    }
    return {};
}

Status ModelMaker::add_triangles(const GltfPrimitive& p, const std::string& where,
                                 std::int32_t first, ModelMesh& mesh) {
    const std::size_t corners = corner_count(p);
    const double count =
        static_cast<double>(document_.accessors[p.attributes[Attribute::Position]].count);
    std::vector<double> raw(corners);
    if (p.indices >= 0) {
        if (Status good = data_.read_numbers(p.indices, raw.data()); !good) return good;
    } else {
        for (std::size_t i = 0; i < corners; ++i) raw[i] = static_cast<double>(i);
    }
    for (std::size_t i = 0; i < corners; ++i) {
        if (raw[i] < count) continue;
        return Error{fmt::format("corner {} asks for vertex {} of {}", i, raw[i], count),
                     where + "/indices", ""};
    }
    const auto corner = [&](std::size_t i) { return first + static_cast<std::int32_t>(raw[i]); };
    for (std::size_t t = 0; t < triangle_count(p); ++t) {
        Triangle triangle = {corner(t), corner(t + 1), corner(t + 2)};  // a strip
        if (p.mode == 4) triangle = {corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)};
        if (p.mode == 5 && t % 2 == 1) std::swap(triangle[1], triangle[2]);
        if (p.mode == 6) triangle = {corner(0), corner(t + 1), corner(t + 2)};
        mesh.triangles.push_back(triangle);
        mesh.triangle_looks.push_back(p.material);
    }
    return {};
}

Status ModelMaker::add_mesh(std::size_t index) {
    const GltfMesh& from = document_.meshes[index];
    const std::string where = fmt::format("#/meshes/{}", index);
    ModelMesh mesh;
    mesh.name = from.name;
    if (Status good = add_vertices(from, where, mesh); !good) return good;
    std::size_t triangles = 0;
    for (const GltfPrimitive& p : from.primitives) {
        triangles += has_triangles(p) ? triangle_count(p) : 0;
    }
    mesh.triangles.reserve(triangles);
    mesh.triangle_looks.reserve(triangles);
    for (std::size_t k = 0; k < from.primitives.size(); ++k) {
        const GltfPrimitive& p = from.primitives[k];
        if (!has_triangles(p)) continue;
        const Status good = add_triangles(p, fmt::format("{}/primitives/{}", where, k),
                                          vertex_place_.at(vertex_key(p)).first, mesh);
        if (!good) return good;
    }
    mesh_place_[index] = static_cast<std::int32_t>(model_.meshes.size());
    model_.meshes.push_back(std::move(mesh));
    return {};
}

Status ModelMaker::add_meshes() {
    if (Status good = check_totals(); !good) return good;
    std::size_t hidden = 0;
    for (std::size_t m = 0; m < document_.meshes.size(); ++m) {
        hidden += mesh_place_[m] < 0;
        if (mesh_place_[m] < 0) continue;
        if (Status good = add_mesh(m); !good) return good;
    }
    if (hidden > 0) {
        model_.notes.push_back(
            fmt::format("{} meshes that the scene does not show are left out", hidden));
    }
    if (mended_numbers_ > 0) {
        model_.notes.push_back(fmt::format(
            "{} numbers of normals, UVs, colours, weights or morphs are not finite: taken as 0",
            mended_numbers_));
    }
    for (ModelNode& node : model_.nodes) {
        if (node.mesh >= 0) node.mesh = mesh_place_[node.mesh];
    }
    return {};
}

Result<Model> ModelMaker::run() {
    spare_numbers_ = kMostPerByte * data_.size();
    model_.notes = document_.notes;
    model_.metres_per_unit = 1.0;
    model_.up_axis = 1;
    add_nodes();
    add_looks();
    if (Status good = add_meshes(); !good) return good.error();
    add_means();
    GltfMotions motions(document_, data_, node_place_, spare_numbers_, model_);
    if (Status good = motions.add_skins(); !good) return good.error();
    if (Status good = motions.add_animations(); !good) return good.error();
    return std::move(model_);
}

}  // namespace

Result<Model> read_gltf(std::span<const std::byte> bytes, const ReadContext& context) {
    if (bytes.size() > context.limits.file_bytes) {
        return Error{fmt::format("is larger than {} bytes", context.limits.file_bytes), "", ""};
    }
    Result<GltfContainer> file = open_gltf(bytes);
    if (!file) return file.error();
    if (Status good = check_value_count(file.value().json); !good) return good.error();
    const JsonLimits limits = {.bytes = bytes.size(),
                               .depth = static_cast<std::size_t>(context.limits.json_depth)};
    Result<Json> json = parse_json(file.value().json, "JSON", limits);
    if (!json) return json.error();
    Result<GltfDocument> document = read_gltf_document(json.value());
    if (!document) return document.error();
    Result<GltfData> data = GltfData::load(document.value(), file.value(), context);
    if (!data) return data.error();
    Result<Model> model = ModelMaker(document.value(), data.value(), context.limits).run();
    if (model) model.value().format = file.value().is_binary_file ? "GLB" : "glTF";
    return model;
}

}  // namespace ductile
