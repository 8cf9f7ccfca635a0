// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/gltf/gltf_container.h>
#include <ductile/io/gltf/gltf_document.h>

#include <map>
#include <memory>

namespace ductile {

/// The bytes behind a document: its buffers, the numbers in them, its pictures.
class GltfData {
public:
    /// Fetches the buffers: the BIN chunk, data URIs, files in the asset's folder.
    /// Error (`where`: a JSON pointer): a buffer that is not there or shorter than it claims.
    /// Requires: all arguments outlive the object.
    static Result<GltfData> load(const GltfDocument& document, const GltfContainer& file,
                                 const ReadContext& context);

    /// How many bytes there are in all: a measure of what the asset may ask for.
    std::uint64_t size() const { return size_; }

    /// Writes the `count * width` numbers of an accessor. Error: a sparse index out of range.
    Status read_numbers(std::int32_t accessor, double* out) const;

    /// A picture as it is, shared by all who ask for it. Error: it is not there, no PNG or JPEG.
    Result<std::shared_ptr<const Texture>> read_picture(std::int32_t image);

private:
    std::span<const std::byte> view(std::int32_t index) const;
    Result<std::vector<std::byte>> fetch(const std::string& uri, std::uint64_t limit);
    Result<std::vector<std::byte>> fetch_picture(const GltfImage& image);

    const GltfDocument* document_ = nullptr;
    const ReadContext* context_ = nullptr;
    std::vector<std::shared_ptr<const std::vector<std::byte>>> owned_;
    std::vector<std::span<const std::byte>> buffers_;
    std::map<std::int32_t, std::shared_ptr<const Texture>> pictures_;
    std::uint64_t size_ = 0;
    std::uint64_t picture_bytes_ = 0;
};

}  // namespace ductile
