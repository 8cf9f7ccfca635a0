// SPDX-License-Identifier: MIT
#include "rig_pictures.h"

#include <ductile/record/framing.h>
#include <ductile/skin/vertex_weights.h>

#include "interrupt.h"
#include "mark_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace ductile::cli {
namespace {

// Sizes of marks, as shares of the body's diagonal.
constexpr double kBallShare = 0.016, kBarShare = 0.0022, kBoneShare = 0.005;

// The side of a cube that looks along an axis, counter-clockwise from outside.
std::array<Vec3, 4> cube_side(const Vec3& middle, double side, int axis, double way) {
    const Vec3 out = 0.5 * side * way * Vec3::Unit(axis);
    const Vec3 u = 0.5 * side * Vec3::Unit((axis + 1) % 3);
    const Vec3 v = 0.5 * side * way * Vec3::Unit((axis + 2) % 3);
    const Vec3 at = middle + out;
    return {Vec3(at - u - v), Vec3(at + u - v), Vec3(at + u + v), Vec3(at - u + v)};
}

RecordedBody body_of(const char* name, std::shared_ptr<const SurfaceAsset> asset) {
    RecordedBody out;
    out.name = name;
    out.asset = std::move(asset);
    out.shapes = {out.asset->surface.points};
    return out;
}

// The same body without pictures and colours of its own: what shows something else.
SurfaceAsset repainted(const SurfaceAsset& from, const Look& look) {
    SurfaceAsset out = from;
    out.render.looks.assign(1, look);
    out.render.triangle_looks.assign(out.render.triangles.size(), 0);
    out.render.colours.clear();
    return out;
}

Transform standing(std::span<const Vec3> points) {
    const Box box = bounds(points);
    Transform out;
    out.translation = Vec3(-box.centre().x(), -box.lower.y(), -box.centre().z());
    return out;
}

// Marks may lie below the body: all of it stands above the ground, the body in the middle.
Transform standing(const std::vector<RecordedBody>& bodies) {
    Transform out = standing(bodies.front().shapes[0]);
    for (const RecordedBody& shown : bodies) {
        const double lowest = bounds(shown.shapes[0]).lower.y();
        out.translation.y() = std::max(out.translation.y(), -lowest);
    }
    return out;
}

Recording record(std::vector<RecordedBody> shown, const Transform& pose) {
    Recording recording;
    recording.bodies = std::move(shown);
    Frame& frame = recording.frames.emplace_back();
    frame.bodies.assign(recording.bodies.size(), BodyFrame{pose, 0, true});
    return recording;
}

}  // namespace

RigPictures::RigPictures(const BuiltRig& built, RigPictureOptions options)
    : built_(built), options_(std::move(options)), ball_(kBallShare * built.size) {
    const auto add_to_frame = [&](std::span<const Vec3> points, const Transform& stands) {
        for (const Vec3& p : points) {
            framed_.push_back(stands.point(p));
            frame_.add(framed_.back());
        }
    };
    const std::vector<Vec3>& rest = built.asset->surface.points;
    const std::vector<RecordedBody> marked = marked_body();
    const Transform stands = standing(marked);
    for (const RecordedBody& shown : marked) add_to_frame(shown.shapes[0], stands);
    if (built.lattice) add_to_frame(built.lattice->points(), stands);
    for (const RigPose& pose : built.rig.poses) {
        posed_.push_back(pose_points(built.rig, pose, rest));
        add_to_frame(posed_.back(), standing(posed_.back()));
    }
}

std::vector<RecordedBody> RigPictures::marked_body() const {
    std::vector<RecordedBody> out = {body()};
    for (RecordedBody& marks : handle_marks(built_.rig.handles.size(), nullptr)) {
        out.push_back(std::move(marks));
    }
    return out;
}

RecordedBody RigPictures::body() const { return body_of("body", built_.asset); }

RecordedBody RigPictures::glass_body() const {
    Look glass = plain_look("glass", Vec3(0.75, 0.8, 0.85));
    glass.opacity = 0.3;
    return body_of("body", std::make_shared<const SurfaceAsset>(repainted(*built_.asset, glass)));
}

// The camera is the same for every picture: it sees all that any of them shows.
Result<Image> RigPictures::draw(std::vector<RecordedBody> bodies) const {
    MarkMesh corners("frame");
    corners.add_bar(frame_.lower, frame_.upper, ball_, Vec3::Zero());
    const Recording framed = record({std::move(corners).body("frame")}, {});
    RenderOptions options;
    options.width = options_.width;
    options.height = options_.height;
    options.samples = options_.samples;
    options.stop = stop_flag();
    SceneCamera camera;
    set_view(options_.view, camera);
    const double aspect = double(options.width) / options.height;
    CameraKey key = CameraPath(camera, framed, aspect).at(0);
    if (options_.view.eye.empty() && options_.view.target.empty()) {
        // A box's corners are where nothing of the body is.
        const PointView view =
            view_of(framed_, key.eye_w - key.target_w, camera.field_of_view_deg, aspect);
        key = {key.time, view.eye, view.target};
    }
    const Transform stands = standing(bodies);
    const Recording recording = record(std::move(bodies), stands);
    Result<Renderer> renderer = Renderer::make(recording);
    if (!renderer) return renderer.error();
    return renderer.value().draw(recording.frames[0], camera_of(camera, key), options);
}

std::vector<RecordedBody> RigPictures::handle_marks(std::size_t count, const RigPose* pose) const {
    const std::vector<Handle>& handles = built_.rig.handles;
    MarkMesh marks("handles");
    const auto place = [&](std::size_t b, const Vec3& p) -> Vec3 {
        if (!pose) return p;
        return handles[b].place + pose->moves[b].rotation * (p - handles[b].place) +
               pose->moves[b].translation;
    };
    for (std::size_t b = 0; b < std::min(count, handles.size()); ++b) {
        const Vec3 colour = distinct_colour(b, 0.25);
        marks.add_ball(place(b, handles[b].place), ball_, colour);
        if (handles[b].kind != HandleKind::Bone) continue;
        marks.add_ball(place(b, handles[b].tip), 0.6 * ball_, colour);
        marks.add_bar(place(b, handles[b].place), place(b, handles[b].tip),
                      kBoneShare * built_.size, colour);
    }
    for (const Triangle& face : built_.rig.cage_faces) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = static_cast<std::size_t>(face[k]);
            const auto b = static_cast<std::size_t>(face[(k + 1) % 3]);
            if (a >= count || b >= count) continue;
            marks.add_bar(place(a, handles[a].place), place(b, handles[b].place),
                          kBarShare * built_.size, Vec3(0.9, 0.9, 0.9));
        }
    }
    std::vector<RecordedBody> out;
    if (!marks.is_empty()) out.push_back(std::move(marks).body("handles"));
    return out;
}

Result<Image> RigPictures::draw_body() const { return draw({body()}); }

Result<Image> RigPictures::draw_handles(std::size_t count) const {
    std::vector<RecordedBody> bodies = {glass_body()};
    for (RecordedBody& marks : handle_marks(count, nullptr)) bodies.push_back(std::move(marks));
    return draw(std::move(bodies));
}

Result<Image> RigPictures::draw_lattice() const {
    MarkMesh bars("lattice");
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (const Triangle& t : built_.lattice->boundary()) {
        for (std::size_t k = 0; k < 3; ++k) {
            edges.insert(std::minmax({t[k], t[(k + 1) % 3]}));
        }
    }
    const std::span<const Vec3> points = built_.lattice->points();
    for (const auto& [a, b] : edges) {
        bars.add_bar(points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)],
                     std::min(kBarShare * built_.size, 0.05 * built_.rig.cell),
                     Vec3(0.9, 0.5, 0.1));
    }
    std::vector<RecordedBody> bodies = {body()};
    if (!bars.is_empty()) bodies.push_back(std::move(bars).body("lattice"));
    return draw(std::move(bodies));
}

Result<Image> RigPictures::draw_weights() const {
    SurfaceAsset painted = repainted(*built_.asset, plain_look("weights", Vec3::Ones()));
    const SkinWeights weights = vertex_weights(*built_.asset, built_.rig.weights);
    for (std::size_t v = 0; v < weights.size(); ++v) {
        Vec3 colour = Vec3::Zero();
        for (std::size_t k = 0; k < weights.handles_of(v).size(); ++k) {
            colour += weights.weights_of(v)[k] *
                      distinct_colour(static_cast<std::size_t>(weights.handles_of(v)[k]), 0.25);
        }
        painted.render.colours.emplace_back(colour.x(), colour.y(), colour.z(), 1.0);
    }
    std::vector<RecordedBody> bodies = {
        body_of("body", std::make_shared<const SurfaceAsset>(std::move(painted)))};
    for (RecordedBody& marks : handle_marks(built_.rig.handles.size(), nullptr)) {
        bodies.push_back(std::move(marks));
    }
    return draw(std::move(bodies));
}

Result<Image> RigPictures::draw_pose(std::size_t pose, bool shows_handles) const {
    std::vector<RecordedBody> bodies = {body()};
    bodies[0].shapes[0] = posed_[pose];
    if (shows_handles) {
        for (RecordedBody& marks :
             handle_marks(built_.rig.handles.size(), &built_.rig.poses[pose])) {
            bodies.push_back(std::move(marks));
        }
    }
    return draw(std::move(bodies));
}

Result<Image> RigPictures::draw_parts(std::span<const std::int32_t> handles) const {
    MarkMesh faces("parts");
    const TriMesh& surface = built_.asset->surface;
    for (std::size_t f = 0; f < surface.triangles.size(); ++f) {
        faces.add_triangle(surface.points, surface.triangles[f],
                           distinct_colour(static_cast<std::size_t>(handles[f]), 0.25));
    }
    std::vector<RecordedBody> bodies;
    bodies.push_back(std::move(faces).body("parts"));
    return draw(std::move(bodies));
}

Result<Image> RigPictures::draw_cubes(const VoxelGroups& cubes) const {
    MarkMesh faces("cubes");
    const double middle = bounds(built_.asset->surface.points).centre().z();
    const auto is_shown = [&](std::size_t cube) {
        return cubes.is_inside[cube] != 0 && cubes.group[cube] >= 0 &&
               cubes.middle(cube).z() <= middle;
    };
    const std::array<std::size_t, 3> along = {
        1, static_cast<std::size_t>(cubes.size[0]),
        static_cast<std::size_t>(cubes.size[0]) * static_cast<std::size_t>(cubes.size[1])};
    for (std::size_t cube = 0; cube < cubes.group.size(); ++cube) {
        if (!is_shown(cube)) continue;
        for (int side = 0; side < 6; ++side) {
            const int axis = side / 2;
            const auto step = along[static_cast<std::size_t>(axis)];
            const bool is_up = side % 2 == 1;
            const bool is_covered = is_up
                                        ? cube + step < cubes.group.size() && is_shown(cube + step)
                                        : cube >= step && is_shown(cube - step);
            if (is_covered) continue;
            const double way = is_up ? 1.0 : -1.0;
            faces.add_face(cube_side(cubes.middle(cube), cubes.cell, axis, way),
                           way * Vec3::Unit(axis),
                           distinct_colour(static_cast<std::size_t>(cubes.group[cube]), 0.25));
        }
    }
    std::vector<RecordedBody> bodies;
    if (!faces.is_empty()) bodies.push_back(std::move(faces).body("cubes"));
    if (bodies.empty()) return Error{"no cube lies within the body", "", "make them smaller"};
    return draw(std::move(bodies));
}

}  // namespace ductile::cli
