// SPDX-License-Identifier: MIT
// ductile-import EXTENSION FOLDER VERTICES TRIANGLES BYTES SECONDS
//
// Reads a mesh file from standard input through assimp and writes what it found to standard output:
// 'M' and a packed model, or 'E' and an error. read_assimp starts it; it is of no use to people.
#include <ductile/io/assimp/import_assimp.h>
#include <ductile/io/import/import_answer.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

namespace {

using namespace ductile;

constexpr rlim_t kMostMemory = rlim_t{2} << 30;  // for a file that is small; see below
constexpr rlim_t kMemoryPerByte = 4;             // a file of 512 MB may take 2 GB more
constexpr rlim_t kMostFiles = 64;

void limit(int what, rlim_t most) {
    const rlimit both = {most, most};
    ::setrlimit(static_cast<__rlimit_resource>(what), &both);
}

// A sanitizer reserves terabytes of addresses, so that it cannot live under a limit on them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
constexpr bool kIsSanitized = true;
#elif defined(__clang__)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

void limit_self(std::size_t file_size, rlim_t seconds) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, seconds);
    limit(RLIMIT_FSIZE, 0);  // pipes do not count: nothing is ever written to disk
    limit(RLIMIT_NOFILE, kMostFiles);
    if (!kIsSanitized) limit(RLIMIT_AS, kMostMemory + kMemoryPerByte * file_size);
}

std::string read_all(int file) {
    std::string content;
    char chunk[65536];
    while (true) {
        const ssize_t got = ::read(file, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return content;
        content.append(chunk, static_cast<std::size_t>(got));
    }
}

bool write_all(int file, const std::string& content) {
    for (std::size_t at = 0; at < content.size();) {
        const ssize_t put = ::write(file, content.data() + at, content.size() - at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        at += static_cast<std::size_t>(put);
    }
    return true;
}

std::string answer(const std::string& content, char** argv) {
    ReadContext context;
    context.folder = argv[2];
    context.limits.vertices = std::strtoull(argv[3], nullptr, 10);
    context.limits.triangles = std::strtoull(argv[4], nullptr, 10);
    context.limits.file_bytes = std::strtoull(argv[5], nullptr, 10);
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(content.data()),
                                           content.size());
    try {
        return pack_answer(import_assimp(bytes, argv[1], context));
    } catch (const std::bad_alloc&) {
        return pack_answer(Error{"assimp ran out of memory on this file", "", ""});
    } catch (const std::exception& e) {
        return pack_answer(Error{std::string("assimp gave up: ") + e.what(), "", ""});
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 7) return 2;
    const std::string content = read_all(STDIN_FILENO);
    limit_self(content.size(), std::strtoull(argv[6], nullptr, 10));
    return write_all(STDOUT_FILENO, answer(content, argv)) ? 0 : 1;
}
