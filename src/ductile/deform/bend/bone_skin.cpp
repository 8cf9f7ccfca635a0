// SPDX-License-Identifier: MIT
// Kavan, Collins, Zara and O'Sullivan 2008, "Geometric Skinning with Approximate Dual Quaternion
// Blending". Both blends are written as the first bone's motion and differences from it: what moves
// alike stays exactly that.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/bend/bone_skin.h>

namespace ductile {
namespace {

constexpr std::size_t kSkinGrain = 1024;

bool moves_alike(const Transform& a, const Transform& b) {
    return a.rotation.coeffs() == b.rotation.coeffs() && a.translation == b.translation;
}

}  // namespace

BoneSkin::BoneSkin(std::span<const Transform> turns, BoneBlend blend) : blend_(blend) {
    for (std::size_t b = 0; b < turns.size(); ++b) {
        const Transform& turn = turns[b];
        frames_.push_back({turn.rotation.toRotationMatrix(), turn.translation});
        const Quat move(0.0, turn.translation.x(), turn.translation.y(), turn.translation.z());
        Dual dual;
        dual << turn.rotation.coeffs(), 0.5 * (move * turn.rotation).coeffs();
        duals_.push_back(dual);
        std::size_t first = 0;
        while (first < b && !moves_alike(turns[first], turn)) ++first;
        alike_.push_back(static_cast<std::int32_t>(first));
    }
}

bool BoneSkin::is_moved_as_one(std::span<const std::int32_t> bones) const {
    for (const std::int32_t bone : bones) {
        if (alike_[bone] != alike_[bones[0]]) return false;
    }
    return true;
}

SkinFrame BoneSkin::linear(std::span<const std::int32_t> bones,
                           std::span<const double> weights) const {
    const SkinFrame& base = frames_[bones[0]];
    SkinFrame out = base;
    for (std::size_t k = 1; k < bones.size(); ++k) {
        const SkinFrame& other = frames_[bones[k]];
        out.linear += weights[k] * (other.linear - base.linear);
        out.move += weights[k] * (other.move - base.move);
    }
    return out;
}

SkinFrame BoneSkin::screw(std::span<const std::int32_t> bones,
                          std::span<const double> weights) const {
    const Dual& base = duals_[bones[0]];
    Dual sum = base;
    for (std::size_t k = 1; k < bones.size(); ++k) {
        const Dual& other = duals_[bones[k]];
        // A turn has two quaternions: the one nearer to the first bone's.
        const double sign = other.head<4>().dot(base.head<4>()) < 0 ? -1.0 : 1.0;
        sum += weights[k] * (sign * other - base);
    }
    const double length = sum.head<4>().norm();
    if (!(length > 1e-9)) return linear(bones, weights);  // turns that cancel: no screw is between
    sum /= length;
    const Quat turn(sum[3], sum[0], sum[1], sum[2]), other(sum[7], sum[4], sum[5], sum[6]);
    return {turn.toRotationMatrix(), 2.0 * (other * turn.conjugate()).vec()};
}

SkinFrame BoneSkin::frame(std::span<const std::int32_t> bones,
                          std::span<const double> weights) const {
    if (is_moved_as_one(bones)) return frames_[bones[0]];
    return blend_ == BoneBlend::Linear ? linear(bones, weights) : screw(bones, weights);
}

void BoneSkin::frames(const SkinWeights& weights, std::span<SkinFrame> out) const {
    DUCTILE_ASSERT(out.size() == weights.size(), "a frame per point");
    parallel_for(out.size(), kSkinGrain, [&](std::size_t i) {
        out[i] = frame(weights.handles_of(i), weights.weights_of(i));
    });
}

void BoneSkin::points(const SkinWeights& weights, std::span<const Vec3> points,
                      std::span<Vec3> out) const {
    DUCTILE_ASSERT(points.size() == weights.size() && out.size() == points.size(), "a row each");
    parallel_for(out.size(), kSkinGrain, [&](std::size_t i) {
        out[i] = frame(weights.handles_of(i), weights.weights_of(i)).point(points[i]);
    });
}

}  // namespace ductile
