// SPDX-License-Identifier: MIT
// UsdGeomXformable and UsdGeomImageable, as their schemas (openusd.org) have them.
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/body_track.h>
#include <ductile/export/track/set_bodies.h>
#include <ductile/export/usd/usd_body.h>
#include <ductile/export/usd/usd_mesh.h>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace ductile {
namespace {

// Measured on a hundred barrels (bench_exports): points and normals as text, then velocities, which
// are mostly zero, and damage.
constexpr double kBytesPerPoint = 69.0;
constexpr double kBytesOfVelocity = 22.0;
constexpr double kBytesOfDamage = 50.0;
constexpr double kBytesAtRest = 130.0;  // a vertex with its faces and UVs, once

std::vector<double> codes_at(const std::vector<double>& codes,
                             const std::vector<std::size_t>& frames) {
    std::vector<double> out;
    for (const std::size_t f : frames) out.push_back(codes[f]);
    return out;
}

// Nothing is thinned out but what stands still: readers blend rotations in ways of their own.
void append_poses(UsdText& text, const std::vector<Transform>& poses,
                  const std::vector<double>& codes) {
    const std::vector<std::size_t> moves = usd_frames(
        poses.size(),
        [&](std::size_t a, std::size_t b) { return poses[a].translation == poses[b].translation; });
    const std::vector<std::size_t> turns =
        usd_frames(poses.size(), [&](std::size_t a, std::size_t b) {
            return poses[a].rotation.coeffs() == poses[b].rotation.coeffs();
        });
    text.attribute(
        "double3 xformOp:translate", codes_at(codes, moves),
        [&](std::size_t s, std::string& out) { out += usd_tuple(poses[moves[s]].translation); });
    text.attribute("quatf xformOp:orient", codes_at(codes, turns),
                   [&](std::size_t s, std::string& out) {
                       const Eigen::Quaternionf q = poses[turns[s]].rotation.cast<float>();
                       out += fmt::format("({}, {}, {}, {})", q.w(), q.x(), q.y(), q.z());
                   });
    text.line("uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]");
}

void append_motion(UsdText& text, const Recording& recording, std::size_t body,
                   const std::vector<double>& codes) {
    const BodyTrack track = track_body(recording, body, 0.0);
    append_poses(text, track.poses, codes);
    if (track.presence_keys.empty()) return;
    text.attribute("token visibility", codes_at(codes, track.presence_keys),
                   [&](std::size_t s, std::string& out) {
                       const std::size_t f = track.presence_keys[s];
                       const bool is_present = recording.frames[f].bodies[body].is_present;
                       out += is_present ? "\"inherited\"" : "\"invisible\"";
                   });
}

/// An Xform per part, in their hierarchy: meshes must not lie below meshes.
class PartTree {
public:
    PartTree(UsdText& text, const UsdMeshContext& context) : text_(text), context_(context) {}

    void append(std::int32_t parent, std::set<std::string> taken) {
        const std::vector<MeshPart>& parts = context_.mesh.parts;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (parts[p].parent != parent) continue;
            const std::string name = usd_name(parts[p].name, taken);
            text_.open_prim(fmt::format("def Xform \"{}\"", name),
                            {"displayName = " + usd_string(parts[p].name)});
            if (parts[p].triangle_count > 0)
                append_usd_mesh(text_, context_, {"geometry", parts[p]});
            append(static_cast<std::int32_t>(p), {"geometry"});
            text_.close();
        }
    }

private:
    UsdText& text_;
    const UsdMeshContext& context_;
};

void append_meshes(UsdText& text, const Recording& recording, std::size_t body,
                   const UsdPlace& place, const UsdOptions& options,
                   const std::vector<double>& codes, UsdPictures& pictures) {
    const SurfaceAsset& asset = *recording.bodies[body].asset;
    const RenderMesh& mesh = asset.render;
    if (mesh.triangles.empty()) return;
    const UsdShapes shapes(recording, body, options.damage);
    UsdLooks own;
    if (!place.looks) {
        own.add(mesh);
        own.append(text, place.parent + "/" + place.name, place.picture_folder, pictures);
    }
    const std::vector<std::string> materials = (place.looks ? *place.looks : own).paths(mesh);
    // Parts come from a file, whose looks know their sides.
    const bool is_open = mesh.parts.empty() && !is_closed(asset.surface.triangles);
    const UsdMeshContext context{mesh,      shapes,  codes,  recording.frame_rate,
                                 materials, is_open, options};
    if (!mesh.parts.empty()) return PartTree(text, context).append(-1, {"Looks"});
    MeshPart all;
    all.triangle_count = static_cast<std::int32_t>(mesh.triangles.size());
    all.vertex_count = static_cast<std::int32_t>(mesh.points.size());
    append_usd_mesh(text, context, {"geometry", all});
}

}  // namespace

std::vector<double> usd_time_codes(const Recording& recording) {
    constexpr double slack = 1e-6;  // [frames]: what times lose by being sums of steps
    std::vector<double> codes;
    for (std::size_t f = 0; f < recording.frames.size(); ++f) {
        const double code =
            (recording.frames[f].time - recording.frames[0].time) * recording.frame_rate;
        const auto number = static_cast<double>(f);
        codes.push_back(std::abs(code - number) <= slack ? number : code);
    }
    return codes;
}

void append_usd_body(UsdText& text, const Recording& recording, std::size_t body,
                     const UsdPlace& place, const UsdOptions& options, UsdPictures& pictures) {
    const std::vector<double> codes = usd_time_codes(recording);
    text.open_prim(
        fmt::format("def Xform \"{}\"", place.name),
        {"displayName = " + usd_string(recording.bodies[body].name), "kind = \"component\""});
    append_motion(text, recording, body, codes);
    if (BodyPoser::can_show(recording, body)) {
        append_meshes(text, recording, body, place, options, codes, pictures);
    }
    text.close();
}

// A lens as wide as a full-frame camera's; only the ratio of both counts.
constexpr double kApertureHeight = 24.0;  // [mm]

void append_usd_set(UsdText& text, const Recording& recording, const FilmSet& set,
                    const UsdPlace& place, std::set<std::string> taken, UsdPictures& pictures) {
    if (set.ground) {
        const Recording ground = ground_recording(set, recording);
        append_usd_body(text, ground, 0, {usd_name("ground", taken), place.parent, ""},
                        {.damage = false}, pictures);
    }
    if (set.camera) {
        const FilmSet::Camera& camera = *set.camera;
        const double half = std::tan(0.5 * camera.field_of_view_deg * kPi / 180.0);
        text.open(fmt::format("def Camera \"{}\"", usd_name("camera", taken)));
        text.line(fmt::format("float focalLength = {:.7g}", 0.5 * kApertureHeight / half));
        text.line(
            fmt::format("float horizontalAperture = {:.7g}", kApertureHeight * camera.aspect));
        text.line(fmt::format("float verticalAperture = {:.7g}", kApertureHeight));
        text.line("float2 clippingRange = (0.01, 10000)");
        append_poses(text, camera_track(set, recording).poses, usd_time_codes(recording));
        text.close();
    }
    if (set.sun) {
        text.open(fmt::format("def DistantLight \"{}\"", usd_name("sun", taken)));
        text.line(fmt::format("float inputs:angle = {:.7g}", set.sun->size_deg));
        text.line(fmt::format("float inputs:intensity = {:.7g}", kPi * set.sun->strength));
        append_poses(text, std::vector<Transform>(recording.frames.size(), sun_pose(set)),
                     usd_time_codes(recording));
        text.close();
    }
}

double usd_body_size(const Recording& recording, std::size_t body, const UsdOptions& options) {
    if (!BodyPoser::can_show(recording, body)) return 0.0;
    const std::vector<std::size_t> source = source_frames(recording, body);
    const auto shape_at = [&](std::size_t f) {
        return recording.frames[source[f]].bodies[body].shape;
    };
    std::size_t samples = 1;
    std::size_t last = 0;
    for (std::size_t f = 1; f < source.size(); ++f) {
        if (shape_at(f) == shape_at(f - 1)) continue;
        samples += last + 1 < f ? 2 : 1;
        last = f;
    }
    const auto vertices = static_cast<double>(recording.bodies[body].asset->render.points.size());
    double bytes = kBytesPerPoint;
    if (options.velocities) bytes += kBytesOfVelocity;
    if (options.damage) bytes += kBytesOfDamage;
    return vertices * (kBytesAtRest + bytes * static_cast<double>(samples));
}

}  // namespace ductile
