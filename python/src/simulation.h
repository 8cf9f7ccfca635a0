// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/body_model.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include "body_options.h"
#include "busy.h"
#include "mesh.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ductile::python {

/// A simulation with a Bullet world of its own, as Python holds it. No thread may be inside while
/// another is: `busy` sees to that.
class World {
public:
    explicit World(const WorldOptions& options);

    /// All three raise ductile.Error for what the library refuses. Requires: the GIL, the claim.
    std::int32_t add_ground(double height, const Material& material);
    std::int32_t add_rigid(const Mesh& mesh, const RigidOptions& options,
                           const std::optional<Material>& material);
    std::int32_t add_deformable(const Mesh& mesh, const DeformableOptions& options,
                                const std::optional<Material>& material);

    /// The object of an id. Raises KeyError for one that is not there.
    ObjectId id_of(std::int32_t body);
    /// The same, of one that deforms. Raises ValueError for a rigid one.
    ObjectId deformable(std::int32_t body);

    /// What there is to film, and the points last handed out.
    struct Entry {
        std::string name;
        Mesh mesh;  ///< Without an asset for the ground.
        bool is_static = false;
        std::shared_ptr<const std::vector<Vec3>> points;  ///< As they were at `revision`.
        std::uint64_t revision = 0;
    };
    /// A body's surface points now: made once per revision, never changed afterwards.
    std::shared_ptr<const std::vector<Vec3>> points(std::int32_t body);

    Simulation& simulation() { return *simulation_; }
    BulletEngine& engine() { return *engine_; }
    std::map<std::int32_t, Entry>& entries() {
        take_births();
        return entries_;
    }

    std::optional<Recorder> recorder;
    Busy busy;

private:
    /// Bodies that others broke into become bodies like all, those others go.
    void take_births();
    std::int32_t add(const Mesh& mesh, const RigidOptions& options,
                     const std::optional<Material>& material);
    const BodyModel& model_of(const Mesh& mesh, const RigidOptions& options,
                              const Material& material);

    std::unique_ptr<BulletEngine> engine_;
    std::unique_ptr<Simulation> simulation_;  ///< Goes before the engine.
    std::map<std::int32_t, Entry> entries_;
    std::size_t births_ = 0;  ///< Taken so far.
    /// Bodies of one mesh and like options share a model: cutting one takes a while.
    std::map<std::pair<const SurfaceAsset*, std::string>, std::optional<BodyModel>> models_;
};

}  // namespace ductile::python
