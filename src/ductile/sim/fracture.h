// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/fracture/score.h>
#include <ductile/sim/simulation.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// Lets objects of a simulation break into others.
///
/// Before each step it looks at what is about to strike them, and answers it by the glue of their
/// scores: what parts does so before the engine solves the collision, so that a ball goes through a
/// wall instead of bouncing off what then falls apart. What the broken area takes is taken from the
/// two that strike each other, along the normal, momentum kept.
///
/// A part is an object of its own, with its whole's frame, matter, rules and journal (the rest
/// frame is shared: dents act on it as before), and can break further. Parts with a held piece do
/// not move. Their momenta sum to the whole's to rounding, and so does their kinetic energy.
class Fracture {
public:
    /// Blows slower than this are not looked at [m/s], >= 0. Requires: the simulation outlives it.
    explicit Fracture(Simulation& simulation, double least_speed = 0.5)
        : simulation_(simulation), least_speed_(least_speed) {}

    /// From now on an object can break. `desc`: as it was added. Error: it is not there, cannot be
    /// deformed, or is not what the score was made of.
    Status add(ObjectId object, const DeformableDesc& desc, std::shared_ptr<const Score> score);

    /// An object that came to be, in the place of another or of a part of it.
    struct Birth {
        ObjectId object, parent;  ///< The parent is no longer there; maybe born in this very step.
        std::string name;         ///< The whole's, and a number.
        bool is_static = false;
    };

    /// To be called before `Simulation::step(dt)`. Returns what came to be, by ascending ids.
    std::vector<Birth> before_step(double dt);

    /// Breaks by hand: the blow is in the object's rest frame; its piece is found. Error: an object
    /// that cannot break.
    Result<std::vector<Birth>> strike(ObjectId object, GlueBlow blow);

    double broken_area() const { return broken_area_; }      ///< So far [m^2].
    double broken_energy() const { return broken_energy_; }  ///< That it took [J].
    /// What could not break though it should have, in words.
    std::span<const std::string> problems() const { return problems_; }

private:
    /// An object that can break: some pieces of a score, some of the glue broken.
    struct Breakable {
        ObjectId object;
        DeformableDesc desc;
        std::shared_ptr<const Score> score;
        std::vector<std::int32_t> pieces;        ///< Ascending.
        std::vector<std::uint8_t> is_broken;     ///< Per joint of the score.
        std::string whole;                       ///< The first one's name.
        std::shared_ptr<const BodyShape> shape;  ///< The first one's.
    };
    struct Part {
        std::vector<std::int32_t> pieces;
        std::shared_ptr<const BodyShape> shape;
        bool is_held = false;
    };

    Breakable* find(ObjectId object);
    void answer(const Approach& approach, bool is_first, std::vector<Birth>& births);
    /// The object that has the struck piece then; nothing broke: the same.
    ObjectId break_apart(Breakable& broken, const GlueBlow& blow, GlueBreak& result,
                         std::vector<Birth>& births);
    Result<std::vector<Part>> parts_of(const Breakable& broken, const GlueBreak& result) const;
    ObjectId exchange(const Breakable& broken, std::span<const Part> parts, std::int32_t struck,
                      std::vector<Birth>& births);
    void pay(const Approach& approach, BodyId struck, BodyId other, double energy);

    Simulation& simulation_;
    double least_speed_;
    std::vector<Breakable> breakables_;
    std::int32_t born_ = 0;
    double broken_area_ = 0.0, broken_energy_ = 0.0;
    std::vector<std::string> problems_;
};

}  // namespace ductile
