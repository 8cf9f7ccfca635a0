// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/tissue_contacts.h>

#include <span>
#include <vector>

namespace ductile {

/// Sees to it that coats that are struck too fast give no more energy than was put into them.
///
/// What moves far in a part, against the size of what it strikes, is met anywhere inside a coat,
/// and positions that are corrected there become velocities that nobody had. All kinetic energy
/// that particles and bodies lose to coats is summed. A part that throws a particle by more than
/// half its size, and would give more than is left of that sum, does all that it does to velocities
/// by one smaller share: momentum stays, linear and angular, since every push has its counterpart.
class TissueEnergy {
public:
    /// Takes down how bodies move before the part's pushes: all that may be pushed.
    void begin(std::span<const PushedBody> bodies);

    /// To be called for every coat before it is pushed, of `coats` in all, and once its velocities
    /// are those of the end. Of several coats at once, between `begin_coats` and `end`.
    void begin_coats(std::size_t coats) { coats_.resize(coats); }
    void begin_coat(const TouchingCoat& coat, std::size_t c);
    void end_coat(const TouchingCoat& coat, std::size_t c, double dt);

    /// Holds back what the part, of dt [s], gave too much. Returns how much that was [J]: 0 where
    /// it gave nothing but what there was.
    double end(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies, double dt);

    /// What coats have taken and not given back: held in them, or lost [J], >= 0. Part of the
    /// state.
    double& reserve() { return reserve_; }

private:
    struct Motion {
        Vec3 velocity, spin;
    };
    /// With the share k of all changes the energy is k^2 square + k linear more than before.
    struct Gain {
        double square = 0.0, linear = 0.0;  ///< [J]
        double thrown = 0.0;  ///< How far a particle was thrown at most, as a share of its size.
    };
    struct CoatBooks {
        std::vector<Motion> before;  ///< Of outer particles.
        Gain gain;
    };
    Gain total_gain(std::span<const PushedBody> bodies) const;
    void keep_share(double kept, std::span<const TouchingCoat> coats, std::span<PushedBody> bodies,
                    double dt) const;

    double reserve_ = 0.0;
    std::vector<CoatBooks> coats_;
    std::vector<Motion> pushes_;  ///< Of each body so far: impulse, angular impulse.
};

}  // namespace ductile
