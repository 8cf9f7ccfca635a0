// SPDX-License-Identifier: MIT
// Quasi-static breaking of prescored bodies (after Su, Schroeder and Fedkiw 2009 and Mueller et al.
// 2001): what the rigid acceleration does not take has to be carried by the faces. Solves are by
// conjugate gradients, with a factor as preconditioner, that of the whole first. A broken face
// changes the matrix by rank 6, which Woodbury's formula makes up for, so that one or two steps are
// needed; after some faces the factor is made anew.
#include <ductile/core/joined_sets.h>
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/geom/solve/sparse_cholesky.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

namespace ductile {
namespace {

// Glue this near to the worst breaks with it: what is alike breaks alike.
constexpr double kWithTheWorst = 0.9;
constexpr double kResidual = 1e-10;
constexpr int kMostGlueSteps = 200;
// A factor serves while so many faces at most have broken since it was made.
constexpr std::size_t kStaleFaces = 8;
// What is cut off moves as freely as what is loose: no share of a mode is taken to be less.
constexpr double kLeastLeft = 1e-12;

}  // namespace

/// What is left of some glue of which there is a factor, after more of it broke: very nearly the
/// inverse of its matrix.
///
/// Of joints whose springs are B^T B of the matrix K, the inverse without them is
/// K^-1 + Z (1 - B Z)^-1 B K^-1, with Z = K^-1 B^T (Woodbury 1950).
class GlueSolver::Remains {
public:
    Remains(const GlueSolver& solver, std::shared_ptr<const Factor> factor)
        : solver_(&solver), factor_(std::move(factor)) {}

    std::size_t broken_since() const { return joints_.size(); }

    void take_out(std::span<const std::int32_t> joints) {
        if (joints.empty()) return;
        const auto old = kNumbers * std::ssize(joints_), more = kNumbers * std::ssize(joints);
        const auto count = kNumbers * std::ssize(solver_->pieces_);
        joints_.insert(joints_.end(), joints.begin(), joints.end());
        Eigen::MatrixXd pulled = Eigen::MatrixXd::Zero(count, more);
        for (std::ptrdiff_t k = 0; k < std::ssize(joints); ++k) {
            const CutJoint& joint = solver_->joints_[joints[k]];
            const Eigen::Matrix<double, 6, 6> root = solver_->stiffness(joints[k]).llt().matrixL();
            for (int s = 0; s < 2; ++s) {
                parts_.push_back(root.transpose() * solver_->lever(joint, s));
                pulled.block<kNumbers, kNumbers>(kNumbers * joint.pieces[s], kNumbers * k) =
                    parts_.back().transpose();
            }
        }
        factor_->solve(pulled);
        moved_.conservativeResize(count, old + more);
        moved_.rightCols(more) = pulled;
        Eigen::MatrixXd left = Eigen::MatrixXd::Identity(old + more, old + more);
        for (std::ptrdiff_t k = 0; k < old + more; ++k) left.col(k) -= felt(moved_.col(k));
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(left);
        const Eigen::VectorXd share = modes.eigenvalues().cwiseMax(kLeastLeft).cwiseInverse();
        inverse_ = modes.eigenvectors() * share.asDiagonal() * modes.eigenvectors().transpose();
    }

    Eigen::VectorXd solve(const Eigen::VectorXd& force) const {
        Eigen::MatrixXd motion = force;
        factor_->solve(motion);
        if (!joints_.empty()) motion.col(0) += moved_ * (inverse_ * felt(motion.col(0)));
        return motion.col(0);
    }

private:
    static constexpr std::ptrdiff_t kNumbers = 6;  ///< Of a piece, and of a joint.

    // What the joints that were taken out would feel.
    Eigen::VectorXd felt(const Eigen::Ref<const Eigen::VectorXd>& motion) const {
        Eigen::VectorXd out = Eigen::VectorXd::Zero(kNumbers * std::ssize(joints_));
        for (std::ptrdiff_t k = 0; k < std::ssize(joints_); ++k) {
            for (int s = 0; s < 2; ++s) {
                const auto piece = solver_->joints_[joints_[k]].pieces[s];
                out.segment<kNumbers>(kNumbers * k) +=
                    parts_[2 * k + s] * motion.segment<kNumbers>(kNumbers * piece);
            }
        }
        return out;
    }

    const GlueSolver* solver_;
    std::shared_ptr<const Factor> factor_;
    std::vector<std::int32_t> joints_;
    std::vector<Eigen::Matrix<double, 6, 6>> parts_;  ///< Of B, by joint and side.
    Eigen::MatrixXd moved_;                           ///< Z.
    Eigen::MatrixXd inverse_;                         ///< Of 1 - B Z.
};

GlueSolver::Relative GlueSolver::relative(std::size_t joint, const Eigen::VectorXd& motion) const {
    Relative r;
    for (int s = 0; s < 2; ++s) {
        const double sign = s == 0 ? -1.0 : 1.0;
        const std::int32_t p = joints_[joint].pieces[s];
        const Vec3 turn = motion.segment<3>(6 * p + 3) / length_;
        r.move += sign * (motion.segment<3>(6 * p) +
                          turn.cross(joints_[joint].centre - pieces_[p].centre));
        r.turn += sign * turn;
    }
    return r;
}

void GlueSolver::push(std::size_t joint, const Relative& by, Eigen::VectorXd& force) const {
    const Vec3 f = springs_[joint].stiffness * by.move, m = springs_[joint].turning * by.turn;
    for (int s = 0; s < 2; ++s) {
        const double sign = s == 0 ? -1.0 : 1.0;
        const std::int32_t p = joints_[joint].pieces[s];
        const Vec3 arm = joints_[joint].centre - pieces_[p].centre;
        force.segment<3>(6 * p) += sign * f;
        force.segment<3>(6 * p + 3) += sign * (m + arm.cross(f)) / length_;
    }
}

Eigen::VectorXd GlueSolver::pushed(const Eigen::VectorXd& motion,
                                   std::span<const std::int32_t> live) const {
    Eigen::VectorXd force = loose_stiffness_ * motion;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (pieces_[p].is_held)
            force.segment<6>(6 * p) += held_stiffness_ * motion.segment<6>(6 * p);
    }
    for (const std::int32_t j : live) push(j, relative(j, motion), force);
    return force;
}

// The largest tension and shear anywhere on the face, over what it stands. Half-widths of the face
// are those of a rectangle with its moments.
double GlueSolver::stress(std::size_t joint, const Eigen::VectorXd& motion) const {
    const Relative r = relative(joint, motion);
    const CutJoint& j = joints_[joint];
    const Vec3 tilt = j.normal.cross(r.turn);
    const double bend = std::sqrt(std::max(0.0, 3.0 * tilt.dot(j.second_moment * tilt) / j.area));
    const double open = j.normal.dot(r.move);
    const double tension = springs_[joint].across * (open + bend);
    const double slide = (r.move - open * j.normal).norm();
    const double twist = std::abs(j.normal.dot(r.turn)) *
                         std::sqrt(std::max(0.0, 3.0 * j.second_moment.trace() / j.area));
    const double shear = springs_[joint].along * (slide + twist);
    const double pull = std::max(0.0, tension);
    return std::sqrt(pull * pull + shear * shear) / springs_[joint].strength;
}

// The impact, less what the rigid acceleration of what hangs at the struck piece takes.
Eigen::VectorXd GlueSolver::load(std::span<const Push> pushes,
                                 std::span<const std::int32_t> group) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(pieces_.size()));
    std::vector<std::int32_t> struck;
    for (const Push& push : pushes) {
        out.segment<3>(6 * push.piece) += push.force;
        out.segment<3>(6 * push.piece + 3) +=
            (push.point - pieces_[push.piece].centre).cross(push.force) / length_;
        struck.push_back(group[push.piece]);
    }
    std::sort(struck.begin(), struck.end());
    struck.erase(std::unique(struck.begin(), struck.end()), struck.end());
    for (const std::int32_t g : struck) relieve(pushes, group, g, out);
    return out;
}

// Takes each piece's share of the rigid acceleration off; what is held does not accelerate.
void GlueSolver::relieve(std::span<const Push> pushes, std::span<const std::int32_t> group,
                         std::int32_t struck, Eigen::VectorXd& out) const {
    double mass = 0.0;
    Vec3 centre = Vec3::Zero();
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (group[p] != struck) continue;
        if (pieces_[p].is_held) return;
        mass += pieces_[p].mass;
        centre += pieces_[p].mass * pieces_[p].centre;
    }
    centre /= mass;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (const Push& push : pushes) {
        if (group[push.piece] != struck) continue;
        force += push.force;
        moment += (push.point - centre).cross(push.force);
    }
    Mat3 inertia = Mat3::Zero();
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (group[p] != struck) continue;
        const Vec3 arm = pieces_[p].centre - centre;
        inertia += pieces_[p].inertia +
                   pieces_[p].mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    }
    const Vec3 spin = inertia.ldlt().solve(moment);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (group[p] != struck) continue;
        const Vec3 arm = pieces_[p].centre - centre;
        out.segment<3>(6 * p) -= pieces_[p].mass * (force / mass + spin.cross(arm));
        out.segment<3>(6 * p + 3) -= pieces_[p].inertia * spin / length_;
    }
}

// Across the joints that broke between what is pushed and what is not.
std::vector<GlueSolver::Push> GlueSolver::handed_on(std::span<const Push> pushes,
                                                    std::span<const std::int32_t> group,
                                                    std::span<const std::int32_t> broken) const {
    Vec3 force = Vec3::Zero();
    std::vector<std::uint8_t> is_pushed(pieces_.size(), 0);
    for (const Push& push : pushes) {
        force += push.force;
        is_pushed[group[push.piece]] = 1;
    }
    std::vector<Push> out;
    double area = 0.0;
    for (const std::int32_t j : broken) {
        const auto& [a, b] = joints_[j].pieces;
        const bool from_a = is_pushed[group[a]] != 0;
        if (from_a == (is_pushed[group[b]] != 0)) continue;
        out.push_back({from_a ? b : a, joints_[j].centre, joints_[j].area * force});
        area += joints_[j].area;
    }
    for (Push& push : out) push.force *= options_.handed_on / area;
    return out;
}

void GlueSolver::solve(const Eigen::VectorXd& force, std::span<const std::int32_t> live,
                       const Remains& remains, Eigen::VectorXd& motion) const {
    Eigen::VectorXd residual = force - pushed(motion, live);
    const double enough = kResidual * force.norm();
    Eigen::VectorXd better = remains.solve(residual), way = better;
    double height = residual.dot(better);
    for (int step = 0; step < kMostGlueSteps && residual.norm() > enough && height > 0; ++step) {
        const Eigen::VectorXd along = pushed(way, live);
        const double curve = way.dot(along);
        if (!(curve > 0)) break;
        const double far = height / curve;
        motion += far * way;
        residual -= far * along;
        better = remains.solve(residual);
        const double next = residual.dot(better);
        way = better + next / height * way;
        height = next;
    }
}

std::vector<std::int32_t> GlueSolver::groups_of(std::span<const std::uint8_t> is_broken,
                                                std::int32_t& count) const {
    JoinedSets sets(pieces_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (!is_broken[j]) sets.join(joints_[j].pieces[0], joints_[j].pieces[1]);
    }
    SetNumbers groups = numbered(sets);
    count = groups.count;
    return std::move(groups.number);
}

std::vector<double> GlueSolver::stresses(const GlueImpact& impact) const {
    std::vector<std::int32_t> live(joints_.size());
    std::iota(live.begin(), live.end(), 0);
    std::int32_t count = 0;
    const std::vector<std::uint8_t> none(joints_.size(), 0);
    const std::vector<std::int32_t> group = groups_of(none, count);
    Eigen::VectorXd motion = Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(pieces_.size()));
    const Push push{impact.piece, impact.point, impact.impulse / options_.impact_time};
    solve(load(std::span(&push, 1), group), live, Remains(*this, factor_), motion);
    std::vector<double> out;
    for (std::size_t j = 0; j < joints_.size(); ++j) out.push_back(stress(j, motion));
    return out;
}

GlueBreak GlueSolver::answer(const GlueImpact& impact,
                             std::span<const std::uint8_t> is_broken) const {
    GlueBreak out;
    std::vector<std::uint8_t> broken(joints_.size(), 0);
    if (!is_broken.empty()) broken.assign(is_broken.begin(), is_broken.end());
    out.group = groups_of(broken, out.groups);
    const bool makes_sense = is_finite(impact.impulse) && is_finite(impact.point) &&
                             impact.energy > 0 && impact.piece >= 0 &&
                             impact.piece < static_cast<std::int32_t>(pieces_.size());
    if (!makes_sense || impact.impulse == Vec3::Zero()) return out;
    std::vector<Push> pushes = {
        {impact.piece, impact.point, impact.impulse / options_.impact_time}};
    Eigen::VectorXd motion = Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(pieces_.size()));
    Remains remains(*this, factor_);
    std::vector<std::int32_t> failing;  // what broke since the last solve
    for (std::size_t j = 0; j < broken.size(); ++j) {
        if (broken[j]) failing.push_back(static_cast<std::int32_t>(j));
    }
    std::size_t first_new = 0;  // of what broke, under the present pushes
    for (;;) {
        if (remains.broken_since() + failing.size() > kStaleFaces) {
            auto anew = factor(broken);
            if (!anew) break;
            remains = Remains(*this, std::move(anew.value()));
        } else {
            remains.take_out(failing);
        }
        double worst = 0.0;
        failing = overloaded(pushes, out.group, broken, remains, motion, worst);
        if (++out.solves == 1) out.worst = worst;
        if (failing.empty()) {
            if (!(options_.handed_on > 0) || out.broken.size() == first_new) break;
            pushes = handed_on(pushes, out.group, std::span(out.broken).subspan(first_new));
            if (pushes.empty()) break;
            first_new = out.broken.size();
            continue;
        }
        double area = 0.0;
        for (const std::int32_t j : failing) area += joints_[j].area;
        if (options_.fracture_energy * (out.area + area) > impact.energy) break;
        out.area += area;
        out.energy = options_.fracture_energy * out.area;
        for (const std::int32_t j : failing) broken[j] = 1;
        out.broken.insert(out.broken.end(), failing.begin(), failing.end());
        out.group = groups_of(broken, out.groups);
    }
    return out;
}

// The glue that gives way next: all that is over its strength and near the worst.
std::vector<std::int32_t> GlueSolver::overloaded(std::span<const Push> pushes,
                                                 std::span<const std::int32_t> group,
                                                 std::span<const std::uint8_t> broken,
                                                 const Remains& remains, Eigen::VectorXd& motion,
                                                 double& worst) const {
    std::vector<std::int32_t> live;
    std::vector<std::uint8_t> is_pushed(pieces_.size(), 0);
    for (const Push& push : pushes) is_pushed[group[push.piece]] = 1;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (!broken[j]) live.push_back(static_cast<std::int32_t>(j));
    }
    solve(load(pushes, group), live, remains, motion);
    std::vector<std::pair<double, std::int32_t>> loaded;
    for (const std::int32_t j : live) {
        if (!is_pushed[group[joints_[j].pieces[0]]]) continue;
        loaded.emplace_back(stress(j, motion), j);
        worst = std::max(worst, loaded.back().first);
    }
    std::vector<std::int32_t> failing;
    for (const auto& [stress, joint] : loaded) {
        if (stress > 1.0 && !(stress < kWithTheWorst * worst)) failing.push_back(joint);
    }
    return failing;
}

}  // namespace ductile
