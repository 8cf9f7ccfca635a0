// SPDX-License-Identifier: MIT
// Sweep along one axis after Baraff 1992, "Dynamic Simulation of Non-penetrating Rigid Bodies",
// section 4; the list stays sorted between calls, so insertion sort is nearly linear.
#include <ductile/engine/bullet/ordered_broadphase.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <utility>

namespace ductile {
namespace {

// Neighbours along x that are ruled out together.
constexpr std::size_t kBlock = 16;

}  // namespace

struct OrderedBroadphase::Proxy final : btBroadphaseProxy {
    using btBroadphaseProxy::btBroadphaseProxy;

    bool is_plane = false;
    btVector3 up{0, 1, 0};  ///< Of a plane: unit, out of what it fills.
    btScalar level = 0;     ///< Where it lies along that.

    /// Where a plane is now. True if it was somewhere else.
    bool take_plane() {
        const auto& object = *static_cast<const btCollisionObject*>(m_clientObject);
        const auto& shape = static_cast<const btStaticPlaneShape&>(*object.getCollisionShape());
        const btTransform& pose = object.getWorldTransform();
        const btVector3 old_up = std::exchange(up, pose.getBasis() * shape.getPlaneNormal());
        const btScalar old_level =
            std::exchange(level, up.dot(pose.getOrigin()) + shape.getPlaneConstant());
        return old_level != level || !(old_up == up);
    }

    /// Whether Bullet may keep contacts of a plane with what the box holds. It keeps them up to a
    /// share of the shape's reach around its centre, which is less than two diagonals of any box
    /// around it.
    bool may_touch(const btBroadphaseProxy& other) const {
        const btVector3 half = btScalar(0.5) * (other.m_aabbMax - other.m_aabbMin);
        const btVector3 centre = other.m_aabbMin + half;
        const btScalar lowest = up.dot(centre) - up.absolute().dot(half) - level;
        return lowest <= gContactBreakingThreshold * 4 * half.length();
    }
};

bool OrderedBroadphase::comes_first(const Proxy& a, const Proxy& b) {
    if (a.m_aabbMin.x() != b.m_aabbMin.x()) return a.m_aabbMin.x() < b.m_aabbMin.x();
    return a.m_uniqueId < b.m_uniqueId;
}

bool OrderedBroadphase::overlap(const btBroadphaseProxy& one, const btBroadphaseProxy& other) {
    const auto& a = static_cast<const Proxy&>(one);
    const auto& b = static_cast<const Proxy&>(other);
    return TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax) &&
           (!a.is_plane || a.may_touch(b)) && (!b.is_plane || b.may_touch(a));
}

OrderedBroadphase::OrderedBroadphase() = default;
OrderedBroadphase::~OrderedBroadphase() = default;

btBroadphaseProxy* OrderedBroadphase::createProxy(const btVector3& lower, const btVector3& upper,
                                                  int shape_type, void* user, int group, int mask,
                                                  btDispatcher*) {
    proxies_.push_back(std::make_unique<Proxy>(lower, upper, user, group, mask));
    proxies_.back()->m_uniqueId = next_id_++;
    proxies_.back()->is_plane = shape_type == STATIC_PLANE_PROXYTYPE;
    if (proxies_.back()->is_plane) proxies_.back()->take_plane();
    sorted_.push_back(proxies_.back().get());
    changed_ = true;
    return proxies_.back().get();
}

void OrderedBroadphase::destroyProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) {
    pairs_.removeOverlappingPairsContainingProxy(proxy, dispatcher);
    std::erase(sorted_, static_cast<Proxy*>(proxy));
    changed_ = true;  // The blocks hold others now.
    std::erase_if(proxies_, [&](const auto& p) { return p.get() == proxy; });
}

void OrderedBroadphase::setAabb(btBroadphaseProxy* proxy, const btVector3& lower,
                                const btVector3& upper, btDispatcher*) {
    auto& own = static_cast<Proxy&>(*proxy);
    if (own.is_plane && own.take_plane()) changed_ = true;
    if (proxy->m_aabbMin == lower && proxy->m_aabbMax == upper) return;
    proxy->m_aabbMin = lower;
    proxy->m_aabbMax = upper;
    changed_ = true;
}

void OrderedBroadphase::getAabb(btBroadphaseProxy* proxy, btVector3& lower,
                                btVector3& upper) const {
    lower = proxy->m_aabbMin;
    upper = proxy->m_aabbMax;
}

void OrderedBroadphase::rayTest(const btVector3&, const btVector3&,
                                btBroadphaseRayCallback& callback, const btVector3&,
                                const btVector3&) {
    // The callback looks closer; every proxy is a candidate.
    for (const auto& proxy : proxies_) callback.process(proxy.get());
}

void OrderedBroadphase::aabbTest(const btVector3& lower, const btVector3& upper,
                                 btBroadphaseAabbCallback& callback) {
    std::vector<Proxy*> found;
    for (std::size_t first = 0; first < sorted_.size(); first += kBlock) {
        if (!changed_) {
            const Block& block = blocks_[first / kBlock];
            if (!TestAabbAgainstAabb2(lower, upper, block.lower, block.upper)) continue;
        }
        const std::size_t end = std::min(first + kBlock, sorted_.size());
        for (std::size_t i = first; i < end; ++i) {
            Proxy* proxy = sorted_[i];
            if (TestAabbAgainstAabb2(lower, upper, proxy->m_aabbMin, proxy->m_aabbMax)) {
                found.push_back(proxy);
            }
        }
    }
    std::sort(found.begin(), found.end(),
              [](const Proxy* a, const Proxy* b) { return a->m_uniqueId < b->m_uniqueId; });
    for (Proxy* proxy : found) callback.process(proxy);
}

void OrderedBroadphase::calculateOverlappingPairs(btDispatcher* dispatcher) {
    if (!changed_) return;
    changed_ = false;
    sort();
    box_blocks();
    std::vector<std::pair<btBroadphaseProxy*, btBroadphaseProxy*>> gone;
    const btBroadphasePairArray& known = pairs_.getOverlappingPairArray();
    for (int i = 0; i < known.size(); ++i) {
        if (!overlap(*known[i].m_pProxy0, *known[i].m_pProxy1)) {
            gone.emplace_back(known[i].m_pProxy0, known[i].m_pProxy1);
        }
    }
    for (const auto& [a, b] : gone) pairs_.removeOverlappingPair(a, b, dispatcher);
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        const btScalar end = sorted_[i]->m_aabbMax.x();
        for (std::size_t j = i + 1; j < sorted_.size() && sorted_[j]->m_aabbMin.x() <= end; ++j) {
            if (overlap(*sorted_[i], *sorted_[j])) {
                pairs_.addOverlappingPair(sorted_[i], sorted_[j]);
            }
        }
    }
}

void OrderedBroadphase::getBroadphaseAabb(btVector3& lower, btVector3& upper) const {
    lower.setValue(-BT_LARGE_FLOAT, -BT_LARGE_FLOAT, -BT_LARGE_FLOAT);
    upper = -lower;
}

void OrderedBroadphase::sort() {
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
        Proxy* moving = sorted_[i];
        std::size_t j = i;
        for (; j > 0 && comes_first(*moving, *sorted_[j - 1]); --j) sorted_[j] = sorted_[j - 1];
        sorted_[j] = moving;
    }
}

void OrderedBroadphase::box_blocks() {
    blocks_.clear();
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        const Proxy& proxy = *sorted_[i];
        if (i % kBlock == 0) blocks_.push_back({proxy.m_aabbMin, proxy.m_aabbMax});
        blocks_.back().lower.setMin(proxy.m_aabbMin);
        blocks_.back().upper.setMax(proxy.m_aabbMax);
    }
}

}  // namespace ductile
