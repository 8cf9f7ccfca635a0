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

/// Where places of a body are after the part, pushes left aside, of where they are now.
struct BodyWay {
    Mat3 turn = Mat3::Identity();
    Vec3 shift = Vec3::Zero();

    BodyWay() = default;
    explicit BodyWay(const PushedBody& body) {
        const Transform way = body.next * body.start.pose_w.inverse();
        turn = way.rotation.toRotationMatrix();
        shift = way.translation;
    }
    Vec3 then(const Vec3& now_w) const { return turn * now_w + shift; }
    Vec3 now(const Vec3& then_w) const { return turn.transpose() * (then_w - shift); }
};

/// A coat as contacts see it.
struct TouchingCoat {
    TissueBody* body = nullptr;
    std::vector<Touches>* touches = nullptr;  ///< Per particle.
    std::size_t bone = 0;                     ///< Its place among the pushed bodies.
    double friction = 0.5;
    bool touches_itself = false;
    std::span<const double> reaches{};  ///< Of each particle in its longest direction [m].
    double widest = 0.0;                ///< The largest of them [m].
    double particle_mass = 0.0;         ///< Of the heaviest outer particle [kg].
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

    /// Visits every contact so many times.
    void solve(std::span<PushedBody> bodies, int rounds);
    /// Writes down where particles stick.
    void remember(std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies) const;

    std::size_t size() const { return contacts_.size(); }

private:
    /// A direction along which a contact pushes.
    struct Row {
        Vec3 axis = Vec3::Zero();  ///< Unit.
        Vec3 arm = Vec3::Zero();   ///< How its way along the axis turns the body: lever x axis.
        Vec3 body_turn = Vec3::Zero();  ///< What a unit push turns the body by.
        double start = 0.0;   ///< Gap or slip along it is this, plus that of particles and bodies.
        double mass = 0.0;    ///< Of both against each other [kg].
        double push = 0.0;    ///< So far, mass times way [kg m].
        double before = 0.0;  ///< The same when solving began.
    };
    struct Contact {
        std::int32_t coat = 0, particle = 0;
        std::int32_t body = -1;  ///< Among the pushed ones; or:
        std::int32_t other_coat = -1, other_particle = -1;
        Vec3* own = nullptr;    ///< Where the particle will be ...
        Vec3* other = nullptr;  ///< ... and the other one.
        double inverse_mass = 0.0, other_inverse_mass = 0.0;
        Vec3 lever = Vec3::Zero();  ///< To the place from the body's predicted centre [m].
        double friction = 0.0;
        Row normal, across[2];  ///< Towards the particle, and along the surface.
        Vec3 anchor_b = Vec3::Zero();
    };
    /// How far pushes so far moved and turned a body by the end of the part.
    struct Gain {
        Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
        double inverse_mass = 0.0;
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
    /// Makes its rows. `gap` and `slip`: between particle and what it touches, `next` of particles
    /// and the body's pushes taken as 0.
    void add_contact(Contact contact, const Vec3& normal, double gap, const Vec3& slip,
                     std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies);
    double way_along(const Contact& contact, const Row& row) const;
    void push_along(const Contact& contact, Row& row, double push);
    void solve_one(Contact& contact);

    double dt_ = 0.0;
    std::vector<Contact> contacts_;
    std::vector<Gain> gains_;    ///< Of bodies.
    std::vector<BodyWay> ways_;  ///< Of bodies.
    std::vector<NearBody> near_;
    std::vector<Box> boxes_;  ///< Of coats.
};

}  // namespace ductile
