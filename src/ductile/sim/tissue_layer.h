// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/deform/tissue/tissue_world.h>
#include <ductile/engine/engine.h>
#include <ductile/sim/live_layer.h>

namespace ductile {

/// All coats of a simulation, as a live layer.
class TissueLayer final : public LiveLayer {
public:
    /// Requires: the engine outlives the layer.
    TissueLayer(const TissueSolverOptions& options, const Vec3& gravity_w, const Engine& engine)
        : world_(options, gravity_w), engine_(engine) {}

    /// At rest around its bone as that is now; returns its number. Any body of the engine will do
    /// as a bone, also one that is not ours. `is_driven`: something else moves it, and it never
    /// comes to rest. Requires: the bone stays as long as the layer is used.
    std::size_t add(const SoftCoat& coat, BodyId bone, bool is_driven = false);
    /// The same, put together by hand. Requires: as TissueWorld::add.
    std::size_t add(const CoatDesc& desc) { return world_.add(desc, engine_); }
    const TissueWorld& world() const { return world_; }

    std::string_view name() const override { return "tissue"; }
    double longest_part() const override {
        return world_.is_resting(engine_) ? kInfinity : world_.options().longest_part;
    }
    void advance(double dt, RigidQueries& bodies) override { world_.advance(dt, bodies); }
    double take_held_back() override { return world_.take_held_back(); }
    void add_to(Hasher& hasher) const override { world_.add_to(hasher); }
    std::string save() const override { return world_.save(); }
    Status load(std::string_view text) override { return world_.load(text); }

private:
    TissueWorld world_;
    const Engine& engine_;
};

}  // namespace ductile
