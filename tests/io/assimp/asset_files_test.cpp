// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/asset_files.h>

#include <doctest/doctest.h>
#include <io/gltf/gltf_files.h>
#include <support/temp_folder.h>

#include <memory>

using namespace ductile;

namespace {

/// Closed the way assimp does it.
struct OpenAsset {
    OpenAsset(AssetFiles& files_, const char* name, const char* mode = "rb")
        : files(files_), stream(files.Open(name, mode)) {}
    ~OpenAsset() {
        if (stream) files.Close(stream);
    }
    std::string rest() {
        std::string out(stream->FileSize() - stream->Tell(), '?');
        CHECK(stream->Read(out.data(), 1, out.size()) == out.size());
        return out;
    }

    AssetFiles& files;
    Assimp::IOStream* stream;
};

}  // namespace

TEST_CASE("assimp may read the asset and what lies beside and below it, and nothing else") {
    const test::TempFolder folder;
    folder.write("inner/asset.fbx", "not this one");
    folder.write("inner/skin.mtl", "colours");
    folder.write("inner/more/a.txt", "below");
    folder.write("outside.txt", "secret");
    const std::string text = "the asset itself";
    const ReadContext context{folder.path / "inner", {.file_bytes = 10}};
    AssetFiles files(sample::bytes_of(text), ".fbx", context);
    CHECK(AssetFiles::main_name(".fbx") == "asset.fbx");
    CHECK(OpenAsset(files, "asset.fbx").rest() == text);
    CHECK(OpenAsset(files, "./skin.mtl").rest() == "colours");
    CHECK(OpenAsset(files, "more\\a.txt").rest() == "below");
    CHECK(files.Exists("asset.fbx"));
    CHECK(files.Exists(".\\skin.mtl"));
    const std::string outside = (folder.path / "outside.txt").string();
    for (const char* name : {"../outside.txt", "more/../../outside.txt", outside.c_str(), "none"}) {
        CAPTURE(std::string(name));
        CHECK_FALSE(files.Exists(name));
        CHECK(OpenAsset(files, name).stream == nullptr);
    }
    // To read only, and companions of at most so many bytes.
    for (const char* mode : {"wb", "ab", "r+"}) {
        CHECK(OpenAsset(files, "asset.fbx", mode).stream == nullptr);
    }
    folder.write("inner/skin.mtl", "eleven bytes");
    CHECK(OpenAsset(files, "skin.mtl").stream == nullptr);
}

TEST_CASE("a file in memory reads whole items and seeks within itself, as C's does") {
    const std::string text = "0123456789";
    const ReadContext context;
    AssetFiles files(sample::bytes_of(text), ".x", context);
    OpenAsset open(files, "asset.x");
    Assimp::IOStream& stream = *open.stream;
    char got[16] = {};
    CHECK(stream.Read(got, 4, 3) == 2);  // A third item is not whole.
    CHECK(std::string(got) == "01234567");
    CHECK(stream.Tell() == 8);
    CHECK(stream.Seek(3, aiOrigin_SET) == aiReturn_SUCCESS);
    CHECK(stream.Seek(2, aiOrigin_CUR) == aiReturn_SUCCESS);
    CHECK(stream.Tell() == 5);
    // A negative offset comes as a huge one.
    CHECK(stream.Seek(static_cast<std::size_t>(-4), aiOrigin_END) == aiReturn_SUCCESS);
    CHECK(open.rest() == "6789");
    CHECK(stream.Seek(11, aiOrigin_SET) == aiReturn_FAILURE);
    CHECK(stream.Seek(static_cast<std::size_t>(-11), aiOrigin_END) == aiReturn_FAILURE);
    CHECK(stream.Tell() == 10);
    CHECK(stream.Write("x", 1, 1) == 0);
}
