// SPDX-License-Identifier: MIT
// The engine of docs/engine-port.md: bodies fall on the floor y = 0 and do not turn.
#pragma once

#include <ductile/engine/engine.h>

#include <map>

namespace ductile {

class SmallEngine final : public Engine {
public:
    Result<BodyId> add(const BodyDesc& d) override {
        if (Status status = check_body(d); !status) return status.error();
        return bodies_.emplace(BodyId{next_++}, d).first->first;
    }
    void remove(BodyId id) override { bodies_.erase(id); }
    bool has(BodyId id) const override { return bodies_.contains(id); }

    void step(double dt) override {
        batch_ = {.time = batch_.time + dt, .dt = dt, .bodies = {{.id = BodyId{0}}}};  // the floor
        for (auto& [id, b] : bodies_) {
            if (b.motion == Motion::Dynamic) advance(id, b, dt);
        }
    }
    std::span<const ContactBatch> batches() const override { return {&batch_, 1}; }

    BodyMotion motion(BodyId id) const override {
        const BodyDesc& b = bodies_.at(id);
        return {b.pose_w, b.pose_w.point(b.mass.centre_b), b.velocity_w};
    }
    MassProperties mass(BodyId id) const override { return bodies_.at(id).mass; }
    void set_motion(BodyId id, const Transform& pose, const Vec3& v, const Vec3&) override {
        bodies_.at(id).pose_w = pose;
        bodies_.at(id).velocity_w = v;
    }
    void set_restitution(BodyId id, double e) override { bodies_.at(id).restitution = e; }
    Result<double> reshape(BodyId id, const Reshape& change) override {
        if (Status status = reshape_pieces(pieces(id), change); !status) return status.error();
        if (change.mass != nullptr) bodies_.at(id).mass = *change.mass;
        return 0.0;  // nothing turns, so no energy is added
    }

private:
    std::map<BodyId, BodyDesc> bodies_;  // the first is the floor
    ContactBatch batch_;
    std::int32_t next_ = 0;

    std::vector<ColliderPiece>& pieces(BodyId id) {
        return std::get<PieceCollider>(bodies_.at(id).collider).pieces;
    }
    void advance(BodyId id, BodyDesc& b, double dt) {
        b.velocity_w.y() -= 9.81 * dt;
        Vec3 low(0, 1e300, 0);
        for (const ColliderPiece& piece : pieces(id)) {
            for (const Vec3& p : piece.points) {
                if (b.pose_w.point(p).y() < low.y()) low = b.pose_w.point(p);
            }
        }
        if (const double closing = -b.velocity_w.y(); low.y() <= 0 && closing > 0) {
            // What the damage is measured by: motions as they were before the solve.
            batch_.bodies.push_back({id, b.pose_w, b.pose_w.point(b.mass.centre_b), b.velocity_w,
                                     Vec3::Zero(), 1.0 / b.mass.mass, Mat3::Zero(),
                                     Vec3(0, -9.81 * dt, 0)});
            const double impulse = b.mass.mass * closing * (1.0 + b.restitution);
            batch_.contacts.push_back({0, std::int32_t(batch_.bodies.size() - 1),
                                       Vec3(low.x(), 0, low.z()), low, Vec3::UnitY(), low.y(),
                                       impulse, Vec3::Zero(), b.restitution});
            b.velocity_w.y() = b.restitution * closing;
        }
        b.pose_w.translation += dt * b.velocity_w;
    }
};

}  // namespace ductile
