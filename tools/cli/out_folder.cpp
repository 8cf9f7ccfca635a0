// SPDX-License-Identifier: MIT
#include "out_folder.h"

#include <ductile/core/file.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace ductile::cli {
namespace {

constexpr std::size_t kLongestName = 200;  // of 255 bytes; endings and unfinished names need some

bool is_bad_in_name(unsigned char c) { return c < 32 || c == 127 || c == '/' || c == '\\'; }

bool is_on_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    if (!path) return true;  // the system has a default of its own
    std::string_view rest = path;
    while (true) {
        const std::size_t colon = rest.find(':');
        const std::filesystem::path folder = std::string(rest.substr(0, colon));
        const std::filesystem::path file =
            folder.empty() ? std::filesystem::path(".") / program : folder / program;
        std::error_code ec;
        if (std::filesystem::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0) {
            return true;
        }
        if (colon == std::string_view::npos) return false;
        rest.remove_prefix(colon + 1);
    }
}

/// The process that was writing "demo.1234.part.mp4" (core/file.h, unfinished_name), 0 if the name
/// is not of that kind.
pid_t writer_of(const std::filesystem::path& path) {
    const std::string name = path.stem().string();
    constexpr std::string_view end = ".part";
    if (!name.ends_with(end)) return 0;
    const std::size_t last = name.size() - end.size();
    const std::size_t dot = name.rfind('.', last - 1);
    if (dot == std::string::npos || dot == 0) return 0;
    pid_t writer = 0;
    const auto read = std::from_chars(name.data() + dot + 1, name.data() + last, writer);
    return read.ec == std::errc() && read.ptr == name.data() + last && writer > 0 ? writer : 0;
}

void remove_leftovers(const std::filesystem::path& folder) {
    std::error_code ec;
    std::vector<std::filesystem::path> dead;
    std::filesystem::directory_iterator entry(folder, ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        const pid_t writer = writer_of(entry->path());
        if (writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH) dead.push_back(entry->path());
    }
    for (const std::filesystem::path& path : dead) std::filesystem::remove(path, ec);
}

}  // namespace

Status open_out_folder(const Scene& scene, const std::filesystem::path& folder) {
    if (Status made = make_folder(folder); !made) return made;
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return Error{std::string("cannot write into the folder: ") + std::strerror(errno),
                     folder.string(), "choose another one with --out"};
    }
    remove_leftovers(folder);
    if (scene.outputs.film && !is_on_path("ffmpeg")) {
        return Error{"there is no ffmpeg to make the film", "PATH",
                     "apt install ffmpeg, or do without: --set outputs.film=false"};
    }
    return {};
}

bool is_file_name(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           std::none_of(name.begin(), name.end(), is_bad_in_name);
}

std::string free_file_name(std::string_view name, std::set<std::string>& taken) {
    std::string plain(name.substr(0, kLongestName - 10));  // a number has to fit behind it
    // A character of several bytes is kept whole or not at all.
    const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    if (plain.size() < name.size() && is_inside(name[plain.size()])) {
        while (is_inside(plain.back())) plain.pop_back();
        plain.pop_back();
    }
    std::replace_if(plain.begin(), plain.end(), is_bad_in_name, '_');
    if (plain.empty() || plain.front() == '.') plain.insert(0, 1, '_');
    std::string found = plain;
    for (int number = 2; !taken.insert(found).second; ++number) {
        found = plain + "_" + std::to_string(number);
    }
    return found;
}

}  // namespace ductile::cli
