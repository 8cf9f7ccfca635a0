// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/geom/cut/cut_cells.h>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

template <class Scalar>
class SparseCholesky;

/// What holds pieces together.
struct GlueOptions {
    double youngs_modulus = 30e9;    ///< Of the matter, which the glue's stiffness comes from [Pa].
    double strength = 3e6;           ///< Tension or shear at which glue fails [Pa], > 0.
    double fracture_energy = 100.0;  ///< That a broken face takes [J/m^2], >= 0.
    double impact_time =
        1e-3;  ///< Over which an impact pushes: its force is its impulse over this [s].
    /// Share of the force that goes on to the neighbours of what was knocked out, in [0, 1].
    double handed_on = 0.0;
    /// The way of fibres, of any length; 0: there are none.
    Vec3 grain = Vec3::Zero();
    /// How many times stronger a face is whose fibres must be torn than one along which they part.
    double along_grain = 1.0;
};

/// By how much a face is stronger than one along the grain (Hankinson 1921): `along_grain` where
/// its normal runs with the fibres, 1 where it is square to them.
double grain_factor(const GlueOptions& options, const Vec3& normal);

template <class Visitor>
void visit_fields(GlueOptions& o, Visitor&& field) {
    field(Field{"youngs_modulus", "Pa", 1e3, 2e12, "how stiff the matter is"}, o.youngs_modulus);
    field(Field{"strength", "Pa", 1.0, 1e12, "tension or shear at which it breaks"}, o.strength);
    field(Field{"fracture_energy", "J/m^2", 0.0, 1e9, "what a broken face takes"},
          o.fracture_energy);
    field(Field{"impact_time", "s", 1e-6, 1.0, "over which an impact pushes"}, o.impact_time);
    field(Field{"handed_on", "", 0.0, 1.0,
                "share of the force on the neighbours of what was knocked out"},
          o.handed_on);
    field(Field{"grain", "", -1e6, 1e6, "the way of fibres; 0, 0, 0: there are none"}, o.grain);
    field(Field{"along_grain", "", 1e-3, 1e3,
                "how many times stronger it is where fibres must be torn"},
          o.along_grain);
}

/// A rigid piece.
struct GluePiece {
    double mass = 1.0;                ///< [kg], > 0.
    Vec3 centre = Vec3::Zero();       ///< [m]
    Mat3 inertia = Mat3::Identity();  ///< About its centre [kg m^2].
    bool is_held = false;             ///< By what it is fixed to.
};

/// An impact on one piece.
struct GlueImpact {
    std::int32_t piece = 0;
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 impulse = Vec3::Zero();  ///< On the piece [N s].
    double energy = 0.0;          ///< That it has for breaking [J].
};

/// What an impact breaks.
struct GlueBreak {
    std::vector<std::int32_t> broken;  ///< Joints, in the order in which they gave way.
    std::vector<std::int32_t> group;   ///< Per piece: numbered by the lowest piece of each.
    std::int32_t groups = 0;
    double area = 0.0;    ///< Broken [m^2].
    double energy = 0.0;  ///< Taken for it: area times fracture energy [J].
    double worst = 0.0;   ///< Stress over strength before anything broke.
    std::int32_t solves = 0;
};

/// Answers impacts on glued pieces: which glue gives way.
///
/// One quasi-static solve: pieces are rigid, faces between them are springs, and the impact's
/// force, minus each piece's share of the rigid acceleration that it gives to what hangs together,
/// must be carried by them. The glue that is most above its strength breaks, with all that is
/// within a tenth of it, if the impact's energy pays for the area; then it is solved again for what
/// still hangs at the struck piece. What came off dragged at its neighbours until then: a share of
/// the force goes on to them, spread by the area that they held it with, and from them to theirs,
/// until nothing more breaks.
class GlueSolver {
public:
    /// Keeps a factor of the whole, glued. Error: no pieces; joints of pieces that are not there;
    /// masses, areas or options that cannot be.
    static Result<GlueSolver> make(std::vector<GluePiece> pieces, std::vector<CutJoint> joints,
                                   const GlueOptions& options);

    std::span<const GluePiece> pieces() const { return pieces_; }
    std::span<const CutJoint> joints() const { return joints_; }

    /// `is_broken`: per joint, what broke before; empty: nothing. Same input, same bits. What is
    /// not finite breaks nothing.
    GlueBreak answer(const GlueImpact& impact, std::span<const std::uint8_t> is_broken = {}) const;

    /// Per piece, what it hangs together with: numbered by the lowest piece of each group.
    std::vector<std::int32_t> groups_of(std::span<const std::uint8_t> is_broken,
                                        std::int32_t& count) const;

    /// Stress over strength of every joint under the impact, nothing being broken.
    std::vector<double> stresses(const GlueImpact& impact) const;

private:
    using Factor = SparseCholesky<double>;  ///< Per piece six numbers: move, turn times `length_`.
    class Remains;
    struct Spring {
        Mat3 stiffness = Mat3::Zero();     ///< Force per move [N/m].
        Mat3 turning = Mat3::Zero();       ///< Moment per turn [N m].
        double across = 0.0, along = 0.0;  ///< Stress per move across and along the face [Pa/m].
        double strength = 1.0;             ///< [Pa]
    };
    struct Relative {
        Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
    };
    struct Push {
        std::int32_t piece = 0;
        Vec3 point = Vec3::Zero();  ///< [m]
        Vec3 force = Vec3::Zero();  ///< [N]
    };

    GlueSolver() = default;
    Spring spring_of(const CutJoint& joint, const GlueOptions& options) const;
    Eigen::Matrix<double, 6, 6> lever(const CutJoint& joint, int side) const;
    Eigen::Matrix<double, 6, 6> stiffness(std::size_t joint) const;
    void find_structure();
    Result<std::shared_ptr<const Factor>> factor(std::span<const std::uint8_t> is_broken) const;
    Relative relative(std::size_t joint, const Eigen::VectorXd& motion) const;
    double stress(std::size_t joint, const Eigen::VectorXd& motion) const;
    void push(std::size_t joint, const Relative& by, Eigen::VectorXd& force) const;
    Eigen::VectorXd pushed(const Eigen::VectorXd& motion, std::span<const std::int32_t> live) const;
    Eigen::VectorXd load(std::span<const Push> pushes, std::span<const std::int32_t> group) const;
    void relieve(std::span<const Push> pushes, std::span<const std::int32_t> group,
                 std::int32_t struck, Eigen::VectorXd& force) const;
    std::vector<Push> handed_on(std::span<const Push> pushes, std::span<const std::int32_t> group,
                                std::span<const std::int32_t> broken) const;
    std::vector<std::int32_t> overloaded(std::span<const Push> pushes,
                                         std::span<const std::int32_t> group,
                                         std::span<const std::uint8_t> broken,
                                         const Remains& remains, Eigen::VectorXd& motion,
                                         double& worst) const;
    void solve(const Eigen::VectorXd& force, std::span<const std::int32_t> live,
               const Remains& remains, Eigen::VectorXd& motion) const;

    std::vector<GluePiece> pieces_;
    std::vector<CutJoint> joints_;
    std::vector<Spring> springs_;
    GlueOptions options_;
    double length_ = 1.0;           ///< Typical of a piece [m].
    double held_stiffness_ = 0.0;   ///< Of what holds a piece, per number [N/m].
    double loose_stiffness_ = 0.0;  ///< Of every piece, so that the whole is determined [N/m].
    struct Structure;               ///< Which numbers of which pieces meet.
    std::shared_ptr<const Structure> structure_;
    std::shared_ptr<const Factor> factor_;  ///< Of the whole.
};

}  // namespace ductile
