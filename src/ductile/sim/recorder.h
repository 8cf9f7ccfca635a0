// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>
#include <ductile/sim/shape_source.h>
#include <ductile/sim/simulation.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// Films a simulation: one frame per `capture`, a shape only when it changed. What a filmed body
/// breaks into is filmed by itself, with the looks that the whole is filmed with.
class Recorder {
public:
    explicit Recorder(double frame_rate) { recording_.frame_rate = frame_rate; }

    /// From now on `object` is filmed as `asset`. In frames taken before it is absent. `parent` is
    /// the index of the body it came from; -1: none. Returns its index in the recording.
    std::int32_t watch(ObjectId object, std::string name, std::shared_ptr<const SurfaceAsset> asset,
                       bool is_static, std::int32_t parent = -1);

    /// Leaves a body out of pictures. Requires: `index` was returned by watch().
    void hide(std::int32_t index) { recording_.bodies[index].is_hidden = true; }

    /// From now on a body's points come from `source` instead of a journal. Requires: as above, and
    /// a source of as many points as its asset has.
    void follow(std::int32_t index, std::shared_ptr<const ShapeSource> source) {
        watched_[static_cast<std::size_t>(index)].source = std::move(source);
    }

    /// The object of the recording's index. Requires: so many were named.
    ObjectId object(std::size_t index) const { return watched_[index].id; }

    /// Notes the impacts of the step just taken. Without it the film has none.
    void note_step(const Simulation& simulation);

    /// Takes one frame at the simulation's present time. Bodies that are gone are marked absent.
    void capture(const Simulation& simulation);

    /// The film so far, the hits of all journals included.
    Recording finish(const Simulation& simulation) &&;

private:
    struct Watched {
        ObjectId id;
        std::uint64_t revision = 0;
        std::shared_ptr<const SurfaceAsset> first_asset;  ///< As it was named, before any split.
        std::vector<MeshSplit> splits;                    ///< That the recorded asset has by now.
        std::shared_ptr<const ShapeSource> source;        ///< Null: its journal.
    };
    void watch_births(const Simulation& simulation);
    void take_mesh(const BodyShape& shape, std::size_t index);
    std::int32_t index_of(ObjectId id) const;  ///< -1: not watched.
    void capture_shape(const BodyState& state, std::size_t index);
    void capture_source(const Transform& pose_w, std::size_t index);

    std::vector<Watched> watched_;
    std::size_t births_ = 0;  ///< Seen so far.
    /// Of what came and went between two looks, the filmed body that it came of.
    std::map<ObjectId, std::int32_t> unseen_;
    Recording recording_;
};

}  // namespace ductile
