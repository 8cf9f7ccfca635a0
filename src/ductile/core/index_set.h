// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/assert.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ductile {

/// A set of indices in [0, size) that is filled, read in ascending order and emptied again and
/// again: what was touched, each once, in an order that does not depend on how it was found.
///
/// One bit per index, and one per 64 of those: adding is O(1), reading and emptying are
/// O(indices held + size / 4096). A sort would cost more from a few dozen indices on.
class IndexSet {
public:
    explicit IndexSet(std::size_t size = 0)
        : size_(size), words_((size + 63) / 64), used_((words_.size() + 63) / 64) {}

    std::size_t size() const { return size_; }

    /// True if it was not there before.
    bool insert(std::int32_t index) {
        DUCTILE_ASSERT(index >= 0 && static_cast<std::size_t>(index) < size_, "an index in range");
        const std::size_t word = static_cast<std::size_t>(index) / 64;
        const std::uint64_t bit = std::uint64_t{1} << (index % 64);
        if (words_[word] & bit) return false;
        words_[word] |= bit;
        used_[word / 64] |= std::uint64_t{1} << (word % 64);
        return true;
    }

    /// True if it was there.
    bool erase(std::int32_t index) {
        DUCTILE_ASSERT(index >= 0 && static_cast<std::size_t>(index) < size_, "an index in range");
        const std::size_t word = static_cast<std::size_t>(index) / 64;
        const std::uint64_t bit = std::uint64_t{1} << (index % 64);
        if (!(words_[word] & bit)) return false;
        words_[word] &= ~bit;
        if (words_[word] == 0) used_[word / 64] &= ~(std::uint64_t{1} << (word % 64));
        return true;
    }

    bool contains(std::int32_t index) const {
        return words_[static_cast<std::size_t>(index) / 64] >> (index % 64) & 1;
    }

    bool is_empty() const {
        for (const std::uint64_t used : used_) {
            if (used != 0) return false;
        }
        return true;
    }

    /// Calls `visit(index)` in ascending order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t group = 0; group < used_.size(); ++group) {
            for (std::uint64_t used = used_[group]; used != 0; used &= used - 1) {
                const std::size_t word = 64 * group + std::countr_zero(used);
                for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
                    visit(static_cast<std::int32_t>(64 * word + std::countr_zero(bits)));
                }
            }
        }
    }

    void clear() {
        for (std::size_t group = 0; group < used_.size(); ++group) {
            for (std::uint64_t used = used_[group]; used != 0; used &= used - 1) {
                words_[64 * group + std::countr_zero(used)] = 0;
            }
            used_[group] = 0;
        }
    }

    /// How many of its indices are smaller than each of them, once they are all there: a numbering
    /// without gaps. O(size / 64) to make.
    class Ranks {
    public:
        explicit Ranks(const IndexSet& set) : set_(set), before_(set.words_.size()) {
            std::int32_t sum = 0;
            for (std::size_t word = 0; word < before_.size(); ++word) {
                before_[word] = sum;
                sum += std::popcount(set.words_[word]);
            }
        }
        /// Requires: the set holds it, and has not changed.
        std::int32_t operator()(std::int32_t index) const {
            const std::size_t word = static_cast<std::size_t>(index) / 64;
            const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
            return before_[word] + std::popcount(set_.words_[word] & below);
        }

    private:
        const IndexSet& set_;
        std::vector<std::int32_t> before_;
    };

    /// Overwrites `out` with the indices, ascending, and empties the set.
    void take(std::vector<std::int32_t>& out) {
        out.clear();
        for_each([&](std::int32_t index) { out.push_back(index); });
        clear();
    }

private:
    std::size_t size_;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> used_;  ///< Which of the words hold a bit.
};

}  // namespace ductile
