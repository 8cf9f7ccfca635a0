// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/build.h>

#include <span>
#include <string>
#include <vector>

namespace ductile {

/// Names the bodies whose meshes are too coarse for dents that they took: a dent shows by the
/// points that follow it, and these have fewer than `kDentPoints`, or none near where they are
/// deepest. A note per body of the scene, its copies counted together: how many dents, how wide
/// they and the mesh's edges are, how much is seen of the one that loses most, and which value of
/// which field gives them points to move.
/// Requires: bodies and ids of this simulation, as `populate` gave them. O(dents times points).
std::vector<std::string> coarse_dent_notes(const Scene& scene, std::span<const PreparedBody> bodies,
                                           std::span<const ObjectId> ids,
                                           const Simulation& simulation);
inline constexpr int kDentPoints = 7;  ///< One and a ring of six around it.

}  // namespace ductile
