// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/image/png.h>
#include <ductile/render/image.h>

namespace ductile {

std::string encode_png(const Image& image) {
    return encode_png(image.width, image.height, image.rgb);
}

Status write_png(const std::filesystem::path& path, const Image& image) {
    return write_file(path, encode_png(image));
}

}  // namespace ductile
