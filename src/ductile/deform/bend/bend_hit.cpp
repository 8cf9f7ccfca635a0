// SPDX-License-Identifier: MIT
#include <ductile/core/directions.h>
#include <ductile/deform/bend/bend_hit.h>
#include <ductile/deform/body_shape.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A longer bend reaches more of the body, which may be wider there: looked at again so often.
constexpr int kLengthRounds = 16;

double along(const BendHit& hit, const Vec3& rest) {
    return hit.along_b.dot(rest - hit.position_b);
}

}  // namespace

Status check_bend(BendHit& hit) {
    if (!make_unit(hit.along_b)) return Error{"the direction has no length", "/along", ""};
    if (!make_unit_across(hit.axis_b, hit.along_b)) {
        return Error{"a bend's axis must not lie along the body", "/axis", ""};
    }
    return {};
}

SkinFrame bend_frame(const BendHit& hit, const Vec3& rest, double amount) {
    const double s = along(hit, rest);
    if (!(s > 0) || !(amount > 0)) return {};
    const double angle = amount * hit.angle_deg * (kPi / 180.0);
    const double on_arc = std::min(s, hit.length);
    const double turn = angle * (on_arc / hit.length);
    // End of an arc of this length and turn: sin(t) / t and (1 - cos(t)) / t of it, which keep
    // their digits for small turns when written by the half turn.
    const double half = 0.5 * turn;
    const double sinc = std::abs(half) > 1e-12 ? std::sin(half) / half : 1.0;
    const Vec3 side = hit.axis_b.cross(hit.along_b);
    const Vec3 end = on_arc * sinc * (std::cos(half) * hit.along_b + std::sin(half) * side);
    SkinFrame frame;
    frame.linear = Eigen::AngleAxisd(turn, hit.axis_b).toRotationMatrix();
    frame.move = hit.position_b + end - frame.linear * (hit.position_b + on_arc * hit.along_b);
    return frame;
}

double foldless_length(const BendHit& hit, std::span<const Vec3> rest) {
    const double angle = std::abs(hit.angle_deg) * (kPi / 180.0);
    const Vec3 inward = (hit.angle_deg < 0 ? -1.0 : 1.0) * hit.axis_b.cross(hit.along_b);
    double length = hit.length;
    for (int round = 0; round < kLengthRounds; ++round) {
        double inner = 0.0;
        for (const Vec3& p : rest) {
            const double s = along(hit, p);
            if (s > 0 && s < length) inner = std::max(inner, inward.dot(p - hit.position_b));
        }
        if (!(angle * inner > length)) break;
        length = angle * inner;
    }
    return length;
}

void RecordKind<BendHit>::guard(BendHit& hit, const SurfaceQuery&, const BodyShape& shape) {
    hit.length = foldless_length(hit, shape.rest());
}

RecordReach RecordKind<BendHit>::reach(const BendHit& hit) {
    return [along = hit.along_b, from = hit.along_b.dot(hit.position_b)](const Box& box) {
        const Vec3 corner = (along.array() > 0).select(box.upper, box.lower);
        // A little before the plane, for rounding.
        return along.dot(corner) - from > -1e-9 * (1.0 + std::abs(from));
    };
}

void RecordKind<BendHit>::apply(const BendHit& hit, const RecordPoints& at, double amount,
                                std::span<SkinFrame> frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (!(along(hit, at.rest[i]) > 0)) continue;
        frames[i] = frames[i] * bend_frame(hit, at.rest[i], amount);
    }
}

}  // namespace ductile
