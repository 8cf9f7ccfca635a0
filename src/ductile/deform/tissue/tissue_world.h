// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/hash.h>
#include <ductile/core/result.h>
#include <ductile/deform/tissue/tissue_body.h>
#include <ductile/deform/tissue/tissue_contacts.h>
#include <ductile/deform/tissue/tissue_energy.h>
#include <ductile/deform/tissue/tissue_options.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ductile {

class JoinedSets;

/// A coat and its bone.
struct CoatDesc {
    std::shared_ptr<const TissueRig> rig{};
    BodyId bone{};
    double damping = 40.0;        ///< [1/s]
    double friction = 0.5;        ///< Coulomb, of the skin alone.
    bool touches_itself = false;  ///< Whether its particles collide with each other.
    bool is_driven = false;       ///< Something else moves the bone: it never comes to rest.
};

/// All coats of a world: Algorithm 6.1 of the seed, without the engine's share.
///
/// Same input, same bits, at any number of threads.
class TissueWorld {
public:
    TissueWorld(const TissueSolverOptions& options, const Vec3& gravity_w)
        : options_(options), gravity_w_(gravity_w) {}

    /// At rest around its bone as that is now. Returns its number, from 0 on.
    /// Requires: a coat that check_tissue likes.
    std::size_t add(const CoatDesc& desc, const RigidQueries& queries);

    std::size_t size() const { return coats_.size(); }
    const TissueBody& coat(std::size_t i) const { return coats_[i].body; }
    BodyId bone(std::size_t i) const { return coats_[i].desc.bone; }
    const TissueSolverOptions& options() const { return options_; }

    /// Moves all coats that do not rest by dt and pushes what they touch. Impulses given between
    /// the engine's steps.
    void advance(double dt, RigidQueries& queries);

    /// Energy that coats would have given beyond all that was put into them, since it was last
    /// asked [J]: they were struck faster than parts can follow.
    double take_held_back() { return std::exchange(held_back_, 0.0); }

    /// Coats come to rest together with the coats that they are near, directly or by way of others,
    /// and with their bones and what they touch. A bone that wakes, a body that comes or a coat
    /// near by that does not rest ends it. Whether all rest, and `advance` is not needed.
    bool is_resting(const RigidQueries& queries) const;
    /// Whether one does, as of the last part.
    bool is_coat_resting(std::size_t i) const { return coats_[i].is_resting != 0.0; }

    /// How often a coat moved: a cache of its shape is as old as this.
    std::uint64_t revision(std::size_t i) const { return coats_[i].revision; }

    void add_to(Hasher& hasher) const;
    std::string save() const;
    Status load(std::string_view text);

private:
    struct Coat {
        CoatDesc desc;
        TissueBody body;
        std::vector<Touches> touches;
        double size = 0.0;            ///< Across, at rest [m].
        std::vector<double> reaches;  ///< Of each particle in its longest direction [m].
        double widest = 0.0;          ///< The largest of them [m].
        double particle_mass = 0.0;   ///< Of the heaviest outer particle [kg].
        double calm = 0.0;            ///< How long it has been slow, and what it touches [s].
        double is_resting = 0.0;
        Box box{};           ///< Of all its particles, as of its last part.
        double speed = 0.0;  ///< Of them, on the mean, by how far they came in it [m/s].
        std::uint64_t revision = 0;
    };
    void sweep();
    static Box box_of(const TissueBody& body);
    /// Of coats that rest: whether the bone is awake, or a body comes near.
    std::vector<std::uint8_t> find_disturbed(const RigidQueries& queries) const;
    /// Which coats move in this part.
    void find_awake(double dt, const RigidQueries& queries);
    /// Joins coats that are within reach of each other, or will be within `dt`.
    void join_near(double dt, JoinedSets& sets) const;
    bool is_calm(std::size_t k, const RigidQueries& queries) const;
    void update_rest(double dt, RigidQueries& queries);
    void let_rest(RigidQueries& queries);
    template <class Visitor>
    void visit_state(Visitor&& visit);

    TissueSolverOptions options_;
    Vec3 gravity_w_;
    std::vector<Coat> coats_;
    std::vector<std::int32_t> awake_;  ///< Coats that move in this part, ascending.
    // Of those, in that order; bodies that they are near come behind the bones.
    std::vector<PushedBody> pushed_;
    std::vector<TouchingCoat> touching_;
    TissueContacts contacts_;
    TissueEnergy energy_;
    double held_back_ = 0.0;
    double is_backwards_ = 0.0;  ///< Which way the next sweep goes.
    double is_odd_part_ = 0.0;   ///< Which way the next part's contacts are visited.
};

}  // namespace ductile
