// SPDX-License-Identifier: MIT
#include <ductile/core/names.h>
#include <ductile/scene/find_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ductile {
namespace {

constexpr std::size_t kMostFiles = 10'000;  // looked at in a folder; 10 ms

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ec;
    std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, ec), end;
    while (!ec && entry != end && files.size() < kMostFiles) {
        if (entry->is_regular_file(ec)) files.push_back(entry->path().filename());
        entry.increment(ec);
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The file beside `missing` that has its name with another ending, or nearly its name.
std::string nearest_file(const std::filesystem::path& missing) {
    const std::string stem = missing.stem().string();
    std::vector<std::string> stems;
    for (const std::filesystem::path& file : files_in(missing.parent_path())) {
        if (file.stem() == missing.stem()) return file.string();
        if (file.extension() == missing.extension()) stems.push_back(file.stem().string());
    }
    const std::vector<std::string_view> known(stems.begin(), stems.end());
    const std::string near = nearest_name(stem, known);
    return near.empty() ? "" : near + missing.extension().string();
}

}  // namespace

Result<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                        const std::string& name, std::string_view owner) {
    std::error_code ec;
    for (const std::filesystem::path& path : {folder / name, std::filesystem::path(name)}) {
        if (std::filesystem::is_regular_file(path, ec)) return path;
    }
    const std::filesystem::path missing = name;
    std::string what = "there is no such file";
    if (!missing.is_absolute()) {
        what += folder.empty() ? "" : fmt::format(" beside the {} or", owner);
        what += " in the current folder";
    }
    for (const std::filesystem::path& path : {folder / missing, missing}) {
        const std::string near = nearest_file(path);
        if (near.empty()) continue;
        return Error{what, name,
                     fmt::format("did you mean '{}'?", (missing.parent_path() / near).string())};
    }
    return Error{
        what, name,
        missing.is_absolute() ? "" : fmt::format("give its path from the {}'s folder", owner)};
}

}  // namespace ductile
