// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/asset_files.h>
#include <ductile/io/companion.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace ductile {
namespace {

/// Bytes in memory as assimp reads a file.
class MemoryFile : public Assimp::IOStream {
public:
    explicit MemoryFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
    explicit MemoryFile(std::string content)
        : content_(std::move(content)),
          bytes_(reinterpret_cast<const std::byte*>(content_.data()), content_.size()) {}

    std::size_t Read(void* out, std::size_t size, std::size_t count) override {
        if (size == 0) return 0;
        const std::size_t whole = std::min(count, (bytes_.size() - at_) / size);
        if (whole > 0) std::memcpy(out, bytes_.data() + at_, whole * size);
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        // assimp passes negative offsets as huge ones; the sum wraps back as they mean.
        const std::size_t from = origin == aiOrigin_SET   ? 0
                                 : origin == aiOrigin_CUR ? at_
                                                          : bytes_.size();
        const std::size_t to = from + offset;
        if (to > bytes_.size()) return aiReturn_FAILURE;
        at_ = to;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return at_; }
    std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

private:
    std::string content_;
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

std::string_view without_dot(std::string_view name) {
    while (name.starts_with("./") || name.starts_with(".\\")) name.remove_prefix(2);
    return name;
}

}  // namespace

bool AssetFiles::Exists(const char* name) const {
    return name == main_name_ || find_companion(context_.folder, without_dot(name)).ok();
}

Assimp::IOStream* AssetFiles::Open(const char* name, const char* mode) {
    if (std::strpbrk(mode, "wa+")) return nullptr;
    if (name == main_name_) return new MemoryFile(bytes_);
    Result<std::string> content =
        read_companion(context_.folder, without_dot(name), context_.limits.file_bytes);
    if (!content) return nullptr;
    return new MemoryFile(std::move(content).value());
}

}  // namespace ductile
