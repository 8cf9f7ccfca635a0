// SPDX-License-Identifier: MIT
// What holds the pieces of a prescored body together, as springs; which of it gives way is in
// glue_answer.cpp.
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/geom/solve/sparse_cholesky.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace ductile {
namespace {

// Shear stiffness over that across: an isotropic solid's, with a Poisson's ratio of a quarter.
constexpr double kShearStiffness = 0.4;
// Of the mean stiffness, added to every piece of a body that nothing holds: its rigid motion is
// free.
constexpr double kLoose = 1e-9;

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

Status check_glue(std::span<const GluePiece> pieces, std::span<const CutJoint> joints,
                  const GlueOptions& o) {
    if (pieces.empty()) return Error{"there are no pieces to be glued", "", ""};
    for (const GluePiece& p : pieces) {
        if (!(p.mass > 0) || !is_finite(p.centre) || !p.inertia.allFinite()) {
            return Error{"a piece's mass cannot be", "", ""};
        }
    }
    const auto count = static_cast<std::int32_t>(pieces.size());
    for (const CutJoint& j : joints) {
        if (j.pieces[0] < 0 || j.pieces[1] <= j.pieces[0] || j.pieces[1] >= count) {
            return Error{"a joint names pieces that are not there", "", ""};
        }
        if (!(j.area > 0) || !is_finite(j.centre) || !is_finite(j.normal)) {
            return Error{"a joint without area holds nothing", "", ""};
        }
    }
    if (!(o.youngs_modulus > 0) || !(o.strength > 0) || !(o.fracture_energy >= 0) ||
        !(o.impact_time > 0)) {
        return Error{"glue needs a stiffness, a strength and a time above 0", "", ""};
    }
    if (!is_finite(o.grain) || !(o.along_grain > 0)) {
        return Error{"glue with a grain needs a way of it and a strength along it", "", ""};
    }
    return {};
}

}  // namespace

Result<GlueSolver> GlueSolver::make(std::vector<GluePiece> pieces, std::vector<CutJoint> joints,
                                    const GlueOptions& options) {
    if (Status status = check_glue(pieces, joints, options); !status) return status.error();
    GlueSolver solver;
    solver.pieces_ = std::move(pieces);
    solver.joints_ = std::move(joints);
    solver.options_ = options;
    double area = 0.0;
    for (const CutJoint& j : solver.joints_) area += j.area;
    if (!solver.joints_.empty()) {
        solver.length_ = std::sqrt(area / static_cast<double>(solver.joints_.size()));
    }
    for (const CutJoint& j : solver.joints_) {
        solver.springs_.push_back(solver.spring_of(j, options));
    }
    solver.find_structure();
    auto factor = solver.factor(std::vector<std::uint8_t>(solver.joints_.size(), 0));
    if (!factor) return factor.error();
    solver.factor_ = std::move(factor.value());
    return solver;
}

double grain_factor(const GlueOptions& options, const Vec3& normal) {
    const double lengths_sq = options.grain.squaredNorm() * normal.squaredNorm();
    if (!(lengths_sq > 0)) return 1.0;
    const double across = options.grain.dot(normal);
    const double cosine_sq = std::min(1.0, across * across / lengths_sq);
    return options.along_grain / (options.along_grain * (1.0 - cosine_sq) + cosine_sq);
}

// A layer as thick as the pieces' centres are apart.
GlueSolver::Spring GlueSolver::spring_of(const CutJoint& joint, const GlueOptions& options) const {
    const Vec3 apart = pieces_[joint.pieces[1]].centre - pieces_[joint.pieces[0]].centre;
    const double thick = std::max(apart.norm(), 1e-3 * length_);
    Spring spring;
    spring.across = options.youngs_modulus / thick;
    spring.along = kShearStiffness * spring.across;
    spring.strength = options.strength * grain_factor(options, joint.normal);
    const Mat3 through = joint.normal * joint.normal.transpose();
    spring.stiffness =
        joint.area * (spring.along * Mat3::Identity() + (spring.across - spring.along) * through);
    const Mat3& spread = joint.second_moment;
    const Mat3 normal = cross_matrix(joint.normal);
    spring.turning = spring.along * (spread.trace() * Mat3::Identity() - spread) +
                     (spring.across - spring.along) * (normal * spread * normal.transpose());
    // However thin a face is, it resists turning a little.
    spring.turning += 1e-6 * spring.along * joint.area * joint.area * Mat3::Identity();
    return spring;
}

// Of the joint's place: move and turn, per motion of a piece.
Eigen::Matrix<double, 6, 6> GlueSolver::lever(const CutJoint& joint, int side) const {
    Eigen::Matrix<double, 6, 6> m = Eigen::Matrix<double, 6, 6>::Zero();
    const Vec3 arm = joint.centre - pieces_[joint.pieces[side]].centre;
    m.topLeftCorner<3, 3>() = Mat3::Identity();
    m.topRightCorner<3, 3>() = -cross_matrix(arm) / length_;
    m.bottomRightCorner<3, 3>() = Mat3::Identity() / length_;
    return side == 0 ? Eigen::Matrix<double, 6, 6>(-m) : m;
}

// Force and moment of the joint per its move and turn.
Eigen::Matrix<double, 6, 6> GlueSolver::stiffness(std::size_t joint) const {
    Eigen::Matrix<double, 6, 6> m = Eigen::Matrix<double, 6, 6>::Zero();
    m.topLeftCorner<3, 3>() = springs_[joint].stiffness;
    m.bottomRightCorner<3, 3>() = springs_[joint].turning;
    return m;
}

struct GlueSolver::Structure {
    GraphEdges edges;
    FrontTree tree;
};

// The numbers of a piece are six vertices of a graph.
void GlueSolver::find_structure() {
    const std::size_t count = 6 * pieces_.size();
    std::vector<std::vector<std::int32_t>> near(count);
    const auto tie = [&](std::int32_t a, std::int32_t b) {
        for (std::int32_t i = 0; i < 6; ++i) {
            for (std::int32_t k = 0; k < 6; ++k) {
                if (6 * a + i != 6 * b + k) near[6 * a + i].push_back(6 * b + k);
            }
        }
    };
    std::vector<Vec3> places(count);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        tie(static_cast<std::int32_t>(p), static_cast<std::int32_t>(p));
        for (int k = 0; k < 6; ++k) places[6 * p + k] = pieces_[p].centre;
    }
    for (const CutJoint& j : joints_) {
        tie(j.pieces[0], j.pieces[1]);
        tie(j.pieces[1], j.pieces[0]);
    }
    VertexGraph graph;
    graph.start.push_back(0);
    for (std::vector<std::int32_t>& of : near) {
        std::sort(of.begin(), of.end());
        of.erase(std::unique(of.begin(), of.end()), of.end());
        graph.neighbours.insert(graph.neighbours.end(), of.begin(), of.end());
        graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
    }
    const GraphEdges edges(graph);
    FrontTree tree(graph, edges, dissect(graph, places));
    structure_ = std::make_shared<const Structure>(Structure{edges, std::move(tree)});
    double sum = 0.0;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        sum += 2.0 *
               (springs_[k].stiffness.trace() + springs_[k].turning.trace() / (length_ * length_));
    }
    held_stiffness_ = sum > 0 ? sum / static_cast<double>(count) : 1.0;
    loose_stiffness_ = kLoose * held_stiffness_;
}

Result<std::shared_ptr<const GlueSolver::Factor>> GlueSolver::factor(
    std::span<const std::uint8_t> is_broken) const {
    const std::size_t count = 6 * pieces_.size();
    const GraphEdges& edges = structure_->edges;
    EdgeMatrix<double> matrix(count, edges.size());
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        if (is_broken[k]) continue;
        for (int s = 0; s < 2; ++s) {
            for (int t = 0; t < 2; ++t) {
                const Eigen::Matrix<double, 6, 6> part =
                    lever(joints_[k], s).transpose() * stiffness(k) * lever(joints_[k], t);
                for (std::int32_t i = 0; i < 6; ++i) {
                    for (std::int32_t n = 0; n < 6; ++n) {
                        const std::int32_t a = 6 * joints_[k].pieces[s] + i;
                        const std::int32_t b = 6 * joints_[k].pieces[t] + n;
                        if (a == b) matrix.diagonal[a] += part(i, n);
                        if (a < b) matrix.edge[edges.find(a, b)] += part(i, n);
                    }
                }
            }
        }
    }
    for (double& d : matrix.diagonal) d += loose_stiffness_;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (!pieces_[p].is_held) continue;
        for (int k = 0; k < 6; ++k) matrix.diagonal[6 * p + k] += held_stiffness_;
    }
    auto made = Factor::make(structure_->tree, matrix);
    if (!made) return made.error();
    return std::make_shared<const Factor>(std::move(made.value()));
}

}  // namespace ductile
