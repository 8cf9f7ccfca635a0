// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/press/press_residuals.h>
#include <ductile/deform/press/press_setup.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

struct PreparedRigid;

/// What a press found and did.
struct PressReport {
    std::int32_t overlaps = 0;
    std::int32_t zones = 0;
    std::int32_t fallbacks = 0;  ///< `notes` says why.
    std::int32_t contact_points = 0;
    std::int32_t moved_points = 0;
    std::int32_t working_points = 0;
    double stiffness = 0.0;                ///< The least of all overlaps' [m].
    double extent = 0.0;                   ///< [m]
    double displaced_volume = 0.0;         ///< [m^3]
    double volume_change = 0.0;            ///< [m^3]
    std::optional<PressResiduals> left{};  ///< Where they were measured: see `Presser::measure`.
    std::vector<std::string> notes{};
};
/// The only list of these fields: JSON, the command's text and Python all read it.
template <class Visitor>
void visit_fields(PressReport& r, Visitor&& field) {
    field(Field{"overlaps", "", 0, 1e300, "parts of the soft surface inside the rigid one"},
          r.overlaps);
    field(Field{"zones", "", 0, 1e300, "connected contact zones"}, r.zones);
    field(Field{"fallbacks", "", 0, 1e300, "overlaps that were left as they were"}, r.fallbacks);
    field(Field{"contact_points", "", 0, 1e300, "points in contact zones"}, r.contact_points);
    field(Field{"moved_points", "", 0, 1e300, "points that moved, contact included"},
          r.moved_points);
    field(Field{"working_points", "", 0, 1e300, "points of the region that was solved for"},
          r.working_points);
    field(Field{"stiffness", "m", -1e300, 1e300, "radius of the ball, as used"}, r.stiffness);
    field(Field{"extent", "m", -1e300, 1e300, "reach of the bulge, as used"}, r.extent);
    field(Field{"displaced_volume", "m^3", -1e300, 1e300, "lost if nothing bulged"},
          r.displaced_volume);
    field(Field{"volume_change", "m^3", -1e300, 1e300, "gained in the end"}, r.volume_change);
    field(Field{"left", "", 0, 0, "what it left undone or did badly, where measured"}, r.left);
    field(Field{"notes", "", 0, 1e300, "what could not be done, and why"}, r.notes);
}

/// A pressed surface, with what drawings of it show. Arrays have an entry per soft vertex.
struct Pressed {
    std::vector<Vec3> points;        ///< [m]
    std::vector<std::int32_t> zone;  ///< Which contact zone it lies in; -1 for none.
    std::vector<double> radial;      ///< 0 in a zone and at its border, 1 where the bulge ends and
                                     ///< beyond.
    std::vector<double> amplitude;   ///< How deep the zone near it is pressed [m]; 0 beyond.
    PressReport report;
};

/// What a press that has nothing to do makes of a surface: no zone, nothing moved.
Pressed unpressed(std::span<const Vec3> points);

/// The stages of a frame, in the paper's order: sections 3.1 to 4.4.
enum class PressStage : std::uint8_t {
    Overlap,  ///< Checks and moved points included.
    Mapping,  ///< Once per overlap, as is the next.
    Contact,
    Parameter,  ///< With the region and its matrices.
    Directions,
    Guides,
    Deformation,  ///< To the end.
};
/// Called when a stage is done; for clocks.
using PressStageCallback = std::function<void(PressStage)>;

/// A rigid surface made ready to press with: its tree and what follows from its triangles. Closed
/// parts that go through each other press as the one body that they are together. A cheap
/// handle to something that never changes; any number of threads may press with it.
class PressRigid {
public:
    /// Error: a point that is not finite, an index without a point, no triangle. O(n log n).
    static Result<PressRigid> make(TriMesh mesh);

    /// The same triangles with their points elsewhere, for a "rigid" surface that changes its shape
    /// from frame to frame: the same answers as one made anew. O(n), or as `make` where parts go
    /// through each other.
    /// Error: a point that is not finite, another number of points.
    Result<PressRigid> with_points(std::span<const Vec3> points) const;

    TriMesh mesh() const;  ///< A copy, as it was given.

    /// The surface's place nearest to a point within it; any other point itself, and all points
    /// where the surface is not closed. In the surface's own frame.
    Vec3 nearest_outside(const Vec3& point) const;

private:
    friend class Presser;
    explicit PressRigid(std::shared_ptr<const PreparedRigid> prepared,
                        std::shared_ptr<const TriMesh> parts = nullptr);
    std::shared_ptr<const PreparedRigid> prepared_;
    std::shared_ptr<const TriMesh> parts_;  ///< As given, where they were united; else none.
};

/// Presses one soft body frame by frame, in any order. It keeps what follows from the body at rest
/// and its setup, and nothing of any frame: a frame gives the same bits alone and within an
/// animation, from any thread. A cheap handle.
class Presser {
public:
    /// Sizes that options leave to it ("0: 0.92 of the thickness") are the rest mesh's. Of the
    /// setup it takes options, maps, detail and proxy. Error: what `check` refuses, maps that do
    /// not fit, a point that is not finite, an index without a point, no triangle; a setup with
    /// `refine` (see `press_refined`) or `both` (see `BothPresser`); with `keys`, which have times
    /// and a press has none (see `with_options`), or `rigid_region` (see `pressing_part`). O(n).
    static Result<Presser> make(TriMesh soft_rest, const PressSetup& setup = {});

    /// One frame: the soft body's points now, and a rigid surface placed by `rigid_pose`. The work
    /// is done in the rigid surface's own frame, so that nothing of it has to be moved; points come
    /// back in the frame of `soft_points`. See `press_soft`, which is this for a body at rest.
    ///
    /// Detail is taken off the points as they now are, and comes back; report, zone and parameter
    /// are those of the smooth base.
    /// Beyond passes over the soft points and triangles, the work goes with what is near the
    /// overlap. May be called by several threads at once.
    /// Error: another number of points than at rest, a point that is not finite, a pose that is not
    /// one; with a proxy, as `press_proxy`.
    Result<Pressed> press(std::span<const Vec3> soft_points, const PressRigid& rigid,
                          const Transform& rigid_pose = {},
                          const PressStageCallback& on_stage = {}) const;

    /// Measures what a frame that `press` gave for the same arguments leaves undone, into its
    /// report, with a note for each number above its limit. Apart from `press`, which it would slow
    /// down by half. Requires: `pressed` of these points. O(n log n).
    void measure(std::span<const Vec3> soft_points, const PressRigid& rigid,
                 const Transform& rigid_pose, Pressed& pressed) const;

    /// Edges of the soft mesh that a point in their middle would serve; see `edges_to_split`.
    std::vector<MeshEdge> coarse_edges(std::span<const Vec3> soft_points, const PressRigid& rigid,
                                       const Transform& rigid_pose, const Pressed& pressed) const;

    /// The same body with other numbers, for options that change from frame to frame: what follows
    /// from its shape at rest is shared. Error: what `check` refuses. O(1).
    Result<Presser> with_options(const PressOptions& options) const;

    const TriMesh& rest() const;
    const PressSetup& setup() const;

private:
    struct Prepared;
    explicit Presser(std::shared_ptr<const Prepared> prepared);
    /// Without detail and proxy. Requires: finite points, as many as at rest; a rigid pose.
    Pressed press_plain(std::span<const Vec3> soft_points, const PressRigid& rigid,
                        const Transform& rigid_pose, const PressStageCallback& on_stage) const;
    /// Moves what lies behind walls that are thinner than they are pressed.
    void carry_thin(std::span<const Vec3> soft_points, double share, Pressed& pressed) const;

    std::shared_ptr<const Prepared> prepared_;
};

/// What of a rigid surface presses: all of it, or the triangles that the setup's `rigid_region`
/// marks. Error: a map that does not fit, or marks nothing. Requires: valid indices.
Result<TriMesh> pressing_part(TriMesh rigid, const PressSetup& setup);

/// Squashes a soft surface onto a rigid one that it overlaps and lets it bulge around the contact:
/// a frame by itself, with no time in it (Brunel et al. 2020, "A Time-independent Deformer for
/// Elastic-rigid Contacts"; docs/deformers/press.md).
///
/// Both outward and manifold where they meet; either may be open. No overlap: `points` are the
/// soft ones, bit for bit. An overlap that cannot be pressed (its map folds, the ball fits nowhere)
/// stays as it was and is counted, and `notes` says why; the others are pressed.
/// Contact points lie on the rigid surface. The same at any number of threads. `Presser` does it
/// for many frames.
/// Error: as `Presser`.
Result<Pressed> press_soft(const TriMesh& soft, const TriMesh& rigid, const PressSetup& setup = {});

}  // namespace ductile
