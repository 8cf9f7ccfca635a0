// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/render/film.h>

#include <doctest/doctest.h>
#include <support/skip.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <string>

using namespace ductile;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / ("ductile_film_" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
};

Image grey(std::int32_t width, std::int32_t height, int shade) {
    return {width, height,
            std::vector<std::uint8_t>(std::size_t(3) * width * height,
                                      static_cast<std::uint8_t>(shade))};
}

bool has_program(const char* name) {
    return std::system((std::string("command -v ") + name + " > /dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command) {
    std::string out;
    if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
        char text[256];
        while (std::fgets(text, sizeof text, pipe)) out += text;
        ::pclose(pipe);
    }
    return out;
}

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Skips the test case where a film cannot be made, or not be looked into.
bool lacks(std::initializer_list<const char*> programs) {
    for (const char* program : programs) {
        if (has_program(program)) continue;
        test::skip_case(std::string(program) + " is not installed");
        return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a film holds every picture at its size and rate, odd sizes rounded up") {
    if (lacks({"ffmpeg", "ffprobe"})) return;
    const Folder folder;
    const fs::path path = folder.path / "new folder" / "a film.mp4";
    Result<Film> film = Film::open(path, 65, 34, {.frame_rate = 25.0});
    REQUIRE(film.ok());
    for (int i = 0; i < 7; ++i) REQUIRE(film.value().add(grey(65, 34, 30 * i)).ok());
    CHECK_FALSE(fs::exists(path));
    const Status done = film.value().finish();
    REQUIRE_MESSAGE(done.ok(), (done.ok() ? "" : done.error().text()));
    CHECK(files_in(path.parent_path()) == 1);
    const std::string facts = output_of(
        "ffprobe -v error -count_frames -show_entries "
        "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 '" +
        path.string() + "'");
    CHECK(facts == "h264,66,34,yuv420p,25/1,7\n");
}

TEST_CASE("a film whose name ends in webm is VP9") {
    if (lacks({"ffmpeg", "ffprobe"})) return;
    const Folder folder;
    const fs::path path = folder.path / "film.webm";
    Result<Film> film = Film::open(path, 64, 48, {.frame_rate = 24.0});
    REQUIRE(film.ok());
    for (int i = 0; i < 5; ++i) REQUIRE(film.value().add(grey(64, 48, 40 * i)).ok());
    const Status done = film.value().finish();
    REQUIRE_MESSAGE(done.ok(), (done.ok() ? "" : done.error().text()));
    const std::string facts = output_of(
        "ffprobe -v error -count_frames -show_entries "
        "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 '" +
        path.string() + "'");
    CHECK(facts == "vp9,64,48,yuv420p,24/1,5\n");
}

TEST_CASE("a film that is given up leaves nothing behind") {
    if (lacks({"ffmpeg"})) return;
    const Folder folder;
    {
        Result<Film> film = Film::open(folder.path / "film.mp4", 32, 32);
        REQUIRE(film.ok());
        REQUIRE(film.value().add(grey(32, 32, 100)).ok());
    }
    CHECK(files_in(folder.path) == 0);
    Result<Film> empty = Film::open(folder.path / "film.mp4", 32, 32);
    REQUIRE(empty.ok());
    CHECK_FALSE(empty.value().finish().ok());
    CHECK(files_in(folder.path) == 0);
}

TEST_CASE("a missing encoder is named, with what to do") {
    const Folder folder;
    const Result<Film> film =
        Film::open(folder.path / "film.mp4", 32, 32, {.program = "ductile-no-such-encoder"});
    REQUIRE_FALSE(film.ok());
    CHECK(film.error().what.find("ductile-no-such-encoder") != std::string::npos);
    CHECK(film.error().hint.find("install") != std::string::npos);
    CHECK(files_in(folder.path) == 0);
}

TEST_CASE("an encoder that dies gives an error and no signal") {
    const Folder folder;
    Result<Film> film = Film::open(folder.path / "film.mp4", 320, 180, {.program = "false"});
    REQUIRE(film.ok());
    // A picture may still fit into the socket's buffer before the death is noticed.
    Status status;
    for (int i = 0; i < 100 && status; ++i) status = film.value().add(grey(320, 180, i));
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().where.find("film.mp4") != std::string::npos);
    CHECK_FALSE(film.value().add(grey(320, 180, 0)).ok());
    CHECK_FALSE(film.value().finish().ok());
    CHECK(files_in(folder.path) == 0);
}

TEST_CASE("a film in a folder that cannot be is refused") {
    const Folder folder;
    REQUIRE(write_file(folder.path / "file", std::string_view("x")).ok());
    CHECK_FALSE(Film::open(folder.path / "file" / "film.mp4", 32, 32).ok());
    CHECK_FALSE(Film::open(folder.path / "film.mp4", 0, 32).ok());
    CHECK_FALSE(Film::open(folder.path / "film.mp4", 32, 32, {.frame_rate = 0.0}).ok());
    if (lacks({"ffmpeg"})) return;
    // A folder of the final name: ffmpeg succeeds beside it, the renaming does not.
    fs::create_directories(folder.path / "taken.mp4" / "x");
    Result<Film> film = Film::open(folder.path / "taken.mp4", 32, 32);
    REQUIRE(film.ok());
    REQUIRE(film.value().add(grey(32, 32, 9)).ok());
    CHECK_FALSE(film.value().finish().ok());
    CHECK(files_in(folder.path) == 2);
}
