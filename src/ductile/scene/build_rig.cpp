// SPDX-License-Identifier: MIT
// Jones et al. 2016, "Example-Based Plastic Deformation of Rigid Bodies", section 4, Algorithm 1.
#include <ductile/core/field_messages.h>
#include <ductile/geom/vertex_graph.h>
#include <ductile/scene/build_rig.h>
#include <ductile/scene/rig_body.h>
#include <ductile/skin/auto_rotations.h>
#include <ductile/skin/place_handles.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ductile {
namespace {

// Weights of lattice nodes that a bend does not feel.
constexpr double kLeastNodeWeight = 1e-9;

Result<std::vector<Triangle>> cage_triangles(const RigFile& file) {
    std::vector<Triangle> out;
    for (const CageFace& face : file.cage) {
        Triangle& t = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            const auto at =
                std::find_if(file.handles.begin(), file.handles.end(),
                             [&](const Handle& h) { return h.name == face.corners[k]; });
            if (at == file.handles.end()) {
                return Error{fmt::format("there is no handle '{}'", face.corners[k]), "/cage", ""};
            }
            t[k] = static_cast<std::int32_t>(at - file.handles.begin());
        }
    }
    return out;
}

Error at_pointer(const Error& error, const char* pointer) {
    return {error.where.empty() ? error.what : error.where + ": " + error.what, pointer,
            error.hint};
}

SkinWeights rows_of_nodes(const Eigen::MatrixXd& nodes) {
    SkinWeights out;
    for (Eigen::Index i = 0; i < nodes.rows(); ++i) {
        for (Eigen::Index b = 0; b < nodes.cols(); ++b) {
            if (!(nodes(i, b) > kLeastNodeWeight)) continue;
            out.handle.push_back(static_cast<std::int32_t>(b));
            out.weight.push_back(nodes(i, b));
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

class RigBuilder {
public:
    RigBuilder(const RigFile& file, const Progress& progress, const StopFlag* stop)
        : file_(file), progress_(progress), stop_(stop) {}

    Result<BuiltRig> run() {
        if (Status fine = step("body", [&] { return make_body(); }); !fine) return fine.error();
        const bool is_smooth = file_.weights == WeightSource::Smooth;
        if (is_smooth) {
            if (Status fine = step("lattice", [&] { return make_lattice(); }); !fine)
                return fine.error();
            if (Status fine = step("weights", [&] { return find_weights(); }); !fine)
                return fine.error();
        } else if (Status fine = take_skin(); !fine) {
            return fine.error();
        }
        for (std::size_t p = 0; p < file_.poses.size(); ++p) {
            if (is_stopped(stop_)) return stopped_error();
            if (progress_) progress_("poses", double(p) / double(file_.poses.size()));
            if (Status fine = add_pose(file_.poses[p]); !fine) return fine.error();
        }
        const Status whole = check_rig(out_.rig, out_.asset->surface.points.size());
        if (!whole) return whole.error();
        return std::move(out_);
    }

private:
    template <class Work>
    Status step(const char* stage, Work&& work) {
        if (is_stopped(stop_)) return stopped_error();
        if (progress_) progress_(stage, 0.0);
        return work();
    }

    Status make_body() {
        Result<RigBody> body = make_rig_body(file_, stop_);
        if (!body) return body.error();
        body_ = std::move(body).value();
        out_.asset = body_.asset;
        out_.thickness = body_.thickness;
        out_.size = bounds(body_.asset->surface.points).diagonal();
        return {};
    }

    Status make_lattice() {
        const TriMesh& surface = body_.asset->surface;
        const SurfaceQuery query(surface.points, surface.triangles);
        double cell = file_.cell;
        if (!(cell > 0)) {
            const Result<double> found = lattice_cell(query, static_cast<std::size_t>(file_.nodes));
            if (!found) return at_pointer(found.error(), "/nodes");
            cell = found.value();
        }
        Result<TetLattice> lattice = TetLattice::make(query, cell);
        if (!lattice) return at_pointer(lattice.error(), "/cell");
        out_.lattice = std::make_shared<const TetLattice>(std::move(lattice).value());
        out_.rig.cell = cell;
        return {};
    }

    Status find_weights() {
        const Result<std::vector<Triangle>> cage = cage_triangles(file_);
        if (!cage) return cage.error();
        const std::int32_t wanted =
            file_.handle_count > 0
                ? file_.handle_count
                : (file_.handles.empty() ? kUsualHandles
                                         : static_cast<std::int32_t>(file_.handles.size()));
        Result<std::vector<Handle>> handles = add_automatic_handles(
            *out_.lattice, file_.handles, static_cast<std::size_t>(wanted), cage.value());
        if (!handles) return at_pointer(handles.error(), "/handles");
        out_.rig.handles = std::move(handles).value();
        out_.rig.cage_faces = cage.value();
        Result<LatticeWeights> weights = bounded_weights(*out_.lattice, out_.rig.handles,
                                                         out_.rig.cage_faces, file_.weight_options);
        if (!weights) return at_pointer(weights.error(), "/handles");
        out_.lattice_weights = std::move(weights).value();
        out_.rig.weights =
            carry_weights(*out_.lattice, out_.lattice_weights->nodes, body_.asset->surface.points,
                          file_.weight_options.threshold);
        for (const LoosePart& part : out_.lattice_weights->loose) {
            out_.notes.push_back(fmt::format(
                "a loose part of {} lattice nodes around {:.3g}, {:.3g}, {:.3g} has no handle and "
                "follows '{}'",
                part.nodes, part.middle.x(), part.middle.y(), part.middle.z(),
                out_.rig.handles[static_cast<std::size_t>(part.handle)].name));
        }
        return {};
    }

    Status take_skin() {
        if (body_.prepared.joints.empty()) {
            return Error{"the mesh file has no skin", "/weights",
                         "let weights be smooth, or export the mesh with its armature"};
        }
        for (const BodyJoint& joint : body_.prepared.joints) {
            Handle& handle = out_.rig.handles.emplace_back();
            handle.name = joint.name;
            handle.place = joint.place;
        }
        out_.rig.weights = body_.prepared.joint_weights;
        return {};
    }

    Status add_pose(const PoseSource& pose) {
        PoseReport& report = out_.poses.emplace_back();
        report.name = pose.name;
        report.source = !pose.animation.empty() ? "animation"
                        : !pose.morph.empty()   ? "morph"
                        : !pose.copy.empty()    ? "copy"
                        : !pose.cache.empty()   ? "cache"
                                                : "handles";
        Result<RigPose> made = Error{};
        if (!pose.handles.empty()) {
            made = pose_of_handles(pose);
        } else if (!pose.animation.empty() && file_.weights == WeightSource::Skin) {
            made = joint_pose(body_, pose);
        } else {
            made = fitted(pose, report);
        }
        if (!made) return made.error();
        out_.rig.poses.push_back(std::move(made).value());
        out_.rig.poses.back().name = pose.name;
        return {};
    }

    Result<RigPose> fitted(const PoseSource& pose, PoseReport& report) {
        const Result<std::vector<Vec3>> target = copied_points(file_, body_, pose);
        if (!target) return target.error();
        FittedPose fit = fit_pose(out_.rig, body_.asset->surface, target.value(), file_.fit);
        report.rms = fit.rms;
        report.worst = fit.worst;
        report.suggestions = std::move(fit.suggestions);
        return std::move(fit.pose);
    }

    Result<std::vector<HandleGoal>> goals_of(const PoseSource& pose) const {
        const std::vector<Handle>& handles = out_.rig.handles;
        std::vector<HandleGoal> goals(handles.size());
        for (HandleGoal& goal : goals) {
            if (!pose.others_follow) goal.move = Vec3(Vec3::Zero());
        }
        std::vector<std::string_view> names;
        for (const Handle& handle : handles) names.push_back(handle.name);
        for (const HandleMove& move : pose.handles) {
            const auto at = std::find(names.begin(), names.end(), move.handle);
            if (at == names.end()) {
                return Error{
                    fmt::format("there is no handle '{}'", move.handle),
                    pointer_below(pointer_below("/poses", pose.name) + "/handles", move.handle),
                    suggestion(move.handle, names)};
            }
            HandleGoal& goal = goals[static_cast<std::size_t>(at - names.begin())];
            goal.move = move.move ? *move.move : Vec3(Vec3::Zero());
            if (move.turn) goal.turn = *move.turn;
        }
        return goals;
    }

    Result<RigPose> pose_of_handles(const PoseSource& pose) {
        const Result<std::vector<HandleGoal>> goals = goals_of(pose);
        if (!goals) return goals.error();
        const std::vector<Vec3>& surface = body_.asset->surface.points;
        if (bent_weights_.size() == 0) {
            bent_weights_ =
                out_.lattice ? rows_of_nodes(out_.lattice_weights->nodes) : out_.rig.weights;
            bent_graph_ = out_.lattice
                              ? out_.lattice->graph()
                              : vertex_graph(surface.size(), body_.asset->surface.triangles);
        }
        const std::span<const Vec3> points =
            out_.lattice ? out_.lattice->points() : std::span<const Vec3>(surface);
        return automatic_rotations({points, bent_graph_, bent_weights_}, out_.rig.handles,
                                   goals.value());
    }

    const RigFile& file_;
    const Progress& progress_;
    const StopFlag* stop_;
    RigBody body_;
    BuiltRig out_;
    SkinWeights bent_weights_;
    VertexGraph bent_graph_;
};

}  // namespace

Result<BuiltRig> build_rig(const RigFile& file, const Progress& progress, const StopFlag* stop) {
    return RigBuilder(file, progress, stop).run();
}

RigFile complete_rig_file(const RigFile& file, const BuiltRig& built) {
    RigFile out = file;
    if (file.weights == WeightSource::Smooth) {
        out.handles = built.rig.handles;
        out.handle_count = 0;
        out.cell = built.rig.cell;
    }
    for (std::size_t p = 0; p < out.poses.size(); ++p) {
        PoseSource& pose = out.poses[p];
        if (!pose.handles.empty()) continue;
        PoseSource by_handles;
        by_handles.name = pose.name;
        for (std::size_t b = 0; b < built.rig.handles.size(); ++b) {
            const Transform& move = built.rig.poses[p].moves[b];
            by_handles.handles.push_back(
                {built.rig.handles[b].name, move.translation, move.rotation});
        }
        pose = std::move(by_handles);
    }
    return out;
}

}  // namespace ductile
