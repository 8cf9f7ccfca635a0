// SPDX-License-Identifier: MIT
#include <ductile/core/progress.h>
#include <ductile/core/thread_pooled.h>

#include <doctest/doctest.h>

#include <thread>

using namespace ductile;

TEST_CASE("progress and checkpoints may be left out, and a checkpoint stops with its own error") {
    CHECK_FALSE(Progress());
    CHECK_FALSE(Checkpoint());
    const Checkpoint until_half = [](double share) -> Status {
        if (share > 0.5) return Error{.what = "stopped", .where = {}, .hint = {}};
        return {};
    };
    CHECK(until_half(0.5).ok());
    CHECK(until_half(0.6).error().what == "stopped");
}

namespace {

struct Scratch {
    static inline int made = 0;
    Scratch() { ++made; }
    int value = 0;
};

}  // namespace

TEST_CASE("a thread lends what it kept, and two at once are two objects") {
    Scratch::made = 0;
    {
        const ThreadPooled<Scratch> a, b;
        CHECK(&*a != &*b);
        a->value = 1;
    }
    CHECK(Scratch::made == 2);
    for (int i = 0; i < 5; ++i) const ThreadPooled<Scratch> again;
    CHECK(Scratch::made == 2);
    // Another thread has a shelf of its own.
    std::thread([] { const ThreadPooled<Scratch> own; }).join();
    CHECK(Scratch::made == 3);
    // What was moved from gives nothing back.
    ThreadPooled<Scratch> one;
    { const ThreadPooled<Scratch> other = std::move(one); }
    CHECK(Scratch::made == 3);
}
