// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>

#include <span>
#include <string>

namespace ductile {

/// All that assimp may open: the asset itself, from memory, and its companions, to read.
class AssetFiles : public Assimp::IOSystem {
public:
    AssetFiles(std::span<const std::byte> bytes, std::string extension, const ReadContext& context)
        : bytes_(bytes), main_name_(main_name(extension)), context_(context) {}

    /// What the asset is called towards assimp.
    static std::string main_name(std::string_view extension) {
        return "asset" + std::string(extension);
    }

    bool Exists(const char* name) const override;
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* name, const char* mode) override;
    void Close(Assimp::IOStream* stream) override { delete stream; }

private:
    std::span<const std::byte> bytes_;
    std::string main_name_;
    const ReadContext& context_;
};

}  // namespace ductile
