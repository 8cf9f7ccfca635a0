// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/hash.h>
#include <ductile/core/result.h>
#include <ductile/deform/tissue/tissue_body.h>
#include <ductile/deform/tissue/tissue_contacts.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// How all coats of a world are solved. Plain data; every default is usable as it stands.
struct TissueSolverOptions {
    double longest_part = 1.0 / 960.0;  ///< Steps are cut into parts no longer than this [s].
    std::int32_t sweeps = 2;            ///< Visits of all groups in a part, to and fro.
    std::int32_t contact_rounds = 8;    ///< Visits of all contacts after each sweep.
    bool contacts_once = false;  ///< Contacts before matching only, as in the seed: faster, softer.
    double sleep_speed = 0.05;  ///< All may rest below this [sizes of a coat per second]; 0: never.
};
template <class Visitor>
void visit_fields(TissueSolverOptions& o, Visitor&& field) {
    field(Field{"longest_part", "s", 1e-6, 0.1, "steps are cut into parts no longer than this"},
          o.longest_part);
    field(Field{"sweeps", "", 1, 100, "visits of all groups in a part, to and fro"}, o.sweeps);
    field(Field{"contact_rounds", "", 1, 100, "visits of all contacts after each sweep"},
          o.contact_rounds);
    field(Field{"contacts_once", "", 0, 0, "contacts before matching only"}, o.contacts_once);
    field(Field{"sleep_speed", "1/s", 0.0, 1e3,
                "all may rest when slower, in sizes of a coat per second; 0: never"},
          o.sleep_speed);
}

/// A coat and its bone.
struct CoatDesc {
    std::shared_ptr<const TissueRig> rig{};
    BodyId bone{};
    double damping = 4.0;         ///< [1/s]
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

    /// Moves all coats by dt and pushes what they touch. Impulses given between the engine's steps.
    void advance(double dt, RigidQueries& queries);

    /// Whether all coats, bones and what they touch have come to rest: `advance` is not needed. A
    /// bone that wakes, or a body awake near a coat, ends it.
    bool is_resting(const RigidQueries& queries) const;

    /// How often anything moved: a cache of shapes is as old as this.
    std::uint64_t revision() const { return revision_; }

    void add_to(Hasher& hasher) const;
    std::string save() const;
    Status load(std::string_view text);

private:
    struct Coat {
        CoatDesc desc;
        TissueBody body;
        std::vector<Touches> touches;
        double size = 0.0;    ///< Across, at rest [m].
        double widest = 0.0;  ///< Largest reach of a particle [m].
    };
    void sweep(int s);
    void update_rest(double dt, RigidQueries& queries);
    bool is_calm() const;
    template <class Visitor>
    void visit_state(Visitor&& visit);

    TissueSolverOptions options_;
    Vec3 gravity_w_;
    std::vector<Coat> coats_;
    std::vector<PushedBody> pushed_;
    std::vector<TouchingCoat> touching_;
    TissueContacts contacts_;
    double calm_ = 0.0;  ///< How long all has been slow [s].
    double is_resting_ = 0.0;
    std::uint64_t revision_ = 0;
};

}  // namespace ductile
