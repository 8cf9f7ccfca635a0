// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/hash.h>
#include <ductile/core/result.h>
#include <ductile/impact/rigid_queries.h>

#include <string>
#include <string_view>

namespace ductile {

/// A layer with a state of its own that is no function of a journal: soft tissue, for instance.
///
/// A step of a simulation is cut into equal parts, none longer than any live layer can take. In
/// each part the live layers advance first, in the order in which they were added, then the engine
/// steps, then impacts are answered. What a layer does to bodies it does by impulses between the
/// engine's steps: nothing hooks into the engine, and the energy books see it.
class LiveLayer {
public:
    virtual ~LiveLayer() = default;

    virtual std::string_view name() const = 0;

    /// The longest part that it can take now [s], > 0; infinity while it is at rest. Then it is not
    /// advanced, and a resting world is not woken.
    virtual double longest_part() const = 0;

    /// Advances by dt [s], asking about bodies and pushing them.
    virtual void advance(double dt, RigidQueries& bodies) = 0;

    /// Energy that it would have given bodies from nothing and held back, since it was last asked
    /// [J], >= 0.
    virtual double take_held_back() { return 0.0; }

    /// Adds its whole state: equal hashes, equal runs.
    virtual void add_to(Hasher& hasher) const = 0;

    /// Its whole state as text, and back, bit for bit. Error (nothing changed): not its own text.
    virtual std::string save() const = 0;
    virtual Status load(std::string_view text) = 0;
};

}  // namespace ductile
