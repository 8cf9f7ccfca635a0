// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ductile::cli {

/// Files as they were when last looked at. An editor that writes a new file in the place of the old
/// one leaves none for a moment: a missing file counts as unchanged until it is back.
class FileWatch {
public:
    explicit FileWatch(std::vector<std::filesystem::path> files);

    /// Whether one of them is another than when this was made. A few microseconds a file.
    bool has_changed() const;

private:
    struct Stamp {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        bool operator==(const Stamp&) const = default;
    };
    static std::optional<Stamp> stamp_of(const std::filesystem::path& path);

    std::vector<std::filesystem::path> files_;
    std::vector<std::optional<Stamp>> stamps_;
};

}  // namespace ductile::cli
