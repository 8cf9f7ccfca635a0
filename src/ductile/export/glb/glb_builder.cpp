// SPDX-License-Identifier: MIT
// Khronos Group, "glTF 2.0 Specification", sections 3.6 (binary data) and 4.4 (GLB layout).
#include <ductile/core/assert.h>
#include <ductile/export/glb/glb_builder.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ductile {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF stores the lowest byte first");

constexpr int kUint16 = 5123, kUint32 = 5125, kFloat = 5126;
constexpr int kNoTarget = 0, kVertexTarget = 34962, kIndexTarget = 34963;
// A sparse accessor costs a reader a copy: it must save this much of the dense one to pay.
constexpr double kSparsePays = 0.75;
constexpr std::size_t kNarrowCount = 65536;  // vertices that 16 bits can tell apart

const char* type_name(int width) {
    static constexpr const char* names[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return names[width];
}

void append_word(std::string& bytes, std::uint32_t word) {
    char raw[4];
    std::memcpy(raw, &word, 4);
    bytes.append(raw, 4);
}

std::size_t padding(std::size_t size) { return (4 - size % 4) % 4; }

bool is_zero(std::span<const float> v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

}  // namespace

GlbBuilder::GlbBuilder(std::size_t size_limit, bool has_dense_deltas)
    : size_limit_(std::min(size_limit, kFormatLimit)), has_dense_deltas_(has_dense_deltas) {
    root["asset"] = {{"version", "2.0"}, {"generator", "ductile"}};
}

int GlbBuilder::add(const char* array, Json element) {
    Json& list = root[array];
    list.push_back(std::move(element));
    return static_cast<int>(list.size()) - 1;
}

int GlbBuilder::add_view(const void* data, std::size_t size, int target) {
    const std::size_t offset = binary_.size();
    is_too_large_ = is_too_large_ || size > size_limit_ || offset > size_limit_ - size;
    if (!is_too_large_) {
        binary_.append(static_cast<const char*>(data), size);
        binary_.append(padding(size), '\0');
    }
    Json view = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", size}};
    if (target != kNoTarget) view["target"] = target;
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
}

int GlbBuilder::add_bytes(std::span<const std::byte> bytes) {
    return add_view(bytes.data(), bytes.size(), kNoTarget);
}

int GlbBuilder::add_accessor(int view, int component, std::size_t count, int width) {
    Json accessor = Json::object();
    if (view >= 0) accessor["bufferView"] = view;
    accessor["componentType"] = component;
    accessor["count"] = count;
    accessor["type"] = type_name(width);
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
}

void GlbBuilder::set_bounds(int accessor, std::span<const float> values, int width) {
    std::vector<float> low(values.begin(), values.begin() + width);
    std::vector<float> high = low;
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % width] = std::min(low[i % width], values[i]);
        high[i % width] = std::max(high[i % width], values[i]);
    }
    accessors_[accessor]["min"] = low;
    accessors_[accessor]["max"] = high;
}

int GlbBuilder::add_vertices(std::span<const float> values, int width) {
    DUCTILE_ASSERT(!values.empty() && values.size() % width == 0, "whole vertices");
    const int view = add_view(values.data(), values.size_bytes(), kVertexTarget);
    const int accessor = add_accessor(view, kFloat, values.size() / width, width);
    set_bounds(accessor, values, width);
    return accessor;
}

int GlbBuilder::add_joints(std::span<const std::uint16_t> joints) {
    DUCTILE_ASSERT(!joints.empty() && joints.size() % 4 == 0, "whole vertices");
    const int view = add_view(joints.data(), joints.size_bytes(), kVertexTarget);
    return add_accessor(view, kUint16, joints.size() / 4, 4);
}

int GlbBuilder::add_matrices(std::span<const float> values) {
    DUCTILE_ASSERT(!values.empty() && values.size() % 16 == 0, "whole matrices");
    const int view = add_view(values.data(), values.size_bytes(), kNoTarget);
    const int accessor = add_accessor(view, kFloat, values.size() / 16, 4);
    accessors_[accessor]["type"] = "MAT4";
    return accessor;
}

int GlbBuilder::add_indices(std::span<const std::uint32_t> corners, std::size_t vertex_count) {
    DUCTILE_ASSERT(!corners.empty(), "at least a triangle");
    // 65535 itself is kept free: it restarts a primitive on some hardware.
    if (vertex_count > 65535) {
        const int view = add_view(corners.data(), corners.size_bytes(), kIndexTarget);
        return add_accessor(view, kUint32, corners.size(), 1);
    }
    const std::vector<std::uint16_t> narrow(corners.begin(), corners.end());
    const int view = add_view(narrow.data(), narrow.size() * 2, kIndexTarget);
    return add_accessor(view, kUint16, corners.size(), 1);
}

int GlbBuilder::add_sparse(std::size_t count, std::span<const std::uint32_t> places,
                           std::span<const float> moved) {
    const bool is_narrow = count <= kNarrowCount;
    const std::vector<std::uint16_t> narrow(places.begin(), places.end());
    const int place_view = is_narrow ? add_view(narrow.data(), narrow.size() * 2, kNoTarget)
                                     : add_view(places.data(), places.size_bytes(), kNoTarget);
    const int value_view = add_view(moved.data(), moved.size_bytes(), kNoTarget);
    const int accessor = add_accessor(-1, kFloat, count, 3);
    accessors_[accessor]["sparse"] = {
        {"count", places.size()},
        {"indices", {{"bufferView", place_view}, {"componentType", is_narrow ? kUint16 : kUint32}}},
        {"values", {{"bufferView", value_view}}}};
    return accessor;
}

int GlbBuilder::add_zeros(std::span<const float> values) {
    const auto [known, is_new] = zeros_.try_emplace(values.size() / 3, 0);
    if (!is_new) return known->second;
    // An accessor without any data would do, but assimp 5.2 refuses the file: one zero is written.
    static constexpr std::uint32_t first[] = {0};
    known->second = add_sparse(values.size() / 3, first, values.first(3));
    set_bounds(known->second, values, 3);
    return known->second;
}

int GlbBuilder::add_deltas(std::span<const float> values) {
    if (has_dense_deltas_) return add_vertices(values, 3);
    const std::size_t count = values.size() / 3;
    std::vector<std::uint32_t> places;
    std::vector<float> moved;
    for (std::size_t i = 0; i < count; ++i) {
        const std::span<const float> v = values.subspan(3 * i, 3);
        if (is_zero(v)) continue;
        places.push_back(static_cast<std::uint32_t>(i));
        moved.insert(moved.end(), v.begin(), v.end());
    }
    if (places.empty()) return add_zeros(values);
    const double sparse_size =
        static_cast<double>(places.size()) * (count <= kNarrowCount ? 14 : 16);
    if (sparse_size > kSparsePays * static_cast<double>(values.size_bytes())) {
        return add_vertices(values, 3);
    }
    const int accessor = add_sparse(count, places, moved);
    set_bounds(accessor, values, 3);
    return accessor;
}

int GlbBuilder::add_times(const std::vector<float>& times) {
    const auto [known, is_new] = times_.try_emplace(times, 0);
    if (is_new) {
        known->second = add_keys(times, 1);
        set_bounds(known->second, times, 1);
    }
    return known->second;
}

int GlbBuilder::add_keys(std::span<const float> values, int width) {
    DUCTILE_ASSERT(!values.empty() && values.size() % width == 0, "whole keys");
    const int view = add_view(values.data(), values.size_bytes(), kNoTarget);
    return add_accessor(view, kFloat, values.size() / width, width);
}

Result<std::string> GlbBuilder::finish() {
    if (!accessors_.empty()) root["accessors"] = std::move(accessors_);
    if (!views_.empty()) root["bufferViews"] = std::move(views_);
    if (!binary_.empty()) root["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
    // Names come from users: bytes that are no text must not throw here.
    std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append(padding(text.size()), ' ');

    const std::size_t binary_size = binary_.empty() ? 0 : 8 + binary_.size();
    const std::size_t size = 12 + 8 + text.size() + binary_size;
    if (is_too_large_ || size > size_limit_) {
        return Error{fmt::format("the file would be larger than {} bytes", size_limit_), "",
                     "raise shape_tolerance, or lower max_shape_keys or the number of bodies"};
    }
    std::string file;
    file.reserve(size);
    append_word(file, 0x46546C67);  // "glTF"
    append_word(file, 2);
    append_word(file, static_cast<std::uint32_t>(size));
    append_word(file, static_cast<std::uint32_t>(text.size()));
    append_word(file, 0x4E4F534A);  // "JSON"
    file += text;
    if (!binary_.empty()) {
        append_word(file, static_cast<std::uint32_t>(binary_.size()));
        append_word(file, 0x004E4942);  // "BIN"
        file += binary_;
    }
    return file;
}

}  // namespace ductile
