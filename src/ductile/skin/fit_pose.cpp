// SPDX-License-Identifier: MIT
// Bone by bone: Le and Deng 2012, "Smooth Skinning Decomposition with Rigid Bones", section 4.2 (a
// weighted absolute orientation problem per bone), with the weights given.
#include <ductile/core/assert.h>
#include <ductile/geom/skin_frame.h>
#include <ductile/skin/fit_pose.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A turn that few points or a line of them leave free is spent on turning as little as possible: a
// pull towards the present turn, as a share of the points' spread.
constexpr double kLeastFitTurn = 1e-6;
// Sweeps between two looks at what was gained.
constexpr int kLookEvery = 10;
// Suggested places keep this share of the surface's size between them.
constexpr double kApart = 0.1;

/// The points that follow one handle, and how much.
struct Followers {
    std::vector<std::int32_t> point;
    std::vector<double> weight;
};

std::vector<Followers> followers_of(const Rig& rig) {
    std::vector<Followers> out(rig.handles.size());
    for (std::size_t i = 0; i < rig.weights.size(); ++i) {
        for (std::size_t k = 0; k < rig.weights.handles_of(i).size(); ++k) {
            Followers& handle = out[static_cast<std::size_t>(rig.weights.handles_of(i)[k])];
            handle.point.push_back(static_cast<std::int32_t>(i));
            handle.weight.push_back(rig.weights.weights_of(i)[k]);
        }
    }
    return out;
}

Vec3 carried(const Transform& move, const Vec3& place, const Vec3& u) {
    return place + move.rotation * (u - place) + move.translation;
}

class PoseFitter {
public:
    PoseFitter(const Rig& rig, const TriMesh& surface, std::span<const Vec3> target)
        : rig_(rig), rest_(surface.points), target_(target), followers_(followers_of(rig)) {
        area_ = vertex_areas(surface.points, surface.triangles);
        double sum = 0.0;
        for (const double a : area_) sum += a;
        // Points without faces count a little, so that nothing is left to chance.
        const double least = sum > 0 ? 1e-6 * sum / static_cast<double>(area_.size()) : 1.0;
        for (double& a : area_) a = std::max(a, least);
    }

    void start();
    void sweep() {
        for (std::size_t b = 0; b < moves_.size(); ++b) improve(b);
    }
    /// Mean of the squared distances by area [m^2].
    double error() const;

    const std::vector<Transform>& moves() const { return moves_; }
    const std::vector<Vec3>& points() const { return points_; }

private:
    void improve(std::size_t b);
    void repose(std::size_t b, const Transform& move);

    const Rig& rig_;
    std::span<const Vec3> rest_, target_;
    std::vector<Followers> followers_;
    std::vector<double> area_;
    std::vector<Transform> moves_;
    std::vector<Vec3> points_;  // Where the moves take the surface.
};

void PoseFitter::start() {
    moves_.assign(rig_.handles.size(), {});
    points_.assign(rest_.begin(), rest_.end());
    for (std::size_t b = 0; b < moves_.size(); ++b) {
        const Vec3& place = rig_.handles[b].place;
        const Followers& own = followers_[b];
        if (own.point.empty()) continue;
        std::int32_t nearest = own.point[0];
        for (const std::int32_t p : own.point) {
            if ((rest_[p] - place).squaredNorm() < (rest_[nearest] - place).squaredNorm())
                nearest = p;
        }
        const Vec3 from = rest_[nearest], to = target_[nearest];
        Mat3 covariance = Mat3::Zero();
        double spread = 0.0;
        for (std::size_t k = 0; k < own.point.size(); ++k) {
            const std::int32_t i = own.point[k];
            const double w = own.weight[k] * own.weight[k] * area_[i];
            covariance += w * (target_[i] - to) * (rest_[i] - from).transpose();
            spread += w * (rest_[i] - from).squaredNorm();
        }
        if (!(spread > 0)) continue;
        covariance += kLeastFitTurn * spread * Mat3::Identity();
        Transform move;
        move.rotation = Quat(nearest_rotation(covariance)).normalized();
        move.translation = to - place - move.rotation * (from - place);
        repose(b, move);
    }
}

void PoseFitter::repose(std::size_t b, const Transform& move) {
    const Vec3& place = rig_.handles[b].place;
    const Followers& own = followers_[b];
    for (std::size_t k = 0; k < own.point.size(); ++k) {
        const std::int32_t i = own.point[k];
        points_[i] +=
            own.weight[k] * (carried(move, place, rest_[i]) - carried(moves_[b], place, rest_[i]));
    }
    moves_[b] = move;
}

// The rigid motion that is best for what the other handles leave to this one: minimises
// sum a |w (R p + t) - r|^2 with p from the handle's place and r what is missing there.
void PoseFitter::improve(std::size_t b) {
    const Vec3& place = rig_.handles[b].place;
    const Followers& own = followers_[b];
    const auto missing = [&](std::size_t k) -> Vec3 {
        const std::int32_t i = own.point[k];
        return target_[i] - points_[i] +
               own.weight[k] * (carried(moves_[b], place, rest_[i]) - place);
    };
    double sum = 0.0;
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    for (std::size_t k = 0; k < own.point.size(); ++k) {
        const double aw = area_[own.point[k]] * own.weight[k];
        sum += aw * own.weight[k];
        from += aw * own.weight[k] * (rest_[own.point[k]] - place);
        to += aw * missing(k);
    }
    if (!(sum > 0)) return;
    from /= sum;
    to /= sum;
    Mat3 covariance = Mat3::Zero();
    double spread = 0.0;
    for (std::size_t k = 0; k < own.point.size(); ++k) {
        const double aw = area_[own.point[k]] * own.weight[k];
        const Vec3 p = rest_[own.point[k]] - place - from;
        covariance += aw * (missing(k) - own.weight[k] * to) * p.transpose();
        spread += aw * own.weight[k] * p.squaredNorm();
    }
    covariance += kLeastFitTurn * spread * moves_[b].rotation.toRotationMatrix();
    Transform move;
    move.rotation = Quat(nearest_rotation(covariance)).normalized();
    move.translation = to - move.rotation * from;
    repose(b, move);
}

double PoseFitter::error() const {
    double sum = 0.0, area = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        sum += area_[i] * (target_[i] - points_[i]).squaredNorm();
        area += area_[i];
    }
    return area > 0 ? sum / area : 0.0;
}

std::vector<HandleSuggestion> suggest(std::span<const Vec3> rest, std::span<const Vec3> points,
                                      std::span<const Vec3> target, const FitOptions& options) {
    const double size = bounds(rest).diagonal();
    std::vector<HandleSuggestion> far;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const double distance = (points[i] - target[i]).norm();
        if (distance > options.large * size) far.push_back({rest[i], distance});
    }
    std::stable_sort(far.begin(), far.end(),
                     [](const auto& a, const auto& b) { return a.distance > b.distance; });
    std::vector<HandleSuggestion> out;
    for (const HandleSuggestion& s : far) {
        if (std::ssize(out) >= options.most_suggestions) break;
        const bool is_apart = std::all_of(out.begin(), out.end(), [&](const HandleSuggestion& o) {
            return (o.place - s.place).norm() > kApart * size;
        });
        if (is_apart) out.push_back(s);
    }
    return out;
}

}  // namespace

FittedPose fit_pose(const Rig& rig, const TriMesh& surface, std::span<const Vec3> target,
                    const FitOptions& options) {
    DUCTILE_ASSERT(target.size() == surface.points.size(), "a target per point");
    DUCTILE_ASSERT(rig.weights.size() == surface.points.size(), "a rig for the surface");
    PoseFitter fitter(rig, surface, target);
    fitter.start();
    FittedPose out;
    for (double before = fitter.error(); out.sweeps < options.most_sweeps;) {
        fitter.sweep();
        if (++out.sweeps % kLookEvery != 0) continue;
        const double now = fitter.error();
        if (before - now <= options.progress * before) break;
        before = now;
    }
    out.pose.moves = fitter.moves();
    const std::vector<Vec3> points = pose_points(rig, out.pose, surface.points);
    out.rms = std::sqrt(fitter.error());
    for (std::size_t i = 0; i < points.size(); ++i) {
        out.worst = std::max(out.worst, (points[i] - target[i]).norm());
    }
    out.suggestions = suggest(surface.points, points, target, options);
    return out;
}

std::vector<Vec3> pose_points(const Rig& rig, const RigPose& pose, std::span<const Vec3> rest) {
    DUCTILE_ASSERT(rig.weights.size() == rest.size(), "a rig for these points");
    DUCTILE_ASSERT(pose.moves.size() == rig.handles.size(), "a move per handle");
    std::vector<Vec3> out(rest.begin(), rest.end());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        for (std::size_t k = 0; k < rig.weights.handles_of(i).size(); ++k) {
            const auto b = static_cast<std::size_t>(rig.weights.handles_of(i)[k]);
            out[i] += rig.weights.weights_of(i)[k] *
                      (carried(pose.moves[b], rig.handles[b].place, rest[i]) - rest[i]);
        }
    }
    return out;
}

}  // namespace ductile
