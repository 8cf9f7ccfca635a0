// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/bend/bend_options.h>
#include <ductile/deform/bend/joint_hit.h>
#include <ductile/deform/deformer.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

class Journal;

/// A body's skeleton at rest, how its points follow it, and how it bends.
class BendData final : public LayerData {
public:
    /// Error (`where`: the field): bones without sense, a body that the skeleton cannot be fitted
    /// to, options that could never bend anything.
    /// `file`: of the options that use the joints of a mesh file.
    static Result<std::shared_ptr<const BendData>> make(
        const BendOptions& options, const BodyShape& rest,
        std::shared_ptr<const FileSkeleton> file = nullptr);

    const BendOptions& options() const { return options_; }
    const Skeleton& skeleton() const { return skeleton_; }
    const SkinWeights& weights() const { return weights_; }
    /// The bone that never moves in the body's frame: the first that is anchored, or the
    /// one that most of the surface follows.
    std::int32_t root() const { return root_; }
    bool is_anchored() const;
    /// `face_neighbours` of the body's triangles.
    std::span<const Triangle> neighbours() const { return neighbours_; }

    /// On a finer mesh that came by splitting edges: new points follow bones as the ends of theirs
    /// do on the mean.
    std::shared_ptr<const BendData> carried(std::span<const Triangle> finer_triangles,
                                            std::span<const MeshEdge> split) const;

    /// On a part of the body, whose points follow the bones as those of the whole do that they lie
    /// between: all bones and the root are the whole's, so that its records turn the part as they
    /// turned the whole. What is loose is anchored nowhere.
    std::shared_ptr<const BendData> on_part(const BodyShape& part, const PartOrigin& origin) const;
    /// Whether it is that of a part: some bones may have nothing that follows them.
    bool is_of_part() const { return is_of_part_; }
    /// Whether it can bend further. A part that is held, but not by a bone, only keeps its bends.
    bool can_bend() const { return can_bend_; }

private:
    BendOptions options_;
    Skeleton skeleton_;
    SkinWeights weights_;
    std::vector<Triangle> neighbours_;
    std::int32_t root_ = 0;
    bool is_of_part_ = false;
    bool can_bend_ = true;
};

/// A skeleton with the joints that impacts made, and the weights that go with it.
class JointedBody {
public:
    /// Requires: both outlive it; the rest shape that the data was made for.
    JointedBody(const BendData& data, std::span<const Vec3> rest);

    const BendData& data() const { return *data_; }
    const Skeleton& skeleton() const { return skeleton_; }
    const SkinWeights& weights() const { return weights_; }
    /// Per joint of the skeleton.
    std::span<const JointName> names() const { return names_; }

    /// Its number, -1: it is not there.
    std::int32_t find(const JointName& name) const;
    /// Its number, made where it is not there; -1: there is no such bone, or no room on it.
    std::int32_t take(const JointName& name);
    /// A place of a bone of this skeleton as a joint would be named there.
    JointName name_at(const BonePlace& at, double length) const;

    /// How far a journal's impacts have moved each joint by time t, in all.
    std::vector<JointMotion> joint_motions(const Journal& journal, double t) const;
    /// Where all bones go by that.
    std::vector<Transform> turns(const Journal& journal, double t) const;

private:
    /// Which part of a bone as it was given a bone is.
    struct Origin {
        std::int32_t bone = 0;
        double from = 0.0, to = 1.0;
    };

    const BendData* data_;
    std::span<const Vec3> rest_;
    Skeleton skeleton_;
    SkinWeights weights_;
    std::vector<JointName> names_;
    std::vector<Origin> origins_;
};

/// The joints that impacts of a journal made, in order, each once.
std::vector<JointName> made_joints(const Journal& journal);

/// The body with all of those.
JointedBody jointed_body(const BendData& data, std::span<const Vec3> rest, const Journal& journal);

}  // namespace ductile
