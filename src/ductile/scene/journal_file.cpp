// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/hash.h>
#include <ductile/core/json_fields.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/journal_io.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/journal_file.h>

#include <fmt/format.h>

#include <charconv>

namespace ductile {
namespace {

constexpr std::int32_t kVersion = 1;

/// The head of the file: everything but the scene and the journals themselves.
struct Head {
    std::int32_t ductile_journal = kVersion;
    double time = 0.0;
    std::string shape_hash;
};
template <class Visitor>
void visit_fields(Head& h, Visitor&& field) {
    field(Field{"ductile_journal", "", kVersion, kVersion, "version of this format"},
          h.ductile_journal);
    field(Field{"time", "s", 0.0, 1e9, "when the run ended"}, h.time);
    field(Field{"shape_hash", "", 0, 0, "of all shapes then"}, h.shape_hash);
}

struct Pose {
    Vec3 position = Vec3::Zero();
    Vec3 turn_xyz = Vec3::Zero();  // a Quat field would be normalised; these are the bits
    double turn_w = 1.0;
};
template <class Visitor>
void visit_fields(Pose& p, Visitor&& field) {
    field(Field{"position", "m", -1e9, 1e9, "of the body's frame"}, p.position);
    field(Field{"turn_xyz", "", -1.1, 1.1, "unit quaternion, vector part"}, p.turn_xyz);
    field(Field{"turn_w", "", -1.1, 1.1, "unit quaternion, scalar part"}, p.turn_w);
}

Error joined(const std::filesystem::path& path, std::span<const Error> errors) {
    Error all = errors[0];
    all.where = path.string() + (all.where.empty() ? "" : "#" + all.where);
    for (std::size_t i = 1; i < std::min<std::size_t>(errors.size(), 11); ++i) {
        all.what += "\n  " + errors[i].text();
    }
    return all;
}

}  // namespace

JournalFile take_journals(const Scene& scene, std::span<const PreparedBody> bodies,
                          std::span<const BodyId> ids, const Simulation& simulation) {
    JournalFile file;
    file.scene = scene;
    file.time = simulation.time();
    file.shape_hash = simulation.shape_hash();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        BodyJournal& body = file.bodies.emplace_back();
        body.name = bodies[i].name;
        body.pose_w = simulation.engine().motion(ids[i]).pose_w;
        if (simulation.is_deformable(ids[i])) body.journal = simulation.journal(ids[i]);
    }
    return file;
}

Status write_journals(const std::filesystem::path& path, const JournalFile& file) {
    Head head;
    head.time = file.time;
    head.shape_hash = fmt::format("{:016x}", file.shape_hash);
    Json json = write_fields(head);
    Json& bodies = json["bodies"] = Json::object();
    for (const BodyJournal& body : file.bodies) {
        const Quat& q = body.pose_w.rotation;
        Json& entry = bodies[body.name] = journal_to_json(body.journal);
        entry["pose"] = write_fields(Pose{body.pose_w.translation, q.vec(), q.w()});
    }
    json["scene"] = write_fields(file.scene);
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
    if (json.contains("scene")) read_fields(json["scene"], file.scene, "/scene", errors);
    if (errors.empty()) errors = check_scene(file.scene);
    const Json bodies = json.value("bodies", Json::object());
    if (!bodies.is_object()) errors.push_back({"must be an object", "/bodies", ""});
    for (const auto& [name, entry] : bodies.items()) {
        BodyJournal& body = file.bodies.emplace_back();
        body.name = name;
        const std::string where = "/bodies/" + name;
        Json journal = entry;
        Pose pose;
        if (journal.is_object() && journal.contains("pose")) {
            read_fields(journal["pose"], pose, where + "/pose", errors);
            journal.erase("pose");
        }
        body.pose_w.translation = pose.position;
        body.pose_w.rotation =
            Quat(pose.turn_w, pose.turn_xyz.x(), pose.turn_xyz.y(), pose.turn_xyz.z());
        body.journal = journal_from_json(journal, where, errors);
    }
    json.erase("scene");
    json.erase("bodies");
    Head head;
    read_fields(json, head, "", errors);
    const char* end = head.shape_hash.data() + head.shape_hash.size();
    const auto number = std::from_chars(head.shape_hash.data(), end, file.shape_hash, 16);
    if (number.ec != std::errc() || number.ptr != end) {
        errors.push_back({"must be sixteen hexadecimal digits", "/shape_hash", ""});
    }
    file.time = head.time;
    if (!errors.empty()) return joined(path, errors);
    return file;
}

ReplayedShapes replay_shapes(const JournalFile& file, std::span<const PreparedBody> bodies,
                             double time) {
    ReplayedShapes out;
    out.surfaces.resize(bodies.size());
    parallel_for(bodies.size(), 1, [&](std::size_t i) {
        out.surfaces[i] = bodies[i].asset->surface.points;
        if (!bodies[i].shape) return;
        for (const BodyJournal& body : file.bodies) {
            if (body.name == bodies[i].name) {
                out.surfaces[i] = shape_at(*bodies[i].shape, body.journal, time);
            }
        }
    });
    Hasher hasher;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].shape) hasher.add(std::span<const Vec3>(out.surfaces[i]));
    }
    out.shape_hash = hasher.value();
    return out;
}

}  // namespace ductile
