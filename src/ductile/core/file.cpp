// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace ductile {
namespace {

struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error system_error(const char* doing, const std::filesystem::path& path, int code) {
    return {std::string("cannot ") + doing + ": " + std::strerror(code), path.string(), ""};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
    std::error_code ec;
    if (std::filesystem::is_directory(path, ec)) {
        return Error{"is a folder, not a file", path.string(), ""};
    }
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) return system_error("read", path, errno);
    std::string content;
    char chunk[65536];
    while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, file.get())) {
        if (content.size() + got > limit) {
            return Error{fmt::format("is larger than the limit of {} bytes", limit), path.string(),
                         ""};
        }
        content.append(chunk, got);
    }
    if (std::ferror(file.get())) return system_error("read", path, errno);
    return content;
}

std::filesystem::path unfinished_name(const std::filesystem::path& path) {
    std::filesystem::path name = path.stem();
    name += fmt::format(".{}.part", ::getpid());
    name += path.extension();
    return path.parent_path() / name;
}

Status finish_file(const std::filesystem::path& unfinished, const std::filesystem::path& path) {
    const int fd = ::open(unfinished.c_str(), O_RDONLY);
    if (fd < 0) return system_error("finish", path, errno);
    const bool flushed = ::fsync(fd) == 0;
    const int code = errno;
    ::close(fd);
    if (!flushed) return system_error("flush", path, code);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
        return system_error("rename into place", path, errno);
    }
    return {};
}

Status make_folder(const std::filesystem::path& path) {
    std::error_code ec;
    if (!path.empty()) std::filesystem::create_directories(path, ec);
    if (ec) return Error{"cannot make the folder: " + ec.message(), path.string(), ""};
    return {};
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
    Result<FileWriter> file = FileWriter::open(path);
    if (!file) return file.error();
    if (Status done = file.value().append(content); !done) return done;
    return file.value().finish();
}

Status write_file(const std::filesystem::path& path, std::span<const std::byte> content) {
    return write_file(
        path, std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
}

}  // namespace ductile
