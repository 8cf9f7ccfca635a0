// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/impact/impact.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// What counts as a blow.
struct ImpactOptions {
    double minimum_speed = 0.1;  ///< Slower approaches are rest [m/s].
    double memory = 1.0 / 30.0;  ///< Time in which pushes add up to a blow (tau) [s].
    double patch_share =
        0.2;  ///< Contacts nearer than this share of the smaller body are one patch.
    double press_margin = 10.0;  ///< A push counts from this many weights of the lighter body on.
};
template <class Visitor>
void visit_fields(ImpactOptions& o, Visitor&& field) {
    field(Field{"minimum_speed", "m/s", 0.0, 1e3, "slower approaches are rest"}, o.minimum_speed);
    field(Field{"memory", "s", 1e-4, 10.0, "time in which pushes add up to a blow"}, o.memory);
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
    struct Sample {
        Vec3 position_b = Vec3::Zero();  ///< On the surface [m].
        Vec3 normal_b = Vec3::UnitY();   ///< Unit; the mean over the surface within the radius.
    };
    virtual ~ImpactSurfaces() = default;

    /// Diagonal of the body's box [m]; infinity for a world without bounds.
    virtual double size(BodyId id) const = 0;

    /// The surface under a contact; nothing for a body whose surface is not known.
    virtual std::optional<Sample> sample(BodyId id, const Vec3& point_b, double radius) const = 0;
};

/// Turns contact points of sub-steps into blows (reading of "what a hit is": docs/impacts.md).
///
/// The damage impulse is (1 + e) m_eff v, with v the approach speed at the moment of touch, spin
/// included, before the solve. What the solver applied in one step is not used for it: that depends
/// on step length and arrival phase, the approach speed does not. Only pushes without an approach
/// of their own (a press, a body pinned by a third one) are taken from applied impulses, gathered
/// over `memory`.
class EpisodeTracker {
public:
    explicit EpisodeTracker(const ImpactOptions& options) : options_(options) {}

    /// Takes in the sub-steps of a step and returns the blows that began or grew, by episode.
    /// The result does not depend on the order of contacts within a batch.
    std::vector<Impact> update(std::span<const ContactBatch> batches,
                               const ImpactSurfaces& surfaces);

    std::size_t open_episodes() const { return episodes_.size(); }

private:
    struct Episode {
        std::int64_t id = 0;
        BodyId a, b;
        Vec3 anchor_a = Vec3::Zero();  ///< Where it began, in a's frame.
        double last_time = 0.0;        ///< When something last approached or pressed.
        double peak = 0.0;             ///< Largest damage impulse so far [N s].
        double load = 0.0;             ///< Applied impulse, fading [N s].
        double explained = 0.0;        ///< The part of it that approaches explain, fading [N s].
    };
    struct Patch;

    void take_pair(const ContactBatch& batch, std::span<const Contact> contacts,
                   const ImpactSurfaces& surfaces, std::vector<Impact>& out);
    void take_patch(const ContactBatch& batch, const Patch& patch, const ImpactSurfaces& surfaces,
                    std::vector<Impact>& out);
    Episode& episode_of(const ContactBatch& batch, const Patch& patch);

    ImpactOptions options_;
    std::vector<Episode> episodes_;  ///< By (a, b, id).
    std::int64_t next_id_ = 1;
};

}  // namespace ductile
