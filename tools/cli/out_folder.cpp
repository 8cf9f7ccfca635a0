// SPDX-License-Identifier: MIT
#include "out_folder.h"

#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>

#include "interrupt.h"
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
    // Without an ending, as a folder has none, ".part" itself looks like one.
    const bool is_bare = path.extension() == ".part";
    const std::string name = (is_bare ? path.filename() : path.stem()).string();
    constexpr std::string_view end = ".part";
    if (!name.ends_with(end)) return 0;
    const std::size_t last = name.size() - end.size();
    const std::size_t dot = name.rfind('.', last - 1);
    if (dot == std::string::npos || dot == 0) return 0;
    pid_t writer = 0;
    const auto read = std::from_chars(name.data() + dot + 1, name.data() + last, writer);
    return read.ec == std::errc() && read.ptr == name.data() + last && writer > 0 ? writer : 0;
}

/// Removes the unfinished files of those processes that `is_meant` names.
template <class Meant>
void remove_parts(const std::filesystem::path& folder, Meant&& is_meant) {
    std::error_code ec;
    std::vector<std::filesystem::path> meant;
    std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        const pid_t writer = writer_of(entry->path());
        if (writer > 0 && is_meant(writer)) meant.push_back(entry->path());
    }
    for (const std::filesystem::path& path : meant) std::filesystem::remove_all(path, ec);
}

void remove_leftovers(const std::filesystem::path& folder) {
    std::error_code ec;
    std::vector<std::filesystem::path> replaced;
    std::filesystem::directory_iterator entry(folder, ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        if (entry->path().extension() == ".replaced") replaced.push_back(entry->path());
    }
    for (std::filesystem::path& path : replaced) restore_folder(path.replace_extension());
    remove_parts(folder, [](pid_t writer) { return ::kill(writer, 0) != 0 && errno == ESRCH; });
}

}  // namespace

void remove_unfinished(const std::filesystem::path& folder) {
    remove_parts(folder, [](pid_t writer) { return writer == ::getpid(); });
    FolderLock::abandon(folder);
}

Status find_ffmpeg(const std::string& hint) {
    if (is_on_path("ffmpeg")) return {};
    return Error{"there is no ffmpeg to make the film", "PATH", "apt install ffmpeg, or " + hint};
}

Result<FolderLock> open_out_folder(const Scene& scene, const std::filesystem::path& folder) {
    if (Status made = make_folder(folder); !made) return made.error();
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return Error{std::string("cannot write into the folder: ") + std::strerror(errno),
                     folder.string(), "choose another one with --out"};
    }
    Result<FolderLock> lock = FolderLock::take(folder);
    if (!lock) return lock;
    remove_leftovers(folder);
    clean_when_cut_off(folder);
    const SceneOutputs& wanted = scene.outputs;
    if (wanted.film || wanted.webm || wanted.turntable) {
        if (Status fine = find_ffmpeg("do without: --set outputs.film=false"); !fine) {
            return fine.error();
        }
    }
    return lock;
}

}  // namespace ductile::cli
