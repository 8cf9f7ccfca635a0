// SPDX-License-Identifier: MIT
#include "print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace ductile::cli {
namespace {

int output_failure = 0;  // what kept standard output from being written, first of all

}  // namespace

void write_text(std::FILE* stream, std::string_view text) {
    if (text.empty()) return;
    errno = 0;
    const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (!is_written && stream == stdout && output_failure == 0) output_failure = errno;
}

void open_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    // The lowest free number is taken, so they are filled in their order. Only for reading: what is
    // written there fails, and is told of, as if it were still closed.
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDONLY);
    }
}

int close_output() {
    errno = 0;
    if (std::fflush(stdout) != 0 && output_failure == 0) output_failure = errno;
    if (std::ferror(stdout) != 0 && output_failure == 0) output_failure = EIO;
    return output_failure == EPIPE ? 0 : output_failure;
}

}  // namespace ductile::cli
