// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Small glTF files made by hand, for tests that need one.
namespace ductile::sample {

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline void append_word(std::string& out, std::uint32_t word) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> (8 * i) & 0xff);
}

inline std::string glb_of(const std::string& json, std::string binary) {
    std::string text = json;
    while (text.size() % 4 != 0) text += ' ';
    while (binary.size() % 4 != 0) binary += '\0';
    std::string out = "glTF";
    append_word(out, 2);
    append_word(out, static_cast<std::uint32_t>(28 + text.size() + binary.size()));
    append_word(out, static_cast<std::uint32_t>(text.size()));
    out += "JSON" + text;
    append_word(out, static_cast<std::uint32_t>(binary.size()));
    out += std::string("BIN\0", 4) + binary;
    return out;
}

/// A document whose accessors are added one by one.
struct GltfSketch {
    Json json = {{"asset", {{"version", "2.0"}}}};
    std::string binary;

    int view(const void* data, std::size_t size) {
        while (binary.size() % 4 != 0) binary += '\0';
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", size}});
        binary.append(static_cast<const char*>(data), size);
        return static_cast<int>(json["bufferViews"].size()) - 1;
    }
    template <class Number>
    int accessor(int component, const char* type, int width, const std::vector<Number>& numbers) {
        const int bytes = view(numbers.data(), numbers.size() * sizeof(Number));
        json["accessors"].push_back({{"bufferView", bytes},
                                     {"componentType", component},
                                     {"count", numbers.size() / static_cast<std::size_t>(width)},
                                     {"type", type}});
        return static_cast<int>(json["accessors"].size()) - 1;
    }
    /// A mesh of one primitive, and a node of the scene that shows it.
    void show(Json primitive, const char* name = "part") {
        json["meshes"].push_back({{"name", name}, {"primitives", Json::array({primitive})}});
        const std::size_t mesh = json["meshes"].size() - 1;
        json["nodes"].push_back({{"name", name}, {"mesh", mesh}});
    }
    std::string text() {
        if (!binary.empty()) json["buffers"] = Json::array({{{"byteLength", binary.size()}}});
        return json.dump();
    }
    std::string file() {
        const std::string json_text = text();
        return glb_of(json_text, binary);
    }
};

/// Two triangles that share an edge.
inline GltfSketch square() {
    GltfSketch sketch;
    sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.1f});
    sketch.accessor<std::uint16_t>(5123, "SCALAR", 1, {0, 1, 2, 0, 2, 3});
    sketch.show({{"attributes", {{"POSITION", 0}}}, {"indices", 1}});
    return sketch;
}

}  // namespace ductile::sample
