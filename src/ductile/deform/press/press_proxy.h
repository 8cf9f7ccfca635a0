// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// A stand-in for a rigid body that is wholly inside a soft one, where there is no curve to press
/// along (section 6 of Brunel et al. 2020): the body drawn out along `direction` until its end is
/// outside. Its other half, which presses, stays as it is. Press against it and draw the body.
///
/// `direction`: where the body came from; zero: to the soft surface's nearest place.
/// The same triangles. A body of which some point is outside already comes back as it is.
/// Error: a soft surface that is not closed, no way out, surfaces that `press_soft` refuses.
Result<TriMesh> press_proxy(const TriMesh& soft, const TriMesh& rigid,
                            const Vec3& direction = Vec3::Zero());

}  // namespace ductile
