// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/cloud_shape.h>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <algorithm>

namespace ductile {

namespace {

// A cloud thinner than this share of its length has no inside that penetration could be measured
// against.
constexpr double kFlatShare = 1e-6;

// Bullet forgets the contacts of two pieces as soon as their boxes part, by a micrometre even. With
// boxes this much larger than the pieces a stack that settles or shrinks keeps its contacts.
constexpr btScalar kBoxSlack = btScalar(0.002);  // [m]

void refit_node(btDbvtNode* node, const std::vector<btDbvtVolume>& leaves) {
    if (node->isleaf()) {
        node->volume = leaves[node->dataAsInt];
        return;
    }
    refit_node(node->childs[0], leaves);
    refit_node(node->childs[1], leaves);
    Merge(node->childs[0]->volume, node->childs[1]->volume, node->volume);
}

template <class Measure>
std::pair<std::size_t, double> furthest(std::span<const Vec3> points, Measure&& measure) {
    std::pair<std::size_t, double> best(0, -1.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double value = measure(points[i]);
        if (value > best.second) best = {i, value};
    }
    return best;
}

}  // namespace

CloudShape::CloudShape(std::span<const Vec3> points, double margin) {
    m_shapeType = CUSTOM_POLYHEDRAL_SHAPE_TYPE;
    setMargin(btScalar(margin));
    set_points(points);
}

void CloudShape::set_points(std::span<const Vec3> points) {
    DUCTILE_ASSERT(!points.empty(), "a cloud needs points");
    count_ = points.size();
    is_boxed_ = false;
    box_ = Box();
    for (const Vec3& p : points) box_.add(p);
    // The last block is filled up with the first point, which never wins over itself.
    const std::size_t padded = (count_ + kLanes - 1) / kLanes * kLanes;
    blocks_.resize(3 * padded);
    for (std::size_t i = 0; i < padded; ++i) {
        const Vec3& p = points[i < count_ ? i : 0];
        btScalar* x = blocks_.data() + x_of(i);
        for (int axis = 0; axis < 3; ++axis) x[axis * kLanes] = btScalar(p[axis]);
    }
}

double CloudShape::reach(const Vec3& direction) const {
    const btVector3 d = to_bt(direction);
    return localGetSupportingVertexWithoutMargin(d).dot(d);
}

btVector3 CloudShape::localGetSupportingVertexWithoutMargin(const btVector3& direction) const {
    // Half of a step is spent here, most of it waiting for memory. Products and maximum run in
    // vector lanes; the first of equals wins, as in a plain loop.
    using Lanes = Eigen::Array<btScalar, kLanes, 1>;
    std::size_t best = 0;
    btScalar best_dot = -BT_LARGE_FLOAT;
    for (std::size_t i = 0; i < count_; i += kLanes) {
        const btScalar* x = blocks_.data() + 3 * i;
        const Lanes dots = Eigen::Map<const Lanes>(x) * direction.x() +
                           Eigen::Map<const Lanes>(x + kLanes) * direction.y() +
                           Eigen::Map<const Lanes>(x + 2 * kLanes) * direction.z();
        const btScalar greatest = dots.maxCoeff();
        if (!(greatest > best_dot)) continue;
        best_dot = greatest;
        best = i;
        while (best + 1 < i + kLanes && dots[best - i] != greatest) ++best;
    }
    return point(best);
}

void CloudShape::batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                                   btVector3* out,
                                                                   int count) const {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(directions[i]);
}

void CloudShape::getAabb(const btTransform& t, btVector3& lower, btVector3& upper) const {
    // The box of the turned points, not of the turned box: pieces are thin and lie askew, and every
    // pair of boxes that overlap in vain costs a run of GJK.
    using Lanes = Eigen::Array<btScalar, kLanes, 1>;
    const btScalar slack = getMargin() + kBoxSlack;
    // Bullet asks several times a step.
    if (is_boxed_ && boxed_from_ == t && boxed_slack_ == slack) {
        lower = boxed_lower_;
        upper = boxed_upper_;
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const btVector3& row = t.getBasis()[axis];
        Lanes least = Lanes::Constant(BT_LARGE_FLOAT), most = -least;
        for (std::size_t i = 0; i < count_; i += kLanes) {
            const btScalar* x = blocks_.data() + 3 * i;
            const Lanes along = Eigen::Map<const Lanes>(x) * row.x() +
                                Eigen::Map<const Lanes>(x + kLanes) * row.y() +
                                Eigen::Map<const Lanes>(x + 2 * kLanes) * row.z();
            least = least.min(along);
            most = most.max(along);
        }
        lower[axis] = t.getOrigin()[axis] + least.minCoeff() - slack;
        upper[axis] = t.getOrigin()[axis] + most.maxCoeff() + slack;
    }
    is_boxed_ = true;
    boxed_from_ = t;
    boxed_slack_ = slack;
    boxed_lower_ = lower;
    boxed_upper_ = upper;
}

void CloudShape::getBoundingSphere(btVector3& centre, btScalar& radius) const {
    const btVector3 lower = to_bt(box_.lower), upper = to_bt(box_.upper);
    const btScalar slack = getMargin() + kBoxSlack;
    centre = btScalar(0.5) * (lower + upper);
    radius = btScalar(0.5) * (upper - lower + btVector3(2, 2, 2) * slack).length();
}

void CloudShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
    const Vec3 size = box_.upper - box_.lower;
    const Vec3 sq = size.cwiseProduct(size);
    inertia = to_bt(Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y()) * (mass / 12.0));
}

PiecesShape::PiecesShape(const std::vector<ColliderPiece>& pieces, double margin,
                         const Transform& com_b)
    : btCompoundShape(true, static_cast<int>(pieces.size())), margin_(margin) {
    frame_ = to_bt(com_b.inverse());
    for (const ColliderPiece& piece : pieces) add(piece);
    refit();
}

int PiecesShape::find(std::int32_t id) const {
    const auto at = std::lower_bound(by_id_.begin(), by_id_.end(), std::pair(id, -1));
    return at != by_id_.end() && at->first == id ? at->second : -1;
}

void PiecesShape::add(const ColliderPiece& piece) {
    auto cloud = std::make_unique<CloudShape>(piece.points, margin_);
    cloud->setUserIndex(piece.id);
    addChildShape(frame_, cloud.get());
    entries_.push_back({piece.id, std::move(cloud)});
    index();
}

void PiecesShape::remove(int child) {
    removeChildShapeByIndex(child);  // Bullet moves the last child into the gap; so do we.
    std::swap(entries_[child], entries_.back());
    entries_.pop_back();
    index();
}

void PiecesShape::set_frame(const Transform& com_b) {
    frame_ = to_bt(com_b.inverse());
    for (int i = 0; i < m_children.size(); ++i) m_children[i].m_transform = frame_;
}

void PiecesShape::refit() {
    std::vector<btDbvtVolume> leaves(entries_.size());
    m_localAabbMin.setValue(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
    m_localAabbMax = -m_localAabbMin;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        btVector3 lower, upper;
        entries_[i].cloud->getAabb(frame_, lower, upper);
        leaves[i] = btDbvtVolume::FromMM(lower, upper);
        m_localAabbMin.setMin(lower);
        m_localAabbMax.setMax(upper);
    }
    if (m_dynamicAabbTree->m_root) refit_node(m_dynamicAabbTree->m_root, leaves);
}

void PiecesShape::index() {
    by_id_.clear();
    for (int i = 0; i < size(); ++i) by_id_.emplace_back(entries_[i].id, i);
    std::sort(by_id_.begin(), by_id_.end());
}

Status check_cloud(std::span<const Vec3> points) {
    for (const Vec3& p : points) {
        if (!p.allFinite()) return Error{"a collider point is not finite", "", ""};
    }
    if (points.size() < 4) {
        return Error{"a collider piece has fewer than four points", "", "give each piece a volume"};
    }
    const Vec3 a = points[0];
    const auto [ib, length] = furthest(points, [&](const Vec3& p) { return (p - a).norm(); });
    const Vec3 along = points[ib] - a;
    const auto [ic, area] =
        furthest(points, [&](const Vec3& p) { return along.cross(p - a).norm(); });
    const Vec3 normal = along.cross(points[ic] - a);
    const auto [id, volume] =
        furthest(points, [&](const Vec3& p) { return std::abs(normal.dot(p - a)); });
    (void)id;
    if (area <= kFlatShare * length * length || volume <= kFlatShare * length * area) {
        return Error{"a collider piece is flat", "", "add a point behind its surface"};
    }
    return {};
}

}  // namespace ductile
