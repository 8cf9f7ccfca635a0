// SPDX-License-Identifier: MIT
// posix_spawn of a small program, and not fork: after fork a process with threads, such as a game,
// may call next to nothing.
#include <ductile/core/file.h>
#include <ductile/io/import/import_answer.h>
#include <ductile/io/import/read_assimp.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

extern char** environ;

namespace ductile {
namespace {

constexpr int kUsualSeconds = 60, kMostSeconds = 3600;  // of processor time
constexpr int kClockFactor = 2;                         // a busy machine gets more by the clock
// A reader of one's own signal waits no longer than this.
constexpr std::chrono::milliseconds kLongestPoll{100};
// A model takes some 200 bytes a vertex, a file some tens; compressed ones a tenth of that. What is
// made of a few words (spheres, extrusions) is in the first number.
constexpr std::size_t kLeastRoom = std::size_t{256} << 20, kRoomPerByte = 256;
constexpr const char* kConvert = "open it in Blender and export it as glTF";
constexpr const char* kProgram = "ductile-import";

// Debian's assimp 5.2.5 lists these; left out are glTF, OBJ, PLY, STL and OFF, which ductile reads
// itself, .raw, .mesh, .xml, .scn, .prj, .mot, .mdl.xml and others that anything may be called, and
// motion without a surface (.bvh, .md5anim, .md5camera).
constexpr std::string_view kExtensions[] = {
    ".3ds",     ".3mf",   ".ac",   ".ac3d",    ".acc",  ".amf", ".ase",  ".ask", ".assbin",
    ".b3d",     ".blend", ".cob",  ".csm",     ".dae",  ".dxf", ".fbx",  ".hmp", ".ifc",
    ".ifczip",  ".iqm",   ".irr",  ".irrmesh", ".lwo",  ".lws", ".lxo",  ".md2", ".md3",
    ".md5mesh", ".mdc",   ".mdl",  ".ms3d",    ".ndo",  ".nff", ".ogex", ".pk3", ".pmx",
    ".q3o",     ".q3s",   ".sib",  ".smd",     ".step", ".stp", ".ter",  ".uc",  ".vta",
    ".x",       ".x3d",   ".x3db", ".xgl",     ".zae",  ".zgl"};

class OpenFile {
public:
    explicit OpenFile(int file = -1) : file_(file) {}
    ~OpenFile() { close(); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int get() const { return file_; }
    void reset(int file) {
        close();
        file_ = file;
    }
    void close() {
        if (file_ >= 0) ::close(file_);
        file_ = -1;
    }

private:
    int file_;
};

Error system_mistake(const char* doing, int code) {
    return {fmt::format("cannot {}: {}", doing, std::strerror(code)), "", ""};
}

std::optional<std::filesystem::path> program_in(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path program = folder / kProgram;
    if (std::filesystem::is_regular_file(program, error)) return program;
    return std::nullopt;
}

// The binary that this code is part of: the program, or a module that it loaded.
std::optional<std::filesystem::path> own_binary() {
    Dl_info info = {};
    if (::dladdr(reinterpret_cast<const void*>(&own_binary), &info) == 0 || !info.dli_fname) {
        return std::nullopt;
    }
    std::error_code error;
    std::filesystem::path path = std::filesystem::canonical(info.dli_fname, error);
    if (error) return std::nullopt;
    return path;
}

// Nothing is remembered from the build: an installed tree works wherever it is moved to.
std::optional<std::filesystem::path> find_program() {
    std::error_code error;
    if (const char* given = std::getenv("DUCTILE_IMPORT")) {
        if (std::filesystem::is_regular_file(given, error)) return given;
        return std::nullopt;
    }
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        if (auto beside = program_in(self.parent_path())) return beside;
    }
    if (const auto binary = own_binary()) {
        // A Python module lies a few folders below its prefix.
        for (auto folder = binary->parent_path(); folder.has_relative_path();
             folder = folder.parent_path()) {
            if (auto near = program_in(folder / "bin")) return near;
        }
    }
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        // An empty or relative entry means the current folder, where a download may lie.
        if (rest.starts_with('/')) {
            if (auto found = program_in(rest.substr(0, end))) return found;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::nullopt;
}

// How much processor time the child may take.
int seconds_allowed() {
    const char* given = std::getenv("DUCTILE_IMPORT_SECONDS");
    const int seconds = given ? std::atoi(given) : kUsualSeconds;
    return std::clamp(seconds, 1, kMostSeconds);
}

// A file in memory needs no one to feed it, and never raises SIGPIPE in the host.
Status fill_input(std::span<const std::byte> bytes, OpenFile& input) {
    input.reset(::memfd_create("ductile-import", MFD_CLOEXEC));
    if (input.get() < 0) return system_mistake("make room for the file", errno);
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t put = ::write(input.get(), bytes.data() + at, bytes.size() - at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return system_mistake("make room for the file", errno);
        at += static_cast<std::size_t>(put);
    }
    ::lseek(input.get(), 0, SEEK_SET);
    return {};
}

Result<pid_t> start(const std::filesystem::path& program, std::vector<std::string> arguments,
                    int input, int output) {
    std::vector<char*> raw;
    for (std::string& argument : arguments) raw.push_back(argument.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    // The host may block or ignore signals; the child must die of its own.
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int failed =
        ::posix_spawn(&child, program.c_str(), &actions, &attributes, raw.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return system_mistake("start ductile-import", failed);
    return child;
}

enum class End { Whole, Late, TooLong, Stopped };

// Reads until the child closes its end, or has said more than a model of `most` bytes.
End receive(int file, std::size_t most, std::chrono::seconds patience, const StopFlag* stop,
            std::vector<std::byte>& answer) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::byte chunk[65536];
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return End::Late;
        if (is_stopped(stop)) return End::Stopped;
        pollfd waiting = {file, POLLIN, 0};
        const int ready =
            ::poll(&waiting, 1, static_cast<int>(std::min(left, kLongestPoll).count()));
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (ready < 0) return End::Late;
        const ssize_t got = ::read(file, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return End::Whole;
        answer.insert(answer.end(), chunk, chunk + got);
        if (answer.size() > longest_answer(answer.front(), most)) return End::TooLong;
    }
}

// How the child ended: 0 for well, else what waitpid says.
int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 0;  // a host that ignores SIGCHLD has reaped it already
    }
    return status;
}

std::string ending(int status) {
    if (!WIFSIGNALED(status)) return fmt::format("stopped with code {}", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return "took too long or too much memory";
    return fmt::format("crashed ({})", ::strsignal(signal));
}

// Far above what an honest answer needs: vertices with everything, triangles, pictures, names.
std::size_t largest_model(std::size_t file_size, const ReadLimits& limits) {
    const std::size_t by_limits =
        200 * limits.vertices + 16 * limits.triangles + 4 * file_size + (std::size_t{64} << 20);
    return std::min(by_limits, kLeastRoom + kRoomPerByte * file_size);
}

}  // namespace

std::span<const std::string_view> assimp_extensions() { return kExtensions; }

Result<Model> read_assimp(std::span<const std::byte> bytes, std::string_view extension,
                          const ReadContext& context) {
    if (std::find(std::begin(kExtensions), std::end(kExtensions), extension) ==
        std::end(kExtensions)) {
        return Error{fmt::format("'{}' is no kind of file that can be read", extension), "",
                     kConvert};
    }
    const std::optional<std::filesystem::path> program = find_program();
    if (!program) {
        return Error{
            fmt::format("{} files need the program ductile-import, which is not there", extension),
            "", "put it beside this program, or name it in DUCTILE_IMPORT"};
    }
    OpenFile input, output, answer_end;
    if (Status filled = fill_input(bytes, input); !filled) return filled.error();
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return system_mistake("make a pipe", errno);
    output.reset(pipe_ends[0]);
    answer_end.reset(pipe_ends[1]);
    const ReadLimits& limits = context.limits;
    const int seconds = seconds_allowed();
    Result<pid_t> child = start(*program,
                                {kProgram, std::string(extension), context.folder.string(),
                                 std::to_string(limits.vertices), std::to_string(limits.triangles),
                                 std::to_string(limits.file_bytes), std::to_string(seconds)},
                                input.get(), answer_end.get());
    if (!child) return child.error();
    answer_end.close();
    std::vector<std::byte> answer;
    const End end =
        receive(output.get(), largest_model(bytes.size(), limits),
                std::chrono::seconds(kClockFactor * seconds), context.limits.stop, answer);
    if (end != End::Whole) ::kill(child.value(), SIGKILL);
    const int status = wait_for(child.value());
    if (end == End::Stopped) return stopped_error();
    if (end == End::TooLong) {
        if (longest_answer(answer.front(), 1) != 1) return unpack_answer(answer, limits);
        return Error{"assimp makes more of this file than is allowed", "", kConvert};
    }
    if (end == End::Late || status != 0) {
        return Error{fmt::format("assimp could not survive this file: it {}",
                                 end == End::Late ? "took too long" : ending(status)),
                     "", kConvert};
    }
    return unpack_answer(answer, limits);
}

}  // namespace ductile
