// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// Where the points of a filmed body come from, if not from a journal.
class ShapeSource {
public:
    virtual ~ShapeSource() = default;
    /// Grows when points may have changed.
    virtual std::uint64_t revision() const = 0;
    /// Its surface points now, in the frame of the body at `pose_w`; as many as its asset has.
    virtual std::vector<Vec3> points(const Transform& pose_w) const = 0;
};

}  // namespace ductile
