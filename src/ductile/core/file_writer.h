// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace ductile {

/// Writes a file piece by piece, for files that nobody wants to hold in memory.
///
/// It grows beside `path` under a name of its own (core/file.h, unfinished_name) and takes the
/// final name in `finish`: a file called `path` is either the old one or whole. A writer that goes
/// away before that removes what it has written.
class FileWriter {
public:
    /// Creates missing folders. A link stays a link; a device or pipe is written to as it is.
    static Result<FileWriter> open(const std::filesystem::path& path);

    FileWriter(FileWriter&&) = default;
    FileWriter& operator=(FileWriter&&) = delete;
    ~FileWriter();

    /// Error: a full disk, say; then the file cannot be finished any more.
    Status append(std::string_view bytes);

    /// Flushes to disk and renames into place. Requires: no error before, called once.
    Status finish();

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    FileWriter() = default;

    std::unique_ptr<std::FILE, Close> file_;  ///< Null: moved from, or finished.
    std::filesystem::path path_;              ///< As asked for: errors speak of it.
    std::filesystem::path target_;            ///< What the link `path_` names.
    std::filesystem::path part_;              ///< What is being written; empty for a device.
};

/// Makes a folder of files that appears all at once: they are written into a folder beside it,
/// which takes the final name in `finish`. One that goes away before that removes them.
///
/// Killed at any moment it leaves the old folder or the new one, whole. On a file system that
/// cannot exchange two names at once the old one may then stand beside its place, as
/// PATH.replaced; `open` and `restore_folder` put it back.
class FolderWriter {
public:
    /// Error: a folder that cannot be made, or an older one called `path` that holds anything but
    /// files ending in `endings` (space-separated, with their dots): it would be replaced.
    static Result<FolderWriter> open(const std::filesystem::path& path, std::string_view endings);

    FolderWriter(FolderWriter&& other) noexcept;
    FolderWriter& operator=(FolderWriter&&) = delete;
    ~FolderWriter();

    /// Where the files go until then.
    const std::filesystem::path& path() const { return part_; }

    /// An error of a file within, telling of the place where it would have come to be.
    Error named(Error error) const;

    /// Puts the folder in the place of an older one. Called once.
    Status finish();

private:
    FolderWriter() = default;
    Status replace_in_two_steps();

    std::filesystem::path target_;
    std::filesystem::path part_;  ///< Empty: moved from, or finished.
};

/// Puts back a folder whose replacement was cut short, from PATH.replaced; removes that where
/// `path` itself is there: then the replacement was done.
void restore_folder(const std::filesystem::path& path);

}  // namespace ductile
