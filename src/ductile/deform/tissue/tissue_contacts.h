// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/pushed_body.h>
#include <ductile/deform/tissue/tissue_body.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// What a particle remembers of a body that it touches: where it sticks.
struct TouchMemory {
    BodyId body{};                 ///< Invalid: of nothing.
    Vec3 anchor_b = Vec3::Zero();  ///< Where the particle's centre sticks, the body's frame [m].
};
using Touches = std::array<TouchMemory, 2>;

/// A coat as contacts see it.
struct TouchingCoat {
    TissueBody* body = nullptr;
    std::vector<Touches>* touches = nullptr;  ///< Per particle.
    std::size_t bone = 0;                     ///< Its place among the pushed bodies.
    double friction = 0.5;
    bool touches_itself = false;
    double widest = 0.0;         ///< Largest reach of a particle [m].
    double particle_mass = 0.0;  ///< Of the heaviest outer particle [kg].
};

/// Contacts of outer particles during one part: found once, solved as often as asked.
///
/// A particle and what it touches part along the normal and hold each other by friction, with equal
/// and opposite impulses, split by mass: a light body between many particles is not flung about. A
/// particle that does not slip sticks to a place of the body and not only to its velocity, so that
/// nothing creeps.
class TissueContacts {
public:
    /// Finds them from the predicted places. `bodies` gains what is near; bones are there already.
    void find(std::span<const TouchingCoat> coats, const RigidQueries& queries,
              const Vec3& gravity_w, double dt, std::vector<PushedBody>& bodies);

    /// Visits every contact once.
    void solve(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies);
    /// Writes down where particles stick.
    void remember(std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies) const;

    std::size_t size() const { return contacts_.size(); }

private:
    struct Contact {
        std::int32_t coat = 0, particle = 0;
        std::int32_t body = -1;  ///< Among the pushed ones; or:
        std::int32_t other_coat = -1, other_particle = -1;
        Vec3 normal = Vec3::UnitY();  ///< Unit, towards the particle.
        Vec3 point = Vec3::Zero();    ///< On the body, as predicted, world [m].
        Vec3 lever = Vec3::Zero();    ///< To it from the body's predicted centre [m].
        double reach = 0.0;           ///< From the point to the particle's centre when they touch.
        double allowed = 0.0;       ///< Gap to keep, <= 0: what was deeper before comes out slowly.
        Vec3 stuck = Vec3::Zero();  ///< Where the particle's centre is if it does not slip [m].
        double inverse_mass = 0.0;  ///< Of both along the normal [1/kg].
        double friction = 0.0;
        double push = 0.0;         ///< So far, mass times way [kg m].
        Vec3 drag = Vec3::Zero();  ///< The same along the surface, of the particle.
        Vec3 anchor_b = Vec3::Zero();
    };
    struct Place {
        std::int32_t coat, particle;
        Vec3 position;
    };
    void find_bodies(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                     const Vec3& gravity_w, std::vector<PushedBody>& bodies);
    void touch_body(std::span<const TouchingCoat> coats, std::int32_t coat, std::int32_t particle,
                    std::int32_t body, const RigidQueries& queries,
                    std::span<const PushedBody> bodies);
    void find_pairs(std::span<const TouchingCoat> coats);
    void touch_pair(std::span<const TouchingCoat> coats, const Place& a, const Place& b);
    void solve_one(Contact& contact, std::span<const TouchingCoat> coats,
                   std::span<PushedBody> bodies) const;
    void apply(const Contact& contact, const Vec3& way, std::span<const TouchingCoat> coats,
               std::span<PushedBody> bodies) const;
    /// How far what it touches was moved by pushes so far.
    Vec3 moved(const Contact& contact, std::span<const PushedBody> bodies) const;

    double dt_ = 0.0;
    std::vector<Contact> contacts_;
    std::vector<NearBody> near_;
    std::vector<Box> boxes_;  ///< Of coats.
};

}  // namespace ductile
