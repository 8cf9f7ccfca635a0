// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/skin_frame.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace ductile {

struct Piece;

/// Pieces as they lay when they were last looked at, for those that a skin carries along: while
/// they only move and turn, they fit as they did.
class PieceLooks {
public:
    /// By how much a piece has changed its form since [m]: how far at most one of its points lies
    /// from where the mean turn and move of all would have taken it. Infinite: not looked at yet.
    double change(std::int32_t index, const Piece& piece, std::span<const Vec3> points,
                  std::span<const SkinFrame> frames) const;
    void note(std::int32_t index, const Piece& piece, std::span<const Vec3> points,
              std::span<const SkinFrame> frames);
    void forget(std::int32_t index) { looks_.erase(index); }

    /// Pieces that changed, but by too little to be looked at so far, ascending.
    std::vector<std::int32_t> waiting;

private:
    struct Look {
        Mat3 turn = Mat3::Identity();
        std::vector<Vec3> arms;  ///< From the mean of the piece's points to each of them.
    };
    static Look look_at(const Piece& piece, std::span<const Vec3> points,
                        std::span<const SkinFrame> frames);

    std::map<std::int32_t, Look> looks_;
};

}  // namespace ductile
