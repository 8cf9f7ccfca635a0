// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_engine.h>

#include <memory>

namespace ductile::test {

/// Bullet, but it refuses what it is told to.
class RefusingEngine final : public Engine {
public:
    explicit RefusingEngine(std::unique_ptr<BulletEngine> inner) : inner_(std::move(inner)) {}

    int joints_left = 1'000'000;    ///< Joints that it still takes.
    int reshapes_left = 1'000'000;  ///< Reshapes that it still takes, less those it has refused.
    int bodies_left = 1'000'000;    ///< Bodies that it still takes.
    int reshapes_refused = 0;
    int joint_count = 0;  ///< Joints that are there, but for those that went with a body.

    Result<BodyId> add(const BodyDesc& body) override {
        if (bodies_left-- <= 0) return Error{"no more bodies", "", ""};
        return inner_->add(body);
    }
    void remove(BodyId id) override { inner_->remove(id); }
    bool has(BodyId id) const override { return inner_->has(id); }
    Result<JointId> add_joint(const JointDesc& joint) override {
        if (joints_left-- <= 0) return Error{"no more joints", "", ""};
        ++joint_count;
        return inner_->add_joint(joint);
    }
    void remove_joint(JointId id) override {
        --joint_count;
        inner_->remove_joint(id);
    }
    JointState joint(JointId id) const override { return inner_->joint(id); }
    void step(double dt) override { inner_->step(dt); }
    std::span<const ContactBatch> batches() const override { return inner_->batches(); }
    const EnergyMarks& energy() const override { return inner_->energy(); }
    double energy_rounding() const override { return inner_->energy_rounding(); }
    BodyMotion motion(BodyId id) const override { return inner_->motion(id); }
    MassProperties mass(BodyId id) const override { return inner_->mass(id); }
    void set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                    const Vec3& spin_w) override {
        inner_->set_motion(id, pose_w, velocity_w, spin_w);
    }
    void set_restitution(BodyId id, double e) override { inner_->set_restitution(id, e); }
    Result<double> reshape(BodyId id, const Reshape& change) override {
        if (reshapes_left-- == 0) {
            ++reshapes_refused;
            return Error{"no other shape", "", ""};
        }
        return inner_->reshape(id, change);
    }
    std::vector<Approach> predicted_approaches(double dt, double speed,
                                               std::span<const BodyId> of) const override {
        return inner_->predicted_approaches(dt, speed, of);
    }
    Nearest closest_point(BodyId id, const Vec3& point_w, double reach) const override {
        return inner_->closest_point(id, point_w, reach);
    }
    Vec3 velocity_at(BodyId id, const Vec3& point_w) const override {
        return inner_->velocity_at(id, point_w);
    }
    void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) override {
        inner_->apply_impulse(id, impulse_w, point_w);
    }
    void apply_angular_impulse(BodyId id, const Vec3& impulse_w) override {
        inner_->apply_angular_impulse(id, impulse_w);
    }
    BodyMoment moment(BodyId id) const override { return inner_->moment(id); }
    bool is_asleep(BodyId id) const override { return inner_->is_asleep(id); }

private:
    std::unique_ptr<BulletEngine> inner_;
};

}  // namespace ductile::test
