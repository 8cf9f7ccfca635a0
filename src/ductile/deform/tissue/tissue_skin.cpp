// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_skin.h>

#include <algorithm>
#include <cmath>

namespace ductile {

TissueSkin::TissueSkin(std::span<const Vec3> points, const TissueRig& rig)
    : rest_(points.begin(), points.end()), bindings_(points.size()) {
    parallel_for(points.size(), 64, [&](std::size_t p) {
        std::vector<std::pair<double, std::int32_t>> near;
        for (std::size_t i = 0; i < rig.size(); ++i) {
            near.emplace_back((rig.places[i] - rest_[p]).norm(), static_cast<std::int32_t>(i));
        }
        const std::size_t count = std::min(kCarriers, near.size());
        const std::size_t beyond = std::min(count, near.size() - 1);
        std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(beyond) + 1,
                          near.end());
        // Shares fade out where the next particle would come in: no seam runs through the skin.
        const double farthest = near[beyond].first + 1e-12;
        double sum = 0.0;
        Binding& binding = bindings_[p];
        for (std::size_t k = 0; k < count; ++k) {
            const double rest = std::max(1.0 - near[k].first / farthest, 1e-6);
            binding.particles[k] = near[k].second;
            binding.shares[k] = rest * rest;
            sum += binding.shares[k];
        }
        for (double& share : binding.shares) share /= sum;
    });
}

std::vector<Vec3> TissueSkin::points(const TissueBody& coat, const Transform& bone_pose) const {
    const TissueRig& rig = coat.rig();
    std::vector<Vec3> places(rig.size());
    std::vector<Mat3> turns(rig.size(), Mat3::Identity());
    for (std::size_t i = 0; i < rig.size(); ++i) {
        if (rig.attached[i]) {
            places[i] = rig.places[i];
            continue;
        }
        const OrientedParticle& p = coat.particles()[i];
        places[i] = bone_pose.inverse_point(p.position);
        turns[i] = (bone_pose.rotation.conjugate() * p.turn).toRotationMatrix();
    }
    std::vector<Vec3> out(rest_.size(), Vec3::Zero());
    parallel_for(rest_.size(), 256, [&](std::size_t p) {
        const Binding& binding = bindings_[p];
        for (std::size_t k = 0; k < kCarriers; ++k) {
            if (binding.shares[k] == 0.0) continue;
            const std::int32_t i = binding.particles[k];
            out[p] += binding.shares[k] * (places[i] + turns[i] * (rest_[p] - rig.places[i]));
        }
    });
    return out;
}

void set_bone_gaps(const RigidQueries& bodies, BodyId bone, TissueRig& rig) {
    const Transform pose = bodies.moment(bone).pose_w;
    for (std::size_t i = 0; i < rig.size(); ++i) {
        const RigidQueries::Nearest near = bodies.closest_point(bone, pose.point(rig.places[i]));
        if (!(near.distance < kInfinity)) continue;
        rig.bone_ways[i] = std::max(0.0, near.distance);
        const double reach = ellipsoid_reach(rig.shapes[i], pose.inverse_direction(near.normal_w));
        rig.bone_gaps[i] = std::min(0.0, near.distance - reach);
    }
}

}  // namespace ductile
