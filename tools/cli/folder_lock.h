// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <filesystem>

namespace ductile::cli {

/// The right of one run to write into a folder, from `take` until it goes away.
///
/// A file called .ductile.lock in the folder holds the number of the process and when it started.
/// The system lets go of it when the process ends, however that happens: the file of a killed run
/// stays, but holds nobody up.
class FolderLock {
public:
    /// Error: another process that is still there has the folder; a file that cannot be made.
    /// Requires: a folder that is there.
    static Result<FolderLock> take(const std::filesystem::path& folder);

    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

    const std::filesystem::path& folder() const { return folder_; }

    /// An error once the folder was removed, moved or put in the place of another: what is written
    /// from then on would not belong to this run's folder. Two system calls.
    Status check() const;

    /// Removes the lock that this process holds on a folder, for a process that is about to end
    /// without further ado.
    static void abandon(const std::filesystem::path& folder);

private:
    FolderLock() = default;
    std::filesystem::path folder_;
    std::filesystem::path path_;  ///< Of the file.
    int file_ = -1;               ///< -1: moved from.
};

}  // namespace ductile::cli
