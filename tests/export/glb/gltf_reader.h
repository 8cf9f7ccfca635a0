// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/export/glb/glb.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// A small glTF reader of the tests' own: it shares nothing with the writer but the specification.
namespace ductile::gltf {

using Json = nlohmann::json;

struct File {
    Json json;
    std::string binary;
};

inline std::uint32_t word(std::string_view bytes, std::size_t at) {
    std::uint32_t w = 0;
    for (int i = 3; i >= 0; --i) w = w << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return w;
}

inline File parse(const std::string& bytes) {
    REQUIRE(bytes.size() >= 20);
    CHECK(bytes.substr(0, 4) == "glTF");
    CHECK(word(bytes, 4) == 2);
    CHECK(word(bytes, 8) == bytes.size());
    const std::size_t text_size = word(bytes, 12);
    CHECK(text_size % 4 == 0);
    CHECK(bytes.substr(16, 4) == "JSON");
    File file;
    file.json = Json::parse(bytes.substr(20, text_size));
    const std::size_t at = 20 + text_size;
    if (at == bytes.size()) return file;
    const std::size_t size = word(bytes, at);
    CHECK(size % 4 == 0);
    CHECK(bytes.substr(at + 4, 4) == std::string("BIN\0", 4));
    REQUIRE(at + 8 + size == bytes.size());
    file.binary = bytes.substr(at + 8);
    return file;
}

inline int width(const Json& accessor) {
    const std::string type = accessor.at("type");
    return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : 4;
}

inline std::size_t component_size(int type) { return type == 5123 ? 2 : 4; }

/// `count` numbers of a component type, out of a buffer view; checks bounds and alignment.
inline std::vector<double> numbers(const File& file, int view, int type, std::size_t count) {
    const Json& v = file.json.at("bufferViews").at(view);
    const std::size_t offset = v.at("byteOffset"), length = v.at("byteLength");
    const std::size_t size = component_size(type);
    REQUIRE(v.at("buffer") == 0);
    REQUIRE(offset % 4 == 0);
    REQUIRE(length == count * size);
    REQUIRE(offset + length <= file.binary.size());
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const char* at = file.binary.data() + offset + i * size;
        std::uint16_t u16;
        std::uint32_t u32;
        float f;
        if (type == 5123) std::memcpy(&u16, at, 2), out[i] = u16;
        if (type == 5125) std::memcpy(&u32, at, 4), out[i] = u32;
        if (type == 5126) std::memcpy(&f, at, 4), out[i] = f;
    }
    return out;
}

inline std::vector<double> read(const File& file, int index) {
    const Json& a = file.json.at("accessors").at(index);
    const std::size_t count = a.at("count");
    const int w = width(a), type = a.at("componentType");
    std::vector<double> out(count * w, 0.0);
    if (a.contains("bufferView")) out = numbers(file, a.at("bufferView"), type, count * w);
    if (!a.contains("sparse")) return out;
    const Json& s = a.at("sparse");
    const std::size_t n = s.at("count");
    const auto places =
        numbers(file, s.at("indices").at("bufferView"), s.at("indices").at("componentType"), n);
    const auto values = numbers(file, s.at("values").at("bufferView"), type, n * w);
    for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(places[i] < static_cast<double>(count));
        if (i > 0) REQUIRE(places[i] > places[i - 1]);
        for (int k = 0; k < w; ++k) out[std::size_t(places[i]) * w + k] = values[i * w + k];
    }
    return out;
}

inline std::vector<Vec3> read_vectors(const File& file, int index) {
    const std::vector<double> raw = read(file, index);
    std::vector<Vec3> out;
    for (std::size_t i = 0; i + 2 < raw.size(); i += 3)
        out.push_back({raw[i], raw[i + 1], raw[i + 2]});
    return out;
}

/// A node as it stands at some time.
struct Pose {
    Transform pose;
    Vec3 scale = Vec3::Ones();
    std::vector<double> weights;
};

/// What a channel gives at time t: `width` numbers.
inline std::vector<double> sample(const File& file, const Json& sampler, double t, bool is_rotation,
                                  std::size_t count) {
    const std::vector<double> times = read(file, sampler.at("input"));
    const std::vector<double> values = read(file, sampler.at("output"));
    REQUIRE(values.size() == times.size() * count);
    const auto key = [&](std::size_t k) {
        return std::vector<double>(values.begin() + k * count, values.begin() + (k + 1) * count);
    };
    if (t <= times.front()) return key(0);
    if (t >= times.back()) return key(times.size() - 1);
    const std::size_t b = std::upper_bound(times.begin(), times.end(), t) - times.begin();
    if (sampler.at("interpolation") == "STEP") return key(b - 1);
    REQUIRE(sampler.at("interpolation") == "LINEAR");
    const double share = (t - times[b - 1]) / (times[b] - times[b - 1]);
    std::vector<double> from = key(b - 1), to = key(b);
    if (is_rotation) {
        const Quat p(from[3], from[0], from[1], from[2]), q(to[3], to[0], to[1], to[2]);
        CHECK(p.dot(q) >= 0.0);  // sign continuity
        const Quat s = p.slerp(share, q);
        return {s.x(), s.y(), s.z(), s.w()};
    }
    for (std::size_t i = 0; i < count; ++i) from[i] += share * (to[i] - from[i]);
    return from;
}

inline const Json* mesh_of(const File& file, const Json& node) {
    return node.contains("mesh") ? &file.json.at("meshes").at(int(node.at("mesh"))) : nullptr;
}

/// Node `index` at time t.
inline Pose pose_at(const File& file, int index, double t) {
    const Json& node = file.json.at("nodes").at(index);
    Pose pose;
    std::vector<double> translation = node.value("translation", std::vector<double>{0, 0, 0});
    std::vector<double> rotation = node.value("rotation", std::vector<double>{0, 0, 0, 1});
    std::vector<double> scale = node.value("scale", std::vector<double>{1, 1, 1});
    const Json* mesh = mesh_of(file, node);
    if (mesh) pose.weights = mesh->value("weights", std::vector<double>{});
    for (const Json& animation : file.json.value("animations", Json::array())) {
        for (const Json& channel : animation.at("channels")) {
            if (channel.at("target").at("node") != index) continue;
            const Json& sampler = animation.at("samplers").at(int(channel.at("sampler")));
            const std::string path = channel.at("target").at("path");
            if (path == "translation") translation = sample(file, sampler, t, false, 3);
            if (path == "rotation") rotation = sample(file, sampler, t, true, 4);
            if (path == "scale") scale = sample(file, sampler, t, false, 3);
            if (path == "weights")
                pose.weights = sample(file, sampler, t, false, pose.weights.size());
        }
    }
    pose.pose.translation = Vec3(translation[0], translation[1], translation[2]);
    pose.pose.rotation = Quat(rotation[3], rotation[0], rotation[1], rotation[2]);
    pose.scale = Vec3(scale[0], scale[1], scale[2]);
    return pose;
}

/// One primitive with its morph targets applied, in the node's own frame.
struct Shown {
    std::vector<Vec3> points;
    std::vector<Vec3> normals;  ///< As summed: readers normalise them.
};
inline Shown show(const File& file, const Json& primitive, const std::vector<double>& weights) {
    Shown shown;
    shown.points = read_vectors(file, primitive.at("attributes").at("POSITION"));
    shown.normals = read_vectors(file, primitive.at("attributes").at("NORMAL"));
    const Json targets = primitive.value("targets", Json::array());
    REQUIRE(targets.size() == weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (weights[k] == 0.0) continue;
        const std::vector<Vec3> moves = read_vectors(file, targets[k].at("POSITION"));
        const std::vector<Vec3> turns = read_vectors(file, targets[k].at("NORMAL"));
        REQUIRE(moves.size() == shown.points.size());
        REQUIRE(turns.size() == shown.points.size());
        for (std::size_t i = 0; i < moves.size(); ++i) {
            shown.points[i] += weights[k] * moves[i];
            shown.normals[i] += weights[k] * turns[i];
        }
    }
    return shown;
}

inline void check_bounds(const File& file, int index) {
    const Json& a = file.json.at("accessors").at(index);
    const std::vector<double> values = read(file, index);
    const int w = width(a);
    std::vector<double> low(w, 1e300), high(w, -1e300);
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % w] = std::min(low[i % w], values[i]);
        high[i % w] = std::max(high[i % w], values[i]);
    }
    CHECK(a.at("min") == Json(low));
    CHECK(a.at("max") == Json(high));
}

inline void check_primitive(const File& file, const Json& p) {
    const Json& accessors = file.json.at("accessors");
    const int position = p.at("attributes").at("POSITION");
    const std::size_t count = accessors.at(position).at("count");
    for (const auto& [name, index] : p.at("attributes").items()) {
        CHECK(accessors.at(int(index)).at("count") == count);
        CHECK(file.json["bufferViews"][int(accessors[int(index)]["bufferView"])]["target"] ==
              34962);
    }
    check_bounds(file, position);
    for (const Vec3& n : read_vectors(file, p.at("attributes").at("NORMAL"))) {
        CHECK(test::near(n.norm(), 1.0, 1e-6));
    }
    const std::vector<double> corners = read(file, p.at("indices"));
    CHECK(corners.size() % 3 == 0);
    CHECK(*std::max_element(corners.begin(), corners.end()) == double(count) - 1);
    CHECK(file.json["bufferViews"][int(accessors[int(p["indices"])]["bufferView"])]["target"] ==
          34963);
    CHECK(int(p.at("material")) < int(file.json.at("materials").size()));
    for (const Json& target : p.value("targets", Json::array())) {
        check_bounds(file, target.at("POSITION"));
        CHECK(accessors.at(int(target.at("POSITION"))).at("count") == count);
        CHECK(accessors.at(int(target.at("NORMAL"))).at("count") == count);
    }
}

inline void check_animation(const File& file, const Json& animation) {
    for (const Json& sampler : animation.at("samplers")) {
        const std::vector<double> times = read(file, sampler.at("input"));
        check_bounds(file, sampler.at("input"));
        CHECK(times.front() >= 0.0);
        CHECK(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) ==
              times.end());
    }
    std::vector<Json> seen;
    for (const Json& channel : animation.at("channels")) {
        CHECK(std::find(seen.begin(), seen.end(), channel.at("target")) == seen.end());
        seen.push_back(channel.at("target"));
        if (channel.at("target").at("path") != "rotation") continue;
        const Json& sampler = animation.at("samplers").at(int(channel.at("sampler")));
        const std::vector<double> q = read(file, sampler.at("output"));
        for (std::size_t i = 0; i < q.size(); i += 4) {
            CHECK(test::near(std::hypot(std::hypot(q[i], q[i + 1]), std::hypot(q[i + 2], q[i + 3])),
                             1.0, 1e-6));
        }
    }
}

/// What the specification asks of every file, as far as ductile's files use it.
inline void check_structure(const File& file) {
    CHECK(file.json.at("asset").at("version") == "2.0");
    CHECK(file.json.at("asset").at("generator") == "ductile");
    if (!file.binary.empty()) {
        CHECK(file.json.at("buffers").size() == 1);
        CHECK(file.json.at("buffers")[0].at("byteLength") == file.binary.size());
    }
    for (std::size_t i = 0; i < file.json.value("accessors", Json::array()).size(); ++i) {
        for (const double x : read(file, static_cast<int>(i))) REQUIRE(std::isfinite(x));
    }
    for (const Json& mesh : file.json.value("meshes", Json::array())) {
        for (const Json& primitive : mesh.at("primitives")) {
            check_primitive(file, primitive);
            CHECK(primitive.value("targets", Json::array()).size() ==
                  mesh.value("weights", Json::array()).size());
        }
    }
    for (const Json& animation : file.json.value("animations", Json::array())) {
        check_animation(file, animation);
    }
    const Json nodes = file.json.value("nodes", Json::array());
    std::vector<int> parents(nodes.size(), 0), roots;
    for (const Json& node : nodes) {
        for (const Json& child : node.value("children", Json::array())) ++parents.at(int(child));
    }
    for (std::size_t i = 0; i < parents.size(); ++i) {
        CHECK(parents[i] <= 1);
        if (parents[i] == 0) roots.push_back(static_cast<int>(i));
    }
    CHECK(file.json.at("scenes")[0].value("nodes", Json::array()) == Json(roots));
}

/// What a recording becomes, read back and checked.
inline File exported(const Recording& recording, const GlbOptions& options = {}) {
    const Result<std::string> bytes = glb_bytes(recording, options);
    REQUIRE(bytes.ok());
    File file = parse(bytes.value());
    check_structure(file);
    return file;
}

}  // namespace ductile::gltf
