// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/engine/engine.h>

#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// The convex hull of a few points, known to Bullet by its support mapping alone: moving the
/// points costs a copy and a box, never a hull. The margin lies outside the points. Bullet takes it
/// for a polyhedron without faces, so that a flat landing is felt at several corners at once.
class CloudShape final : public btPolyhedralConvexShape {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    CloudShape(std::span<const Vec3> points, double margin);

    /// Requires: not empty. O(n).
    void set_points(std::span<const Vec3> points);
    std::size_t count() const { return count_; }
    btVector3 point(std::size_t i) const {
        const btScalar* x = blocks_.data() + x_of(i);
        return {x[0], x[kLanes], x[2 * kLanes]};
    }
    /// Without the margin.
    const Box& box() const { return box_; }
    /// How far the hull reaches along `direction` (not necessarily unit), times its length [m].
    double reach(const Vec3& direction) const;

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override;
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                           btVector3* out,
                                                           int count) const override;
    void getAabb(const btTransform& t, btVector3& lower, btVector3& upper) const override;
    /// Bullet asks for it whenever two pieces meet anew.
    void getBoundingSphere(btVector3& centre, btScalar& radius) const override;
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
    const char* getName() const override { return "DuctileCloud"; }

    int getNumVertices() const override { return static_cast<int>(count_); }
    void getVertex(int i, btVector3& out) const override { out = point(std::size_t(i)); }
    int getNumEdges() const override { return 0; }
    void getEdge(int, btVector3&, btVector3&) const override {}
    int getNumPlanes() const override { return 0; }
    void getPlane(btVector3&, btVector3&, int) const override {}
    bool isInside(const btVector3&, btScalar) const override { return false; }

private:
    /// Points looked at together by the support mapping.
    static constexpr std::size_t kLanes = 4;
    static std::size_t x_of(std::size_t i) { return i / kLanes * (3 * kLanes) + i % kLanes; }

    std::size_t count_ = 0;
    std::vector<btScalar> blocks_;  ///< Four x, four y, four z; then the next four points.
    Box box_;
    // The last answer of `getAabb`. A world is stepped by one thread.
    mutable bool is_boxed_ = false;
    mutable btTransform boxed_from_;
    mutable btScalar boxed_slack_ = 0;
    mutable btVector3 boxed_lower_, boxed_upper_;
};

/// A body's pieces, in the body's own (rest) frame; Bullet sees them from the centre of mass.
///
/// Moving pieces refits Bullet's child tree in place: contacts of other pieces stay. Adding or
/// removing one raises the compound's revision, upon which Bullet finds its contacts anew.
class PiecesShape final : public btCompoundShape {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    PiecesShape(const std::vector<ColliderPiece>& pieces, double margin, const Transform& com_b);

    int size() const { return static_cast<int>(entries_.size()); }
    /// The child with this id, or -1. O(log n).
    int find(std::int32_t id) const;
    const CloudShape& cloud(int child) const { return *entries_[child].cloud; }
    /// Takes pieces from the body's frame to that of its centre of mass.
    const btTransform& frame() const { return frame_; }
    std::int32_t id(int child) const { return entries_[child].id; }

    void move(int child, std::span<const Vec3> points) {
        entries_[child].cloud->set_points(points);
    }
    void add(const ColliderPiece& piece);
    void remove(int child);
    /// Says where the centre of mass frame sits in the body's frame.
    void set_frame(const Transform& com_b);
    /// To be called once after any of the above: boxes and tree follow. O(pieces).
    void refit();

private:
    struct Entry {
        std::int32_t id = 0;
        std::unique_ptr<CloudShape> cloud;
    };
    std::vector<Entry> entries_;                       ///< In the order of Bullet's children.
    std::vector<std::pair<std::int32_t, int>> by_id_;  ///< Sorted (id, child).
    btTransform frame_;                                ///< Body coordinates to centre of mass ones.
    double margin_;

    void index();
};

/// Error: a number that is not finite, or points that span no volume.
Status check_cloud(std::span<const Vec3> points);

}  // namespace ductile
