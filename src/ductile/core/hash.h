// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace ductile {

/// A running 64-bit hash of bits, to compare states of two runs. Not for secrets.
class Hasher {
public:
    void add(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9ddfea08eb382d69ULL;
        state_ ^= state_ >> 29;
    }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(const Vec3& v) {
        for (int i = 0; i < 3; ++i) add(v[i]);
    }
    void add(const Transform& t) {
        for (int i = 0; i < 4; ++i) add(t.rotation.coeffs()[i]);
        add(t.translation);
    }
    void add(std::span<const Vec3> points) {
        add(static_cast<std::uint64_t>(points.size()));
        for (const Vec3& p : points) add(p);
    }
    void add(std::string_view text) {
        add(static_cast<std::uint64_t>(text.size()));
        for (char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace ductile
