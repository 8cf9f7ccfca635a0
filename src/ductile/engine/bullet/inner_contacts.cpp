// SPDX-License-Identifier: MIT
// Pieces fill a body, and Bullet knows nothing of the faces between them: it finds contacts there,
// too, which push things sideways that lie on a plane. They are told by their normals, which are
// those of no face around the places that touch.
#include <ductile/engine/bullet/bullet_impl.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// A normal that is off all that the surface has there by more than this belongs to no face of it.
constexpr double kFlatAngle = 0.02;  // [rad]
// Where the surface is round, a piece's own faces are off those that they stand for, by as much as
// these are off each other and this at most.
constexpr double kRoundAngle = 0.35;  // [rad]
// Faces further off each other meet at an edge that is meant.
const double kEdgeCos = std::cos(0.6);
// Places of a piece that lie this much further back than the foremost still touch, as a share of
// its size.
constexpr double kTouchingShare = 1e-3;
constexpr int kSweeps = 32;

/// The cosine of the angle between a unit vector and the cone that others span: the length of its
/// projection, found by projecting onto one of them after the other.
double cos_to_cone(const Vec3& n, std::span<const Vec3> spanning) {
    std::vector<double> shares(spanning.size(), 0.0);
    Vec3 left = n;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t i = 0; i < spanning.size(); ++i) {
            const double share = std::max(0.0, shares[i] + left.dot(spanning[i]));
            left -= (share - shares[i]) * spanning[i];
            shares[i] = share;
        }
    }
    return (n - left).norm();
}

/// The largest angle between faces that stand for a round surface [rad].
double roundness(std::span<const Vec3> normals) {
    double least = 1.0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const double cos = normals[i].dot(normals[k]);
            if (cos >= kEdgeCos) least = std::min(least, cos);
        }
    }
    return std::acos(least);
}

class InnerContacts {
public:
    explicit InnerContacts(const PieceSurfaces& surfaces) : surfaces_(surfaces) {}

    bool is_inner(const btManifoldPoint& point, const BulletBody* b0, const BulletBody* b1) {
        return is_inner(b0, point.m_index0, -point.m_normalWorldOnB) ||
               is_inner(b1, point.m_index1, point.m_normalWorldOnB);
    }

private:
    bool is_inner(const BulletBody* body, int child, const btVector3& out_w) {
        if (body == nullptr || body->pieces == nullptr || child < 0 ||
            child >= body->pieces->size()) {
            return false;
        }
        const btTransform to_w =
            body->object->getWorldTransform() * body->pieces->getChildTransform(child);
        const Vec3 out = from_bt(btVector3(out_w * to_w.getBasis()));
        const CloudShape& cloud = body->pieces->cloud(child);
        const double foremost = cloud.reach(out) - kTouchingShare * cloud.box().diagonal();
        normals_.clear();
        for (std::size_t i = 0; i < cloud.count(); ++i) {
            if (from_bt(cloud.point(i)).dot(out) < foremost) continue;
            surfaces_.normals_at(body->id, body->pieces->id(child), i, normals_);
        }
        if (normals_.empty()) return false;
        double nearest = -1.0;
        for (const Vec3& n : normals_) nearest = std::max(nearest, n.dot(out));
        if (nearest >= std::cos(kFlatAngle)) return false;
        const double limit = std::cos(std::min(kFlatAngle + roundness(normals_), kRoundAngle));
        return nearest < limit && cos_to_cone(out, normals_) < limit;
    }

    const PieceSurfaces& surfaces_;
    std::vector<Vec3> normals_;
};

}  // namespace

void BulletEngine::Impl::drop_inner_contacts() {
    if (surfaces == nullptr) return;
    struct Pair {
        int first, second;  ///< Places of the two in the world's array.
        btPersistentManifold* manifold;
    };
    std::vector<Pair> pairs;
    for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
        btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
        const bool is_solved = manifold->getBody0()->isActive() || manifold->getBody1()->isActive();
        if (manifold->getNumContacts() == 0 || !is_solved) continue;
        const BulletBody* b0 = find(manifold->getBody0());
        const BulletBody* b1 = find(manifold->getBody1());
        const auto has_inside = [](const BulletBody* b) {
            return b != nullptr && b->pieces != nullptr && b->pieces->size() > 1;
        };
        if (!has_inside(b0) && !has_inside(b1)) continue;
        const int i0 = manifold->getBody0()->getWorldArrayIndex();
        const int i1 = manifold->getBody1()->getWorldArrayIndex();
        pairs.push_back({std::min(i0, i1), std::max(i0, i1), manifold});
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });

    InnerContacts inner(*surfaces);
    std::vector<std::pair<btPersistentManifold*, int>> found;
    for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
        double nearest = kInfinity;
        found.clear();
        for (; end < pairs.size() && pairs[end].first == pairs[begin].first &&
               pairs[end].second == pairs[begin].second;
             ++end) {
            btPersistentManifold* manifold = pairs[end].manifold;
            const BulletBody* b0 = find(manifold->getBody0());
            const BulletBody* b1 = find(manifold->getBody1());
            for (int k = 0; k < manifold->getNumContacts(); ++k) {
                const btManifoldPoint& point = manifold->getContactPoint(k);
                if (inner.is_inner(point, b0, b1)) {
                    found.emplace_back(manifold, k);
                } else {
                    nearest = std::min(nearest, double(point.getDistance()));
                }
            }
        }
        // What touches nothing but faces inside is held by those.
        for (std::size_t i = found.size(); i-- > 0;) {
            const auto [manifold, k] = found[i];
            const double gap = manifold->getContactPoint(k).getDistance();
            if (nearest <= std::max(gap, 0.0)) manifold->removeContactPoint(k);
        }
    }
}

}  // namespace ductile
