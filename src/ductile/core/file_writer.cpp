// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

namespace ductile {
namespace {

Error write_error(const std::filesystem::path& path, int code) {
    return {std::string("cannot write: ") + std::strerror(code), path.string(), ""};
}

// Renaming onto a link would replace the link, not the file that it names (which may not be there
// yet).
std::filesystem::path behind_links(std::filesystem::path path) {
    constexpr int kMostLinks = 40;  // as in Linux: more is a circle
    std::error_code ec;
    for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, ec); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, ec);
        if (ec) break;
        path = path.parent_path() / next;
    }
    return path;
}

// Pipes, terminals and /dev/null take what is written; renaming onto one would destroy it.
bool is_device(const std::filesystem::path& path) {
    std::error_code ec;
    return std::filesystem::is_other(path, ec);
}

bool is_among(std::string_view ending, std::string_view endings) {
    while (!endings.empty()) {
        const std::size_t space = endings.find(' ');
        if (!ending.empty() && ending == endings.substr(0, space)) return true;
        endings.remove_prefix(space == std::string_view::npos ? endings.size() : space + 1);
    }
    return false;
}

// The first thing in a folder that is no file of these endings; empty for none.
std::filesystem::path stranger_in(const std::filesystem::path& folder, std::string_view endings) {
    std::error_code ec;
    std::filesystem::directory_iterator entry(folder, ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        if (!entry->is_regular_file(ec) || !is_among(entry->path().extension().string(), endings)) {
            return entry->path();
        }
    }
    return {};
}

// Where an older folder waits while the new one is put in its place, if that takes two steps.
std::filesystem::path replaced_name(const std::filesystem::path& path) {
    std::filesystem::path name = path;
    name += ".replaced";
    return name;
}

// Two names that both exist change places, with no moment in between. False: not possible there.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b) {
#ifdef RENAME_EXCHANGE
    return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
    return a.empty() && b.empty();
#endif
}

Error folder_error(const std::filesystem::path& path, const std::error_code& ec) {
    return {"cannot put the folder in its place: " + ec.message(), path.string(), ""};
}

}  // namespace

Result<FileWriter> FileWriter::open(const std::filesystem::path& path) {
    if (Status made = make_folder(path.parent_path()); !made) return made.error();
    FileWriter writer;
    writer.path_ = path;
    if (!is_device(path)) {
        writer.target_ = behind_links(path);
        writer.part_ = unfinished_name(writer.target_);
    }
    const std::filesystem::path& name = writer.part_.empty() ? path : writer.part_;
    writer.file_.reset(std::fopen(name.c_str(), "wb"));
    if (!writer.file_) return write_error(path, errno);
    return writer;
}

FileWriter::~FileWriter() {
    if (!file_) return;
    file_.reset();
    if (!part_.empty()) std::remove(part_.c_str());
}

Status FileWriter::append(std::string_view bytes) {
    DUCTILE_ASSERT(file_, "an open file");
    if (bytes.empty()) return {};  // it may point nowhere, which fwrite does not take
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
    return write_error(path_, errno);
}

Status FileWriter::finish() {
    DUCTILE_ASSERT(file_, "an open file");
    if (std::fflush(file_.get()) != 0) return write_error(path_, errno);
    if (!part_.empty()) {
        if (Status done = finish_file(part_, target_); !done) {
            Error error = done.error();
            error.where = path_.string();
            return error;
        }
    }
    file_.reset();
    return {};
}

Result<FolderWriter> FolderWriter::open(const std::filesystem::path& path,
                                        std::string_view endings) {
    restore_folder(path);
    std::error_code ec;
    if (std::filesystem::exists(path, ec)) {
        if (!std::filesystem::is_directory(path, ec)) {
            return Error{"is a file where a folder has to go", path.string(), "move it away"};
        }
        const std::filesystem::path stranger = stranger_in(path, endings);
        if (!stranger.empty()) {
            return Error{"the folder would be replaced, but holds something else",
                         stranger.string(), "move it away"};
        }
    }
    FolderWriter writer;
    writer.target_ = path;
    const std::filesystem::path part = unfinished_name(path);
    std::filesystem::remove_all(part, ec);  // of an earlier process that had our number
    if (Status made = make_folder(part); !made) return made.error();
    writer.part_ = part;
    return writer;
}

FolderWriter::FolderWriter(FolderWriter&& other) noexcept
    : target_(std::move(other.target_)), part_(std::move(other.part_)) {
    other.part_.clear();
}

FolderWriter::~FolderWriter() {
    std::error_code ec;
    if (!part_.empty()) std::filesystem::remove_all(part_, ec);
}

Error FolderWriter::named(Error error) const {
    const std::string part = part_.string();
    if (error.where.starts_with(part)) {
        error.where = target_.string() + error.where.substr(part.size());
    }
    return error;
}

Status FolderWriter::finish() {
    DUCTILE_ASSERT(!part_.empty(), "a folder that is not finished");
    std::error_code ec;
    if (!std::filesystem::exists(target_, ec)) {
        std::filesystem::rename(part_, target_, ec);
        if (ec) return folder_error(target_, ec);
    } else if (exchange(part_, target_)) {
        std::filesystem::remove_all(part_, ec);  // the old one by now
    } else if (Status done = replace_in_two_steps(); !done) {
        return done;
    }
    part_.clear();
    return {};
}

Status FolderWriter::replace_in_two_steps() {
    std::error_code ec;
    const std::filesystem::path old = replaced_name(target_);
    std::filesystem::rename(target_, old, ec);
    if (ec) return folder_error(target_, ec);
    std::filesystem::rename(part_, target_, ec);
    if (ec) {
        restore_folder(target_);
        return folder_error(target_, ec);
    }
    std::filesystem::remove_all(old, ec);
    return {};
}

void restore_folder(const std::filesystem::path& path) {
    const std::filesystem::path old = replaced_name(path);
    std::error_code ec;
    if (!std::filesystem::is_directory(old, ec)) return;
    if (std::filesystem::exists(path, ec)) {
        std::filesystem::remove_all(old, ec);
    } else {
        std::filesystem::rename(old, path, ec);
    }
}

}  // namespace ductile
