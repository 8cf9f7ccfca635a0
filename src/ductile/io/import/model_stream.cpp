// SPDX-License-Identifier: MIT
#include <ductile/io/import/model_stream.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <type_traits>

namespace ductile {
namespace {

constexpr std::uint64_t kModelMagic = 0x31304c4544554401;  // grows with the layout
constexpr std::uint64_t kNone = ~std::uint64_t{0};

class Packer {
public:
    std::string bytes;

    template <class T>
    void value(const T& v) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes.append(reinterpret_cast<const char*>(&v), sizeof(T));
    }
    void count(std::size_t n) { value(static_cast<std::uint64_t>(n)); }
    void text(const std::string& s) {
        count(s.size());
        bytes += s;
    }
    template <class T>
    void numbers(const T* data, std::size_t n) {
        bytes.append(reinterpret_cast<const char*>(data), n * sizeof(T));
    }
    /// Eigen vectors, arrays and plain numbers alike: their content, one after the other.
    template <class T>
    void list(const std::vector<T>& items) {
        count(items.size());
        numbers(items.data(), items.size());
    }
};

/// Reads what Packer wrote. After the first mistake everything comes back empty.
class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::string mistake;
    std::size_t at = 0;

    bool good() const { return mistake.empty(); }
    void refuse(std::string what) {
        if (good()) mistake = std::move(what);
    }
    std::size_t left() const { return bytes_.size() - at; }

    template <class T>
    T value() {
        T v{};
        read(&v, sizeof(T));
        return v;
    }
    double number() {
        const double x = value<double>();
        if (!std::isfinite(x)) refuse("a number is not finite");
        return x;
    }
    /// How many items of at least `least` bytes follow.
    std::size_t count(std::size_t least) {
        const std::uint64_t n = value<std::uint64_t>();
        if (n <= left() / least) return good() ? static_cast<std::size_t>(n) : 0;
        refuse(fmt::format("claims {} items with {} bytes left", n, left()));
        return 0;
    }
    std::string text() {
        std::string s(count(1), '\0');
        read(s.data(), s.size());
        return s;
    }
    std::int32_t index(std::size_t end) {
        const std::int32_t i = value<std::int32_t>();
        if (i >= -1 && i < static_cast<std::int64_t>(end)) return i;
        refuse(fmt::format("index {} of {} does not exist", i, end));
        return -1;
    }
    void read(void* out, std::size_t size) {
        if (size > left()) refuse("the bytes end too early");
        if (!good() || size == 0) return;
        std::memcpy(out, bytes_.data() + at, size);
        at += size;
    }
    /// Vectors of doubles: either `expected` or, where `may_miss`, none.
    template <class T>
    void doubles(std::vector<T>& out, std::size_t expected, bool may_miss) {
        const std::size_t n = count(sizeof(T));
        if (n != expected && !(may_miss && n == 0)) {
            return refuse(fmt::format("{} entries, not {}", n, expected));
        }
        out.assign(n, T(T::Zero()));
        read(out.data(), n * sizeof(T));
        for (const T& v : out) {
            if (!v.allFinite()) return refuse("a number is not finite");
        }
    }

private:
    std::span<const std::byte> bytes_;
};

void pack_mesh(Packer& out, const ModelMesh& mesh) {
    out.text(mesh.name);
    out.list(mesh.points);
    out.list(mesh.normals);
    out.list(mesh.uvs);
    out.list(mesh.colours);
    out.list(mesh.triangles);
    out.list(mesh.triangle_looks);
    out.list(mesh.joints);
    out.list(mesh.joint_weights);
}

ModelMesh unpack_mesh(Unpacker& in, std::size_t look_count) {
    ModelMesh mesh;
    mesh.name = in.text();
    const std::size_t point_count = in.count(sizeof(Vec3));
    in.at -= in.good() ? sizeof(std::uint64_t) : 0;
    in.doubles(mesh.points, point_count, false);
    in.doubles(mesh.normals, point_count, true);
    in.doubles(mesh.uvs, point_count, true);
    in.doubles(mesh.colours, point_count, true);
    mesh.triangles.resize(in.count(sizeof(Triangle)));
    in.read(mesh.triangles.data(), mesh.triangles.size() * sizeof(Triangle));
    if (!has_valid_indices(point_count, mesh.triangles)) in.refuse("a triangle lacks a corner");
    const std::size_t look_entries = in.count(sizeof(std::int32_t));
    if (look_entries != mesh.triangles.size()) in.refuse("not one look per triangle");
    for (std::size_t t = 0; t < look_entries && in.good(); ++t) {
        mesh.triangle_looks.push_back(in.index(look_count));
    }
    mesh.joints.resize(in.count(sizeof(std::array<std::int32_t, 4>)));
    in.read(mesh.joints.data(), mesh.joints.size() * sizeof(std::array<std::int32_t, 4>));
    in.doubles(mesh.joint_weights, mesh.joints.size(), false);
    if (point_count == 0 ? !mesh.joints.empty() : mesh.joints.size() % point_count != 0) {
        in.refuse("joints are missing");
    }
    for (const std::array<std::int32_t, 4>& joints : mesh.joints) {
        for (const std::int32_t j : joints) {
            if (j < 0) in.refuse("a joint is negative");
        }
    }
    return mesh;
}

void pack_looks(Packer& out, const std::vector<Look>& looks) {
    std::map<const Texture*, std::uint64_t> known;  // for look-up only
    out.count(looks.size());
    for (const Look& look : looks) {
        out.text(look.name);
        out.numbers(look.base_colour.data(), 3);
        for (const double x : {look.metallic, look.roughness, look.opacity}) out.value(x);
        out.value(static_cast<std::uint8_t>(look.is_two_sided));
        out.value(static_cast<std::uint8_t>(look.has_holes));
        if (!look.texture) {
            out.value(kNone);
            continue;
        }
        const auto [place, is_new] = known.try_emplace(look.texture.get(), known.size());
        out.value(place->second);
        if (!is_new) continue;
        out.text(look.texture->name);
        out.text(look.texture->mime_type);
        out.list(look.texture->bytes);
    }
}

std::vector<Look> unpack_looks(Unpacker& in) {
    std::vector<Look> looks;
    std::vector<std::shared_ptr<const Texture>> textures;
    const std::size_t count = in.count(sizeof(std::uint64_t));
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        Look look;
        look.name = in.text();
        for (int k = 0; k < 3; ++k) look.base_colour[k] = in.number();
        for (double* x : {&look.metallic, &look.roughness, &look.opacity}) *x = in.number();
        look.is_two_sided = in.value<std::uint8_t>() != 0;
        look.has_holes = in.value<std::uint8_t>() != 0;
        const std::uint64_t texture = in.value<std::uint64_t>();
        if (texture != kNone && texture > textures.size()) in.refuse("a picture is missing");
        if (texture == textures.size() && in.good()) {
            auto fresh = std::make_shared<Texture>();
            fresh->name = in.text();
            fresh->mime_type = in.text();
            fresh->bytes.resize(in.count(1));
            in.read(fresh->bytes.data(), fresh->bytes.size());
            if (fresh->mime_type != "image/png" && fresh->mime_type != "image/jpeg") {
                in.refuse("a picture is neither PNG nor JPEG");
            }
            textures.push_back(std::move(fresh));
        }
        if (texture != kNone && in.good()) look.texture = textures[texture];
        looks.push_back(std::move(look));
    }
    return looks;
}

void unpack_rig(Unpacker& in, Model& model) {
    const std::size_t skins = in.count(sizeof(std::uint64_t));
    for (std::size_t s = 0; s < skins && in.good(); ++s) {
        ModelSkin skin;
        skin.name = in.text();
        const std::size_t joints = in.count(sizeof(std::int32_t));
        for (std::size_t k = 0; k < joints && in.good(); ++k) {
            skin.joints.push_back(in.index(model.nodes.size()));
            if (skin.joints.back() < 0) in.refuse("a joint is missing");
        }
        in.doubles(skin.inverse_binds, joints, false);
        model.skins.push_back(std::move(skin));
    }
    const std::size_t animations = in.count(sizeof(std::uint64_t));
    for (std::size_t a = 0; a < animations && in.good(); ++a) {
        ModelAnimation animation;
        animation.name = in.text();
        const std::size_t channels = in.count(sizeof(std::uint64_t));
        for (std::size_t c = 0; c < channels && in.good(); ++c) {
            ModelChannel channel;
            channel.node = in.index(model.nodes.size());
            const std::uint8_t target = in.value<std::uint8_t>();
            if (channel.node < 0 || target > 3) in.refuse("an animated property does not exist");
            channel.target = static_cast<ModelChannel::Target>(target);
            channel.interpolation = in.text();
            for (std::vector<double>* list : {&channel.times, &channel.values}) {
                const std::size_t n = in.count(sizeof(double));
                for (std::size_t i = 0; i < n && in.good(); ++i) list->push_back(in.number());
            }
            animation.channels.push_back(std::move(channel));
        }
        model.animations.push_back(std::move(animation));
    }
    for (const ModelNode& node : model.nodes) {
        if (node.skin >= std::ssize(model.skins)) in.refuse("a node's skin does not exist");
    }
}

void pack_rig(Packer& out, const Model& model) {
    out.count(model.skins.size());
    for (const ModelSkin& skin : model.skins) {
        out.text(skin.name);
        out.list(skin.joints);
        out.list(skin.inverse_binds);
    }
    out.count(model.animations.size());
    for (const ModelAnimation& animation : model.animations) {
        out.text(animation.name);
        out.count(animation.channels.size());
        for (const ModelChannel& channel : animation.channels) {
            out.value(channel.node);
            out.value(static_cast<std::uint8_t>(channel.target));
            out.text(channel.interpolation);
            out.list(channel.times);
            out.list(channel.values);
        }
    }
}

void unpack_nodes(Unpacker& in, Model& model) {
    const std::size_t count = in.count(sizeof(Mat4));
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        ModelNode node;
        node.name = in.text();
        node.parent = in.index(i);
        node.mesh = in.index(model.meshes.size());
        node.skin = in.index(in.left());  // compared with the skins once they are known
        for (int k = 0; k < 16; ++k) node.to_parent.data()[k] = in.number();
        model.nodes.push_back(std::move(node));
    }
}

}  // namespace

std::string pack_model(const Model& model) {
    Packer out;
    out.value(kModelMagic);
    out.text(model.format);
    pack_looks(out, model.looks);
    out.count(model.meshes.size());
    for (const ModelMesh& mesh : model.meshes) pack_mesh(out, mesh);
    out.count(model.nodes.size());
    for (const ModelNode& node : model.nodes) {
        out.text(node.name);
        out.value(node.parent);
        out.value(node.mesh);
        out.value(node.skin);
        out.numbers(node.to_parent.data(), 16);
    }
    pack_rig(out, model);
    out.value(model.metres_per_unit.value_or(0.0));
    out.value(static_cast<std::int32_t>(model.up_axis.value_or(-1)));
    out.count(model.notes.size());
    for (const std::string& note : model.notes) out.text(note);
    return std::move(out.bytes);
}

Result<Model> unpack_model(std::span<const std::byte> bytes, const ReadLimits& limits) {
    Unpacker in(bytes);
    Model model;
    if (in.value<std::uint64_t>() != kModelMagic) in.refuse("is no packed model");
    model.format = in.text();
    model.looks = unpack_looks(in);
    const std::size_t meshes = in.count(sizeof(std::uint64_t));
    std::size_t vertices = 0, triangles = 0;
    for (std::size_t m = 0; m < meshes && in.good(); ++m) {
        model.meshes.push_back(unpack_mesh(in, model.looks.size()));
        vertices += model.meshes.back().points.size();
        triangles += model.meshes.back().triangles.size();
        if (vertices > limits.vertices || triangles > limits.triangles) {
            in.refuse("more vertices or triangles than allowed");
        }
    }
    unpack_nodes(in, model);
    unpack_rig(in, model);
    const double unit = in.number();
    if (unit > 0.0) model.metres_per_unit = unit;
    const std::int32_t up = in.index(3);
    if (up >= 0) model.up_axis = up;
    const std::size_t notes = in.count(sizeof(std::uint64_t));
    for (std::size_t i = 0; i < notes && in.good(); ++i) model.notes.push_back(in.text());
    if (in.good() && in.left() > 0) in.refuse("bytes are left over");
    if (!in.good()) return Error{in.mistake, fmt::format("byte {}", in.at), ""};
    return model;
}

}  // namespace ductile
