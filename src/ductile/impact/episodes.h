// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/impact/impact.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// What counts as an impact.
struct ImpactOptions {
    double minimum_speed = 0.1;  ///< Slower approaches are rest [m/s].
    double memory = 1.0 / 30.0;  ///< Time in which pushes add up to an impact (tau) [s].
    double patch_share =
        0.2;  ///< Contacts nearer than this share of the smaller body are one patch.
    double press_margin = 10.0;  ///< A push counts from this many weights of the lighter body on.
};
template <class Visitor>
void visit_fields(ImpactOptions& o, Visitor&& field) {
    field(Field{"minimum_speed", "m/s", 0.0, 1e3, "slower approaches are rest"}, o.minimum_speed);
    field(Field{"memory", "s", 1e-4, 10.0, "time in which pushes add up to an impact"}, o.memory);
    field(Field{"patch_share", "", 0.0, 10.0,
                "contacts nearer than this share of the smaller body are one patch"},
          o.patch_share);
    field(Field{"press_margin", "", 0.0, 1e6,
                "a push counts from this many weights of the lighter body on"},
          o.press_margin);
}

/// What the tracker asks about bodies: the owner of the surfaces answers.
class ImpactSurfaces {
public:
    /// Two bodies as they touch: `other` where it stood, `body` moved by `shift_w` from where it
    /// stood.
    struct Touching {
        BodyId body, other;
        Transform body_pose_w, other_pose_w;
        Vec3 shift_w = Vec3::Zero();
        Vec3 point_w = Vec3::Zero();    ///< Where they touch, the body shifted [m].
        Vec3 facing_w = Vec3::UnitY();  ///< Unit, out of the body, towards the other.
        double window = 0.0;            ///< What is nearer to the other than this touches too [m].
        double radius = 0.0;            ///< How far around normals are averaged [m].
    };
    /// The part of a surface that touches, in the body's frame.
    struct Footprint {
        std::vector<Vec3> starts_b;  ///< Places that touch, spread out; at least one.
        Vec3 position_b =
            Vec3::Zero();  ///< Their mean, what is nearest to the other counting most.
        Vec3 normal_b =
            Vec3::UnitY();  ///< Unit; mean over the faces around them that face the other.
    };
    virtual ~ImpactSurfaces() = default;

    /// Diagonal of the body's box [m]; infinity for a world without bounds.
    virtual double size(BodyId id) const = 0;

    /// Approach speed up to which nothing can happen to the body [m/s]; infinity for a rigid one.
    virtual double yield_speed(BodyId id) const = 0;

    /// Names the thing that a body is a part of: impacts of all parts of one thing are told apart
    /// by where they are, not by which part takes them, and parts do not strike each other.
    virtual std::int32_t owner(BodyId id) const { return id.value; }

    /// Which part of `body` touches; nothing for a body whose surface is not known. Must be
    /// continuous in its numbers: an engine's points are few and arbitrary, the surfaces are not.
    virtual std::optional<Footprint> footprint(const Touching& touching) const = 0;
};

/// Places as far apart from each other as possible, at most `count`, none nearer than `spacing`,
/// starting with index `first`: the indices chosen. O(places x count).
std::vector<std::size_t> spread_out(std::span<const Vec3> places, std::size_t first, double spacing,
                                    std::size_t count);

/// Turns contact points of sub-steps into impacts (what counts as one: docs/impacts.md).
///
/// The damage impulse is (1 + e) m_eff v, with v the approach speed at the moment of touch, spin
/// included, before the solve. What the solver applied in one step is not used for it: that depends
/// on step length and arrival phase, the approach speed does not. Only pushes without an approach
/// of their own (a press, a body pinned by a third one) are taken from applied impulses, gathered
/// over `memory`.
class EpisodeTracker {
public:
    explicit EpisodeTracker(const ImpactOptions& options) : options_(options) {}

    /// Takes in the sub-steps of a step and returns the impacts that began or grew, by episode.
    /// Pairs of which neither body can have yielded are passed over: rest and light touches cost
    /// little. The result does not depend on the order of contacts within a batch.
    std::vector<Impact> update(std::span<const ContactBatch> batches,
                               const ImpactSurfaces& surfaces);

    std::size_t open_episodes() const { return episodes_.size(); }

private:
    struct Episode {
        std::int64_t id = 0;
        std::int32_t first = 0, second = 0;  ///< Whose it is (ImpactSurfaces::owner), ascending.
        Vec3 anchor = Vec3::Zero();          ///< Where it began, in the first's frame.
        double last_time = 0.0;              ///< When something last approached or pressed.
        double peak = 0.0;                   ///< Largest damage impulse so far [N s].
        double load = 0.0;                   ///< Applied impulse, fading [N s].
        double explained = 0.0;  ///< The part of it that approaches explain, fading [N s].
    };
    struct ContactAtTouch;
    struct Pair;
    struct PlacedImpact;

    void take_pair(Pair& pair, std::span<const Contact> contacts, std::vector<Impact>& out);
    /// What touches first of what approaches; of all contacts, if all are at rest.
    std::optional<ContactAtTouch> first_touch(const Pair& pair, std::span<const Contact> contacts,
                                              bool is_rest) const;
    /// Whether a contact is part of the impact that began with `first`.
    bool belongs(const Pair& pair, const Contact& contact, const ContactAtTouch& first,
                 const Impact& impact) const;
    /// Friction on the second body per impulse along the normal, over what belongs to an impact.
    Vec3 friction_of(const Pair& pair, std::span<const Contact> contacts,
                     const ContactAtTouch& first, const Impact& impact) const;
    /// Moment of the impulses on the second body about an impact, over what belongs to it.
    Vec3 moment_of(const Pair& pair, std::span<const Contact> contacts, const ContactAtTouch& first,
                   const PlacedImpact& placed) const;
    PlacedImpact impact_of(const Pair& pair, const ContactAtTouch& first) const;
    void emit_impact(const Pair& pair, Impact impact, double impulse, double applied,
                     std::vector<Impact>& out);
    /// The pair's open episode that began nearest to one of the places (in the frame of its first
    /// owner), within reach; or null.
    Episode* nearest_episode(const Pair& pair, std::span<const Vec3> places);
    Episode& episode_of(const Pair& pair, const Impact& impact);

    ImpactOptions options_;
    std::vector<Episode> episodes_;  ///< By ascending id.
    std::int64_t next_id_ = 1;
};

}  // namespace ductile
