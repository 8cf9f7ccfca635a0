// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/press_setup.h>
#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// A stand-in for a rigid surface that is inside a soft one, where there is no curve to press along
/// (section 6 of Brunel et al. 2020): drawn out along a direction until its end is outside. Its
/// other half, which presses, stays as it is. Press against it and draw the body.
///
/// Each connected part of the rigid surface is drawn out by itself. With a direction that begins as
/// soon as something of it is inside, so that nothing jumps when the rest goes in; without one, a
/// part of which some point is outside stays as it is.
/// The same triangles; no part inside: the same points, bit for bit.
/// Error: a soft surface that is not closed, no way out, surfaces that `press_soft` refuses.
Result<TriMesh> press_proxy(const TriMesh& soft, const TriMesh& rigid,
                            const PressProxyOptions& options = {});

}  // namespace ductile
