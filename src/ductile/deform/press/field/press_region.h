// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/stamped_array.h>
#include <ductile/deform/press/field/press_system.h>
#include <ductile/deform/press/zone/contact_zone.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// The part of the soft surface that a press may move: all contact zones and a margin around them,
/// as a mesh of its own. Every connected part of it has a zone.
struct PressRegion {
    std::vector<std::int32_t> vertices;  ///< Of the soft surface, ascending.
    StampedArray<std::int32_t> local;    ///< Per soft vertex: its point, or -1.
    std::vector<Vec3> points;            ///< At rest [m].
    std::vector<Vec3> normals;
    Mat3 turn = Mat3::Identity();  ///< From where `frame` is to where `normals` are.
    /// What is kept of a shape at rest, if the points have it and it was made.
    const PressSystem::RestShape* rest = nullptr;
    std::vector<TangentFrame> own_frames;  ///< Where there is none: per point.
    bool is_at_rest = false;
    std::vector<Triangle> triangles;         ///< Into `points`.
    std::vector<TriangleWeights> weights;    ///< Per triangle, as a whole.
    std::vector<double> shares;              ///< Per triangle: how much of it is out of the zones.
    std::vector<std::uint8_t> is_contact;    ///< Per point: in a zone.
    std::vector<RigidPlace> touching;        ///< Per point: where an overlap's is mapped to.
    std::vector<ZoneCrossing> border;        ///< `inner` and `outer` index `points`.
    std::vector<std::int32_t> border_edges;  ///< Of the soft surface, per crossing.
    /// Per point: its share in the length of the region's border [m]; where a connected part has
    /// none, in the part's area [m^2].
    std::vector<double> outflow;

    const PressSystem* system = nullptr;  ///< The soft surface's.
    /// Per soft vertex and edge; triangles by their shares. Set between `vertices`, no further.
    ThreadPooled<EdgeMatrix<double>> laplacian;
    double constraint_weight = 0.0;  ///< Of what is constrained between vertices, no unit.
    /// The Laplacian with the border's constraints, natural elsewhere. Vertices that the zones
    /// cover with all their triangles are not in it. Null: there is no unique solution.
    std::shared_ptr<const SparseCholesky<double>> smooth;

    /// A point's tangents and normal, where a shape at rest does not depend on its place.
    const TangentFrame& frame(std::size_t i) const {
        return rest ? rest->frames[vertices[i]] : own_frames[i];
    }
};

/// Vertices within `extent` [m] of the zones along the surface and a margin, with their triangles,
/// and the factor that their fields are solved with. The margin is such that `radial_distance` has
/// come to 0.95 of the extent at the region's border, where a bulge has ended.
PressRegion make_region(const PressSurface& soft, std::span<const ContactZone> zones,
                        double extent);

/// Where a border runs through a vertex, the vertices behind it may be left without a triangle and
/// with constraints of no weight: their fields are held at about 0, where nobody looks.
void hold_loose_vertices(const FrontTree& tree, double constraint_weight,
                         std::span<double> diagonal);

struct BorderFields;  // border_fields.h

/// Section 4.1: distance from the zones' borders along the surface, smoothed [m]; about zero on
/// them. By a harmonic field that flows out through the region's border, its gradients made unit
/// length and integrated again, on triangles that count with what the zones leave of them.
/// Error: not finite.
Result<std::vector<double>> radial_distance(const PressRegion& region, const BorderFields& borders);

/// A direction leans from the normal by at most this much: further, and it would leave the half
/// space that a tangential part can stand for.
inline constexpr double kMostLean = 0.98;

/// Section 4.2: the unit direction in which each point moves, outward: the zones' own at their
/// borders, the surface's normal at `radial` >= 1, and between them a harmonic field of tangential
/// parts, compared by parallel transport. Where cotangents have no smoothest field, as on faces
/// that are obtuse and strongly bent, weights that are all positive do. Where a contact is taken
/// sideways by much of the extent, as in a deep pit, directions keep the border's lean for
/// longer: turned back at once they would fold the surface over there. Error: no unique solution.
struct PressDirections {
    std::vector<Vec3> of_point;
    bool has_positive_weights = false;  ///< Instead of cotangents.
};
Result<PressDirections> direction_field(const PressRegion& region, const BorderFields& borders,
                                        std::span<const double> radial);

/// Section 4.3: how deep the zones' borders are pressed [m] and how steeply the surface leaves
/// them [m per unit of `radial`], spread over the region. Error: no unique solution.
struct PressGuides {
    std::vector<double> amplitude;  ///< >= 0.
    std::vector<double> slope;
};
Result<PressGuides> press_guides(const PressRegion& region, const BorderFields& borders,
                                 std::span<const double> radial, std::span<const Vec3> directions);

}  // namespace ductile
