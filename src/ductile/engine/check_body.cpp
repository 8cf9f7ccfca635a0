// SPDX-License-Identifier: MIT
#include <ductile/engine/engine.h>

#include <algorithm>

namespace ductile {

namespace {

const char* problem(const SphereCollider& c, Motion) {
    return std::isfinite(c.radius) && c.radius > 0 ? nullptr : "a sphere's radius is not above 0";
}
const char* problem(const BoxCollider& c, Motion) {
    return c.size.allFinite() && c.size.minCoeff() > 0 ? nullptr : "a box's size is not above 0";
}
const char* problem(const CapsuleCollider& c, Motion) {
    if (!(std::isfinite(c.radius) && c.radius > 0)) return "a capsule's radius is not above 0";
    return std::isfinite(c.length) && c.length >= 0 ? nullptr : "a capsule's length is below 0";
}
const char* problem(const HalfSpaceCollider&, Motion motion) {
    return motion == Motion::Dynamic ? "a half space cannot be Dynamic" : nullptr;
}
const char* problem(const PieceCollider& c, Motion) {
    if (c.pieces.empty()) return "the collider has no piece";
    if (!std::isfinite(c.margin) || c.margin < 0) return "the collider's margin is below 0";
    std::vector<std::int32_t> ids;
    for (const ColliderPiece& piece : c.pieces) {
        if (piece.points.empty()) return "a collider piece has no points";
        for (const Vec3& p : piece.points) {
            if (!p.allFinite()) return "a collider point is not finite";
        }
        ids.push_back(piece.id);
    }
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) == ids.end() ? nullptr
                                                                   : "two pieces have one id";
}

}  // namespace

Status check_body(const BodyDesc& body) {
    const auto bad = [&](const char* what, const char* hint = "") {
        return Error{what, body.name, hint};
    };
    if (!is_finite(body.pose_w) || !is_finite(body.velocity_w) || !is_finite(body.spin_w)) {
        return bad("the body's pose or velocity is not finite");
    }
    if (std::abs(body.pose_w.rotation.norm() - 1.0) > 1e-6) {
        return bad("the body's rotation is not of unit length", "normalise the quaternion");
    }
    if (!std::isfinite(body.friction) || body.friction < 0) return bad("friction is below 0");
    if (!(body.restitution >= 0 && body.restitution <= 1)) {
        return bad("restitution is not in [0, 1]");
    }
    const char* what =
        std::visit([&](const auto& c) { return problem(c, body.motion); }, body.collider);
    if (what != nullptr) return bad(what);
    if (body.motion == Motion::Dynamic) {
        if (Status status = check_mass(body.mass); !status) {
            return Error{status.error().what, body.name, status.error().hint};
        }
    }
    return {};
}

}  // namespace ductile
