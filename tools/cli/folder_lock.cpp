// SPDX-License-Identifier: MIT
#include "folder_lock.h"

#include <ductile/core/file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace ductile::cli {
namespace {

constexpr const char* kLockName = ".ductile.lock";
constexpr int kMostTries = 100;  // a lock that goes away as often while it is taken is not believed

/// Which process holds a lock. A number is given to another process in time; with its start it is
/// one process only.
struct Holder {
    pid_t process = 0;
    std::uint64_t start = 0;  ///< In ticks since the machine was started; 0: unknown.
};

/// When a process started, 0 where the system does not tell.
std::uint64_t start_of(pid_t process) {
    const Result<std::string> stat = read_file(fmt::format("/proc/{}/stat", process), 4096);
    if (!stat) return 0;
    // "PID (NAME) STATE ...", the start as field 22; the name may hold spaces and brackets.
    std::size_t at = stat.value().rfind(')');
    for (int field = 2; field < 22 && at != std::string::npos; ++field) {
        at = stat.value().find(' ', at + 1);
    }
    if (at == std::string::npos) return 0;
    std::uint64_t start = 0;
    std::from_chars(stat.value().data() + at + 1, stat.value().data() + stat.value().size(), start);
    return start;
}

Holder holder_of(int file) {
    char text[64] = {};
    const ssize_t length = ::pread(file, text, sizeof text - 1, 0);
    Holder holder;
    if (length <= 0) return holder;
    const char* end = text + length;
    const auto read = std::from_chars(text, end, holder.process);
    if (read.ec == std::errc() && read.ptr < end) {
        std::from_chars(read.ptr + 1, end, holder.start);
    }
    return holder;
}

bool is_alive(const Holder& holder) {
    if (holder.process <= 0 || holder.process == ::getpid()) return false;
    if (::kill(holder.process, 0) != 0 && errno == ESRCH) return false;
    const std::uint64_t start = start_of(holder.process);
    return start == 0 || holder.start == 0 || start == holder.start;
}

Error taken(const std::filesystem::path& folder, const Holder& holder) {
    const std::string who = holder.process > 0 ? fmt::format(", process {},", holder.process) : "";
    return {fmt::format("another run{} is writing into this folder", who), folder.string(),
            "wait for it, or choose another folder with --out"};
}

bool is_same_file(int file, const std::filesystem::path& path) {
    struct stat held = {}, there = {};
    return ::fstat(file, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

enum class Lock { Held, Taken, Gone };

/// Locks an open file that should still be the one at `path`.
Lock lock(int file, const std::filesystem::path& path) {
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return Lock::Taken;
        // A file system without locks: then the word of the file counts.
        if (is_alive(holder_of(file))) return Lock::Taken;
    }
    // Its last holder may have removed it between our opening and locking it.
    return is_same_file(file, path) ? Lock::Held : Lock::Gone;
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
    FolderLock out;
    out.folder_ = folder;
    out.path_ = folder / kLockName;
    for (int i = 0; i < kMostTries; ++i) {
        const int file = ::open(out.path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) {
            return Error{std::string("cannot write into the folder: ") + std::strerror(errno),
                         folder.string(), "choose another one with --out"};
        }
        const Lock state = lock(file, out.path_);
        if (state == Lock::Taken) {
            const Holder holder = holder_of(file);
            ::close(file);
            return taken(folder, holder);
        }
        if (state == Lock::Gone) {
            ::close(file);
            continue;
        }
        const std::string text = fmt::format("{} {}\n", ::getpid(), start_of(::getpid()));
        // What cannot be written there (a full disk) only keeps others from naming us.
        if (::ftruncate(file, 0) == 0) {
            [[maybe_unused]] const ssize_t put = ::pwrite(file, text.data(), text.size(), 0);
        }
        out.file_ = file;
        return out;
    }
    return taken(folder, {});
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::move(other.folder_)),
      path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)) {}

FolderLock::~FolderLock() {
    if (file_ < 0) return;
    // While it is still held: whoever opened it meanwhile sees that it is gone, and makes another.
    if (is_same_file(file_, path_)) ::unlink(path_.c_str());
    ::close(file_);
}

void FolderLock::abandon(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / kLockName;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (holder_of(file).process == ::getpid()) ::unlink(path.c_str());
    ::close(file);
}

Status FolderLock::check() const {
    if (is_same_file(file_, path_)) return {};
    return Error{"the folder was removed or moved while the run was writing into it",
                 folder_.string(), "run again, and leave the folder until it is done"};
}

}  // namespace ductile::cli
