// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4: skeletons, their weights, and joints made where an impact falls.
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/deform/bend/curve_skeleton.h>
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>
#include <ductile/geom/cut/point_shares.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <optional>

namespace ductile {
namespace {

// Ends of bones this near each other meet, share of the body's size.
constexpr double kJoinedShare = 1e-3;
// Cells of the lattice that weights are found on, along the body's size.
constexpr double kCellsPerSize = 40.0;

// One bone along the longest principal axis, from end to end.
Result<Skeleton> bar_skeleton(const BodyShape& rest) {
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(rest.mass.inertia_b);
    Vec3 along = axes.eigenvectors().col(0);  // about which it has the least inertia
    int largest = 0;
    along.cwiseAbs().maxCoeff(&largest);
    if (along[largest] < 0) along = -along;
    double least = kInfinity, most = -kInfinity;
    for (const Vec3& p : rest.rest()) {
        least = std::min(least, along.dot(p - rest.mass.centre_b));
        most = std::max(most, along.dot(p - rest.mass.centre_b));
    }
    Bone bone;
    bone.name = "middle";
    bone.from = rest.mass.centre_b + least * along;
    bone.to = rest.mass.centre_b + most * along;
    return skeleton_of_bones({bone}, kJoinedShare * rest.size);
}

/// A body's lattice, made when it is first asked for: finding bones and weights share it.
class RestLattice {
public:
    explicit RestLattice(const BodyShape& rest) : rest_(rest) {}

    const Result<TetLattice>& get() {
        if (!made_) made_ = TetLattice::make(*rest_.rest_surface, rest_.size / kCellsPerSize);
        return *made_;
    }

private:
    const BodyShape& rest_;
    std::optional<Result<TetLattice>> made_;
};

// What has no branch and no bend is a bar, and its own axes tell better where that lies.
Result<Skeleton> found_skeleton(const BodyShape& rest, RestLattice& lattice) {
    if (!lattice.get()) return lattice.get().error();
    Result<Skeleton> curve = curve_skeleton(lattice.get().value());
    return curve && curve.value().bones.size() > 1 ? curve : bar_skeleton(rest);
}

Result<SkinWeights> weights_on(const BodyShape& rest, const Skeleton& skeleton,
                               const FileSkeleton* file, RestLattice& lattice) {
    if (file) return file->weights;
    if (skeleton.bones.size() == 1) return weights_of_one_bone(rest.rest().size());
    if (!lattice.get()) return lattice.get().error();
    return bone_weights(lattice.get().value(), skeleton, rest.rest());
}

// Without a child to point at, a joint is a ball of this share of the body's size.
constexpr double kJointBall = 0.05;

Result<Skeleton> skeleton_of_file(const FileSkeleton& file, const BodyShape& rest) {
    if (file.weights.size() != rest.rest().size()) {
        return Error{"the joints of its file are of another surface", "", ""};
    }
    return skeleton_of_rig(file.joints, kJointBall * rest.size);
}

// Those of a file, else by hand, else as the form tells.
Result<Skeleton> wanted_skeleton(const BendOptions& options, const BodyShape& rest,
                                 const FileSkeleton* file, RestLattice& lattice) {
    if (file) return skeleton_of_file(*file, rest);
    if (options.bones.empty()) return found_skeleton(rest, lattice);
    std::vector<Bone> bones = options.bones;
    for (Bone& bone : bones) {
        bone.from += rest.box.centre();
        bone.to += rest.box.centre();
    }
    return skeleton_of_bones(std::move(bones), kJoinedShare * rest.size);
}

// Of the surface that follows each bone most, times 2.
std::vector<double> followed_areas(const Skeleton& skeleton, const SkinWeights& weights,
                                   const BodyShape& rest) {
    std::vector<double> area(skeleton.bones.size(), 0.0);
    const std::vector<std::int32_t> bones = triangle_bones(rest.triangles(), weights);
    for (std::size_t f = 0; f < bones.size(); ++f) {
        area[static_cast<std::size_t>(bones[f])] +=
            area_vector(rest.rest(), rest.triangles()[f]).norm();
    }
    return area;
}

// Whether a bone was left out that no part of the body follows.
bool drops_idle_bone(Skeleton& skeleton, const SkinWeights& weights, const BodyShape& rest) {
    const std::vector<double> area = followed_areas(skeleton, weights, rest);
    const auto idle = std::find(area.begin(), area.end(), 0.0);
    if (idle == area.end() || area.size() == 1) return false;
    drop_bone(skeleton, static_cast<std::int32_t>(idle - area.begin()));
    return true;
}

// The first anchored bone; else the one with most of the surface, which moves least when it bends.
Result<std::int32_t> root_of(const Skeleton& skeleton, const SkinWeights& weights,
                             const BodyShape& rest) {
    const auto anchored = std::find_if(skeleton.bones.begin(), skeleton.bones.end(),
                                       [](const Bone& bone) { return bone.is_anchored; });
    if (anchored != skeleton.bones.end()) {
        return static_cast<std::int32_t>(anchored - skeleton.bones.begin());
    }
    const std::vector<double> area = followed_areas(skeleton, weights, rest);
    for (std::size_t b = 0; b < area.size(); ++b) {
        if (area[b] > 0) continue;
        return Error{"no part of the body follows this bone", "/bones/" + skeleton.bones[b].name,
                     "move it into the body, or leave it out"};
    }
    return static_cast<std::int32_t>(std::max_element(area.begin(), area.end()) - area.begin());
}

}  // namespace

Result<std::shared_ptr<const BendData>> BendData::make(const BendOptions& options,
                                                       const BodyShape& rest,
                                                       std::shared_ptr<const FileSkeleton> file) {
    auto data = std::make_shared<BendData>();
    data->options_ = options;
    std::optional<FileSkeleton> used;
    if (file) used = *file;
    if (used) {
        const Status fine = drop_idle_joints(*used, rest.triangles());
        if (!fine) return Error{fine.error().what, "/uses_file_joints", fine.error().hint};
    }
    RestLattice lattice(rest);
    Result<Skeleton> skeleton = wanted_skeleton(options, rest, used ? &*used : nullptr, lattice);
    if (!skeleton) {
        const Error& e = skeleton.error();
        return Error{e.what, (used ? "/uses_file_joints" : "/bones") + e.where, e.hint};
    }
    data->skeleton_ = std::move(skeleton).value();
    if (data->skeleton_.joints.empty() && !options.makes_joints) {
        return Error{"a skeleton without joints cannot bend", "/makes_joints",
                     "let impacts make joints, or give it bones that meet"};
    }
    Result<SkinWeights> weights =
        weights_on(rest, data->skeleton_, used ? &*used : nullptr, lattice);
    // A skeleton that was found may have a bone too many; those by hand are as they are meant.
    while (weights && !used && options.bones.empty() &&
           drops_idle_bone(data->skeleton_, weights.value(), rest)) {
        weights = weights_on(rest, data->skeleton_, nullptr, lattice);
    }
    if (!weights) return weights.error();
    data->weights_ = std::move(weights).value();
    const Result<std::int32_t> root = root_of(data->skeleton_, data->weights_, rest);
    if (!root) return root.error();
    data->root_ = root.value();
    data->neighbours_ = face_neighbours(rest.triangles());
    return std::shared_ptr<const BendData>(std::move(data));
}

bool BendData::is_anchored() const {
    return skeleton_.bones[static_cast<std::size_t>(root_)].is_anchored;
}

std::shared_ptr<const BendData> BendData::carried(std::span<const Triangle> finer_triangles,
                                                  std::span<const MeshEdge> split) const {
    auto finer = std::make_shared<BendData>(*this);
    finer->neighbours_ = face_neighbours(finer_triangles);
    for (const MeshEdge& edge : split) add_mean_row(finer->weights_, edge[0], edge[1]);
    return finer;
}

std::shared_ptr<const BendData> BendData::on_part(const BodyShape& part,
                                                  const PartOrigin& origin) const {
    auto made = std::make_shared<BendData>(*this);
    made->is_of_part_ = true;
    made->weights_ = shared_weights(weights_, origin.shares());
    made->neighbours_ = face_neighbours(part.triangles());
    if (origin.is_held) {
        const std::vector<double> area = followed_areas(skeleton_, made->weights_, part);
        made->can_bend_ = false;
        for (std::size_t b = 0; b < area.size(); ++b) {
            if (skeleton_.bones[b].is_anchored && area[b] > 0) made->can_bend_ = true;
        }
    } else {
        for (Bone& bone : made->skeleton_.bones) bone.is_anchored = false;
    }
    return made;
}

JointedBody::JointedBody(const BendData& data, std::span<const Vec3> rest)
    : data_(&data), rest_(rest), skeleton_(data.skeleton()), weights_(data.weights()) {
    for (std::size_t j = 0; j < skeleton_.joints.size(); ++j) {
        names_.push_back({static_cast<std::int32_t>(j), 0, 0.5, 0.1});
    }
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
        origins_.push_back({static_cast<std::int32_t>(b), 0.0, 1.0});
    }
}

std::int32_t JointedBody::find(const JointName& name) const {
    const auto at = std::find_if(names_.begin(), names_.end(),
                                 [&](const JointName& n) { return n.is_same(name); });
    return at == names_.end() ? -1 : static_cast<std::int32_t>(at - names_.begin());
}

std::int32_t JointedBody::take(const JointName& name) {
    if (const std::int32_t known = find(name); known >= 0 || name.joint >= 0) return known;
    const auto holds = [&](const Origin& o) {
        return o.bone == name.bone && o.from < name.along && name.along < o.to;
    };
    const auto origin = std::find_if(origins_.begin(), origins_.end(), holds);
    if (origin == origins_.end()) return -1;
    const auto bone = static_cast<std::int32_t>(origin - origins_.begin());
    const double share = (name.along - origin->from) / (origin->to - origin->from);
    const Result<std::int32_t> joint = split_bone(skeleton_, {bone, share, 0.0}, 0.0);
    if (!joint) return -1;
    origins_.push_back({name.bone, name.along, origin->to});
    origins_[static_cast<std::size_t>(bone)].to = name.along;
    weights_ = split_weights(weights_, rest_, skeleton_, joint.value(), name.length);
    names_.push_back(name);
    return joint.value();
}

JointName JointedBody::name_at(const BonePlace& at, double length) const {
    const Origin& origin = origins_[static_cast<std::size_t>(at.bone)];
    return {-1, origin.bone, origin.from + at.along * (origin.to - origin.from), length};
}

std::vector<JointMotion> JointedBody::joint_motions(const Journal& journal, double t) const {
    std::vector<JointMotion> motions(names_.size());
    for (std::size_t i = 0; i < journal.hits().size(); ++i) {
        const Hit& hit = journal.hits()[i];
        const auto* record = std::get_if<JointHit>(&hit.record);
        const double amount = journal.amount(i, t);
        if (!record || !(amount > 0)) continue;
        for (const JointTurn& joint : record->joints) {
            const std::int32_t j = find(joint.name);
            if (j < 0) continue;
            const JointMotion by = joint.at(t - hit.time, amount);
            JointMotion& motion = motions[static_cast<std::size_t>(j)];
            motion.turn = (by.turn * motion.turn).normalized();
            motion.slide = by.turn * motion.slide + by.slide;
        }
    }
    return motions;
}

std::vector<Transform> JointedBody::turns(const Journal& journal, double t) const {
    return bone_turns(skeleton_, joint_motions(journal, t), data_->root());
}

std::vector<JointName> made_joints(const Journal& journal) {
    std::vector<JointName> made;
    for (const Hit& hit : journal.hits()) {
        const auto* record = std::get_if<JointHit>(&hit.record);
        if (!record) continue;
        for (const JointTurn& joint : record->joints) {
            const auto is_it = [&](const JointName& n) { return n.is_same(joint.name); };
            if (joint.name.joint < 0 && std::none_of(made.begin(), made.end(), is_it)) {
                made.push_back(joint.name);
            }
        }
    }
    return made;
}

JointedBody jointed_body(const BendData& data, std::span<const Vec3> rest, const Journal& journal) {
    JointedBody body(data, rest);
    for (const JointName& name : made_joints(journal)) (void)body.take(name);
    return body;
}

}  // namespace ductile
