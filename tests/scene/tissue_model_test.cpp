// SPDX-License-Identifier: MIT
#include <ductile/scene/body_asset.h>
#include <ductile/scene/scene_file.h>
#include <ductile/scene/tissue_model.h>

#include <doctest/doctest.h>

#include <string>

using namespace ductile;

namespace {

/// What `check` finds wrong with a coat around a bone of 2 cm; "" for nothing.
std::string wrong_with(const std::string& kind, const std::string& tissue) {
    const LoadedScene loaded = parse_scene(
        R"({ "bodies": { "bone": { "position": [0, 1, 0], "solid": { "kind": ")" + kind +
            R"(", "size": [0.02, 0.02, 0.02], "resolution": 0.004 }, "tissue": )" + tissue +
            "} } }",
        "t");
    std::vector<Error> errors = loaded.errors;
    if (errors.empty()) errors = check_shapes(loaded.scene);
    return errors.empty() ? "" : errors[0].text();
}

bool has_text(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a coat that a run could not make is a mistake of the scene") {
    CHECK(wrong_with("sphere", "{}") == "");
    CHECK(wrong_with("box", R"({ "layout": "box" })") == "");
    CHECK(wrong_with("box", R"({ "layout": "chain", "thickness": 0.1, "layers": 3 })") == "");
    CHECK(has_text(wrong_with("sphere", R"({ "layout": "box" })"), "/tissue/layout: "));
    CHECK(has_text(wrong_with("box", R"({ "layout": "chain", "is_rigid": true })"),
                   "/tissue/is_rigid: "));
    for (const char* tissue :
         {R"({ "thickness": 1000 })", R"({ "thickness": 1000, "is_rigid": true })",
          R"({ "layout": "chain", "thickness": 1000 })"}) {
        CHECK(has_text(wrong_with("box", tissue), "/bodies/bone/tissue/thickness: "));
    }
    CHECK(
        has_text(wrong_with("sphere", R"({ "spacing": 1e-5 })"), "/bodies/bone/tissue/spacing: "));
    CHECK(has_text(wrong_with("sphere", R"({ "groups": [{ "position": [1, 0, 0] }] })"),
                   "/bodies/bone/tissue/groups/0: "));
}
