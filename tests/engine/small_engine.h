// SPDX-License-Identifier: MIT
// The engine of docs/engine-port.md: bodies fall on the floor y = 0 and do not turn.
#pragma once

#include <ductile/engine/check_body.h>
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
        marks_ = {};
        batch_ = {.time = batch_.time + dt, .dt = dt, .bodies = {{.id = BodyId{0}}}};  // the floor
        for (auto& [id, b] : bodies_) {
            if (b.motion == Motion::Dynamic) advance(id, b, dt);
        }
    }
    std::span<const ContactBatch> batches() const override { return {&batch_, 1}; }
    const EnergyMarks& energy() const override { return marks_; }

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
        std::map<std::int32_t, ColliderPiece> pieces;
        for (ColliderPiece& p : this->pieces(id)) pieces[p.id] = std::move(p);
        for (const std::int32_t gone : change.removed) pieces.erase(gone);
        for (const auto& list : {change.moved, change.added}) {
            for (const ColliderPiece& p : list) pieces[p.id] = p;
        }
        this->pieces(id).clear();
        for (auto& [key, p] : pieces) this->pieces(id).push_back(std::move(p));
        if (change.mass != nullptr) bodies_.at(id).mass = *change.mass;
        return 0.0;  // nothing turns, so no energy is added
    }

    // What it does not have: joints, sight ahead, questions about its shapes.
    Result<JointId> add_joint(const JointDesc&) override { return Error{"no joints here", "", ""}; }
    void remove_joint(JointId) override {}
    JointState joint(JointId) const override { return {}; }
    std::vector<Approach> predicted_approaches(double, double) const override { return {}; }
    Nearest closest_point(BodyId, const Vec3&, double) const override {
        return {.distance = std::numeric_limits<double>::infinity()};
    }
    Vec3 velocity_at(BodyId id, const Vec3&) const override { return bodies_.at(id).velocity_w; }
    void apply_impulse(BodyId id, const Vec3& impulse, const Vec3&) override {
        bodies_.at(id).velocity_w += impulse / bodies_.at(id).mass.mass;
    }

private:
    std::map<BodyId, BodyDesc> bodies_;  // the first is the floor
    ContactBatch batch_;
    EnergyMarks marks_;
    std::int32_t next_ = 0;

    std::vector<ColliderPiece>& pieces(BodyId id) {
        return std::get<PieceCollider>(bodies_.at(id).collider).pieces;
    }
    static double kinetic(const BodyDesc& b) {
        return 0.5 * b.mass.mass * b.velocity_w.squaredNorm();
    }

    void advance(BodyId id, BodyDesc& b, double dt) {
        const double before = kinetic(b);
        b.velocity_w.y() -= 9.81 * dt;
        const double free = kinetic(b);
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
            const auto at = static_cast<std::int32_t>(batch_.bodies.size() - 1);
            const double impulse = b.mass.mass * closing * (1.0 + b.restitution);
            batch_.contacts.push_back({0, at, Vec3(low.x(), 0, low.z()), low, Vec3::UnitY(),
                                       low.y(), impulse, Vec3::Zero(), b.restitution});
            b.velocity_w.y() = b.restitution * closing;
        }
        b.pose_w.translation += dt * b.velocity_w;
        marks_.before += before;
        marks_.forces += free - before;
        marks_.contacts += kinetic(b) - free;
        marks_.after += kinetic(b);
    }
};

}  // namespace ductile
