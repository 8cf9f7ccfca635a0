// SPDX-License-Identifier: MIT
#include <ductile/io/companion.h>
#include <ductile/io/gltf/data_uri.h>
#include <ductile/io/gltf/gltf_data.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace ductile {
namespace {

// Pictures may share bytes, but not so often that a small file fills the memory.
constexpr std::uint64_t kPictureShare = 4;

std::vector<std::byte> to_bytes(const std::string& text) {
    const std::byte* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

// `stride` bytes apart; `scale` is 0 for numbers that are taken as they are.
template <class Number>
void convert(const std::byte* from, std::size_t stride, std::size_t count, std::size_t width,
             bool is_normalized, double* out) {
    const double scale = 1.0 / static_cast<double>(std::numeric_limits<Number>::max());
    for (std::size_t i = 0; i < count; ++i, from += stride) {
        for (std::size_t k = 0; k < width; ++k) {
            Number number;
            std::memcpy(&number, from + k * sizeof(Number), sizeof(Number));
            const double value = static_cast<double>(number);
            *out++ = is_normalized ? std::max(value * scale, -1.0) : value;
        }
    }
}

void convert_as(GltfNumber type, const std::byte* from, std::size_t stride, std::size_t count,
                std::size_t width, bool is_normalized, double* out) {
    switch (type) {
        case GltfNumber::Int8:
            return convert<std::int8_t>(from, stride, count, width, is_normalized, out);
        case GltfNumber::Uint8:
            return convert<std::uint8_t>(from, stride, count, width, is_normalized, out);
        case GltfNumber::Int16:
            return convert<std::int16_t>(from, stride, count, width, is_normalized, out);
        case GltfNumber::Uint16:
            return convert<std::uint16_t>(from, stride, count, width, is_normalized, out);
        case GltfNumber::Uint32:
            return convert<std::uint32_t>(from, stride, count, width, is_normalized, out);
        case GltfNumber::Float:
            return convert<float>(from, stride, count, width, false, out);
    }
}

}  // namespace

std::span<const std::byte> GltfData::view(std::int32_t index) const {
    const GltfView& v = document_->views[index];
    return buffers_[v.buffer].subspan(v.offset, v.length);
}

Result<std::vector<std::byte>> GltfData::fetch(const std::string& uri, std::uint64_t limit) {
    if (is_data_uri(uri)) return decode_data_uri(uri);
    Result<std::string> name = decode_relative_uri(uri);
    if (!name) return name.error();
    Result<std::string> content = read_companion(context_->folder, name.value(), limit);
    if (!content) return content.error();
    return to_bytes(content.value());
}

Result<GltfData> GltfData::load(const GltfDocument& document, const GltfContainer& file,
                                const ReadContext& context) {
    GltfData data;
    data.document_ = &document;
    data.context_ = &context;
    data.size_ = file.json.size() + (file.binary ? file.binary->size() : 0);
    for (std::size_t i = 0; i < document.buffers.size(); ++i) {
        const GltfBuffer& buffer = document.buffers[i];
        const std::string where = fmt::format("#/buffers/{}", i);
        if (buffer.uri) {
            const std::uint64_t limit = context.limits.file_bytes;
            Result<std::vector<std::byte>> bytes =
                data.fetch(*buffer.uri, limit - std::min(limit, data.size_));
            if (!bytes) {
                const Error& e = bytes.error();
                return Error{e.where.empty() ? e.what : fmt::format("{}: {}", e.where, e.what),
                             where + "/uri", e.hint};
            }
            data.owned_.push_back(
                std::make_shared<const std::vector<std::byte>>(std::move(bytes).value()));
            data.buffers_.push_back(*data.owned_.back());
            if (!is_data_uri(*buffer.uri)) data.size_ += data.buffers_.back().size();
        } else if (i == 0 && file.binary) {
            data.buffers_.push_back(*file.binary);
        } else {
            return Error{"has no uri and is not the BIN chunk either", where,
                         "export it again as .glb"};
        }
        if (data.buffers_.back().size() < buffer.length) {
            return Error{fmt::format("claims {} bytes, but {} are there", buffer.length,
                                     data.buffers_.back().size()),
                         where + "/byteLength", "the file was cut short"};
        }
    }
    return data;
}

Status GltfData::read_numbers(std::int32_t accessor, double* out) const {
    const GltfAccessor& a = document_->accessors[accessor];
    const std::size_t width = static_cast<std::size_t>(a.width);
    const std::size_t size = a.element_size();
    if (a.view >= 0) {
        const std::size_t stride = std::max<std::size_t>(size, document_->views[a.view].stride);
        convert_as(a.type, view(a.view).data() + a.offset, stride, a.count, width, a.is_normalized,
                   out);
    } else {
        std::fill_n(out, a.count * width, 0.0);
    }
    const GltfSparse& sparse = a.sparse;
    if (sparse.count == 0) return {};
    const std::byte* places = view(sparse.index_view).data() + sparse.index_offset;
    const std::byte* values = view(sparse.value_view).data() + sparse.value_offset;
    for (std::size_t i = 0; i < sparse.count; ++i, values += size) {
        double place = 0.0;
        const std::size_t step = size_of(sparse.index_type);
        convert_as(sparse.index_type, places + i * step, step, 1, 1, false, &place);
        if (!(place < static_cast<double>(a.count))) {
            return Error{fmt::format("element {} of {} does not exist", place, a.count),
                         fmt::format("#/accessors/{}/sparse/indices", accessor), ""};
        }
        convert_as(a.type, values, size, 1, width, a.is_normalized,
                   out + static_cast<std::size_t>(place) * width);
    }
    return {};
}

Result<std::vector<std::byte>> GltfData::fetch_picture(const GltfImage& image) {
    if (image.uri) {
        const std::uint64_t limit = context_->limits.file_bytes;
        return fetch(*image.uri, limit - std::min(limit, picture_bytes_));
    }
    const std::span<const std::byte> bytes = view(image.view);
    if (bytes.size() > kPictureShare * size_ - std::min(picture_bytes_, kPictureShare * size_)) {
        return Error{"pictures overlap too often", "", ""};
    }
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<std::shared_ptr<const Texture>> GltfData::read_picture(std::int32_t index) {
    if (const auto known = pictures_.find(index); known != pictures_.end()) return known->second;
    const GltfImage& image = document_->images[index];
    Result<std::vector<std::byte>> bytes = fetch_picture(image);
    if (!bytes) return bytes.error();
    const std::string_view type = picture_type(bytes.value());
    if (type.empty()) return Error{"is neither PNG nor JPEG", "", ""};
    auto texture = std::make_shared<Texture>();
    texture->name = image.name;
    if (texture->name.empty() && image.uri && !is_data_uri(*image.uri)) texture->name = *image.uri;
    texture->mime_type = type;
    texture->bytes = std::move(bytes).value();
    picture_bytes_ += texture->bytes.size();
    return pictures_[index] = std::move(texture);
}

}  // namespace ductile
