// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/hit.h>
#include <ductile/impact/impact.h>

#include <span>
#include <string_view>
#include <vector>

namespace ductile {

struct BodyShape;

/// What a layer wants done about an impact.
struct Response {
    double duration = 0.0;           ///< Over which the records come to their full amount [s].
    std::vector<HitRecord> records;  ///< To be appended to the body's journal.
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
                         std::span<const Vec3> surface, Response& response) const = 0;
};

}  // namespace ductile
