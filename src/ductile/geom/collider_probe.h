// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces.h>
#include <ductile/geom/surface_query.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A place where a collider is compared with the surface it stands for.
struct ColliderSample {
    Vec3 position = Vec3::Zero();  ///< [m]
    Vec3 normal = Vec3::UnitY();   ///< Unit, outward.
    std::int32_t face = -1;        ///< A face it lies on.
};

/// All surface points and face centres; every n-th of them where there are more than `limit`.
/// Points and faces without a direction (no area) are left out.
std::vector<ColliderSample> collider_samples(std::span<const Vec3> points,
                                             std::span<const Triangle> triangles,
                                             std::size_t limit);

struct ProbeAnswer {
    double outside = 0.0;       ///< Distance to the nearest piece [m].
    double covered = 0.0;       ///< How far pieces reach over the sample along its normal [m].
    std::int32_t coverer = -1;  ///< The piece that reaches furthest, by the order of `add`.
};

/// A set of convex pieces to be compared with a surface, sample by sample. What counts as covering
/// is told at `collider_error`.
class ColliderProbe {
public:
    /// `surface` must outlive the probe.
    explicit ColliderProbe(const SurfaceQuery& surface);

    /// Adds a piece, for the surface as `surface` has it.
    void add(const Piece& piece);

    /// `own`: the piece of the sample's face. Covering below `care` [m] may be reported as 0.
    /// Requires: at least one piece. May be asked from several threads at once.
    ProbeAnswer ask(const ColliderSample& sample, std::int32_t own, double care) const;

private:
    struct Hull {
        std::vector<Vec3> cloud;
        Box box;
    };
    double distance_outside(const Vec3& p, std::int32_t own) const;

    const SurfaceQuery& surface_;
    std::vector<Hull> hulls_;
    double tiny_ = 0.0;  ///< A length that counts as none [m].
};

}  // namespace ductile
