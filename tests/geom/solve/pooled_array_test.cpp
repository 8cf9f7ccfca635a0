// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/pooled_array.h>

#include <doctest/doctest.h>

#include <thread>
#include <utility>

using namespace ductile;

TEST_CASE("room given back goes to the next of about its size, on the same thread alone") {
    constexpr std::size_t kSize = 50'000;
    double* first = nullptr;
    {
        const PooledArray array(kSize);
        first = array.get();
        first[0] = first[kSize - 1] = 1.0;  // All of it is there.
    }
    {
        const PooledArray like(kSize - 100), beside(kSize);
        CHECK(like.get() == first);
        CHECK(beside.get() != first);
    }
    std::thread([&] {
        const PooledArray elsewhere(kSize);
        CHECK(elsewhere.get() != first);
    }).join();
}

TEST_CASE("room is not lent to what needs more, nor wasted on next to nothing") {
    double* small = nullptr;
    {
        const PooledArray array(10'000);
        small = array.get();
    }
    const PooledArray larger(200'000);
    CHECK(larger.get() != small);
    larger.get()[199'999] = 1.0;
    double* huge = nullptr;
    {
        const PooledArray array(3'000'000);
        huge = array.get();
    }
    const PooledArray little(5'000);
    CHECK(little.get() != huge);
}

TEST_CASE("moved room has one owner") {
    PooledArray a(20'000), b(30'000);
    double* const room = a.get();
    b = std::move(a);
    CHECK(b.get() == room);
    CHECK(a.get() == nullptr);
    const PooledArray c(std::move(b));
    CHECK(c.get() == room);
    CHECK(PooledArray(0).get() != room);
}
