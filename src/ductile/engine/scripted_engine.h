// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>

#include <map>
#include <vector>

namespace ductile {

/// An engine without physics: bodies fly straight and spin evenly, contacts are those the script
/// names. The double for everything above the port, and the shortest example of an adapter.
///
/// No forces, no shapes beyond their boxes: `closest_point` looks at spheres and at the boxes of
/// everything else. Joints hold nothing.
class ScriptedEngine final : public Engine {
public:
    /// At the first step that ends at or after `time`, body a meets body b with this approach.
    ///
    /// The approach is what the script says, whatever the bodies do: b keeps its motion and a is
    /// given the velocity that makes it so at the point. The ideal impulse, (1 + restitution)
    /// times the approach speed times the effective mass, then changes both. It does nothing if a
    /// body is gone or the velocity does not point along the normal.
    struct Meeting {
        double time = 0.0;  ///< [s]
        BodyId a, b;
        Vec3 point_w = Vec3::Zero();
        Vec3 normal_w = Vec3::UnitY();   ///< Unit, out of a, towards b.
        Vec3 velocity_w = Vec3::Zero();  ///< Of a against b before the solve [m/s].
        double restitution = 0.2;
    };
    void script(const Meeting& meeting);

    Result<BodyId> add(const BodyDesc& body) override;
    void remove(BodyId id) override;
    bool has(BodyId id) const override { return bodies_.contains(id); }
    Result<JointId> add_joint(const JointDesc& joint) override;
    void remove_joint(JointId id) override;
    JointState joint(JointId id) const override;

    void step(double dt) override;
    std::span<const ContactBatch> batches() const override { return batches_; }
    const EnergyMarks& energy() const override { return marks_; }

    BodyMotion motion(BodyId id) const override;
    MassProperties mass(BodyId id) const override { return body(id).mass; }
    void set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                    const Vec3& spin_w) override;
    void set_restitution(BodyId id, double restitution) override;
    double restitution(BodyId id) const { return body(id).desc.restitution; }
    Result<double> reshape(BodyId id, const Reshape& change) override;
    std::vector<Approach> predicted_approaches(double dt, double speed,
                                               std::span<const BodyId> of) const override;

    Nearest closest_point(BodyId id, const Vec3& point_w,
                          double reach = std::numeric_limits<double>::infinity()) const override;
    Vec3 velocity_at(BodyId id, const Vec3& point_w) const override;
    void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) override;

    /// The pieces a body collides with now, by ascending id: what `reshape` made of them.
    std::vector<ColliderPiece> pieces(BodyId id) const;

private:
    struct Body {
        BodyDesc desc;
        MassProperties mass;  ///< Mass 0 for what cannot be moved.
        Transform pose_w;
        Vec3 velocity_w, spin_w;
        std::vector<ColliderPiece> pieces;  ///< By ascending id.

        Vec3 centre_w() const { return pose_w.point(mass.centre_b); }
        Mat3 inertia_w() const;
        BodyMoment moment(BodyId id) const;
        double kinetic() const;
        void push(const Vec3& impulse_w, const Vec3& point_w);
        void fly(double dt);
    };
    std::map<BodyId, Body> bodies_;
    std::map<JointId, JointDesc> joints_;
    std::vector<Meeting> script_;
    std::vector<ContactBatch> batches_;
    EnergyMarks marks_;
    double time_ = 0.0;
    std::int32_t next_body_ = 0, next_joint_ = 0;

    const Body& body(BodyId id) const;
    Body& body(BodyId id);
    double kinetic() const;
    void meet(const Meeting& meeting, ContactBatch& batch);
};

}  // namespace ductile
