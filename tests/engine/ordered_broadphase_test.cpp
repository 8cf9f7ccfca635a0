// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/ordered_broadphase.h>

#include <btBulletCollisionCommon.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Boxes that move about. A proxy's user is its number.
struct Boxes {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    OrderedBroadphase broadphase;
    std::vector<int> numbers;
    std::vector<btBroadphaseProxy*> proxies;

    explicit Boxes(std::size_t count) : numbers(count) {}
    ~Boxes() {
        for (btBroadphaseProxy* p : proxies) broadphase.destroyProxy(p, &dispatcher);
    }

    void add(const Box& box) {
        const std::size_t n = proxies.size();
        numbers[n] = static_cast<int>(n);
        proxies.push_back(broadphase.createProxy(to_bt(box.lower), to_bt(box.upper),
                                                 BOX_SHAPE_PROXYTYPE, &numbers[n], 1, 1,
                                                 &dispatcher));
    }
    void move(std::size_t n, const Box& box) {
        broadphase.setAabb(proxies[n], to_bt(box.lower), to_bt(box.upper), &dispatcher);
    }
    /// In the broadphase's own order.
    Pairs pairs() {
        broadphase.calculateOverlappingPairs(&dispatcher);
        Pairs out;
        const btBroadphasePairArray& found =
            broadphase.getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < found.size(); ++i) {
            const int a = *static_cast<int*>(found[i].m_pProxy0->m_clientObject);
            const int b = *static_cast<int*>(found[i].m_pProxy1->m_clientObject);
            out.emplace_back(std::min(a, b), std::max(a, b));
        }
        return out;
    }
};

Box random_box(Rng& rng) {
    Box box;
    const Vec3 middle = random_vec(rng, 3.0);
    box.add(middle + random_vec(rng));
    box.add(middle + random_vec(rng));
    return box;
}

bool do_overlap(const Box& a, const Box& b) {
    return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

}  // namespace

TEST_CASE("pairs are those that overlap, however boxes move, in an order of their own") {
    constexpr std::size_t kCount = 60;
    Rng rng(9);
    Boxes boxes(kCount);
    // The same again among other allocations.
    std::vector<std::unique_ptr<char[]>> others;
    Boxes again(kCount);
    std::vector<Box> now;
    for (std::size_t n = 0; n < kCount; ++n) {
        now.push_back(random_box(rng));
        boxes.add(now[n]);
        others.push_back(std::make_unique<char[]>(16 + rng.next() % 5000));
        again.add(now[n]);
    }
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        Pairs wanted;
        for (std::size_t a = 0; a < kCount; ++a) {
            for (std::size_t b = a + 1; b < kCount; ++b) {
                if (do_overlap(now[a], now[b])) wanted.emplace_back(a, b);
            }
        }
        REQUIRE_FALSE(wanted.empty());
        Pairs found = boxes.pairs();
        CHECK(found == again.pairs());
        std::sort(found.begin(), found.end());
        CHECK(found == wanted);
        for (int k = 0; k < 15; ++k) {
            const std::size_t n = rng.next() % kCount;
            now[n] = random_box(rng);
            boxes.move(n, now[n]);
            again.move(n, now[n]);
        }
    }
}

TEST_CASE("what overlaps a box is found by age, whether boxes have moved since or not") {
    struct Found final : btBroadphaseAabbCallback {
        std::vector<int> numbers;
        bool process(const btBroadphaseProxy* proxy) override {
            numbers.push_back(*static_cast<int*>(proxy->m_clientObject));
            return true;
        }
    };
    constexpr std::size_t kCount = 200;
    Rng rng(10);
    Boxes boxes(kCount);
    std::vector<Box> now;
    for (std::size_t n = 0; n < kCount; ++n) {
        now.push_back(random_box(rng));
        boxes.add(now[n]);
    }
    const auto check = [&] {
        for (int k = 0; k < 20; ++k) {
            const Box asked = random_box(rng);
            std::vector<int> wanted;
            for (std::size_t n = 0; n < now.size(); ++n) {
                if (do_overlap(now[n], asked)) wanted.push_back(boxes.numbers[n]);
            }
            Found found;
            boxes.broadphase.aabbTest(to_bt(asked.lower), to_bt(asked.upper), found);
            REQUIRE(found.numbers == wanted);
        }
    };
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        check();  // changed since
        boxes.pairs();
        check();
        boxes.broadphase.destroyProxy(boxes.proxies.back(), &boxes.dispatcher);
        boxes.proxies.pop_back();
        now.pop_back();
        check();
        for (int k = 0; k < 15; ++k) {
            const std::size_t n = rng.next() % now.size();
            now[n] = random_box(rng);
            boxes.move(n, now[n]);
        }
    }
}
