// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/geom/model.h>
#include <ductile/io/read_model.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ductile {

/// What a glTF's JSON says, as structs; indices are -1 for none. Names follow the specification.
struct GltfBuffer {
    std::uint64_t length = 0;
    const std::string* uri = nullptr;  ///< Within the JSON.
};
struct GltfView {
    std::int32_t buffer = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t stride = 0;  ///< 0: elements follow each other.
};

enum class GltfNumber { Int8 = 5120, Uint8, Int16, Uint16, Uint32 = 5125, Float };
std::size_t size_of(GltfNumber type);

/// Replaces some elements of an accessor.
struct GltfSparse {
    std::uint64_t count = 0;  ///< 0: nothing is replaced.
    std::int32_t index_view = 0;
    std::uint64_t index_offset = 0;
    GltfNumber index_type = GltfNumber::Uint32;
    std::int32_t value_view = 0;
    std::uint64_t value_offset = 0;
};
struct GltfAccessor {
    std::int32_t view = -1;  ///< -1: all zero but for `sparse`.
    std::uint64_t offset = 0;
    GltfNumber type = GltfNumber::Float;
    int width = 1;  ///< Numbers per element.
    bool is_normalized = false;
    std::uint64_t count = 0;
    GltfSparse sparse;

    std::uint64_t element_size() const { return size_of(type) * static_cast<unsigned>(width); }
};

struct GltfPrimitive {
    enum Attribute { Position, Normal, Uv, Colour };
    std::array<std::int32_t, 4> attributes = {-1, -1, -1, -1};
    std::vector<std::int32_t> joints;   ///< JOINTS_0, JOINTS_1 ... as far as there are any.
    std::vector<std::int32_t> weights;  ///< WEIGHTS_n, as many.
    std::vector<std::int32_t> morphs;   ///< POSITION of each morph target; -1: it moves nothing.
    std::int32_t indices = -1;
    std::int32_t material = -1;
    std::uint64_t mode = 4;
};
struct GltfMesh {
    std::string name;
    std::vector<GltfPrimitive> primitives;
    std::vector<std::string> morph_names;  ///< One per target; made up where the file has none.
};
struct GltfNode {
    std::string name;
    std::vector<std::int32_t> children;
    std::int32_t mesh = -1;
    std::int32_t skin = -1;
    Mat4 to_parent = Mat4::Identity();
};
struct GltfSkin {
    std::string name;
    std::vector<std::int32_t> joints;
    std::int32_t inverse_binds = -1;
};
struct GltfImage {
    std::string name;
    const std::string* uri = nullptr;
    std::int32_t view = -1;
};
struct GltfMaterial {
    Look look;
    std::int32_t image = -1;  ///< Of the base colour.
    int uv_set = 0;           ///< Which TEXCOORD_n it is laid out by.
    /// Pictures of which only means are kept, and how much they count.
    std::int32_t metal_image = -1, occlusion_image = -1;
    bool has_metal_picture = false;  ///< Of any format, read or not.
    double occlusion_strength = 1.0;
};
struct GltfChannel {
    std::int32_t node = -1;
    ModelChannel::Target target = ModelChannel::Target::Translation;
    std::int32_t input = -1;
    std::int32_t output = -1;
    std::string interpolation;
};
struct GltfAnimation {
    std::string name;
    std::vector<GltfChannel> channels;
};

struct GltfDocument {
    std::vector<GltfBuffer> buffers;
    std::vector<GltfView> views;
    std::vector<GltfAccessor> accessors;
    std::vector<GltfImage> images;
    std::vector<GltfMaterial> materials;
    std::vector<GltfMesh> meshes;
    std::vector<GltfNode> nodes;
    std::vector<std::int32_t> parents;  ///< Of each node.
    std::vector<GltfSkin> skins;
    std::vector<GltfAnimation> animations;
    std::vector<std::int32_t> roots;  ///< The nodes of the default scene.
    std::vector<std::string> notes;
};

/// Reads and checks all that can be checked without the buffers: every index and range is good
/// afterwards, the nodes are trees, an accessor's elements lie in its view and its view in the
/// length that its buffer claims, the attributes of a primitive have one length and usable types.
/// Error (`where`: a JSON pointer): the first thing that is not so. `json` must outlive the result.
Result<GltfDocument> read_gltf_document(const Json& json);

}  // namespace ductile
