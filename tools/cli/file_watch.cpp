// SPDX-License-Identifier: MIT
#include "file_watch.h"

#include <system_error>
#include <utility>

namespace ductile::cli {

FileWatch::FileWatch(std::vector<std::filesystem::path> files) : files_(std::move(files)) {
    for (const std::filesystem::path& file : files_) stamps_.push_back(stamp_of(file));
}

bool FileWatch::has_changed() const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const std::optional<Stamp> now = stamp_of(files_[i]);
        if (now && now != stamps_[i]) return true;
    }
    return false;
}

std::optional<FileWatch::Stamp> FileWatch::stamp_of(const std::filesystem::path& path) {
    std::error_code time_problem, size_problem;
    const Stamp stamp{std::filesystem::last_write_time(path, time_problem),
                      std::filesystem::file_size(path, size_problem)};
    if (time_problem || size_problem) return std::nullopt;
    return stamp;
}

}  // namespace ductile::cli
