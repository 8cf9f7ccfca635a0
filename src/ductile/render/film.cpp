// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/render/film.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

extern char** environ;

namespace ductile {
namespace {

// MP4 holds larger pictures, but no player does.
constexpr std::int32_t kLargestSide = 16384;

bool is_webm(const std::filesystem::path& path) { return path.extension() == ".webm"; }

std::vector<std::string> encoder_arguments(const std::filesystem::path& part, std::int32_t width,
                                           std::int32_t height, const FilmOptions& options) {
    // The matrix is chosen and written down: players guess by size otherwise, and colours shift.
    const std::string filter =
        "scale=out_color_matrix=bt709:out_range=tv,pad=ceil(iw/2)*2:ceil(ih/2)*2";
    std::vector<std::string> all = {options.program,
                                    "-loglevel",
                                    "error",
                                    "-nostdin",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgb24",
                                    "-video_size",
                                    fmt::format("{}x{}", width, height),
                                    "-framerate",
                                    fmt::format("{}", options.frame_rate),
                                    "-i",
                                    "pipe:0",
                                    "-an",
                                    "-vf",
                                    filter,
                                    "-pix_fmt",
                                    "yuv420p",
                                    "-colorspace",
                                    "bt709",
                                    "-color_primaries",
                                    "bt709",
                                    "-color_trc",
                                    "iec61966-2-1",
                                    "-map_metadata",
                                    "-1",
                                    "-fflags",
                                    "+bitexact",
                                    "-flags:v",
                                    "+bitexact"};
    const auto add = [&](std::initializer_list<std::string> more) { all.insert(all.end(), more); };
    if (is_webm(part)) {
        // VP9's scale ends at 63 and gives the same look about a dozen steps further on.
        add({"-c:v", "libvpx-vp9", "-crf", std::to_string(std::min(63, options.quality + 12)),
             "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1", "-f", "webm"});
    } else {
        add({"-c:v", "libx264", "-preset", "medium", "-crf", std::to_string(options.quality),
             "-movflags", "+faststart", "-f", "mp4"});
    }
    // ffmpeg takes "a:b" for a protocol unless told that it is a file.
    all.push_back("file:" + part.string());
    return all;
}

Status check_film(const std::filesystem::path& path, std::int32_t width, std::int32_t height,
                  const FilmOptions& options) {
    if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide) {
        return Error{fmt::format("cannot film at {} x {}", width, height), path.string(),
                     "1 to 16384 pixels a side"};
    }
    if (!(options.frame_rate >= 1.0 && options.frame_rate <= 240.0)) {
        return Error{fmt::format("cannot film at {} frames a second", options.frame_rate),
                     path.string(), "1 to 240"};
    }
    if (options.quality < 0 || options.quality > 51) {
        return Error{fmt::format("unknown film quality {}", options.quality), path.string(),
                     "0 to 51"};
    }
    return {};
}

/// Starts the program with `input` as its standard input and `messages` as its other two.
/// Returns 0 or the system's error code.
int spawn(const std::vector<std::string>& arguments, int input, int messages, pid_t& child) {
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, messages, 1);
    posix_spawn_file_actions_adddup2(&actions, messages, 2);
    const int code = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

}  // namespace

struct Film::Encoder {
    std::filesystem::path path;
    std::filesystem::path part;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int64_t frames = 0;
    int pipe = -1;                  ///< Our end; -1 once closed.
    pid_t child = -1;               ///< -1 once waited for.
    int exit_code = -1;             ///< Of ffmpeg; -1 before it ended or if a signal ended it.
    std::FILE* messages = nullptr;  ///< What ffmpeg said; a file without a name.

    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        if (child > 0) ::kill(child, SIGKILL);
        wait();
        if (messages) std::fclose(messages);
        if (!part.empty()) std::remove(part.c_str());
    }

    /// Ends the input and waits. Returns ffmpeg's exit code, or -1 if a signal ended it.
    int wait() {
        if (pipe >= 0) ::close(pipe);
        pipe = -1;
        if (child <= 0) return exit_code;
        int state = 0;
        while (::waitpid(child, &state, 0) < 0 && errno == EINTR) {
        }
        child = -1;
        exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
        return exit_code;
    }

    /// The first line that ffmpeg had to say, "" if it said nothing.
    std::string error_text() const {
        char text[512] = {};
        std::rewind(messages);
        const std::size_t length = std::fread(text, 1, sizeof text - 1, messages);
        const std::string_view all(text, length);
        return std::string(all.substr(0, all.find('\n')));
    }

    Error failure() {
        const int code = wait();
        std::string message = error_text();
        if (message.empty()) message = fmt::format("it ended with code {}", code);
        return {"ffmpeg could not write the film", path.string(), message};
    }
};

Film::Film(std::unique_ptr<Encoder> encoder) : encoder_(std::move(encoder)) {}
Film::Film(Film&&) noexcept = default;
Film& Film::operator=(Film&&) noexcept = default;
Film::~Film() = default;

Result<Film> Film::open(const std::filesystem::path& path, std::int32_t width, std::int32_t height,
                        const FilmOptions& options) {
    if (Status fine = check_film(path, width, height, options); !fine) return fine.error();
    if (Status made = make_folder(path.parent_path()); !made) return made.error();
    auto encoder = std::make_unique<Encoder>();
    encoder->path = path;
    encoder->width = width;
    encoder->height = height;
    encoder->messages = std::tmpfile();
    // A socket instead of a pipe: writing to it can be told not to raise SIGPIPE.
    int ends[2];
    if (!encoder->messages || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return Error{std::string("cannot start ffmpeg: ") + std::strerror(errno), path.string(),
                     ""};
    }
    encoder->pipe = ends[0];
    encoder->part = unfinished_name(path);
    const int code = spawn(encoder_arguments(encoder->part, width, height, options), ends[1],
                           ::fileno(encoder->messages), encoder->child);
    ::close(ends[1]);
    if (code != 0) {
        encoder->child = -1;
        return Error{fmt::format("cannot start {}: {}", options.program, std::strerror(code)),
                     path.string(), "install ffmpeg, for instance with: apt install ffmpeg"};
    }
    return Film(std::move(encoder));
}

Status Film::add(const Image& image) {
    DUCTILE_ASSERT(encoder_, "a film that is not finished");
    if (encoder_->pipe < 0) return encoder_->failure();
    DUCTILE_ASSERT(image.width == encoder_->width && image.height == encoder_->height &&
                       image.rgb.size() == std::size_t(3) * image.width * image.height,
                   "the size given to open()");
    std::size_t sent = 0;
    while (sent < image.rgb.size()) {
        const ssize_t n =
            ::send(encoder_->pipe, image.rgb.data() + sent, image.rgb.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return encoder_->failure();
        sent += static_cast<std::size_t>(n);
    }
    ++encoder_->frames;
    return {};
}

Status Film::finish() {
    DUCTILE_ASSERT(encoder_, "a film that is not finished");
    const std::unique_ptr<Encoder> encoder = std::move(encoder_);
    if (encoder->pipe < 0) return encoder->failure();
    if (encoder->frames == 0) {
        return Error{"a film needs at least one picture", encoder->path.string(), ""};
    }
    const int code = encoder->wait();
    // At this log level ffmpeg speaks only of errors, and not all of them change its exit code.
    if (code != 0 || !encoder->error_text().empty()) return encoder->failure();
    return finish_file(encoder->part, encoder->path);
}

}  // namespace ductile
