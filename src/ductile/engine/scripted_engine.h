// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include <ductile/engine/engine.h>

namespace ductile {

/// An engine without physics: bodies fly straight, contacts are those the script names. The double
/// for everything above the port, and the shortest example of an adapter.
class ScriptedEngine final : public Engine {
public:
    /// At the first step that ends at or after `time`, body a meets body b with this approach.
    struct Meeting {
        double time = 0.0;  ///< [s]
        BodyId a, b;
        Vec3 point_w = Vec3::Zero();
        Vec3 normal_w = Vec3::UnitY();   ///< Unit, out of a, towards b.
        Vec3 velocity_w = Vec3::Zero();  ///< Of a against b before the solve [m/s].
        double restitution = 0.2;
    };
    void script(const Meeting& meeting);
};

}  // namespace ductile
