// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

namespace ductile {

/// Room for numbers that are not set to anything. When done with, it is kept for the next one of
/// about its size on the same thread: fresh memory costs more to be mapped than a factor to be
/// written into it. A thread keeps a handful, the largest, until it ends.
class PooledArray {
public:
    PooledArray() = default;
    explicit PooledArray(std::size_t size);
    PooledArray(PooledArray&&) = default;
    PooledArray& operator=(PooledArray&& other) noexcept;
    ~PooledArray() { give_back(); }

    double* get() const { return room_.data.get(); }

    struct Room {
        std::unique_ptr<double[]> data;
        std::size_t size = 0;
    };

private:
    void give_back() noexcept;

    Room room_;
};

}  // namespace ductile
