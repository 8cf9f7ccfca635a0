// SPDX-License-Identifier: MIT
// Jacobson, Baran, Kavan, Popovic and Sorkine 2012, "Fast Automatic Skinning Transformations". As
// there, as-rigid-as-possible energies are reduced to the handles' transformations, and points with
// like weights turn as one. Otherwise: edges count alike (those of a lattice are), and in a second
// part of the search the handles' linear parts are held to rotations, which is all a pose has.
#include <ductile/geom/skin_frame.h>
#include <ductile/skin/auto_rotations.h>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

// Passes over the points that put each into the group with the nearest mean weights.
constexpr int kGroupPasses = 8;
// What holds a free transformation that the energy does not know, as a share of its mean stiffness.
constexpr double kRidge = 1e-9;
// A turn that the points of a group leave free is spent on turning as little as possible.
constexpr double kLeastGroupTurn = 1e-9;

// The squared distance of a point's weights from a group's means; `mean_sq` is those' own length.
double weight_distance_sq(const SkinWeights& weights, std::size_t i, const Eigen::VectorXd& mean,
                          double mean_sq) {
    double distance_sq = mean_sq;
    for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
        const double w = weights.weights_of(i)[k], m = mean[weights.handles_of(i)[k]];
        distance_sq += w * (w - 2.0 * m);
    }
    return distance_sq;
}

Eigen::VectorXd dense_row(const SkinWeights& weights, std::size_t i, std::size_t handles) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(static_cast<Index>(handles));
    for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
        row[weights.handles_of(i)[k]] = weights.weights_of(i)[k];
    }
    return row;
}

// Means of groups to begin with: each the point furthest from all before it.
std::vector<Eigen::VectorXd> spread_means(const SkinWeights& weights, std::size_t handles,
                                          std::size_t count) {
    std::vector<Eigen::VectorXd> means;
    std::vector<double> distance_sq(weights.size(), kInfinity);
    std::size_t next = 0;
    while (means.size() < count) {
        means.push_back(dense_row(weights, next, handles));
        const double mean_sq = means.back().squaredNorm();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            distance_sq[i] =
                std::min(distance_sq[i], weight_distance_sq(weights, i, means.back(), mean_sq));
        }
        next = static_cast<std::size_t>(std::max_element(distance_sq.begin(), distance_sq.end()) -
                                        distance_sq.begin());
        if (!(distance_sq[next] > 1e-12)) break;  // all like one of them
    }
    return means;
}

/// Points of like weights, by number; groups may be empty.
struct Groups {
    std::vector<std::int32_t> of_point;
    std::size_t count = 0;
};

Groups group_points(const SkinWeights& weights, std::size_t handles, std::size_t count) {
    std::vector<Eigen::VectorXd> means = spread_means(weights, handles, count);
    Groups out{std::vector<std::int32_t>(weights.size(), 0), means.size()};
    for (int pass = 0; pass < kGroupPasses; ++pass) {
        std::vector<double> mean_sq;
        for (const Eigen::VectorXd& mean : means) mean_sq.push_back(mean.squaredNorm());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            double least = kInfinity;
            for (std::size_t g = 0; g < means.size(); ++g) {
                const double d = weight_distance_sq(weights, i, means[g], mean_sq[g]);
                if (!(d < least)) continue;
                least = d;
                out.of_point[i] = static_cast<std::int32_t>(g);
            }
        }
        std::vector<double> members(means.size(), 0.0);
        for (Eigen::VectorXd& mean : means) mean.setZero();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const auto g = static_cast<std::size_t>(out.of_point[i]);
            members[g] += 1.0;
            for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
                means[g][weights.handles_of(i)[k]] += weights.weights_of(i)[k];
            }
        }
        for (std::size_t g = 0; g < means.size(); ++g) means[g] /= std::max(members[g], 1.0);
    }
    return out;
}

// The unknowns stand in one matrix X of three columns: of handle b, rows 4b to 4b + 2 are the
// transpose of its linear part less the identity, times `unit`; row 4b + 3 is its move. Then an
// edge e = u_i - u_j becomes e + X^T v with v as below: all is linear in X.
class ReducedBody {
public:
    ReducedBody(const BentPoints& bent, std::span<const Handle> handles, double unit,
                std::size_t group_count);

    /// A X = rhs is where the energy is least for the groups' turns.
    const Matrix& stiffness() const { return stiffness_; }
    Matrix right_side(const std::vector<Mat3>& turns) const;
    /// The turn of each group that is nearest to how X turns its edges.
    void turn_groups(const Matrix& x, std::vector<Mat3>& turns) const;
    std::size_t group_count() const { return edges_.size(); }

private:
    Matrix stiffness_;
    std::vector<Matrix> mixed_;  // Per group: sum of v e^T.
    std::vector<Mat3> edges_;    // Per group: sum of e e^T.
};

ReducedBody::ReducedBody(const BentPoints& bent, std::span<const Handle> handles, double unit,
                         std::size_t group_count) {
    const Groups groups = group_points(bent.weights, handles.size(), group_count);
    const auto width = static_cast<Index>(4 * handles.size());
    stiffness_ = Matrix::Zero(width, width);
    mixed_.assign(groups.count, Matrix::Zero(width, 3));
    edges_.assign(groups.count, Mat3::Zero());
    std::vector<Index> rows;
    Eigen::VectorXd v = Eigen::VectorXd::Zero(width);
    const auto add = [&](std::size_t i, double sign) {
        for (std::size_t k = 0; k < bent.weights.handles_of(i).size(); ++k) {
            const std::int32_t b = bent.weights.handles_of(i)[k];
            const double w = sign * bent.weights.weights_of(i)[k];
            const Vec3 arm = (bent.points[i] - handles[static_cast<std::size_t>(b)].place) / unit;
            for (int c = 0; c < 4; ++c) {
                v[4 * b + c] += w * (c < 3 ? arm[c] : 1.0);
                rows.push_back(4 * b + c);
            }
        }
    };
    // An edge counts for both its ends, whose groups may differ.
    for (std::size_t i = 0; i < bent.points.size(); ++i) {
        for (const std::int32_t other : bent.graph[i]) {
            const auto j = static_cast<std::size_t>(other);
            if (j < i) continue;
            const Vec3 e = bent.points[i] - bent.points[j];
            rows.clear();
            add(i, 1.0);
            add(j, -1.0);
            std::sort(rows.begin(), rows.end());
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
            for (const std::size_t end : {i, j}) {
                const auto g = static_cast<std::size_t>(groups.of_point[end]);
                for (const Index r : rows) mixed_[g].row(r) += v[r] * e.transpose();
                edges_[g] += e * e.transpose();
            }
            for (std::size_t c = 0; c < rows.size(); ++c) {
                const double twice = 2.0 * v[rows[c]];
                for (std::size_t r = c; r < rows.size(); ++r) {
                    stiffness_(rows[r], rows[c]) += twice * v[rows[r]];
                }
            }
            for (const Index r : rows) v[r] = 0.0;
        }
    }
    stiffness_.triangularView<Eigen::StrictlyUpper>() = stiffness_.transpose();
}

Matrix ReducedBody::right_side(const std::vector<Mat3>& turns) const {
    Matrix out = Matrix::Zero(stiffness_.rows(), 3);
    for (std::size_t g = 0; g < turns.size(); ++g) {
        out.noalias() += mixed_[g] * (turns[g] - Mat3::Identity()).transpose();
    }
    return out;
}

void ReducedBody::turn_groups(const Matrix& x, std::vector<Mat3>& turns) const {
    for (std::size_t g = 0; g < turns.size(); ++g) {
        const Mat3 now = edges_[g] + x.transpose() * mixed_[g];
        turns[g] = nearest_rotation(now + kLeastGroupTurn * edges_[g].trace() * turns[g]);
    }
}

/// Solves for some rows of X while the others are as they are.
class PartSolver {
public:
    PartSolver(const Matrix& stiffness, std::vector<Index> free)
        : stiffness_(stiffness), free_(std::move(free)) {
        Matrix own = stiffness_(free_, free_);
        const double mean = own.rows() > 0 ? own.trace() / double(own.rows()) : 0.0;
        own.diagonal().array() += std::max(kRidge * mean, 1e-300);
        factor_.compute(own);
        std::vector<std::uint8_t> is_free(static_cast<std::size_t>(stiffness.rows()), 0);
        for (const Index r : free_) is_free[static_cast<std::size_t>(r)] = 1;
        for (Index r = 0; r < stiffness.rows(); ++r) {
            if (!is_free[static_cast<std::size_t>(r)]) held_.push_back(r);
        }
    }

    bool has_work() const { return !free_.empty(); }
    void solve(const Matrix& right_side, Matrix& x) const {
        const Matrix rest =
            right_side(free_, Eigen::all) - stiffness_(free_, held_) * x(held_, Eigen::all);
        const Matrix found = factor_.solve(rest);
        for (std::size_t i = 0; i < free_.size(); ++i) x.row(free_[i]) = found.row(Index(i));
    }

private:
    const Matrix& stiffness_;
    std::vector<Index> free_, held_;
    Eigen::LDLT<Matrix> factor_;
};

// The rigid motion nearest to what the goals do to the handles' places, to begin with.
Transform common_motion(std::span<const Handle> handles, std::span<const HandleGoal> goals) {
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    double count = 0.0;
    for (std::size_t b = 0; b < handles.size(); ++b) {
        if (!goals[b].move) continue;
        from += handles[b].place;
        to += handles[b].place + *goals[b].move;
        count += 1.0;
    }
    if (count == 0.0) return {};
    from /= count;
    to /= count;
    Mat3 covariance = Mat3::Zero();
    double spread = 0.0;
    for (std::size_t b = 0; b < handles.size(); ++b) {
        if (!goals[b].move) continue;
        const Vec3 arm = handles[b].place - from;
        covariance += (handles[b].place + *goals[b].move - to) * arm.transpose();
        spread += arm.squaredNorm();
    }
    // Handles in a row leave the turn about it to the turns that are given, else to none at all.
    covariance += (1e-9 * spread + 1e-300) * Mat3::Identity();
    for (const HandleGoal& goal : goals) {
        if (goal.turn) covariance += 1e-3 * spread * goal.turn->toRotationMatrix();
    }
    Transform motion;
    motion.rotation = Quat(nearest_rotation(covariance)).normalized();
    motion.translation = to - motion.rotation * from;
    return motion;
}

class RotationSearch {
public:
    RotationSearch(const BentPoints& bent, std::span<const Handle> handles,
                   std::span<const HandleGoal> goals, const RotationOptions& options)
        : handles_(handles),
          goals_(goals),
          options_(options),
          unit_(std::max(bounds(bent.points).diagonal(), 1e-300)),
          body_(bent, handles, unit_,
                std::max<std::size_t>(
                    static_cast<std::size_t>(options.groups_per_handle) * handles.size(), 1)) {
        start();
    }

    RigPose run() {
        search(/*keeps_rotations*/ false);
        search(/*keeps_rotations*/ true);
        return pose();
    }

private:
    Index row(std::size_t b) const { return static_cast<Index>(4 * b); }
    void set_turn(std::size_t b, const Mat3& turn) {
        x_.block<3, 3>(row(b), 0) = unit_ * (turn - Mat3::Identity()).transpose();
    }
    Mat3 linear(std::size_t b) const {
        return x_.block<3, 3>(row(b), 0).transpose() / unit_ + Mat3::Identity();
    }

    void start() {
        const Transform motion = common_motion(handles_, goals_);
        x_ = Matrix::Zero(4 * static_cast<Index>(handles_.size()), 3);
        for (std::size_t b = 0; b < handles_.size(); ++b) {
            const Vec3& place = handles_[b].place;
            const Vec3 move = goals_[b].move ? *goals_[b].move : Vec3(motion.point(place) - place);
            x_.row(row(b) + 3) = move.transpose();
            set_turn(b, (goals_[b].turn ? *goals_[b].turn : motion.rotation).toRotationMatrix());
        }
        turns_.assign(body_.group_count(), motion.rotation.toRotationMatrix());
        body_.turn_groups(x_, turns_);
    }

    std::vector<Index> free_rows(bool moves_only) const {
        std::vector<Index> out;
        for (std::size_t b = 0; b < handles_.size(); ++b) {
            for (Index c = 0; c < 3 && !moves_only && !goals_[b].turn; ++c)
                out.push_back(row(b) + c);
            if (!goals_[b].move) out.push_back(row(b) + 3);
        }
        return out;
    }

    // Turn by turn the best transformations for the groups' turns and the other way round.
    void search(bool keeps_rotations) {
        const PartSolver all(body_.stiffness(), free_rows(false));
        const PartSolver moves(body_.stiffness(), free_rows(true));
        if (!all.has_work()) return;
        for (std::int32_t i = 0; i < options_.most_iterations; ++i) {
            const Matrix before = x_;
            const Matrix right_side = body_.right_side(turns_);
            all.solve(right_side, x_);
            if (keeps_rotations) {
                for (std::size_t b = 0; b < handles_.size(); ++b) {
                    if (!goals_[b].turn) set_turn(b, nearest_rotation(linear(b)));
                }
                if (moves.has_work()) moves.solve(right_side, x_);
            }
            body_.turn_groups(x_, turns_);
            if ((x_ - before).cwiseAbs().maxCoeff() <= options_.change * unit_) break;
        }
    }

    RigPose pose() const {
        RigPose out;
        for (std::size_t b = 0; b < handles_.size(); ++b) {
            Transform& move = out.moves.emplace_back();
            move.rotation =
                goals_[b].turn ? *goals_[b].turn : Quat(nearest_rotation(linear(b))).normalized();
            move.translation =
                goals_[b].move ? *goals_[b].move : Vec3(x_.row(row(b) + 3).transpose());
        }
        return out;
    }

    std::span<const Handle> handles_;
    std::span<const HandleGoal> goals_;
    const RotationOptions& options_;
    double unit_;
    ReducedBody body_;
    Matrix x_;
    std::vector<Mat3> turns_;  // Of the groups.
};

}  // namespace

Result<RigPose> automatic_rotations(const BentPoints& bent, std::span<const Handle> handles,
                                    std::span<const HandleGoal> goals,
                                    const RotationOptions& options) {
    if (goals.size() != handles.size()) {
        return Error{fmt::format("{} goals for {} handles", goals.size(), handles.size()), "", ""};
    }
    for (std::size_t b = 0; b < goals.size(); ++b) {
        const bool is_fine = (!goals[b].move || is_finite(*goals[b].move)) &&
                             (!goals[b].turn || std::abs(goals[b].turn->norm() - 1.0) < 1e-9);
        if (!is_fine) {
            return Error{"a handle's move must be finite and its turn of unit length",
                         "handle " + handles[b].name, ""};
        }
    }
    const bool has_open = std::any_of(goals.begin(), goals.end(), [](const HandleGoal& goal) {
        return !goal.move || !goal.turn;
    });
    if (!has_open || bent.points.empty()) {
        RigPose as_given;
        for (const HandleGoal& goal : goals) {
            as_given.moves.push_back(
                {goal.turn.value_or(Quat::Identity()), goal.move.value_or(Vec3(Vec3::Zero()))});
        }
        return as_given;
    }
    return RotationSearch(bent, handles, goals, options).run();
}

}  // namespace ductile
