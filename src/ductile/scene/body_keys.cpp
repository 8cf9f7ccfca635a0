// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/scene/body_keys.h>

#include <array>
#include <cmath>
#include <vector>

namespace ductile {
namespace {

// Position, then rotation: what is interpolated, each number for itself.
using KeyNumbers = std::array<double, 7>;

KeyNumbers numbers_of(const BodyKey& key, const Quat& rotation) {
    return {key.position.x(), key.position.y(), key.position.z(), rotation.x(),
            rotation.y(),     rotation.z(),     rotation.w()};
}

// Fritsch and Butland 1984: the harmonic mean of the slopes on both sides, none where they differ
// in sign. The cubic then runs within its two ends.
double monotone_slope(double before, double after) {
    return before * after > 0 ? 2.0 * before * after / (before + after) : 0.0;
}

}  // namespace

Transform pose_at(std::span<const BodyKey> keys, double time) {
    DUCTILE_ASSERT(!keys.empty(), "a way has a place");
    const auto rest = [](const BodyKey& key) {
        return Transform{key.rotation.normalized(), key.position};
    };
    if (time <= keys.front().time) return rest(keys.front());
    if (time >= keys.back().time) return rest(keys.back());
    std::size_t at = 0;
    while (keys[at + 1].time <= time) ++at;
    // Four keys at most have a say; each rotation in the hemisphere of the one before.
    const std::size_t first = at > 0 ? at - 1 : 0;
    const std::size_t last = std::min(at + 2, keys.size() - 1);
    std::vector<KeyNumbers> numbers;
    Quat turn = keys[first].rotation.normalized();
    for (std::size_t i = first; i <= last; ++i) {
        Quat next = keys[i].rotation.normalized();
        if (next.dot(turn) < 0) next.coeffs() = -next.coeffs();
        turn = next;
        numbers.push_back(numbers_of(keys[i], turn));
    }
    const double span = keys[at + 1].time - keys[at].time;
    const double t = (time - keys[at].time) / span, t2 = t * t, t3 = t2 * t;
    KeyNumbers out;
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto value = [&](std::size_t i) { return numbers[i - first][k]; };
        const auto rise = [&](std::size_t i) {
            return (value(i + 1) - value(i)) / (keys[i + 1].time - keys[i].time);
        };
        const double from = at > 0 ? monotone_slope(rise(at - 1), rise(at)) : 0.0;
        const double to = at + 2 < keys.size() ? monotone_slope(rise(at), rise(at + 1)) : 0.0;
        out[k] = (2 * t3 - 3 * t2 + 1) * value(at) + (3 * t2 - 2 * t3) * value(at + 1) +
                 (t3 - 2 * t2 + t) * span * from + (t3 - t2) * span * to;
    }
    Quat rotation(out[6], out[3], out[4], out[5]);
    rotation.normalize();
    return {rotation, {out[0], out[1], out[2]}};
}

Transform keyed_pose(std::span<const BodyKey> keys, const Vec3& start_w, const Transform& pose_w,
                     double time) {
    const Vec3 centre_b = pose_w.inverse_point(start_w);
    const Vec3 shift_w = start_w - pose_at(keys, 0.0).translation;
    Transform pose = pose_at(keys, time);
    pose.translation += shift_w - pose.rotation * centre_b;
    return pose;
}

}  // namespace ductile
