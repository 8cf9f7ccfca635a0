// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/scene/rig_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ductile {
namespace {

constexpr std::size_t kLongestRigFile = std::size_t{64} << 20;

bool has_source(const PoseSource& pose) {
    return !pose.animation.empty() || !pose.morph.empty() || !pose.copy.empty() ||
           !pose.cache.empty() || !pose.handles.empty();
}

void check_pose(const RigFile& rig, const PoseSource& pose, const std::set<std::string>& handles,
                std::vector<Error>& errors) {
    const std::string at = pointer_below("/poses", pose.name);
    const int kinds = int(!pose.animation.empty()) + int(!pose.morph.empty()) +
                      int(!pose.copy.empty()) + int(!pose.cache.empty()) +
                      int(!pose.handles.empty());
    if (!has_source(pose)) {
        errors.push_back({"a pose that says nothing", at,
                          "give it handles, an animation, a morph, a copy or a cache"});
    }
    if (kinds > 1) {
        errors.push_back({"a pose is told in one way, not in several", at,
                          "keep one of handles, animation, morph, copy and cache"});
    }
    const bool needs_mesh = !pose.animation.empty() || !pose.morph.empty();
    if (needs_mesh && rig.mesh.empty()) {
        errors.push_back({"animations and morphs are a mesh file's, and the rig has none", at,
                          "give the rig a mesh, or the pose handles"});
    }
    if (pose.time && pose.animation.empty()) {
        errors.push_back({"a time is for a pose from an animation", at + "/time", ""});
    }
    // Joints and automatic handles are known once the body is made.
    if (rig.weights == WeightSource::Skin || rig.handle_count > std::ssize(rig.handles)) return;
    for (const HandleMove& move : pose.handles) {
        if (handles.contains(move.handle)) continue;
        const std::vector<std::string_view> known(handles.begin(), handles.end());
        errors.push_back({fmt::format("there is no handle '{}'", move.handle),
                          pointer_below(at + "/handles", move.handle),
                          suggestion(move.handle, known)});
    }
}

std::vector<Error> check_rig_rules(const RigFile& rig) {
    std::vector<Error> errors;
    std::set<std::string> handles;
    for (const Handle& handle : rig.handles) handles.insert(handle.name);
    if (rig.weights == WeightSource::Skin && rig.mesh.empty()) {
        errors.push_back({"weights of a skin are a mesh file's, and the rig has none", "/weights",
                          "give the rig a mesh, or let weights be smooth"});
    }
    if (rig.weights == WeightSource::Skin && (!rig.handles.empty() || rig.handle_count > 0)) {
        errors.push_back({"the joints of the skin are the handles: no others can be given",
                          rig.handles.empty() ? "/handle_count" : "/handles",
                          "leave them out, or let weights be smooth"});
    }
    if (rig.handle_count > 0 && rig.handle_count < std::ssize(rig.handles)) {
        errors.push_back({fmt::format("{} handles are given, more than {} in all",
                                      rig.handles.size(), rig.handle_count),
                          "/handle_count", "make it larger, or 0"});
    }
    for (std::size_t f = 0; f < rig.cage.size(); ++f) {
        for (const std::string& corner : rig.cage[f].corners) {
            if (handles.contains(corner)) continue;
            const std::vector<std::string_view> known(handles.begin(), handles.end());
            errors.push_back({fmt::format("there is no handle '{}'", corner),
                              fmt::format("/cage/{}/corners", f), suggestion(corner, known)});
        }
    }
    for (const PoseSource& pose : rig.poses) check_pose(rig, pose, handles, errors);
    return errors;
}

// Leaves out of `json` what `defaults` has just so.
void leave_out_defaults(Json& json, const Json& defaults) {
    for (auto member = json.begin(); member != json.end();) {
        const auto usual = defaults.find(member.key());
        if (usual != defaults.end() && *usual == *member) {
            member = json.erase(member);
            continue;
        }
        if (usual != defaults.end() && member->is_object() && usual->is_object() &&
            !usual->empty()) {
            leave_out_defaults(*member, *usual);
        }
        ++member;
    }
}

template <class Item>
void leave_out_item_defaults(Json& items) {
    const Json usual = write_fields(Item{});
    for (Json& item : items) leave_out_defaults(item, usual);
}

}  // namespace

LoadedRigFile parse_rig(std::string_view text, const std::string& source_name,
                        std::span<const std::string> overrides,
                        const std::filesystem::path& folder) {
    LoadedRigFile out;
    out.rig.folder = folder;
    const Result<Json> json = parse_json(text, source_name, {.bytes = kLongestRigFile});
    if (!json) {
        out.errors.push_back(json.error());
        return out;
    }
    std::vector<Error> errors;
    read_fields(json.value(), out.rig, "", errors);
    out.errors = set_fields(out.rig, overrides);
    // Broken rules may only follow from what could not be read.
    if (errors.empty() && out.errors.empty()) errors = check_rig_rules(out.rig);
    for (Error& error : errors) {
        error.where = source_name + "#" + error.where;
        out.errors.push_back(std::move(error));
    }
    return out;
}

LoadedRigFile load_rig(const std::filesystem::path& path, std::span<const std::string> overrides) {
    const Result<std::string> text = read_file(path, kLongestRigFile);
    if (!text) return {{}, {text.error()}};
    return parse_rig(text.value(), path.string(), overrides, path.parent_path());
}

std::string rig_text(const RigFile& rig) {
    Json json = write_fields(rig);
    leave_out_item_defaults<Handle>(json["handles"]);
    leave_out_item_defaults<PoseSource>(json["poses"]);
    leave_out_defaults(json, write_fields(RigFile{}));
    return json_text(json);
}

std::string rig_schema_text() { return json_text(schema_of<RigFile>("A rig of ductile")); }

}  // namespace ductile
