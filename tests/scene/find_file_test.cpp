// SPDX-License-Identifier: MIT
#include <ductile/scene/find_file.h>

#include <doctest/doctest.h>
#include <support/temp_folder.h>

using namespace ductile;

TEST_CASE("a file that is missing is named with where it was looked for, and the nearest one") {
    const test::TempFolder folder;
    folder.write("bucket.obj", "");
    folder.write("parts/wheel.glb", "");
    const auto refused = [&](const std::string& name) {
        const Result<std::filesystem::path> found = find_file(folder.path, name, "scene");
        REQUIRE_FALSE(found.ok());
        return found.error();
    };
    CHECK(find_file(folder.path, "bucket.obj", "scene").value() == folder.path / "bucket.obj");
    CHECK(refused("buket.obj").what ==
          "there is no such file beside the scene or in the current folder");
    CHECK(refused("buket.obj").hint == "did you mean 'bucket.obj'?");
    CHECK(refused("bucket.ply").hint == "did you mean 'bucket.obj'?");
    CHECK(refused("parts/weel.glb").hint == "did you mean 'parts/wheel.glb'?");
    CHECK(refused("parts").hint == "give its path from the scene's folder");  // a folder
    CHECK(refused("sofa.obj").hint == "give its path from the scene's folder");
    const std::string whole = (folder.path / "buket.obj").string();
    CHECK(refused(whole).what == "there is no such file");
    CHECK(refused(whole).hint == "did you mean '" + (folder.path / "bucket.obj").string() + "'?");
    CHECK(refused("/none of that/x.obj").hint.empty());
}
