// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// The whole content of a file, at most `limit` bytes of it allowed.
Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit = 512u << 20);

/// Writes beside `path` under a name of its own, flushes to disk, then renames: a file called
/// `path` is either the old one or whole. Creates missing folders. A link stays a link; a device or
/// pipe (/dev/null, /dev/stdout) is written to as it is.
Status write_file(const std::filesystem::path& path, std::string_view content);
Status write_file(const std::filesystem::path& path, std::span<const std::byte> content);

/// The name under which a file is written before it is whole (for writers such as ffmpeg that
/// open the file themselves). Same folder, same extension.
std::filesystem::path unfinished_name(const std::filesystem::path& path);

/// Gives a finished file its final name, flushing it to disk first.
Status finish_file(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Makes the folder and its parents.
Status make_folder(const std::filesystem::path& path);

}  // namespace ductile
