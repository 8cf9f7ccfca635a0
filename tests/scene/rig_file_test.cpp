// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/scene/rig_file.h>

#include <doctest/doctest.h>
#include <support/temp_folder.h>

using namespace ductile;

namespace {

const char* const kRigText = R"({
  "description": "a post",
  "solid": {"kind": "cylinder", "size": [0.2, 2, 0.2]},
  "handles": {
    "foot": {"place": [0, -1, 0]},
    "top": {"kind": "bone", "place": [0, 0.5, 0], "tip": [0, 1, 0]}
  },
  "cell": 0.0625,
  "poses": {
    "bent": {"handles": {"top": {"move": [0.1, -0.05, 0.3333333333333333]}}},
    "turned": {"handles": {
      "top": {"move": [0, 0, 0.1], "turn": {"axis": [1, 2, 3], "angle_deg": 33}}},
      "others_follow": true},
    "copied": {"copy": "post_crushed.obj"},
    "frame": {"cache": "post.pc2", "frame": 12}
  }
})";

std::vector<Error> mistakes(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
    return parse_rig(text, "r.json", overrides).errors;
}

void check_refused(const std::string& text, const std::string& what, const std::string& where) {
    const std::vector<Error> errors = mistakes(text);
    REQUIRE(!errors.empty());
    INFO(errors[0].text());
    CHECK(errors[0].what.find(what) != std::string::npos);
    CHECK(errors[0].where == "r.json#" + where);
    CHECK(!errors[0].hint.empty());
}

}  // namespace

TEST_CASE("a rig file comes back from its own text to the bit, without its defaults") {
    const LoadedRigFile read = parse_rig(kRigText, "r.json");
    REQUIRE(read.ok());
    const RigFile& rig = read.rig;
    REQUIRE(rig.handles.size() == 2);
    CHECK(rig.handles[1].kind == HandleKind::Bone);
    REQUIRE(rig.poses.size() == 4);
    CHECK(rig.poses[1].name == "turned");
    REQUIRE(rig.poses[1].handles[0].turn.has_value());
    CHECK(rig.poses[3].frame == 12);
    const std::string text = rig_text(rig);
    CHECK(text.find("most_sweeps") == std::string::npos);
    CHECK(text.find("handle_count") == std::string::npos);
    const LoadedRigFile again = parse_rig(text, "again.json");
    REQUIRE(again.ok());
    CHECK(write_fields(again.rig) == write_fields(rig));
    CHECK(again.rig.poses[1].handles[0].turn->coeffs() == rig.poses[1].handles[0].turn->coeffs());
    CHECK(rig_text(again.rig) == text);
    const LoadedRigFile plain = parse_rig(rig_text(RigFile{}), "plain.json");
    REQUIRE(plain.ok());
    CHECK(write_fields(plain.rig) == write_fields(RigFile{}));
}

TEST_CASE("every mistake of a rig file is told, where it is, with what to try") {
    check_refused(R"({"handels": {}})", "handels", "/handels");
    check_refused(R"({"poses": {"a": {}}})", "says nothing", "/poses/a");
    check_refused(R"({"poses": {"a": {"copy": "b.obj", "cache": "c.pc2"}}})", "one way",
                  "/poses/a");
    check_refused(R"({"poses": {"a": {"morph": "b"}}})", "mesh file's", "/poses/a");
    check_refused(R"({"weights": "skin"})", "mesh file's", "/weights");
    check_refused(R"({"mesh": "a.glb", "weights": "skin", "handle_count": 3})", "joints",
                  "/handle_count");
    check_refused(R"({"handles": {"a": {}, "b": {"place": [1, 0, 0]}}, "handle_count": 1})",
                  "more than 1", "/handle_count");
    check_refused(R"({"handles": {"left": {}}, "poses": {"a": {"handles": {"lefd": {}}}}})",
                  "no handle 'lefd'", "/poses/a/handles/lefd");
    check_refused(R"({"handles": {"a": {}}, "cage": [{"corners": ["a", "a", "c"]}]})",
                  "no handle 'c'", "/cage/0/corners");
    const std::vector<Error> both =
        mistakes(R"({"poses": {"a": {}, "b": {"morph": "x", "time": 1}}})");
    CHECK(both.size() == 3);
    CHECK(!mistakes("{").empty());
    CHECK(!mistakes("{}", {"handle_count=many"}).empty());
    CHECK(mistakes("{}", {"handle_count=32"}).empty());
    CHECK(!load_rig("no/such/file.json").ok());
}

TEST_CASE("overrides come before the rules, and files are looked for beside the rig") {
    const LoadedRigFile set =
        parse_rig(R"({"weights": "skin"})", "r.json", std::vector<std::string>{"weights=smooth"});
    CHECK(set.ok());
    const test::TempFolder folder;
    folder.write("a.json", kRigText);
    const LoadedRigFile loaded = load_rig(folder.path / "a.json");
    CHECK(loaded.ok());
    CHECK(loaded.rig.folder == folder.path);
    std::vector<std::string> files;
    RigFile rig = loaded.rig;
    for_each_file(rig, [&](std::string& name) {
        if (!name.empty()) files.push_back(name);
    });
    CHECK(files == std::vector<std::string>{"post_crushed.obj", "post.pc2"});
    CHECK(rig_schema_text().find("others_follow") != std::string::npos);
}

TEST_CASE("the page about rigs names every field of a rig file") {
    const Result<std::string> page =
        read_file(std::filesystem::path(DUCTILE_SOURCE_DIR) / "docs/rigging.md", 1 << 20);
    REQUIRE(page.ok());
    for (const FieldLine& line : field_lines<RigFile>()) {
        if (line.path.starts_with("mesh_options.") || line.path.starts_with("solid.")) continue;
        const std::string name = line.path.substr(line.path.rfind('.') + 1);
        if (name == "*") continue;
        INFO(line.path);
        CHECK(page.value().find('`' + name + '`') != std::string::npos);
    }
}
