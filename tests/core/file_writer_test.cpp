// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>

#include <doctest/doctest.h>
#include <support/skip.h>
#include <support/temp_folder.h>
#include <unistd.h>

#include <atomic>
#include <system_error>
#include <thread>

using namespace ductile;
using test::TempFolder;
using Names = std::vector<std::string>;

TEST_CASE("a file written piece by piece has its name only when it is whole") {
    const TempFolder folder;
    const std::filesystem::path path = folder.path / "deep" / "a.bin";
    REQUIRE(write_file(path, "old").ok());
    {
        Result<FileWriter> file = FileWriter::open(path);
        REQUIRE(file.ok());
        REQUIRE(file.value().append("one ").ok());
        REQUIRE(file.value().append("").ok());
        REQUIRE(file.value().append("two").ok());
        CHECK(read_file(path).value() == "old");
        REQUIRE(file.value().finish().ok());
    }
    CHECK(read_file(path).value() == "one two");
    CHECK(folder.names("deep") == Names{"a.bin"});
}

TEST_CASE("a writer that goes away early leaves nothing behind") {
    const TempFolder folder;
    {
        Result<FileWriter> file = FileWriter::open(folder.path / "a.bin");
        REQUIRE(file.ok());
        REQUIRE(file.value().append("half").ok());
        FileWriter moved = std::move(file).value();
        REQUIRE(moved.append(" of it").ok());
        CHECK(folder.names().size() == 1);
    }
    CHECK(folder.names().empty());
}

TEST_CASE("a full disk is told of, with the name that was asked for") {
    if (!std::filesystem::exists("/dev/full")) DUCTILE_SKIP("there is no /dev/full");
    Result<FileWriter> file = FileWriter::open("/dev/full");
    REQUIRE(file.ok());
    Status done = file.value().append("text");
    if (done) done = file.value().finish();
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().where == "/dev/full");
    CHECK(done.error().what.find("space") != std::string::npos);
}

TEST_CASE("a folder of files appears at once, in place of an older one") {
    const TempFolder folder;
    const std::filesystem::path path = folder.path / "frames";
    for (const char* name : {"first.obj", "second.obj"}) {
        Result<FolderWriter> files = FolderWriter::open(path, ".obj .mtl");
        REQUIRE(files.ok());
        REQUIRE(write_file(files.value().path() / name, "v").ok());
        CHECK(std::filesystem::exists(path / name) == false);
        REQUIRE(files.value().finish().ok());
        CHECK(folder.names("frames") == Names{name});
        CHECK(folder.names() == Names{"frames"});
    }
    {
        Result<FolderWriter> files = FolderWriter::open(path, ".obj");
        REQUIRE(files.ok());
        REQUIRE(write_file(files.value().path() / "third.obj", "v").ok());
        const Error error =
            files.value().named({"bad", (files.value().path() / "third.obj").string(), ""});
        CHECK(error.where == (path / "third.obj").string());
    }
    CHECK(folder.names("frames") == Names{"second.obj"});  // the third was never finished
    CHECK(folder.names() == Names{"frames"});
}

TEST_CASE("a folder with strangers in it is not replaced") {
    const TempFolder folder;
    REQUIRE(write_file(folder.path / "frames" / "notes.txt", "mine").ok());
    const Result<FolderWriter> refused = FolderWriter::open(folder.path / "frames", ".obj .mtl");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where.find("notes.txt") != std::string::npos);
    CHECK(folder.names() == Names{"frames"});

    std::filesystem::remove(folder.path / "frames" / "notes.txt");
    std::filesystem::create_directory(folder.path / "frames" / "more.obj");
    CHECK_FALSE(FolderWriter::open(folder.path / "frames", ".obj").ok());

    REQUIRE(write_file(folder.path / "file", "").ok());
    CHECK_FALSE(FolderWriter::open(folder.path / "file", ".obj").ok());
}

TEST_CASE("a folder that is replaced is there at every moment") {
    const TempFolder folder;
    const std::filesystem::path path = folder.path / "frames";
    const auto write = [&] {
        Result<FolderWriter> files = FolderWriter::open(path, ".obj");
        REQUIRE(files.ok());
        REQUIRE(write_file(files.value().path() / "a.obj", "v").ok());
        REQUIRE(files.value().finish().ok());
    };
    write();
    std::atomic<bool> is_done = false;
    std::atomic<int> missed = 0;
    std::thread watcher([&] {
        while (!is_done) missed += ::access(path.c_str(), F_OK) != 0;
    });
    for (int i = 0; i < 200; ++i) write();
    is_done = true;
    watcher.join();
    CHECK(missed == 0);
    CHECK(folder.names() == Names{"frames"});
}

TEST_CASE("a replacement that was killed between its steps leaves the old folder to be put back") {
    const TempFolder folder;
    const std::filesystem::path path = folder.path / "frames";
    REQUIRE(write_file(folder.path / "frames.replaced" / "old.obj", "v").ok());
    SUBCASE("by the next writer, even if that is given up") {
        { REQUIRE(FolderWriter::open(path, ".obj").ok()); }
        CHECK(folder.names() == Names{"frames"});
        CHECK(folder.names("frames") == Names{"old.obj"});
    }
    SUBCASE("unless the new one had come into its place") {
        REQUIRE(write_file(path / "new.obj", "v").ok());
        restore_folder(path);
        CHECK(folder.names() == Names{"frames"});
        CHECK(folder.names("frames") == Names{"new.obj"});
    }
}

TEST_CASE("a folder that cannot be put into its place says why, and which") {
    const TempFolder folder;
    const std::filesystem::path path = folder.path / "frames";
    Result<FolderWriter> files = FolderWriter::open(path, ".obj");
    REQUIRE(files.ok());
    std::filesystem::remove_all(files.value().path());
    const Status done = files.value().finish();
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().where == path.string());
    const std::string reason = std::make_error_code(std::errc::no_such_file_or_directory).message();
    CHECK(done.error().what.ends_with(": " + reason));
}
