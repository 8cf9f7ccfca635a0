// SPDX-License-Identifier: MIT
// Dong, Liu, Ou and Zheng 2011, sections 5 and 6. Where we differ: the springs act between the
// control points that sub-shells share, solved by local/global steps (Bouaziz et al. 2014), since
// sweeps over vertices carry a change a few edges each; a contact pushes by how far the striker has
// come in, which is the impulse of its penalty spring over the spring's stiffness; equation 7 moves
// ends apart without end as printed, so it is read as the limit it stands for.
#include <ductile/core/rotation.h>
#include <ductile/deform/shell/shell_limits.h>
#include <ductile/deform/shell/shell_motion.h>
#include <ductile/deform/shell/shell_reach.h>
#include <ductile/deform/shell/shell_solve.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Stiffness over that of a sub-shell's own form: of what is met against its striker, of ties, and
// of the ground that holds control points where they are, far from the impact.
constexpr double kContactStiffness = 160.0, kTieStiffness = 4.0, kGround = 0.6;
// An impact acts as far as this many times its depth, at least so many sub-shells, and at most this
// share of the sheet's size.
constexpr double kReachPerDepth = 4.0, kLeastReach = 3.0, kReachPerSize = 0.7;
// Parts at the end in which nothing moves in any more: what slid under a striker late is met, too.
constexpr int kEndParts = 2;
// Rounds of equations 4 and 5 in one part; with bare motion there is nothing else.
constexpr int kMeetRounds = 4, kBareRounds = 60, kLimitSweeps = 6;
// A skin faces away from a striker from this cosine on.
constexpr double kFacesAway = 0.3;
// Over which the front of a striker counts as touching, as a share of its depth.
constexpr double kTouching = 1e-6;

/// A place of a sub-shell by which it is met.
struct Sample {
    std::int32_t point = 0;
    std::int32_t shell = -1;
    std::int32_t load = 0;
};

class ShellSolver {
public:
    ShellSolver(const ShellRig& rig, const ShellState& state, std::span<const ShellLoad> loads,
                const ShellOptions& options)
        : rig_(rig), state_(state), loads_(loads), options_(options) {
        for (const std::int32_t v : rig.control_points) before_.push_back(state.points[v]);
        place_ = before_;
        find_samples();
        find_reach();
        motions_.resize(rig.shells.size());
        for (const std::vector<std::int32_t>& own : own_samples_)
            middles_.push_back(sample_mass(state.points, own));
    }

    ShellSolution solve() {
        const int parts = options_.load_parts + (options_.springs ? kEndParts : 0);
        for (int part = 1; part <= parts; ++part) {
            share_ = std::min(1.0, double(part) / options_.load_parts);
            meet(options_.springs ? kMeetRounds : kBareRounds);
            if (options_.springs) relax();
        }
        return finish();
    }

private:
    Vec3 place_of(std::int32_t v) const {
        Vec3 p = state_.points[v];
        for (const ControlWeight& w : rig_.rows[std::size_t(v)]) {
            p += w.weight * (place_[std::size_t(w.control)] - before_[std::size_t(w.control)]);
        }
        return p;
    }

    // How far a sample is inside its striker now [m].
    double depth_inside(const Sample& s, const Vec3& p) const {
        const ShellLoad& load = loads_[std::size_t(s.load)];
        return -load.striker.gap(p, share_ * load.depth);
    }

    void find_samples() {
        own_samples_.resize(rig_.shells.size());
        const auto add = [&](std::int32_t v, std::int32_t shell) {
            own_samples_[std::size_t(shell)].push_back(v);
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                const double gap = loads_[k].striker.gap(state_.points[v]);
                if (gap < -kTouching * loads_[k].depth) continue;  // behind its front
                if (is_covered(v, gap, loads_[k])) continue;
                samples_.push_back({v, shell, std::int32_t(k)});
            }
        };
        for (std::size_t s = 0; s < rig_.shells.size(); ++s) {
            for (const std::int32_t v : rig_.shells[s].samples) add(v, std::int32_t(s));
        }
        for (const ShellLoad& load : loads_) {
            for (const std::int32_t v : load.places) {
                if (rig_.shell_of[v] >= 0) add(v, rig_.shell_of[v]);
            }
        }
    }

    // Whether another skin lies between a striker and a point that faces away from it.
    bool is_covered(std::int32_t v, double gap, const ShellLoad& load) const {
        const Vec3& along = load.striker.direction();
        if (rig_.normals[std::size_t(v)].dot(along) < kFacesAway) return false;
        const double near_sq = rig_.shell_size * rig_.shell_size;
        for (const SubShell& shell : rig_.shells) {
            for (const std::int32_t other : shell.samples) {
                if (rig_.normals[std::size_t(other)].dot(along) > -kFacesAway) continue;
                const Vec3 apart = state_.points[other] - state_.points[v];
                const double ahead = -apart.dot(along);
                if (!(ahead > 0) || apart.squaredNorm() - ahead * ahead > near_sq) continue;
                const double other_gap = load.striker.gap(state_.points[other]);
                if (other_gap < gap && other_gap >= -kTouching * load.depth) return true;
            }
        }
        return false;
    }

    // Which control points may move: those near enough along the sheet.
    void find_reach() {
        double depth = 0.0;
        for (const ShellLoad& load : loads_) depth = std::max(depth, load.depth);
        std::vector<SheetStart> starts;
        for (const Sample& s : samples_) {
            const Vec3& p = state_.points[s.point];
            const ShellLoad& load = loads_[std::size_t(s.load)];
            if (!(load.striker.gap(p) < load.depth)) continue;
            for (const std::int32_t c : rig_.shells[std::size_t(s.shell)].controls) {
                starts.push_back({c, (before_[std::size_t(c)] - p).norm()});
            }
        }
        const std::vector<double> distance = sheet_distances(rig_, before_, starts);
        const double size = bounds(rig_.control_rest).diagonal();
        const double wanted = std::max(kReachPerDepth * depth, kLeastReach * rig_.shell_size);
        reach_ = options_.reach > 0 ? options_.reach : std::min(wanted, kReachPerSize * size);
        is_free_.assign(place_.size(), 0);
        ground_.assign(place_.size(), 0.0);
        for (std::size_t c = 0; c < place_.size(); ++c) {
            is_free_[c] = distance[c] < reach_ && !rig_.is_pinned[c];
            if (is_free_[c]) ground_[c] = kGround * std::pow(distance[c] / reach_, 2);
        }
    }

    // Equations 4 and 5: sub-shells that are met shift and turn by what their points are inside of
    // strikers, over their mass and inertia.
    void meet(int rounds) {
        std::vector<Vec3> push(rig_.shells.size()), turn(rig_.shells.size());
        std::vector<std::uint8_t> is_met(rig_.shells.size(), 0);
        for (int round = 0; round < rounds; ++round) {
            std::fill(push.begin(), push.end(), Vec3::Zero());
            std::fill(turn.begin(), turn.end(), Vec3::Zero());
            std::fill(is_met.begin(), is_met.end(), 0);
            bool is_any = false;
            for (const Sample& s : samples_) {
                const ShellLoad& load = loads_[std::size_t(s.load)];
                const Vec3 p = options_.springs ? place_of(s.point) : own_place(s.shell, s.point);
                const double inside = depth_inside(s, p);
                if (!(inside > kTouching * load.depth)) continue;
                const Vec3 f = inside * load.striker.direction();
                const auto shell = std::size_t(s.shell);
                push[shell] += f;
                turn[shell] += (p - middle_of(shell)).cross(f);
                is_met[shell] = 1;
                is_any = true;
            }
            if (!is_any) return;
            for (std::size_t s = 0; s < is_met.size(); ++s) {
                if (!is_met[s]) continue;
                const SampleMass& mass = middles_[s];
                motions_[s].shift += push[s] / mass.mass;
                const Quat step = turn_by(mass.inverse_inertia * turn[s]);
                motions_[s].turn = angle_of(step * turn_by(motions_[s].turn));
                was_met_.resize(is_met.size(), 0);
                was_met_[s] = 1;
            }
            place_controls(is_met, push, turn);
        }
    }

    Vec3 middle_of(std::size_t shell) const {
        return middles_[shell].middle + motions_[shell].shift;
    }
    // Where a point of a sub-shell is when that moves alone.
    Vec3 own_place(std::int32_t shell, std::int32_t v) const {
        const auto s = std::size_t(shell);
        return middle_of(s) + turn_by(motions_[s].turn) * (state_.points[v] - middles_[s].middle);
    }

    // Control points go with the mean of the sub-shells that were met. With springs that is where
    // they begin from; without, where they stay.
    void place_controls(const std::vector<std::uint8_t>& is_met, const std::vector<Vec3>& push,
                        const std::vector<Vec3>& turn) {
        const std::vector<std::uint8_t>& who = options_.springs ? is_met : was_met_;
        std::vector<Vec3> sum(place_.size(), Vec3::Zero());
        std::vector<int> count(place_.size(), 0);
        for (std::size_t s = 0; s < who.size(); ++s) {
            if (!who[s]) continue;
            const Quat step = options_.springs ? turn_by(middles_[s].inverse_inertia * turn[s])
                                               : turn_by(motions_[s].turn);
            Vec3 about = middles_[s].middle;
            if (options_.springs) {
                about = Vec3::Zero();
                for (const std::int32_t c : rig_.shells[s].controls)
                    about += place_[std::size_t(c)];
                about /= double(rig_.shells[s].controls.size());
            }
            const Vec3 shift =
                options_.springs ? Vec3(push[s] / middles_[s].mass) : motions_[s].shift;
            for (const std::int32_t c : rig_.shells[s].controls) {
                const Vec3& from =
                    options_.springs ? place_[std::size_t(c)] : before_[std::size_t(c)];
                sum[std::size_t(c)] += about + shift + step * (from - about);
                ++count[std::size_t(c)];
            }
        }
        for (std::size_t c = 0; c < place_.size(); ++c) {
            if (count[c] > 0 && is_free_[c]) place_[c] = sum[c] / double(count[c]);
        }
    }

    /// A sample under its striker in this part.
    struct Touch {
        std::size_t sample = 0;
        Vec3 place;  ///< Where it was when it was met: friction holds it there.
        double weight = 0.0;
    };

    // Local/global steps at one place of the strikers.
    void relax() {
        number_unknowns();
        if (free_.empty()) return;
        std::vector<Touch> touches;
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            const Vec3 p = place_of(samples_[i].point);
            const double depth = loads_[std::size_t(samples_[i].load)].depth;
            if (depth_inside(samples_[i], p) > -0.5 * depth / options_.load_parts) {
                touches.push_back({i, p, 0.0});
            }
        }
        factor(touches);
        rotations_.resize(rig_.shells.size(), Quat::Identity());
        Eigen::MatrixXd right(Eigen::Index(free_.size()), 3);
        for (int k = 0; k < options_.iterations; ++k) {
            right.setZero();
            pull_to_forms(right);
            pull_ties(right);
            push_touches(touches, right);
            for (std::size_t i = 0; i < free_.size(); ++i) {
                const auto c = std::size_t(free_[i]);
                right.row(Eigen::Index(i)) += ground_of(c) * before_[c].transpose();
            }
            factor_.solveInPlace(right);
            for (std::size_t i = 0; i < free_.size(); ++i) {
                place_[std::size_t(free_[i])] = right.row(Eigen::Index(i)).transpose();
            }
        }
        for (int sweep = 0; sweep < kLimitSweeps; ++sweep) hold_limits();
    }

    double ground_of(std::size_t c) const { return ground_[c] + 1e-6; }

    void number_unknowns() {
        if (!unknown_.empty()) return;
        unknown_.assign(place_.size(), -1);
        for (std::size_t c = 0; c < place_.size(); ++c) {
            if (!is_free_[c]) continue;
            unknown_[c] = std::int32_t(free_.size());
            free_.push_back(std::int32_t(c));
        }
        for (std::size_t s = 0; s < rig_.shells.size(); ++s) {
            const std::vector<std::int32_t>& own = rig_.shells[s].controls;
            if (std::any_of(own.begin(), own.end(),
                            [&](std::int32_t c) { return is_free_[std::size_t(c)] != 0; })) {
                active_.push_back(std::int32_t(s));
            }
        }
    }

    // Adds w |q_a - q_b - ...|^2 to the matrix; what is not free goes to the right.
    void add_pair(Eigen::MatrixXd& m, std::int32_t a, std::int32_t b, double w) const {
        const std::int32_t i = unknown_[std::size_t(a)], j = unknown_[std::size_t(b)];
        if (i >= 0) m(i, i) += w;
        if (j >= 0) m(j, j) += w;
        if (i >= 0 && j >= 0) {
            m(i, j) -= w;
            m(j, i) -= w;
        }
    }
    void pull_pair(Eigen::MatrixXd& right, std::int32_t a, std::int32_t b, double w,
                   const Vec3& wanted) const {
        const std::int32_t i = unknown_[std::size_t(a)], j = unknown_[std::size_t(b)];
        const Vec3& pa = place_[std::size_t(a)];
        const Vec3& pb = place_[std::size_t(b)];
        if (i >= 0) right.row(i) += w * (wanted + (j < 0 ? pb : Vec3(Vec3::Zero()))).transpose();
        if (j >= 0) right.row(j) += w * ((i < 0 ? pa : Vec3(Vec3::Zero())) - wanted).transpose();
    }

    // Form and springs of a sub-shell act between all pairs of its control points alike.
    double pair_weight(std::size_t shell) const {
        return (1.0 + options_.stiffness) / double(rig_.shells[shell].controls.size());
    }

    void factor(std::vector<Touch>& touches) {
        const auto n = Eigen::Index(free_.size());
        Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
        for (const std::int32_t s : active_) {
            const std::vector<std::int32_t>& own = rig_.shells[std::size_t(s)].controls;
            for (std::size_t i = 0; i < own.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    add_pair(m, own[i], own[j], pair_weight(std::size_t(s)));
                }
            }
        }
        for (const ShellTie& tie : rig_.ties) add_pair(m, tie.a, tie.b, kTieStiffness);
        for (Eigen::Index i = 0; i < n; ++i)
            m(i, i) += ground_of(std::size_t(free_[std::size_t(i)]));
        std::vector<int> met(rig_.shells.size(), 0);
        for (const Touch& touch : touches) ++met[std::size_t(samples_[touch.sample].shell)];
        for (Touch& touch : touches) {
            const Sample& s = samples_[touch.sample];
            const auto row = rig_.rows[std::size_t(s.point)];
            touch.weight =
                kContactStiffness * (1.0 + options_.stiffness) / double(met[std::size_t(s.shell)]);
            for (const ControlWeight& a : row) {
                const std::int32_t i = unknown_[std::size_t(a.control)];
                if (i < 0) continue;
                for (const ControlWeight& b : row) {
                    const std::int32_t j = unknown_[std::size_t(b.control)];
                    if (j >= 0) m(i, j) += touch.weight * a.weight * b.weight;
                }
            }
        }
        factor_.compute(m);
    }

    void pull_to_forms(Eigen::MatrixXd& right) {
        for (const std::int32_t s : active_) {
            const std::vector<std::int32_t>& own = rig_.shells[std::size_t(s)].controls;
            Vec3 was = Vec3::Zero(), is = Vec3::Zero();
            for (const std::int32_t c : own) {
                was += before_[std::size_t(c)];
                is += place_[std::size_t(c)];
            }
            was /= double(own.size());
            is /= double(own.size());
            Mat3 moment = Mat3::Zero();
            for (const std::int32_t c : own) {
                moment +=
                    (place_[std::size_t(c)] - is) * (before_[std::size_t(c)] - was).transpose();
            }
            Quat& rotation = rotations_[std::size_t(s)];
            follow_rotation(moment, rotation);
            const Mat3 r = rotation.toRotationMatrix();
            const double w = 1.0 / double(own.size()), spring = options_.stiffness * w;
            for (std::size_t i = 0; i < own.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    const auto a = std::size_t(own[i]), b = std::size_t(own[j]);
                    const Vec3 form = before_[a] - before_[b];
                    const Vec3 now = place_[a] - place_[b];
                    const double length = now.norm();
                    // Equation 6: the spring wants its length of before the impact.
                    const Vec3 stretched = length > 0 ? Vec3(now * (form.norm() / length)) : form;
                    pull_pair(right, own[i], own[j], w + spring,
                              (w * (r * form) + spring * stretched) / (w + spring));
                }
            }
        }
    }

    void pull_ties(Eigen::MatrixXd& right) const {
        for (const ShellTie& tie : rig_.ties) {
            pull_pair(right, tie.a, tie.b, kTieStiffness,
                      before_[std::size_t(tie.a)] - before_[std::size_t(tie.b)]);
        }
    }

    // What is inside its striker is pulled to its front; friction holds it where it was met, with
    // at most its coefficient times that.
    void push_touches(const std::vector<Touch>& touches, Eigen::MatrixXd& right) const {
        for (const Touch& touch : touches) {
            const Sample& s = samples_[touch.sample];
            const Vec3& along = loads_[std::size_t(s.load)].striker.direction();
            const Vec3 p = place_of(s.point);
            const double inside = std::max(0.0, depth_inside(s, p));
            Vec3 back = touch.place - p;
            back -= back.dot(along) * along;
            const double most = options_.friction * inside;
            if (back.norm() > most) back *= most / back.norm();
            const Vec3 wanted = p + inside * along + back;
            // As a sum over control points: what is not free, and where they were, goes over.
            Vec3 fixed = state_.points[s.point];
            for (const ControlWeight& w : rig_.rows[std::size_t(s.point)]) {
                const auto c = std::size_t(w.control);
                fixed -= w.weight * before_[c];
                if (unknown_[c] < 0) fixed += w.weight * place_[c];
            }
            for (const ControlWeight& w : rig_.rows[std::size_t(s.point)]) {
                const std::int32_t i = unknown_[std::size_t(w.control)];
                if (i >= 0) right.row(i) += touch.weight * w.weight * (wanted - fixed).transpose();
            }
        }
    }

    // Equation 7 as meant: pairs beyond their limits are brought back to them, both ends alike.
    void hold_limits() {
        for (const std::int32_t s : active_) {
            const std::vector<std::int32_t>& own = rig_.shells[std::size_t(s)].controls;
            for (std::size_t i = 0; i < own.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) hold_pair(own[i], own[j]);
            }
        }
    }
    void hold_pair(std::int32_t ca, std::int32_t cb) {
        const auto a = std::size_t(ca), b = std::size_t(cb);
        const double free = is_free_[a] + is_free_[b];
        if (!(free > 0)) return;
        const double rest = (rig_.control_rest[a] - rig_.control_rest[b]).norm();
        const double was = (before_[a] - before_[b]).norm();
        const Vec3 apart = place_[a] - place_[b];
        const double length = apart.norm();
        const double most = std::max((1.0 + options_.stretch_limit) * rest, was);
        const double least = std::min((1.0 - options_.compression_limit) * rest, was);
        if (!(length > 0) || (length <= most && length >= least)) return;
        const Vec3 back = ((std::clamp(length, least, most) - length) / (length * free)) * apart;
        if (is_free_[a]) place_[a] += back;
        if (is_free_[b]) place_[b] -= back;
    }

    ShellSolution finish() {
        ShellSolution out;
        out.reach = reach_;
        out.shift.resize(place_.size(), Vec3::Zero());
        for (std::size_t c = 0; c < place_.size(); ++c) {
            if (is_free_[c]) out.shift[c] = place_[c] - before_[c];
        }
        out.tightened = tighten_edges(rig_, state_, is_free_, out.shift);
        const double share = allowed_share(rig_, state_, out.shift);
        for (Vec3& s : out.shift) s *= share;
        out.refused = 1.0 - share;
        for (std::size_t c = 0; c < place_.size(); ++c) place_[c] = before_[c] + out.shift[c];
        out.motions = motions_;
        for (std::size_t k = 0; k < loads_.size(); ++k) out.depth.push_back(room(k));
        return out;
    }

    // How far a striker can go in: all of what it meets lies that deep now, but for what hangs on a
    // rigid part, which stays.
    double room(std::size_t load) const {
        double least = least_gap(loads_[load], kFacesAway);
        if (least == kInfinity) least = least_gap(loads_[load], kInfinity);  // struck from behind
        return least == kInfinity ? 0.0 : std::clamp(least, 0.0, loads_[load].depth);
    }
    bool hangs_on_rigid(std::size_t v) const {
        for (const ControlWeight& w : rig_.rows[v])
            if (rig_.is_pinned[std::size_t(w.control)]) return true;
        return false;
    }
    double least_gap(const ShellLoad& load, double faces_away) const {
        const StrikerMap& striker = load.striker;
        double least = kInfinity;
        for (std::size_t v = 0; v < state_.points.size(); ++v) {
            if (rig_.shell_of[v] < 0 || hangs_on_rigid(v)) continue;
            if (rig_.normals[v].dot(striker.direction()) > faces_away) continue;
            const double gap = striker.gap(state_.points[v]);
            if (!(gap >= -kTouching * load.depth && gap < load.depth)) continue;
            least = std::min(least, striker.gap(place_of(std::int32_t(v))));
        }
        return least;
    }

    const ShellRig& rig_;
    const ShellState& state_;
    std::span<const ShellLoad> loads_;
    const ShellOptions& options_;
    double share_ = 0.0;                // of their depths that strikers have moved in
    double reach_ = 0.0;                // [m]
    std::vector<Vec3> before_, place_;  // of control points
    std::vector<Sample> samples_;
    std::vector<std::vector<std::int32_t>> own_samples_;  // per sub-shell
    std::vector<SampleMass> middles_;                     // per sub-shell
    std::vector<ShellMotion> motions_;
    std::vector<std::uint8_t> was_met_;
    std::vector<std::uint8_t> is_free_;  // per control point
    std::vector<double> ground_;         // per control point
    std::vector<std::int32_t> unknown_, free_, active_;
    std::vector<Quat> rotations_;
    Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

ShellSolution solve_shell(const ShellRig& rig, const ShellState& state,
                          std::span<const ShellLoad> loads, const ShellOptions& options) {
    return ShellSolver(rig, state, loads, options).solve();
}

}  // namespace ductile
