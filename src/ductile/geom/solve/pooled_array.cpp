// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/pooled_array.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ductile {
namespace {

// Smaller ones the allocator keeps by itself.
constexpr std::size_t kLeastPooled = 4096;
// An array much larger than what is asked for is left for one that needs it.
constexpr std::size_t kMostSlack = 8;

// Outlives the pool: arrays that go after it, at a thread's end, are freed.
thread_local bool is_pool_gone = false;

struct Pool {
    ~Pool() { is_pool_gone = true; }
    std::array<PooledArray::Room, 6> rooms;
};

Pool& pool() {
    thread_local Pool own;
    return own;
}

}  // namespace

PooledArray::PooledArray(std::size_t size) {
    if (size >= kLeastPooled && !is_pool_gone) {
        Room* best = nullptr;
        for (Room& room : pool().rooms) {
            if (room.size < size || room.size / kMostSlack > size) continue;
            if (!best || room.size < best->size) best = &room;
        }
        if (best) {
            room_ = std::exchange(*best, {});
            return;
        }
    }
    room_ = {std::make_unique_for_overwrite<double[]>(size), size};
}

PooledArray& PooledArray::operator=(PooledArray&& other) noexcept {
    give_back();
    room_ = std::exchange(other.room_, {});
    return *this;
}

void PooledArray::give_back() noexcept {
    if (!room_.data || room_.size < kLeastPooled || is_pool_gone) return;
    auto& rooms = pool().rooms;
    Room& least = *std::min_element(rooms.begin(), rooms.end(),
                                    [](const Room& a, const Room& b) { return a.size < b.size; });
    if (least.size < room_.size) std::swap(least, room_);
    room_ = {};
}

}  // namespace ductile
