// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/press_maps.h>
#include <ductile/deform/press/press_options.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ductile {

struct PreparedRigid;

/// What a press found and did.
struct PressReport {
    std::int32_t overlaps = 0;   ///< Connected parts of the soft surface inside the rigid one.
    std::int32_t zones = 0;      ///< Connected contact zones.
    std::int32_t fallbacks = 0;  ///< Overlaps that were left as they were; `notes` says why.
    std::int32_t contact_points = 0;
    std::int32_t moved_points = 0;    ///< Contact included.
    std::int32_t working_points = 0;  ///< Of the region that was solved for.
    double stiffness = 0.0;           ///< The ball's radius, as taken [m].
    double extent = 0.0;              ///< As taken [m].
    double displaced_volume = 0.0;    ///< What the soft body would lose without a bulge [m^3].
    double volume_change = 0.0;       ///< What it gained in the end [m^3].
    std::vector<std::string> notes;
};

/// A pressed surface, with what drawings of it show. Arrays have an entry per soft vertex.
struct Pressed {
    std::vector<Vec3> points;        ///< [m]
    std::vector<std::int32_t> zone;  ///< Which contact zone it lies in; -1 for none.
    std::vector<double> radial;      ///< 0 in a zone and at its border, 1 where the bulge ends and
                                     ///< beyond.
    std::vector<double> amplitude;   ///< How deep the zone near it is pressed [m]; 0 beyond.
    PressReport report;
};

/// A surface as a press leaves it that has nothing to do: no zone, nothing moved.
Pressed unpressed(std::span<const Vec3> points);

/// The stages of a frame, in the seed's order: sections 3.1 to 4.4.
enum class PressStage : std::uint8_t {
    Overlap,  ///< Checks and moved points included.
    Mapping,  ///< Once per overlap, as is the next.
    Contact,
    Parameter,  ///< With the region and its matrices.
    Directions,
    Guides,
    Deformation,  ///< To the end.
};
/// Hears that a stage is done; for clocks.
using PressLap = std::function<void(PressStage)>;

/// A rigid surface made ready to press with: its tree and what follows from its triangles. A cheap
/// handle to something that never changes; any number of threads may press with it.
class PressRigid {
public:
    /// Error: a point that is not finite, an index without a point, no triangle. O(n log n).
    static Result<PressRigid> make(TriMesh mesh);

    /// The same triangles with their points elsewhere, for a "rigid" surface that changes its shape
    /// from frame to frame: the same answers as one made anew. O(n).
    /// Error: a point that is not finite, another number of points.
    Result<PressRigid> with_points(std::span<const Vec3> points) const;

    TriMesh mesh() const;  ///< A copy.

private:
    friend class Presser;
    explicit PressRigid(std::shared_ptr<const PreparedRigid> prepared);
    std::shared_ptr<const PreparedRigid> prepared_;
};

/// Presses one soft body frame by frame, in any order. It keeps what follows from the body at rest
/// and the options, and nothing of any frame: a frame gives the same bits alone and within an
/// animation, from any thread. A cheap handle.
class Presser {
public:
    /// Sizes that options leave to it ("0: 0.6 of the size") are the rest mesh's.
    /// Error: options or maps out of range, a point that is not finite, an index without a point,
    /// no triangle. O(n).
    static Result<Presser> make(TriMesh soft_rest, const PressOptions& options = {},
                                PressMaps maps = {});

    /// One frame: the soft body's points now, and a rigid surface placed by `rigid_pose`. The work
    /// is done in the rigid surface's own frame, so that nothing of it has to be moved; points come
    /// back in the frame of `soft_points`. See `press_soft`, which is this for a body at rest.
    ///
    /// Beyond passes over the soft points and triangles, the work goes with what is near the
    /// overlap. May be called by several threads at once.
    /// Error: another number of points than at rest, a point that is not finite, a pose
    /// that is not one.
    Result<Pressed> press(std::span<const Vec3> soft_points, const PressRigid& rigid,
                          const Transform& rigid_pose = {}, const PressLap& lap = {}) const;

    const TriMesh& rest() const;
    const PressOptions& options() const;

private:
    struct Kept;
    explicit Presser(std::shared_ptr<const Kept> kept);
    std::shared_ptr<const Kept> kept_;
};

/// Squashes a soft surface onto a rigid one that it overlaps and lets it bulge around the contact:
/// a frame by itself, with no time in it (Brunel et al. 2020, "A Time-independent Deformer for
/// Elastic-rigid Contacts"; docs/deformers/press.md).
///
/// Both outward and manifold where they meet; either may be open. No overlap: `points` are the
/// soft ones, bit for bit. An overlap that cannot be pressed (its map folds, the ball
/// fits nowhere) stays as it was, is counted and told in `notes`; the others are pressed.
/// Contact points lie on the rigid surface. The same at any number of threads. `Presser` does it
/// for many frames.
/// Error: options out of range, a point that is not finite, an index without a point, no triangle.
Result<Pressed> press_soft(const TriMesh& soft, const TriMesh& rigid,
                           const PressOptions& options = {}, const PressMaps& maps = {});

}  // namespace ductile
