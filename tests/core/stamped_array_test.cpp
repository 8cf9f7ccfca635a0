// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/core/stamped_array.h>

#include <doctest/doctest.h>

#include <thread>

using namespace ductile;

TEST_CASE("a sparse array is blank whenever it is made, and then a plain one") {
    Rng rng(3);
    for (int round = 0; round < 20; ++round) {
        const auto size = static_cast<std::size_t>(1 + 1000 * rng.uniform());
        const int blank = round % 3 - 1;
        StampedArray<int> sparse(size, blank);
        std::vector<int> plain(size, blank);
        CHECK(sparse.size() == size);
        for (int i = 0; i < 100; ++i) {
            const auto at = static_cast<std::size_t>(rng.uniform() * static_cast<double>(size));
            sparse.at(at) += i;
            plain[at] += i;
        }
        for (std::size_t i = 0; i < size; ++i) CHECK(sparse[i] == plain[i]);
    }
}

TEST_CASE("two sparse arrays at once share nothing") {
    StampedArray<int> first(10, 0);
    first.at(4) = 7;
    {
        StampedArray<int> second(10, 0);
        second.at(4) = 8;
        second.at(5) = 9;
    }
    const StampedArray<int> third(10, 0);
    CHECK(first[4] == 7);
    CHECK(first[5] == 0);
    CHECK(third[4] == 0);
    CHECK(third[5] == 0);
}

TEST_CASE("what is lent comes back to the thread that gives it back, and may outlive one") {
    ThreadPooled<std::vector<int>> kept;
    std::thread([&] {
        ThreadPooled<std::vector<int>> own;
        own->assign(5, 1);
        kept = std::move(own);
    }).join();
    CHECK(kept->size() == 5);
    const std::vector<int>* place = &*kept;
    { const ThreadPooled<std::vector<int>> gone = std::move(kept); }
    const ThreadPooled<std::vector<int>> again;
    CHECK(&*again == place);
}
