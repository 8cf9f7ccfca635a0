// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/field/press_system.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/tri_mesh.h>
#include <ductile/geom/vertex_graph.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ductile {

/// What a surface keeps from frame to frame: its triangles, what follows from them, and its shape
/// at rest. Nothing in it depends on a frame, so a frame is the same bits alone and among others.
/// Made once, then read by any number of threads.
class RestSurface {
public:
    /// Requires: valid indices, finite points. O(n).
    explicit RestSurface(TriMesh mesh);

    const TriMesh& mesh() const { return mesh_; }
    const VertexGraph& graph() const { return graph_; }
    const VertexFaces& faces() const { return faces_; }
    /// Box diagonal at rest over the root of three [m]. O(n) when first asked for.
    double size() const;
    /// At rest [m]. O(n) when first asked for.
    double mean_edge_length() const;
    /// Connected parts of all vertices. O(n) when first asked for.
    const VertexComponents& parts() const;
    /// What fields on it are solved with. O(n log n) when first asked for.
    const PressSystem& system() const;
    /// Every edge has two faces of opposite direction. O(n log n) when first asked for.
    bool is_closed() const;

private:
    TriMesh mesh_;
    VertexGraph graph_;
    VertexFaces faces_;
    mutable std::once_flag has_size_, has_mean_edge_, has_parts_, has_closed_, has_system_;
    mutable double size_ = 0.0, mean_edge_length_ = 0.0;
    mutable std::unique_ptr<const PressSystem> system_;
    mutable VertexComponents parts_;
    mutable bool is_closed_ = false;
};

/// A surface as it is in one frame: what every stage asks of it. Views what it is made of, which
/// must outlive it.
struct PressSurface {
    /// Requires: a point per point of the surface at rest, finite.
    PressSurface(const RestSurface& rest, std::span<const Vec3> points);
    /// Placed elsewhere: `points` are `unplaced` seen from `pose`.
    PressSurface(const RestSurface& rest, std::span<const Vec3> points,
                 std::span<const Vec3> unplaced, const Transform& pose);
    /// Known to be at rest or not, without a look at all points.
    PressSurface(const RestSurface& rest, std::span<const Vec3> points, bool is_at_rest);

    const RestSurface& rest;
    std::span<const Vec3> points;
    std::span<const Triangle> triangles;
    const VertexGraph& graph;
    const VertexFaces& faces;
    bool is_at_rest = false;  ///< The shape at rest, perhaps placed elsewhere.
    /// From where shapes are compared to where `points` are: what follows from a shape at rest is
    /// the same bits wherever it is placed.
    Mat3 turn = Mat3::Identity();

    double mean_edge_length() const { return rest.mean_edge_length(); }  ///< At rest [m].
    /// Unit, outward, before `turn`. See `vertex_normal`.
    Vec3 unturned_normal(std::int32_t vertex) const;
};

/// Unit, outward, exact on a sphere (weights of Max 1999); up where no face is of use.
/// O(faces around it), no trigonometry.
Vec3 vertex_normal(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   const VertexFaces& faces, std::int32_t vertex);

/// Where a value stands in an ascending list; -1 if it does not. O(log n).
std::int32_t index_in(std::span<const std::int32_t> ascending, std::int32_t value);

/// Whether a mesh can be pressed at all. Error: no triangle, an index without a point, a point that
/// is not finite; `name` says of which mesh.
Status check_surface(const TriMesh& mesh, const char* name);
Status check_points(std::span<const Vec3> points, const char* name);

class RigidPlanes;
class FinerRigids;

/// A rigid surface and its tree.
struct PreparedRigid {
    std::shared_ptr<const RestSurface> rest;
    SurfaceQuery query;                   ///< Holds the points of this frame.
    std::shared_ptr<RigidPlanes> planes;  ///< Of those points.
    std::shared_ptr<FinerRigids> finer;   ///< Of those points.
    bool is_at_rest = true;               ///< Until points are set.

    PressSurface surface() const { return {*rest, query.points(), is_at_rest}; }
};

}  // namespace ductile
