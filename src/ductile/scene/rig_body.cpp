// SPDX-License-Identifier: MIT
#include <ductile/asset/flatten_model.h>
#include <ductile/asset/guess_units.h>
#include <ductile/core/field_messages.h>
#include <ductile/geom/model_skin.h>
#include <ductile/geom/point_attribute.h>
#include <ductile/geom/query/find_places.h>
#include <ductile/geom/skin_frame.h>
#include <ductile/io/read_model.h>
#include <ductile/io/read_point_cache.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/find_file.h>
#include <ductile/scene/rig_body.h>
#include <ductile/skin/pose_model.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace ductile {
namespace {

// Places of a mesh and of a cache that are one, as a share of the size: text files round.
constexpr double kSameCachePlace = 1e-5;
// How far the squared lengths of a joint's axes may be from 1: files have floats.
constexpr double kNoScale = 1e-3;

std::string pose_pointer(const PoseSource& pose, const char* field) {
    return pointer_below("/poses", pose.name) + "/" + field;
}

// An animation by its name. Blender gives "Armature|crushed" as "crushed" or whole.
Result<std::size_t> find_animation(const Model& model, const PoseSource& pose) {
    std::vector<std::string_view> names;
    for (std::size_t a = 0; a < model.animations.size(); ++a) {
        if (model.animations[a].name == pose.animation) return a;
        names.push_back(model.animations[a].name);
    }
    return Error{fmt::format("the mesh file has no animation '{}'", pose.animation),
                 pose_pointer(pose, "animation"),
                 names.empty() ? "it has none at all" : suggestion(pose.animation, names)};
}

double animation_time(const Model& model, std::size_t animation, const PoseSource& pose) {
    return pose.time ? *pose.time : animation_span(model.animations[animation]).end;
}

using PlacesOrError = Result<std::vector<Vec3>>;

PlacesOrError animated_copy(const RigFile& rig, const RigBody& body, const PoseSource& pose) {
    const Result<std::size_t> animation = find_animation(*body.model, pose);
    if (!animation) return animation.error();
    const double time = animation_time(*body.model, animation.value(), pose);
    const Result<Model> posed = posed_model(*body.model, animation.value(), time);
    if (!posed) return Error{posed.error().what, pose_pointer(pose, "animation"), ""};
    const Result<FlatModel> flat = flatten_model(posed.value(), rig.mesh_options.parts);
    if (!flat) return flat.error();
    return flat.value().render.points;
}

PlacesOrError copy_of_file(const RigFile& rig, const PoseSource& pose) {
    const Result<std::filesystem::path> path = find_rig_file(rig, pose.copy);
    if (!path) return path.error();
    const Result<Model> model = read_model(path.value());
    if (!model) return model.error();
    const Result<FlatModel> flat = flatten_model(model.value(), rig.mesh_options.parts);
    if (!flat) return Error{flat.error().what, path.value().string(), flat.error().hint};
    return flat.value().render.points;
}

// A sample of a cache, brought to the order of `rest`, which is where its first sample has them.
PlacesOrError copy_of_cache(const RigFile& rig, const PoseSource& pose,
                            std::span<const std::span<const Vec3>> rests) {
    const Result<std::filesystem::path> path = find_rig_file(rig, pose.cache);
    if (!path) return path.error();
    const Result<PointCache> cache = read_point_cache(path.value());
    if (!cache) return cache.error();
    const std::vector<std::vector<Vec3>>& samples = cache.value().samples;
    const std::int64_t frame = pose.frame < 0 ? std::ssize(samples) - 1 : pose.frame;
    if (frame >= std::ssize(samples)) {
        return Error{
            fmt::format("there is no sample {}: the cache has {}, from 0", frame, samples.size()),
            pose_pointer(pose, "frame"), ""};
    }
    const std::vector<Vec3>& wanted = samples[static_cast<std::size_t>(frame)];
    for (const std::span<const Vec3> rest : rests) {
        if (rest.size() == wanted.size()) return wanted;
    }
    const std::span<const Vec3> rest = rests.front();
    const std::vector<std::int32_t> which =
        find_places(rest, samples[0], kSameCachePlace * bounds(rest).diagonal());
    if (std::find(which.begin(), which.end(), -1) != which.end()) {
        return Error{fmt::format("its {} points are not those of the mesh, which has {}",
                                 wanted.size(), rest.size()),
                     path.value().string(),
                     "bake the cache from the mesh as it is in the rig, beginning at rest"};
    }
    std::vector<Vec3> out;
    for (const std::int32_t i : which) out.push_back(wanted[static_cast<std::size_t>(i)]);
    return out;
}

// A solid's copy has either its drawn vertices or its surface's points.
PlacesOrError solid_points(const RigBody& body, const std::vector<Vec3>& copy,
                           const std::string& where) {
    const SurfaceAsset& asset = *body.asset;
    const std::size_t count = asset.surface.points.size();
    if (copy.size() == count) return copy;
    if (copy.size() != asset.render.points.size()) {
        return Error{fmt::format("the copy has {} vertices; the solid has {} that are drawn and a "
                                 "surface of {}",
                                 copy.size(), asset.render.points.size(), count),
                     where, "copies must have its vertices, in its order"};
    }
    std::vector<Vec3> out = asset.surface.points;
    for (int k = 0; k < 3; ++k) {
        std::vector<double> moves(copy.size());
        for (std::size_t v = 0; v < copy.size(); ++v) {
            moves[v] = copy[v][k] - asset.render.points[v][k];
        }
        moves = carry_to_surface(asset, moves);
        fill_from_neighbours(asset.surface, moves);
        for (std::size_t i = 0; i < count; ++i) out[i][k] += moves[i];
    }
    return out;
}

PlacesOrError mesh_points(const RigFile& rig, const RigBody& body, const PoseSource& pose) {
    PlacesOrError copy = Error{};
    if (!pose.animation.empty()) {
        copy = animated_copy(rig, body, pose);
    } else if (!pose.copy.empty()) {
        copy = copy_of_file(rig, pose);
    } else {
        const Result<FlatModel> flat = flatten_model(*body.model, rig.mesh_options.parts);
        if (!flat) return flat.error();
        const std::span<const Vec3> rest = flat.value().render.points;
        copy = copy_of_cache(rig, pose, std::vector<std::span<const Vec3>>{rest});
    }
    if (!copy) return copy.error();
    const auto moves =
        carry_copies(*body.model, rig.mesh_options, std::vector<std::vector<Vec3>>{copy.value()});
    if (!moves) {
        return Error{moves.error().what, pointer_below("/poses", pose.name), moves.error().hint};
    }
    std::vector<Vec3> out = body.asset->surface.points;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += moves.value()[0][i];
    return out;
}

PlacesOrError morphed_points(const RigBody& body, const PoseSource& pose) {
    std::vector<std::string_view> names;
    for (const ModelMorph& morph : body.prepared.morphs) {
        names.push_back(morph.name);
        if (morph.name != pose.morph) continue;
        std::vector<Vec3> out = body.asset->surface.points;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += morph.moves[i];
        return out;
    }
    return Error{fmt::format("the mesh file has no morph target '{}'", pose.morph),
                 pose_pointer(pose, "morph"),
                 names.empty() ? "it has none at all" : suggestion(pose.morph, names)};
}

bool is_rigid(const Mat4& m) {
    const Mat3 turn = m.topLeftCorner<3, 3>();
    return m.allFinite() && turn.determinant() > 0 &&
           (turn.transpose() * turn - Mat3::Identity()).cwiseAbs().maxCoeff() < kNoScale;
}

}  // namespace

Result<std::filesystem::path> find_rig_file(const RigFile& rig, const std::string& name) {
    return find_file(rig.folder, name, "rig");
}

namespace {

Result<RigBody> unpainted_body(const RigFile& rig, const StopFlag* stop) {
    RigBody out;
    if (rig.mesh.empty()) {
        Result<SurfaceAsset> solid = make_solid(rig.solid, stop);
        if (!solid) return Error{solid.error().what, "/solid", solid.error().hint};
        out.asset = std::make_shared<const SurfaceAsset>(std::move(solid).value());
        return out;
    }
    const Result<std::filesystem::path> path = find_rig_file(rig, rig.mesh);
    if (!path) return path.error();
    Result<Model> model = read_model(path.value(), {.stop = stop});
    if (!model) return model.error();
    Result<PreparedAsset> prepared = prepare_asset(model.value(), rig.mesh_options);
    if (!prepared)
        return Error{prepared.error().what, path.value().string(), prepared.error().hint};
    out.model = std::move(model).value();
    out.prepared = std::move(prepared).value();
    out.thickness = out.prepared.thickness;
    out.asset = std::make_shared<const SurfaceAsset>(std::move(out.prepared.asset));
    out.prepared.asset = {};
    return out;
}

}  // namespace

Result<RigBody> make_rig_body(const RigFile& rig, const StopFlag* stop) {
    Result<RigBody> out = unpainted_body(rig, stop);
    if (out && rig.colour) out.value().asset = repainted(out.value().asset, *rig.colour);
    return out;
}

Result<std::vector<Vec3>> copied_points(const RigFile& rig, const RigBody& body,
                                        const PoseSource& pose) {
    if (!pose.morph.empty()) return morphed_points(body, pose);
    if (body.model) return mesh_points(rig, body, pose);
    const std::span<const Vec3> surface = body.asset->surface.points;
    const std::span<const Vec3> drawn = body.asset->render.points;
    PlacesOrError copy =
        pose.cache.empty()
            ? copy_of_file(rig, pose)
            : copy_of_cache(rig, pose, std::vector<std::span<const Vec3>>{surface, drawn});
    if (!copy) return copy.error();
    return solid_points(body, copy.value(), pointer_below("/poses", pose.name));
}

Result<RigPose> joint_pose(const RigBody& body, const PoseSource& pose) {
    const Model& model = *body.model;
    const Result<std::size_t> animation = find_animation(model, pose);
    if (!animation) return animation.error();
    const double time = animation_time(model, animation.value(), pose);
    const Result<std::vector<Mat4>> now = posed_places(model, animation.value(), time);
    const Result<std::vector<Mat4>> rest = node_places(model);
    if (!now || !rest) {
        return Error{now ? rest.error().what : now.error().what, pose_pointer(pose, "animation"),
                     ""};
    }
    const PlacementReport& placement = body.prepared.report.placement;
    RigPose out;
    for (const BodyJoint& joint : body.prepared.joints) {
        const auto node = static_cast<std::size_t>(joint.node);
        const Mat4& from = rest.value()[node];
        const Mat4 change = std::abs(from.determinant()) > 1e-300
                                ? Mat4(now.value()[node] * from.inverse())
                                : Mat4(Mat4::Zero());
        if (!is_rigid(change)) {
            return Error{fmt::format("it scales or shears the joint '{}': poses turn and move "
                                     "handles, and have no scale",
                                     joint.name),
                         pose_pointer(pose, "animation"),
                         "take the scale keys out, or draw the pose as a shape key"};
        }
        // The same motion where y is up and lengths are metres.
        const Mat3 turn = nearest_rotation(change.topLeftCorner<3, 3>());
        Mat3 upright;
        for (int k = 0; k < 3; ++k) upright.col(k) = with_y_up(Vec3::Unit(k), placement.up);
        Transform& move = out.moves.emplace_back();
        move.rotation = Quat(Mat3(upright * turn * upright.transpose())).normalized();
        const Vec3 went = now.value()[node].topRightCorner<3, 1>();
        move.translation = with_y_up(went * placement.metres_per_unit, placement.up) - joint.place;
    }
    return out;
}

}  // namespace ductile
