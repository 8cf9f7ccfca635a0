// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <map>
#include <memory>
#include <mutex>

namespace ductile {

/// A rigid surface made ready to press with.
std::shared_ptr<const PreparedRigid> prepare_rigid(TriMesh mesh);

/// Keeps a rigid surface with its long edges halved: the same surface in smaller triangles, so that
/// what is laid flat around a contact grows bit by bit and not by a whole side of a cube at once.
/// What it gives follows from the surface and the length alone. Any number of threads may ask.
class FinerRigids {
public:
    /// With edges of at most about `length` [m], as far as a budget of points allows.
    std::shared_ptr<const PreparedRigid> find_or_make(const PreparedRigid& coarse, double length);

private:
    std::mutex mutex_;
    std::map<int, std::shared_ptr<const PreparedRigid>> made_;  ///< By the length's power of two.
};

/// Whether edges that jut out take part in an overlap and lie between triangles longer than
/// `length` [m].
bool has_coarse_creases(const PressSurface& soft, const PressSurface& rigid,
                        const PressOverlaps& found, double length);

}  // namespace ductile
