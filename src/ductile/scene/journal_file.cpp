// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/field_ranges.h>
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/deform/journal_io.h>
#include <ductile/record/shown_hash.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/replay.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace ductile {
namespace {

constexpr std::int32_t kVersion = 1;

/// The head of the file: everything but the scene and the journals themselves.
struct Head {
    std::int32_t ductile_journal = kVersion;
    double time = 0.0;
    std::string shape_hash, shown_hash;
};
template <class Visitor>
void visit_fields(Head& h, Visitor&& field) {
    field(Field{"ductile_journal", "", kVersion, kVersion, "version of this format"},
          h.ductile_journal);
    field(Field{"time", "s", 0.0, 1e9, "when the run ended"}, h.time);
    field(Field{"shape_hash", "", 0, 0, "of all deformable bodies' shapes then"}, h.shape_hash);
    field(Field{"shown_hash", "", 0, 0, "of all that a replay shows then"}, h.shown_hash);
}

struct Pose {
    Vec3 position = Vec3::Zero();
    Vec3 turn_xyz = Vec3::Zero();  // a Quat field would be normalised; these are the bits
    double turn_w = 1.0;
};
template <class Visitor>
void visit_fields(Pose& p, Visitor&& field) {
    // Further than anything falls in the longest run.
    field(Field{"position", "m", -1e15, 1e15, "of the body's frame"}, p.position);
    field(Field{"turn_xyz", "", -1.1, 1.1, "unit quaternion, vector part"}, p.turn_xyz);
    field(Field{"turn_w", "", -1.1, 1.1, "unit quaternion, scalar part"}, p.turn_w);
}

Error joined(const std::filesystem::path& path, std::span<const Error> errors) {
    Error all = errors[0];
    all.where = path.string() + "#" + all.where;
    if (errors.size() == 1) return all;
    // The hint belongs to the first mistake, not to the list.
    if (!all.hint.empty()) all.what += " (" + all.hint + ")";
    all.hint.clear();
    for (std::size_t i = 1; i < std::min<std::size_t>(errors.size(), 11); ++i) {
        all.what += "\n  " + errors[i].text();
    }
    return all;
}

std::uint64_t read_hash(const std::string& text, const std::string& where,
                        std::vector<Error>& errors) {
    std::uint64_t hash = 0;
    const char* end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, hash, 16);
    if (text.size() != 16 || number.ec != std::errc() || number.ptr != end) {
        errors.push_back({"must be sixteen hexadecimal digits", where, ""});
    }
    return hash;
}

void read_head(const Json& json, JournalFile& file, std::vector<Error>& errors) {
    const std::size_t before = errors.size();
    for (const char* key : {"time", "shape_hash", "shown_hash"}) {
        if (!json.contains(key)) errors.push_back({"is missing", "/" + std::string(key), ""});
    }
    Head head;
    read_fields(json, head, "", errors);
    if (errors.size() > before) return;
    file.time = head.time;
    file.shape_hash = read_hash(head.shape_hash, "/shape_hash", errors);
    file.shown_hash = read_hash(head.shown_hash, "/shown_hash", errors);
}

void read_scene(const Json& json, Scene& scene, std::vector<Error>& errors) {
    if (!json.contains("scene")) {
        errors.push_back({"is missing", "/scene", "a journal holds the scene as it ran"});
        return;
    }
    const std::size_t before = errors.size();
    read_fields(json["scene"], scene, "/scene", errors);
    if (errors.size() > before) return;
    for (Error& error : check_scene(scene)) {
        error.where = "/scene" + error.where;
        errors.push_back(std::move(error));
    }
}

// Null for a body that is there from the start.
std::string read_parent(Json& entry, const std::string& where, std::vector<Error>& errors) {
    if (!entry.is_object() || !entry.contains("parent")) return "";
    const Json parent = entry["parent"];
    entry.erase("parent");
    if (parent.is_string()) return parent.get<std::string>();
    errors.push_back({"must be the name of the body that it came of", where, ""});
    return "";
}

Transform read_pose(Json& entry, const std::string& where, std::vector<Error>& errors) {
    Transform pose_w;
    if (!entry.is_object() || !entry.contains("pose")) {
        if (entry.is_object()) errors.push_back({"is missing", where, ""});
        return pose_w;
    }
    Pose pose;
    const std::size_t before = errors.size();
    read_fields(entry["pose"], pose, where, errors);
    entry.erase("pose");
    pose_w.translation = pose.position;
    pose_w.rotation = Quat(pose.turn_w, pose.turn_xyz.x(), pose.turn_xyz.y(), pose.turn_xyz.z());
    constexpr double kUnitTolerance = 1e-6;  // far above rounding, far below what an eye sees
    if (errors.size() == before && std::abs(pose_w.rotation.norm() - 1.0) > kUnitTolerance) {
        errors.push_back({"the quaternion is not of unit length", where, ""});
    }
    return pose_w;
}

/// Every body of the scene stands in the journal once, nothing else does, and only what can be
/// deformed has hits: a slip in a name would otherwise make damage vanish in silence.
void check_names(const JournalFile& file, std::vector<Error>& errors) {
    std::map<std::string, bool> is_deformable;
    std::set<std::string> breakable;
    for (const PlacedBody& placed : place_bodies(file.scene)) {
        const auto& layers = file.scene.bodies[static_cast<std::size_t>(placed.body)].layers;
        is_deformable[placed.name] = !layers.is_empty();
        if (layers.fracture) breakable.insert(placed.name);
    }
    std::vector<std::string_view> known;
    for (const auto& [name, is] : is_deformable) known.push_back(name);
    if (known.size() > 20) known.resize(20);  // a hint, not a list
    std::set<std::string> seen;
    for (const BodyJournal& body : file.bodies) {
        const std::string where = pointer_below("/bodies", body.name);
        const auto found = is_deformable.find(body.name);
        seen.insert(body.name);
        if (!body.parent.empty()) {
            const std::string whole = body.name.substr(0, body.name.rfind('.'));
            if (!breakable.contains(whole)) {
                errors.push_back({"the scene has no body that it could be a part of", where, ""});
            }
        } else if (found == is_deformable.end()) {
            errors.push_back({"the scene has no such body", where, suggestion(body.name, known)});
        } else if (!found->second && !body.journal.is_empty()) {
            errors.push_back({"a rigid body has no hits", where + "/hits", ""});
        }
    }
    for (const auto& [name, is] : is_deformable) {
        if (!seen.contains(name)) {
            errors.push_back({"is missing", pointer_below("/bodies", name), ""});
        }
    }
}

}  // namespace

std::int64_t last_inherited(std::span<const BodyJournal> bodies, const BodyJournal& body) {
    for (const BodyJournal& parent : bodies) {
        if (body.parent.empty() || parent.name != body.parent) continue;
        return parent.journal.hits().empty() ? 0 : parent.journal.hits().back().id;
    }
    return 0;
}

namespace {

// What a simulation has, or had, of an object.
BodyJournal journal_of(const Simulation& simulation, ObjectId id) {
    for (const PastObject& past : simulation.past()) {
        if (past.id == id) return {past.name, past.pose_w, past.journal, ""};
    }
    BodyJournal body;
    body.name = simulation.name(id);
    body.pose_w = simulation.motion(id).pose_w;
    if (simulation.is_deformable(id)) body.journal = simulation.journal(id);
    return body;
}

}  // namespace

Result<JournalFile> take_journals(const Scene& scene, std::span<const PreparedBody> bodies,
                                  std::span<const ObjectId> ids, const Simulation& simulation) {
    JournalFile file;
    file.scene = scene;
    file.time = simulation.time();
    file.shape_hash = simulation.shape_hash();
    std::map<ObjectId, std::string> names;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        file.bodies.push_back(journal_of(simulation, ids[i]));
        names[ids[i]] = file.bodies.back().name = bodies[i].name;
    }
    for (const Birth& birth : simulation.births()) {
        const auto parent = names.find(birth.parent);
        if (parent == names.end()) continue;
        file.bodies.push_back(journal_of(simulation, birth.object));
        file.bodies.back().parent = parent->second;
        names[birth.object] = file.bodies.back().name;
    }
    const PresentBodies now = present_bodies(bodies, ids, simulation);
    const Result<Recording> still = replay_still(
        file, now.bodies, simulated_shapes(now.bodies, now.ids, simulation), file.time);
    if (!still) return still.error();
    file.shown_hash = shown_hash(still.value());
    return file;
}

namespace {

// The scene with its files named from the journal's folder, so that they are found again.
Scene beside(const std::filesystem::path& path, const Scene& scene) {
    Scene copy = scene;
    std::error_code ec;
    const std::filesystem::path folder = std::filesystem::absolute(path, ec).parent_path();
    const auto rename = [&](std::string& name) {
        if (name.empty()) return;
        const Result<std::filesystem::path> found = find_scene_file(scene, name);
        if (!found) return;
        const std::filesystem::path whole = std::filesystem::absolute(found.value(), ec);
        const std::filesystem::path from = std::filesystem::proximate(whole, folder, ec);
        if (!ec) name = from.generic_string();
    };
    for_each_file(copy, rename);
    return copy;
}

// What is written can be read.
Status check_journal(const BodyJournal& body, const Pose& pose) {
    const std::string where = pointer_below("/bodies", body.name);
    const auto below = [&](const std::string& part, const Error& error) {
        return Error{error.what, where + part + error.where, error.hint};
    };
    if (Status fine = check_ranges(pose); !fine) return below("/pose", fine.error());
    for (Hit hit : body.journal.hits()) {
        if (Status fine = check_hit(hit); !fine) {
            return below("/hits/" + std::to_string(hit.id), fine.error());
        }
    }
    for (const Repair& repair : body.journal.repairs()) {
        if (Status fine = check_ranges(repair); !fine) return below("/repairs", fine.error());
    }
    return {};
}

}  // namespace

std::vector<std::string> journal_notes(const Scene& scene) {
    std::vector<std::string> names;
    for (const SceneBody& body : scene.bodies) {
        if (body.tissue && !body.tissue->is_rigid) names.push_back(body.name);
    }
    if (names.empty()) return {};
    const std::size_t more = names.size() - 1;
    return {
        fmt::format("journals do not have the shapes of soft coats: a replay shows {}{} at rest",
                    names[0], more > 0 ? fmt::format(" and {} more", more) : "")};
}

Status write_journals(const std::filesystem::path& path, const JournalFile& file) {
    Head head;
    head.time = file.time;
    head.shape_hash = fmt::format("{:016x}", file.shape_hash);
    head.shown_hash = fmt::format("{:016x}", file.shown_hash);
    if (Status fine = check_ranges(head); !fine) return fine;
    Json json = write_fields(head);
    Json& bodies = json["bodies"] = Json::object();
    for (const BodyJournal& body : file.bodies) {
        const Quat& q = body.pose_w.rotation;
        const Pose pose{body.pose_w.translation, q.vec(), q.w()};
        if (Status fine = check_journal(body, pose); !fine) return fine;
        Json& entry = bodies[body.name] = journal_to_json(body.journal);
        entry["pose"] = write_fields(pose);
        if (!body.parent.empty()) entry["parent"] = body.parent;
    }
    json["scene"] = write_fields(beside(path, file.scene));
    return write_file(path, json_text(json));
}

Result<JournalFile> read_journals(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<Json> parsed = parse_json(text.value(), path.string());
    if (!parsed) return parsed.error();
    Json json = std::move(parsed).value();
    if (!json.is_object() || !json.contains("ductile_journal")) {
        return Error{"is not a ductile journal", path.string(),
                     "`ductile run` writes journal.json"};
    }
    JournalFile file;
    std::vector<Error> errors;
    file.scene.folder = path.parent_path();
    read_scene(json, file.scene, errors);
    const bool is_scene_good = errors.empty();
    const Json bodies = json.contains("bodies") ? json["bodies"] : Json();
    json.erase("scene");
    json.erase("bodies");
    read_head(json, file, errors);
    if (!bodies.is_object()) {
        errors.push_back({"must be an object with an entry per body", "/bodies", ""});
        return joined(path, errors);
    }
    for (const auto& [name, entry] : bodies.items()) {
        BodyJournal& body = file.bodies.emplace_back();
        body.name = name;
        const std::string where = pointer_below("/bodies", name);
        Json journal = entry;
        body.pose_w = read_pose(journal, where + "/pose", errors);
        body.parent = read_parent(journal, where + "/parent", errors);
        body.journal = journal_from_json(journal, where, errors);
    }
    if (is_scene_good) check_names(file, errors);
    if (!errors.empty()) return joined(path, errors);
    return file;
}

}  // namespace ductile
