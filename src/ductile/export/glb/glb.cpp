// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/glb/glb_animation.h>
#include <ductile/export/glb/glb_mesh.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/export/track/set_bodies.h>
#include <ductile/record/example_colours.h>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace ductile {
namespace {

using Json = GlbBuilder::Json;

Json numbers(const auto& v) {
    Json out = Json::array();
    for (Eigen::Index i = 0; i < v.size(); ++i) out.push_back(v[i]);
    return out;
}

// As viewers without an exposure of their own show it: a white surface that faces it is white.
constexpr double kSunIntensity = kPi;
// Of the distance between eye and bodies that matter nothing is known here: near and far as usual.
constexpr double kNearPlane = 0.01;

double size_of(const RecordedBody& body) {
    return body.asset ? bounds(body.asset->surface.points).diagonal() : 0.0;
}

/// Everything about one body that is worked out before anything is written.
struct Tracks {
    BodyTrack motion;
    ShapeTrack shapes;
    std::optional<DamageMap> damage;  ///< At the end, per render vertex; nothing: none.
    std::vector<Vec3> pose_colours;   ///< The same; empty: none.
    double shape_tolerance = 0.0;     ///< [m]
};

Tracks follow(const Recording& recording, std::size_t body, const GlbOptions& options) {
    const RecordedBody& recorded = recording.bodies[body];
    const double size = size_of(recorded);
    Tracks tracks;
    tracks.shape_tolerance = options.shape_tolerance * size;
    tracks.motion = track_body(recording, body, options.motion_tolerance * size);
    if (recorded.asset) {
        tracks.shapes =
            track_shapes(recording, body, tracks.motion.source,
                         {.tolerance = tracks.shape_tolerance, .max_keys = options.max_shape_keys});
    }
    if (options.damage && damaged_surface(recording, body)) {
        tracks.damage = final_damage(recording, body);
    }
    if (options.damage) tracks.pose_colours = final_pose_colours(recording, body);
    return tracks;
}

// Flat lists of numbers: Blender takes them as custom properties, lists of objects it does not.
Json hits_of(const Recording& recording, std::size_t body) {
    Json times = Json::array(), kinds = Json::array(), sizes = Json::array();
    Json positions = Json::array();
    for (const RecordedHit& hit : recording.hits) {
        if (static_cast<std::size_t>(hit.body) != body) continue;
        times.push_back(hit.time - recording.frames[0].time);
        kinds.push_back(hit.kind);
        sizes.push_back(hit.size);
        for (int i = 0; i < 3; ++i) positions.push_back(hit.position_b[i]);
    }
    if (times.empty()) return {};
    return {{"hit_times", times},
            {"hit_kinds", kinds},
            {"hit_sizes", sizes},
            {"hit_positions", positions}};
}

// What the colours of `_POSE_COLOUR` stand for, as flat lists, too.
void add_poses(const RecordedBody& body, Json& extras) {
    Json colours = Json::array();
    for (std::size_t e = 0; e < body.poses.size(); ++e) {
        const Vec3 colour = example_colour(example_tint(e));
        for (int k = 0; k < 3; ++k) colours.push_back(colour[k]);
    }
    extras["pose_names"] = body.poses;
    extras["pose_colours"] = std::move(colours);
}

Json node_of(const Recording& recording, std::size_t body, const Tracks& tracks,
             const GlbOptions& options) {
    const Transform& pose = tracks.motion.poses[0];
    Json node = {{"name", recording.bodies[body].name}};
    node["translation"] = numbers(pose.translation);
    node["rotation"] = numbers(pose.rotation.coeffs());
    if (!tracks.motion.presence_keys.empty()) {
        const double scale = recording.frames[0].bodies[body].is_present ? 1.0 : 0.0;
        node["scale"] = {scale, scale, scale};
    }
    if (options.hits) {
        if (Json hits = hits_of(recording, body); !hits.is_null()) node["extras"] = std::move(hits);
    }
    if (!tracks.pose_colours.empty()) add_poses(recording.bodies[body], node["extras"]);
    return node;
}

// Nodes for the parts of a body below its own, in their hierarchy; each shows its mesh.
void add_part_nodes(GlbBuilder& builder, GlbAnimation& animation, int body_node,
                    const std::vector<MeshPart>& parts, const std::vector<GlbPartMesh>& meshes,
                    const ShapeTrack& shapes) {
    std::vector<int> nodes;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        Json node = {{"name", parts[p].name}};
        if (meshes[p].mesh >= 0) node["mesh"] = meshes[p].mesh;
        nodes.push_back(builder.add("nodes", std::move(node)));
        const int above = parts[p].parent < 0 ? body_node : nodes[parts[p].parent];
        builder.root["nodes"][above]["children"].push_back(nodes[p]);
        animation.add_shapes(nodes[p], shapes, meshes[p].keys);
    }
}

Result<std::vector<float>> frame_times(const Recording& recording) {
    std::vector<float> times;
    for (const Frame& frame : recording.frames) {
        times.push_back(static_cast<float>(frame.time - recording.frames[0].time));
        const std::size_t f = times.size() - 1;
        if (f > 0 && !(times[f] > times[f - 1])) {
            return Error{"the time is too close to that of the frame before for glTF's floats",
                         fmt::format("frame {}", f), "export a shorter piece"};
        }
    }
    return times;
}

std::vector<bool> presence(const Recording& recording, std::size_t body) {
    std::vector<bool> is_present;
    for (const Frame& frame : recording.frames) {
        is_present.push_back(frame.bodies[body].is_present);
    }
    return is_present;
}

Status check_options(const GlbOptions& o) {
    if (!(o.shape_tolerance >= 0.0 && std::isfinite(o.shape_tolerance))) {
        return Error{"must be 0 or more", "shape_tolerance", ""};
    }
    if (!(o.motion_tolerance >= 0.0 && std::isfinite(o.motion_tolerance))) {
        return Error{"must be 0 or more", "motion_tolerance", ""};
    }
    if (o.max_shape_keys < 0) return Error{"must be 0 or more", "max_shape_keys", ""};
    if (!(o.size_limit >= 0.0 && o.size_limit <= double(GlbBuilder::kFormatLimit))) {
        return Error{"must lie between 0 and 4294967295", "size_limit", ""};
    }
    return {};
}

Json placed_node(const char* name, const Transform& pose) {
    return {{"name", name},
            {"translation", numbers(pose.translation)},
            {"rotation", numbers(pose.rotation.coeffs())}};
}

int add_ground(const FilmSet& set, const Recording& recording, GlbBuilder& builder,
               GlbMeshes& meshes) {
    const Recording ground = ground_recording(set, recording);
    const int node = builder.add("nodes", placed_node("ground", {}));
    builder.root["nodes"][node]["mesh"] = meshes.add_body(ground.bodies[0], {}, 0.0)[0].mesh;
    return node;
}

int add_camera(const FilmSet& set, const Recording& recording, GlbBuilder& builder,
               GlbAnimation& animation) {
    const BodyTrack track = camera_track(set, recording);
    Json lens = {{"yfov", set.camera->field_of_view_deg * kPi / 180.0},
                 {"aspectRatio", set.camera->aspect},
                 {"znear", kNearPlane}};
    const int camera = builder.add(
        "cameras", {{"name", "camera"}, {"type", "perspective"}, {"perspective", lens}});
    Json node = placed_node("camera", track.poses[0]);
    node["camera"] = camera;
    const int index = builder.add("nodes", std::move(node));
    animation.add_motion(index, track, {});
    return index;
}

int add_sun(const FilmSet& set, GlbBuilder& builder) {
    constexpr const char* kLights = "KHR_lights_punctual";
    builder.root["extensionsUsed"] = Json::array({kLights});
    const Json light = {
        {"name", "sun"}, {"type", "directional"}, {"intensity", kSunIntensity * set.sun->strength}};
    builder.root["extensions"][kLights]["lights"] = Json::array({light});
    Json node = placed_node("sun", sun_pose(set));
    node["extensions"][kLights]["light"] = 0;
    return builder.add("nodes", std::move(node));
}

}  // namespace

Result<std::string> glb_bytes(const Recording& recording, const GlbOptions& options,
                              const FilmSet& set) {
    if (Status good = check_options(options); !good) return good.error();
    if (Status good = check_recording(recording); !good) return good.error();
    if (Status good = check_set(set, recording); !good) return good.error();
    Result<std::vector<float>> times = frame_times(recording);
    if (!times) return times.error();

    std::vector<Tracks> tracks(recording.bodies.size());
    parallel_for(tracks.size(), 1,
                 [&](std::size_t b) { tracks[b] = follow(recording, b, options); });

    GlbBuilder builder(static_cast<std::size_t>(options.size_limit), options.dense_morphs);
    builder.root["scene"] = 0;
    builder.root["scenes"] = Json::array({{{"name", "recording"}}});
    builder.root["extras"] = {{"frame_rate", recording.frame_rate},
                              {"frame_count", recording.frames.size()}};
    GlbMeshes meshes(builder);
    GlbAnimation animation(builder, std::move(times).value());
    Json roots = Json::array();
    for (std::size_t b = 0; b < tracks.size(); ++b) {
        const RecordedBody& body = recording.bodies[b];
        if (tracks[b].motion.poses.empty()) continue;
        const int node = builder.add("nodes", node_of(recording, b, tracks[b], options));
        roots.push_back(node);
        animation.add_motion(node, tracks[b].motion, presence(recording, b));
        if (!body.asset) continue;
        const std::vector<GlbPartMesh> parts = meshes.add_body(
            body, tracks[b].shapes, tracks[b].shape_tolerance,
            {tracks[b].damage ? &*tracks[b].damage : nullptr, tracks[b].pose_colours});
        const std::vector<MeshPart>& named = body.asset->render.parts;
        if (!named.empty()) {
            add_part_nodes(builder, animation, node, named, parts, tracks[b].shapes);
        } else if (parts[0].mesh >= 0) {
            builder.root["nodes"][node]["mesh"] = parts[0].mesh;
            animation.add_shapes(node, tracks[b].shapes, parts[0].keys);
        }
    }
    if (set.ground) roots.push_back(add_ground(set, recording, builder, meshes));
    if (set.camera) roots.push_back(add_camera(set, recording, builder, animation));
    if (set.sun) roots.push_back(add_sun(set, builder));
    if (!roots.empty()) builder.root["scenes"][0]["nodes"] = std::move(roots);
    animation.finish();
    return builder.finish();
}

Status write_glb(const Recording& recording, const std::filesystem::path& path,
                 const GlbOptions& options, const FilmSet& set) {
    Result<std::string> bytes = glb_bytes(recording, options, set);
    if (bytes) return write_file(path, bytes.value());
    Error error = bytes.error();
    error.where = error.where.empty() ? path.string() : path.string() + ", " + error.where;
    return error;
}

}  // namespace ductile
