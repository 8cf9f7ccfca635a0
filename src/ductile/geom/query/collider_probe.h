// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/surface_query.h>

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

/// Surface points and face centres: of all of them in a row, every `stride`-th from `first` on.
/// Points and faces without a direction (no area) are left out.
std::vector<ColliderSample> collider_samples(const SurfaceQuery& surface, std::size_t first,
                                             std::size_t stride);

struct ProbeAnswer {
    double outside = 0.0;  ///< Distance to the nearest piece [m].
    double covered = 0.0;  ///< How deep the sample lies under pieces, by the shortest way out [m].
    std::int32_t coverer = -1;  ///< The piece that ends on that way, by the order of `add`.
};

/// A set of convex pieces to be compared with a surface, sample by sample. What counts as covering
/// is told at `collider_error`.
class ColliderProbe {
public:
    /// `surface` must outlive the probe.
    explicit ColliderProbe(const SurfaceQuery& surface);

    /// Adds a piece, for the surface as `surface` has it and, where a skin moved that, turned as
    /// its `frames` are (one per point; empty: none).
    void add(const Piece& piece, std::span<const SkinFrame> frames = {});

    /// `own`: the piece of the sample's face. What is not above `care` is reported as 0, and found
    /// sooner. Requires: at least one piece. May be asked from several threads at once.
    ProbeAnswer ask(const ColliderSample& sample, std::int32_t own,
                    const ColliderError& care) const;

private:
    struct Hull {
        std::vector<Vec3> cloud;
        Box box;
    };
    /// How far pieces go on from a point without a gap.
    struct Reach {
        double length = 0.0;
        std::int32_t piece = -1;  ///< The last of them.
        bool is_barred = false;   ///< Whether it ends at another part of the surface.
    };
    Reach reach(const Vec3& p, const Vec3& direction, std::int32_t own) const;
    double distance_outside(const Vec3& p, std::int32_t own, double care) const;

    const SurfaceQuery& surface_;
    std::vector<Hull> hulls_;
    double tiny_ = 0.0;  ///< A length that counts as none [m].
};

}  // namespace ductile
