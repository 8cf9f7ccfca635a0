// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/assert.h>
#include <ductile/core/thread_pooled.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ductile {

/// An array over a large range, all `blank` at first, of which few entries are written: marks or
/// numbers per vertex of a mesh where a region is small. Making and dropping one costs nothing,
/// whatever its size: the thread keeps the room, and a stamp beside each entry tells whether it
/// was written since. Reading costs a comparison more than with a plain array.
template <class T>
class StampedArray {
public:
    StampedArray(std::size_t size, T blank) : size_(size), blank_(blank) {
        Room& room = *room_;
        if (room.cells.size() < size) room.cells.resize(size);
        if (++room.stamp == 0) {  // After 2^32 uses stamps come back.
            room.cells.assign(room.cells.size(), {});
            room.stamp = 1;
        }
        cells_ = room.cells.data();
        stamp_ = room.stamp;
    }

    std::size_t size() const { return size_; }

    T operator[](std::size_t i) const {
        return cells_[i].stamp == stamp_ ? cells_[i].value : blank_;
    }
    /// To be written.
    T& at(std::size_t i) {
        DUCTILE_ASSERT(i < size_, "an index in range");
        Cell& cell = cells_[i];
        if (cell.stamp != stamp_) cell = {stamp_, blank_};
        return cell.value;
    }

private:
    struct Cell {
        std::uint32_t stamp = 0;
        T value{};
    };
    struct Room {
        std::vector<Cell> cells;
        std::uint32_t stamp = 0;
    };

    std::size_t size_;
    T blank_;
    ThreadPooled<Room> room_;
    Cell* cells_;
    std::uint32_t stamp_;
};

}  // namespace ductile
