// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/scene_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace ductile {
namespace {

constexpr std::size_t kLongestFile = std::size_t{64} << 20;

void append(std::vector<Error> errors, const std::string& source, std::vector<Error>& out) {
    for (Error& error : errors) {
        error.where = source + "#" + error.where;
        out.push_back(std::move(error));
    }
}

bool is_at_or_below(std::string_view pointer, std::string_view above) {
    return pointer.starts_with(above) &&
           (pointer.size() == above.size() || pointer[above.size()] == '/');
}

// Whether a place is among a body's layers, and a rule says elsewhere what that body cannot take.
bool is_for_layers(const Error& rule, std::string_view place) {
    constexpr std::string_view kBodies = "/bodies/";
    if (!place.starts_with(kBodies) || rule.where.starts_with(kBodies)) return false;
    const std::string_view rest = place.substr(kBodies.size());
    const std::string_view body = rest.substr(0, rest.find('/'));
    return is_at_or_below(rest.substr(body.size()), "/layers") &&
           rule.what.find(fmt::format("'{}'", body)) != std::string::npos;
}

// Whether a broken rule may only follow from a field that could not be read: it is about that
// field, about the one that a misspelt name was meant for, about the object that lacks it, or about
// a hit on a body whose layers could not be read.
bool follows(const Error& rule, const Error& unread) {
    if (is_at_or_below(rule.where, unread.where) || is_for_layers(rule, unread.where)) return true;
    constexpr std::string_view kMeant = "did you mean '";
    if (!unread.hint.starts_with(kMeant)) return false;
    const std::string parent = unread.where.substr(0, unread.where.rfind('/'));
    const std::string name =
        unread.hint.substr(kMeant.size(), unread.hint.rfind('\'') - kMeant.size());
    const std::string meant = pointer_below(parent, name);
    return is_at_or_below(rule.where, meant) || is_for_layers(rule, meant) ||
           (!parent.empty() && rule.where == parent);
}

// Of a mesh file and a solid only one would be taken, in silence.
void check_sources(const Json& scene, std::vector<Error>& errors) {
    if (!scene.is_object() || !scene.contains("bodies") || !scene["bodies"].is_object()) return;
    for (const auto& [name, body] : scene["bodies"].items()) {
        if (!body.is_object() || !body.contains("solid") || !body.contains("mesh")) continue;
        if (body["mesh"] == "") continue;
        errors.push_back({"a body is a solid or of a mesh file, not both",
                          pointer_below(pointer_below("/bodies", name), "solid"),
                          "remove one of them"});
    }
}

// "material.yield=2" is short for that field of every body's material; names may be cut short where
// only one begins so.
std::string spelled_out(const std::string& override) {
    constexpr std::string_view kShort = "material.";
    if (!override.starts_with(kShort)) return override;
    const std::string rest = override.substr(kShort.size());
    const std::string_view typed = std::string_view(rest).substr(0, rest.find_first_of(".="));
    std::vector<std::string_view> meant;
    MaterialChanges names_only;
    visit_fields(names_only, [&](const Field& field, auto&) {
        if (field.name == typed) meant.assign(1, field.name);
        const bool is_exact = !meant.empty() && meant.front() == typed;
        if (!is_exact && field.name.starts_with(typed)) meant.push_back(field.name);
    });
    const std::string_view name = meant.size() == 1 ? meant.front() : typed;
    return fmt::format("bodies.*.material_changes.{}{}", name, rest.substr(typed.size()));
}

}  // namespace

LoadedScene parse_scene(std::string_view text, const std::string& source_name,
                        std::span<const std::string> overrides,
                        const std::filesystem::path& folder) {
    LoadedScene out;
    out.scene.folder = folder;
    const Result<Json> json = parse_json(text, source_name, {.bytes = kLongestFile});
    if (!json) {
        out.errors.push_back(json.error());
        return out;
    }
    std::vector<Error> errors;
    read_fields(json.value(), out.scene, "", errors);
    check_sources(json.value(), errors);
    const std::vector<Error> unread = errors;
    append(std::move(errors), source_name, out.errors);
    std::vector<std::string> assignments;
    for (const std::string& override : overrides) assignments.push_back(spelled_out(override));
    std::vector<Error> unset = set_fields(out.scene, assignments);
    const bool is_set = unset.empty();
    std::move(unset.begin(), unset.end(), std::back_inserter(out.errors));
    errors = check_scene_rules(out.scene);
    std::erase_if(errors, [&](const Error& rule) {
        return std::any_of(unread.begin(), unread.end(),
                           [&](const Error& error) { return follows(rule, error); });
    });
    if (unread.empty() && is_set && errors.empty()) check_places(out.scene, errors);
    append(std::move(errors), source_name, out.errors);
    return out;
}

LoadedScene load_scene(const std::filesystem::path& path, std::span<const std::string> overrides) {
    const Result<std::string> text = read_file(path, kLongestFile);
    if (!text) return {{}, {text.error()}};
    LoadedScene out = parse_scene(text.value(), path.string(), overrides, path.parent_path());
    if (out.scene.name.empty()) out.scene.name = path.stem().string();
    return out;
}

std::string scene_text(const Scene& scene) { return json_text(write_fields(scene)); }

std::string scene_schema_text() { return json_text(schema_of<Scene>("A scene of ductile")); }

std::vector<SceneInfo> list_scenes(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    std::error_code ec;
    std::filesystem::directory_iterator entry(folder, ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        if (entry->path().extension() == ".json") paths.push_back(entry->path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<SceneInfo> out;
    for (const std::filesystem::path& path : paths) {
        LoadedScene loaded = load_scene(path);
        out.push_back({path, loaded.scene.name.empty() ? path.stem().string() : loaded.scene.name,
                       std::move(loaded.scene.description)});
    }
    return out;
}

}  // namespace ductile
