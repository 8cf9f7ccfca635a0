// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/hit.h>
#include <ductile/impact/impact.h>

#include <string_view>
#include <vector>

namespace ductile {

struct BodyShape;
class SurfaceQuery;

/// What a layer wants done about an impact.
struct Response {
    double duration = 0.0;           ///< Over which the records come to their full amount [s].
    std::vector<HitRecord> records;  ///< To be appended to the body's journal.

    /// Share of the restitution that is left: what went into the shape does not come back.
    double rebound = 1.0;
    /// How far the other body is to be moved on, in this body's frame [m]: into the dent.
    Vec3 move_other_b = Vec3::Zero();
};

/// One way of deforming: decides what an impact does to a body. Executing the decision is
/// `apply_record`, which needs no Deformer: a journal replays without one.
class Deformer {
public:
    virtual ~Deformer() = default;

    virtual std::string_view name() const = 0;

    /// Decides, looking at the surface as it was before this step (Jacobi: all bodies decide before
    /// any is changed). May run for several bodies at once; the same call always gives the same
    /// answer.
    virtual void respond(const BodyImpact& impact, const BodyShape& shape,
                         const SurfaceQuery& surface, Response& response) const = 0;
};

}  // namespace ductile
