// SPDX-License-Identifier: MIT
// Real and broken files, where they are at hand: what a reader gives becomes a body or a reason.
#include <ductile/asset/prepare_asset.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/io/read_model.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>
#include <support/skip.h>

#include <algorithm>
#include <filesystem>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        const std::string kind = entry.path().extension().string();
        const bool is_mesh = kind != ".md" && kind != ".png" && kind != ".txt" && kind != ".json";
        if (entry.is_regular_file() && is_mesh) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    REQUIRE_FALSE(files.empty());
    return files;
}

// What every prepared asset owes its body.
void check_sound(const PreparedAsset& p) {
    CHECK(check_asset(p.asset).ok());
    CHECK(p.asset.surface.triangles.size() > 0);
    CHECK(p.report.surface.deviation <= (1 + 1e-5) * 0.03 * p.report.placement.size.norm());
    const Result<MassProperties> mass =
        mass_properties(p.asset.surface.points, p.asset.surface.triangles,
                        {.density = 1000.0, .thickness = p.thickness}, p.asset.is_sheet);
    CHECK_MESSAGE(mass.ok(), (mass.ok() ? "" : mass.error().text()));
    // Manifold: an edge has one face, or two that walk it opposite ways.
    std::map<std::pair<std::int32_t, std::int32_t>, int> walks;
    bool is_manifold = true;
    for (const Triangle& t : p.asset.surface.triangles) {
        for (int k = 0; k < 3; ++k) is_manifold &= ++walks[{t[k], t[(k + 1) % 3]}] == 1;
    }
    CHECK(is_manifold);
}

Result<PreparedAsset> prepare_file(const std::filesystem::path& path,
                                   const AssetOptions& options = {}) {
    Result<Model> model = read_model(path);
    if (!model) return model.error();
    return prepare_asset(model.value(), options);
}

}  // namespace

TEST_CASE("every real file that is read becomes a sound asset") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    for (const std::filesystem::path& path : files_in(real_file("meshes"))) {
        CAPTURE(path.filename().string());
        const Result<Model> model = read_model(path);
        if (!model) {
            MESSAGE(path.filename().string(), " is not read: ", model.error().text());
            continue;
        }
        const Result<PreparedAsset> p = prepare_asset(model.value(), {});
        REQUIRE_MESSAGE(p.ok(), (p.ok() ? "" : p.error().text()));
        check_sound(p.value());
    }
}

TEST_CASE("broken files become a sound asset or an error with a message") {
    DUCTILE_NEEDS_REAL_FILE("meshes-hostile");
    for (const std::filesystem::path& path : files_in(real_file("meshes-hostile"))) {
        CAPTURE(path.filename().string());
        const Result<PreparedAsset> p = prepare_file(path);
        if (p.ok()) {
            check_sound(p.value());
        } else {
            CHECK(!p.error().what.empty());
        }
    }
}

TEST_CASE("files with known faults are mended as they should be") {
    DUCTILE_NEEDS_REAL_FILE("meshes-hostile");
    const std::filesystem::path folder = real_file("meshes-hostile");
    const auto report = [&](const char* name) {
        const Result<PreparedAsset> p = prepare_file(folder / name);
        REQUIRE_MESSAGE(p.ok(), (p.ok() ? "" : p.error().text()));
        return p.value().report;
    };
    const AssetReport good = report("00_good_spot.obj");
    CHECK(good.surface.closed == 1);
    CHECK(good.surface.triangles == 1654);
    for (const char* name : {"inverted.obj", "mixed_winding.obj", "two_sided.obj"}) {
        const AssetReport r = report(name);
        CHECK(r.surface.triangles == good.surface.triangles);
        CHECK(r.surface.closed == 1);
        CHECK(test::near(r.surface.volume, good.surface.volume, 1e-9));
    }
    CHECK(report("inverted.obj").mended.flipped_faces == 1654);
    CHECK(report("mixed_winding.obj").mended.flipped_faces == 827);
    CHECK(report("two_sided.obj").mended.back_sides == 1654);
    CHECK(report("nonmanifold_edge_cubes.obj").surface.components == 2);
    CHECK(report("nonmanifold_vertex_cubes.obj").surface.closed == 2);
    CHECK(report("nested_shells.obj").mended.flipped_faces == 0);
    CHECK(report("flat_zero_volume.obj").surface.sheets == 1);
    for (const char* name : {"collinear.obj", "huge_1e30.obj", "tiny_1e-30.obj",
                             "one_vertex_3e38.obj", "one_vertex.obj", "faces_only.obj"}) {
        CAPTURE(name);
        CHECK(!prepare_file(folder / name).ok());
    }
    CHECK(prepare_file(folder / "huge_1e30.obj", {.scale = 1e-30}).ok());
    CHECK(prepare_file(folder / "tiny_1e-30.obj", {.scale = 1e30}).ok());
}
