// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/piece_looks.h>
#include <ductile/geom/pieces/pieces.h>

#include <algorithm>
#include <cmath>

namespace ductile {

auto PieceLooks::look_at(const Piece& piece, std::span<const Vec3> points,
                         std::span<const SkinFrame> frames) -> Look {
    Look look{mean_turn(frames, piece.tracked), {}};
    look.arms.reserve(piece.vertices.size());
    Vec3 mean = Vec3::Zero();
    for (const std::int32_t v : piece.vertices) mean += points[v];
    mean /= static_cast<double>(std::max<std::size_t>(piece.vertices.size(), 1));
    for (const std::int32_t v : piece.vertices) look.arms.push_back(points[v] - mean);
    return look;
}

double PieceLooks::change(std::int32_t index, const Piece& piece, std::span<const Vec3> points,
                          std::span<const SkinFrame> frames) const {
    const auto known = looks_.find(index);
    // A finer mesh has given it more points.
    if (known == looks_.end() || known->second.arms.size() != piece.vertices.size()) {
        return kInfinity;
    }
    const Look& was = known->second;
    const Look now = look_at(piece, points, frames);
    const Mat3 turn = now.turn * was.turn.transpose();
    double most_sq = 0.0;
    for (std::size_t i = 0; i < was.arms.size(); ++i) {
        most_sq = std::max(most_sq, (now.arms[i] - turn * was.arms[i]).squaredNorm());
    }
    return std::sqrt(most_sq);
}

void PieceLooks::note(std::int32_t index, const Piece& piece, std::span<const Vec3> points,
                      std::span<const SkinFrame> frames) {
    looks_[index] = look_at(piece, points, frames);
}

}  // namespace ductile
