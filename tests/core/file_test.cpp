// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>

#include <doctest/doctest.h>
#include <support/skip.h>
#include <support/temp_folder.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

using namespace ductile;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("what is written is read back, whatever the bytes") {
    const test::TempFolder folder;
    std::string content;
    for (int i = 0; i < 200000; ++i) content.push_back(static_cast<char>(i * 7 + i / 256));
    REQUIRE(write_file(folder.path / "deep" / "er" / "a.bin", content).ok());
    CHECK(read_file(folder.path / "deep" / "er" / "a.bin").value() == content);
    REQUIRE(write_file(folder.path / "empty", std::string_view()).ok());
    CHECK(read_file(folder.path / "empty").value().empty());
    const std::byte raw[] = {std::byte{0}, std::byte{255}, std::byte{10}};
    REQUIRE(write_file(folder.path / "raw", std::span<const std::byte>(raw)).ok());
    CHECK(read_file(folder.path / "raw").value() == std::string("\0\xff\n", 3));
}

TEST_CASE("writing replaces the old file and leaves nothing beside it") {
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "a.txt", "a long first content").ok());
    REQUIRE(write_file(folder.path / "a.txt", "second").ok());
    CHECK(read_file(folder.path / "a.txt").value() == "second");
    CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("someone who has the old file open still sees it whole") {
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "a.txt", "first").ok());
    std::ifstream reader(folder.path / "a.txt");
    REQUIRE(write_file(folder.path / "a.txt", "second").ok());
    std::string seen;
    reader >> seen;
    CHECK(seen == "first");
}

TEST_CASE("a file may be as large as the limit and not larger") {
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "a", std::string(70000, 'x')).ok());
    CHECK(read_file(folder.path / "a", 70000).ok());
    const Result<std::string> refused = read_file(folder.path / "a", 69999);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("69999 bytes") != std::string::npos);
    CHECK(refused.error().where == (folder.path / "a").string());
    CHECK_FALSE(read_file("/dev/zero", 1 << 20).ok());  // endless
}

TEST_CASE("what cannot be read is named") {
    const test::TempFolder folder;
    const Result<std::string> missing = read_file(folder.path / "none");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().where == (folder.path / "none").string());
    CHECK(missing.error().what.find("No such file") != std::string::npos);
    const Result<std::string> is_folder = read_file(folder.path);
    REQUIRE_FALSE(is_folder.ok());
    CHECK(is_folder.error().what.find("folder") != std::string::npos);
    CHECK_FALSE(read_file("").ok());
}

TEST_CASE("a failed write leaves nothing behind and keeps what was there") {
    const test::TempFolder folder;
    fs::create_directories(folder.path / "taken" / "inside");
    const Status onto_folder = write_file(folder.path / "taken", "text");
    REQUIRE_FALSE(onto_folder.ok());
    CHECK(onto_folder.error().where == (folder.path / "taken").string());
    CHECK(folder.names() == Names{"taken"});
    CHECK(fs::is_directory(folder.path / "taken" / "inside"));

    REQUIRE(write_file(folder.path / "file", "text").ok());
    CHECK_FALSE(write_file(folder.path / "file" / "below", "text").ok());
    CHECK_FALSE(make_folder(folder.path / "file" / "below").ok());
    CHECK(read_file(folder.path / "file").value() == "text");
    CHECK_FALSE(write_file("", "text").ok());
}

TEST_CASE("a folder that may not be written to is named in the error") {
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "a", "old").ok());
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    if (::access(folder.path.c_str(), W_OK) == 0) {
        DUCTILE_SKIP("this user may write everywhere");
    }
    const Status refused = write_file(folder.path / "a", "new");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == (folder.path / "a").string());
    CHECK(read_file(folder.path / "a").value() == "old");
}

TEST_CASE("a full disk is reported") {
    if (!fs::is_character_file("/dev/full")) DUCTILE_SKIP("there is no /dev/full");
    const Status refused = write_file("/dev/full", "text");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("No space left") != std::string::npos);
    CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("devices are written to, not replaced, and links stay links") {
    CHECK(write_file("/dev/null", "text").ok());
    CHECK(fs::is_character_file("/dev/null"));
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "real", "old").ok());
    fs::create_symlink("real", folder.path / "link");
    fs::create_symlink("/dev/null", folder.path / "nowhere");
    fs::create_symlink("not yet", folder.path / "dangling");
    REQUIRE(write_file(folder.path / "link", "new").ok());
    REQUIRE(write_file(folder.path / "nowhere", "new").ok());
    REQUIRE(write_file(folder.path / "dangling", "new").ok());
    CHECK(read_file(folder.path / "real").value() == "new");
    CHECK(read_file(folder.path / "not yet").value() == "new");
    CHECK(folder.names() == Names{"dangling", "link", "not yet", "nowhere", "real"});
    for (const char* name : {"link", "nowhere", "dangling"}) {
        CHECK(fs::is_symlink(folder.path / name));
    }
    fs::create_symlink("circle", folder.path / "circle");
    CHECK_FALSE(read_file(folder.path / "circle").ok());
}

TEST_CASE("an unfinished file lies in the same folder and keeps its extension") {
    const fs::path name = unfinished_name("some/where/film.mp4");
    CHECK(name.parent_path() == "some/where");
    CHECK(name.extension() == ".mp4");
    CHECK(name != "some/where/film.mp4");
    CHECK(unfinished_name("film").parent_path().empty());
    const test::TempFolder folder;
    CHECK_FALSE(finish_file(folder.path / "none.part", folder.path / "a").ok());
    { std::ofstream(folder.path / "a.part.txt") << "whole"; }
    CHECK(finish_file(folder.path / "a.part.txt", folder.path / "a.txt").ok());
    CHECK(folder.names() == Names{"a.txt"});
}
