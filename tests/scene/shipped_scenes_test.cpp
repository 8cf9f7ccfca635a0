// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <scene/shipped_scenes.h>
#include <support/skip.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

const std::filesystem::path kRoot = DUCTILE_SOURCE_DIR;

/// Whether a value fits a schema: the part of JSON Schema that schema_of writes, read from the
/// standard and not from our reader.
bool fits(const Json& value, const Json& schema) {
    if (schema.contains("oneOf")) {
        const Json& choices = schema["oneOf"];
        if (std::count_if(choices.begin(), choices.end(),
                          [&](const Json& s) { return fits(value, s); }) != 1) {
            return false;
        }
    }
    if (schema.contains("enum")) {
        const Json& names = schema["enum"];
        if (std::find(names.begin(), names.end(), value) == names.end()) return false;
    }
    const std::string type = schema.value("type", "");
    if (type == "object" && !value.is_object()) return false;
    if (type == "array" && !value.is_array()) return false;
    if (type == "string" && !value.is_string()) return false;
    if (type == "boolean" && !value.is_boolean()) return false;
    if (type == "null" && !value.is_null()) return false;
    if (type == "number" && !value.is_number()) return false;
    if (type == "integer" && !value.is_number_integer()) return false;
    if (value.is_number()) {
        if (schema.contains("minimum") && value < schema["minimum"]) return false;
        if (schema.contains("maximum") && value > schema["maximum"]) return false;
    }
    if (value.is_array()) {
        if (schema.contains("minItems") && value.size() < schema["minItems"]) return false;
        if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return false;
        for (const Json& item : value) {
            if (schema.contains("items") && !fits(item, schema["items"])) return false;
        }
    }
    if (value.is_object()) {
        for (const Json& key : schema.value("required", Json::array())) {
            if (!value.contains(key.get<std::string>())) return false;
        }
        const Json properties = schema.value("properties", Json::object());
        for (const auto& [key, part] : value.items()) {
            const Json rest = schema.value("additionalProperties", Json(true));
            if (properties.contains(key)) {
                if (!fits(part, properties[key])) return false;
            } else if (rest == Json(false) || (rest.is_object() && !fits(part, rest))) {
                return false;
            }
        }
    }
    return true;
}

/// A table per part of a scene, one row per field.
std::string field_tables() {
    std::string out, part = "none yet";
    for (const FieldLine& line : field_lines<Scene>()) {
        const std::string first = line.path.substr(0, line.path.find('.'));
        const bool is_whole = line.type.starts_with("object") || line.type.starts_with("array of");
        const bool is_plain = first == line.path && !is_whole;
        if (const std::string now = is_plain ? "" : first; now != part) {
            part = now;
            out += part.empty() ? "### The scene itself\n" : "\n### `" + part + "`\n";
            out += "| field | value | range | default | what it is |\n|---|---|---|---|---|\n";
        }
        const std::string initial = line.initial.empty() ? "" : "`" + line.initial + "`";
        out += "| `" + line.path + "` | " + line.type + " | " + line.range + " | " + initial +
               " | " + line.help + " |\n";
    }
    return out;
}

void check_loads(const SceneInfo& info) {
    const LoadedScene loaded = load_scene(info.path);
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    CHECK_MESSAGE(loaded.ok(), info.path);
    CHECK_MESSAGE(!info.description.empty(), info.path);
    CHECK(info.name == info.path.stem().string());
}

Json schema() { return parse_json(scene_schema_text(), "schema").value(); }

}  // namespace

TEST_CASE("every shipped scene loads without a complaint and says what it shows") {
    std::set<std::string> names;
    for (const SceneInfo& info : shipped_scenes(Meshes::OfOurOwn)) {
        names.insert(info.name);
        check_loads(info);
    }
    for (const char* name :
         {"demo",        "one-barrel",    "stack",          "directed-hits",   "car-stones",
          "barrels-100", "shapes",        "dent-ball",      "dent-symmetric",  "dent-wall",
          "dent-bunny",  "dent-glancing", "dent-hail",      "dent-can",        "dent-car",
          "dent-stamps", "shell-sheet",   "shell-car-wall", "shell-car-balls", "shell-rollover"}) {
        CHECK_MESSAGE(names.count(name) == 1, name);
    }
}

TEST_CASE("every shipped scene of real meshes loads without a complaint") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    for (const SceneInfo& info : shipped_scenes(Meshes::Real)) check_loads(info);
}

TEST_CASE("every shipped scene fits the schema, and its full text does too") {
    const Json rules = schema();
    for (const SceneInfo& info : list_scenes(kRoot / "scenes")) {
        const Result<std::string> text = read_file(info.path);
        REQUIRE(text.ok());
        CHECK_MESSAGE(fits(parse_json(text.value(), "scene").value(), rules), info.path);
        const std::string full = scene_text(load_scene(info.path).scene);
        CHECK_MESSAGE(fits(parse_json(full, "scene").value(), rules), info.path);
    }
}

TEST_CASE("what the reader refuses the schema refuses too") {
    const Json rules = schema();
    for (const char* text :
         {R"({"duratoin": 3})", R"({"duration": "long"})", R"({"duration": -1})",
          R"({"bodies": {"a": {"motion": "flying"}}})", R"({"bodies": {"a": {"mass": true}}})",
          R"({"bodies": {"a": {"position": [1, 2]}}})", R"({"bodies": []})", R"({"hits": {}})",
          R"({"bodies": {"a": {"copies": {"count": [1, 2.5, 1]}}}})",
          R"({"bodies": {"a": {"layers": {"dent": {"radius": 1e7}}}}})"}) {
        const Json json = parse_json(text, "t").value();
        CHECK_MESSAGE(!fits(json, rules), text);
        Scene scene;
        std::vector<Error> errors;
        read_fields(json, scene, "", errors);
        CHECK_MESSAGE(errors.size() == 1, text);
    }
    CHECK(fits(parse_json(R"({"bodies": {"a": {"layers": {"dent": null}}}})", "t").value(), rules));
}

TEST_CASE("the demo drops about ten drums on a dock while a heavy ball flies in") {
    const Scene demo = load_scene(kRoot / "scenes/demo.json").scene;
    std::size_t drums = 0;
    for (const PlacedBody& placed : place_bodies(demo)) {
        const SceneBody& body = demo.bodies[static_cast<std::size_t>(placed.body)];
        drums += body.solid.kind == SolidKind::Barrel && body.layers.dent.has_value();
    }
    CHECK(drums >= 9);
    CHECK(drums <= 12);
    CHECK(demo.duration * demo.frame_rate == 150.0);
    CHECK(body_count(load_scene(kRoot / "scenes/barrels-100.json").scene) == 104);
}

TEST_CASE("the page about the format lists every field as the field lists have it") {
    const std::filesystem::path path = kRoot / "docs/scene-format.md";
    Result<std::string> page = read_file(path);
    REQUIRE(page.ok());
    const std::string begin = "<!-- fields: begin -->\n", end = "<!-- fields: end -->";
    const std::size_t from = page.value().find(begin) + begin.size();
    const std::size_t to = page.value().find(end);
    REQUIRE(page.value().find(begin) != std::string::npos);
    REQUIRE(to != std::string::npos);
    const std::string tables = field_tables();
    if (std::getenv("DUCTILE_UPDATE_DOCS")) {
        std::string updated = page.value();
        updated.replace(from, to - from, tables);
        CHECK(write_file(path, updated).ok());
    } else {
        CHECK_MESSAGE(page.value().substr(from, to - from) == tables,
                      "run this test once with DUCTILE_UPDATE_DOCS=1 to bring the page up to date");
    }
}
