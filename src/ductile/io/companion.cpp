// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/io/companion.h>

#include <algorithm>
#include <system_error>

namespace ductile {
namespace {

constexpr const char* kHint = "put it into the asset's folder and name it from there";

// Where a name would lead out of the folder, or nullptr.
const char* escape_of(std::string_view name) {
    if (name.empty()) return "an empty file name";
    if (name.find('\0') != name.npos) return "a file name with a zero byte";
    if (name[0] == '/') return "an absolute path, which is not opened";
    if (name.size() > 1 && name[1] == ':') return "a path on a drive, which is not opened";
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..") {
            return "a path out of the asset's folder, which is not opened";
        }
        begin = end + 1;
    }
    return nullptr;
}

bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
}

}  // namespace

Result<std::filesystem::path> find_companion(const std::filesystem::path& folder,
                                             std::string_view name) {
    std::string clean(name);
    std::replace(clean.begin(), clean.end(), '\\', '/');
    if (const char* escape = escape_of(clean)) return Error{escape, clean, kHint};
    if (folder.empty()) return Error{"there is no folder to look for it", clean, ""};
    std::error_code error;
    const std::filesystem::path home = std::filesystem::canonical(folder, error);
    if (error) return Error{"the asset's folder cannot be read", folder.string(), ""};
    const std::filesystem::path path = std::filesystem::canonical(home / clean, error);
    if (error) return Error{"is not there", clean, kHint};
    if (!is_within(path, home)) {
        return Error{"a link out of the asset's folder, which is not opened", clean, kHint};
    }
    if (!std::filesystem::is_regular_file(path, error)) {
        return Error{"is not a plain file", clean, ""};
    }
    return path;
}

Result<std::string> read_companion(const std::filesystem::path& folder, std::string_view name,
                                   std::uintmax_t limit) {
    Result<std::filesystem::path> path = find_companion(folder, name);
    if (!path) return path.error();
    Result<std::string> content = read_file(path.value(), limit);
    if (!content) return Error{content.error().what, std::string(name), ""};
    return content;
}

}  // namespace ductile
