// SPDX-License-Identifier: MIT
#pragma once

#include <BulletCollision/BroadphaseCollision/btBroadphaseInterface.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>

#include <memory>
#include <vector>

namespace ductile {

/// A broadphase whose pairs come in an order that depends on the simulated state only.
///
/// Bullet's dynamic tree sorts its nodes by their addresses as it tidies itself, so the order of
/// pairs, and with it the solver's, depends on what else the process allocated. This one sweeps
/// boxes along x, sorted by their lower ends and then by age. O(n) plus overlaps along x when
/// little moved. What overlaps a box is found by boxes around neighbours in that order, and told of
/// by age. What is away from a plane makes no pair with it, as large as Bullet's box around a
/// plane is.
class OrderedBroadphase final : public btBroadphaseInterface {
public:
    OrderedBroadphase();
    ~OrderedBroadphase() override;

    btBroadphaseProxy* createProxy(const btVector3& lower, const btVector3& upper, int shape_type,
                                   void* user, int group, int mask,
                                   btDispatcher* dispatcher) override;
    void destroyProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) override;
    void setAabb(btBroadphaseProxy* proxy, const btVector3& lower, const btVector3& upper,
                 btDispatcher* dispatcher) override;
    void getAabb(btBroadphaseProxy* proxy, btVector3& lower, btVector3& upper) const override;
    void rayTest(const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                 const btVector3& lower, const btVector3& upper) override;
    void aabbTest(const btVector3& lower, const btVector3& upper,
                  btBroadphaseAabbCallback& callback) override;
    void calculateOverlappingPairs(btDispatcher* dispatcher) override;
    btOverlappingPairCache* getOverlappingPairCache() override { return &pairs_; }
    const btOverlappingPairCache* getOverlappingPairCache() const override { return &pairs_; }
    void getBroadphaseAabb(btVector3& lower, btVector3& upper) const override;
    void printStats() override {}

private:
    struct Proxy;

    btHashedOverlappingPairCache pairs_;
    std::vector<std::unique_ptr<Proxy>> proxies_;
    std::vector<Proxy*> sorted_;  ///< By lower x, then by age.
    /// Around so many of those at a time; only while nothing has changed.
    struct Block {
        btVector3 lower, upper;
    };
    std::vector<Block> blocks_;
    int next_id_ = 2;  ///< Bullet keeps 0 and 1 for itself.
    bool changed_ = false;

    static bool comes_first(const Proxy& a, const Proxy& b);
    static bool overlap(const btBroadphaseProxy& a, const btBroadphaseProxy& b);

    void sort();
    void box_blocks();
};

}  // namespace ductile
