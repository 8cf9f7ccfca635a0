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

// Whether a broken rule may only follow from a field that could not be read: it is about that
// field, about the one that a misspelt name was meant for, or about the object that lacks it.
bool follows(const Error& rule, const Error& unread) {
    if (is_at_or_below(rule.where, unread.where)) return true;
    constexpr std::string_view kMeant = "did you mean '";
    if (!unread.hint.starts_with(kMeant)) return false;
    const std::string parent = unread.where.substr(0, unread.where.rfind('/'));
    const std::string name =
        unread.hint.substr(kMeant.size(), unread.hint.rfind('\'') - kMeant.size());
    return is_at_or_below(rule.where, pointer_below(parent, name)) ||
           (!parent.empty() && rule.where == parent);
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
