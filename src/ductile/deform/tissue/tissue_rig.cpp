// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/tissue/tissue_rig.h>

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Groups hold a layer that moves as a whole by this share of the force with which they hold one
// particle that moves alone; measured on coats of one layer. With it the sag under a load is right
// to second order in the part's length.
constexpr double kLayerShare = 0.75;
// A visit moves a particle by at most this share of its way: a coat as stiff as that is rigid to
// any eye, and groups that take turns in setting a particle all but where they want it spin coats
// of several layers up (with 0.9 and 1e12 Pa to 20 rad/s).
constexpr double kMostOfWay = 0.8;

double share_of_visit(double ease, double visits, double dt) {
    const double h2 = dt * dt;
    if (!(ease < kInfinity)) return 0.0;
    const double rest = (kLayerShare * ease + h2) / (ease + h2);
    // 1 - (1 - F)^(1/visits) with F = h^2 / (rest h^2 + ease), without losing digits.
    const double share =
        -std::expm1(std::log1p(-std::min(h2 / (rest * h2 + ease), 1.0 - 1e-12)) / visits);
    return std::min(share, kMostOfWay);
}

}  // namespace

void TissueRig::add_particle(const Vec3& place, const Mat3& shape, double mass, bool is_attached) {
    places.push_back(place);
    shapes.push_back(shape);
    masses.push_back(mass);
    attached.push_back(is_attached ? 1 : 0);
    ease.push_back(0.0);
    uses.push_back(0);
    bone_gaps.push_back(0.0);
    bone_ways.push_back(0.0);
}

void TissueRig::add_group(std::span<const std::int32_t> group) {
    if (firsts.empty()) firsts.push_back(0);
    members.insert(members.end(), group.begin(), group.end());
    for (const std::int32_t i : group) {
        if (i >= 0 && static_cast<std::size_t>(i) < uses.size()) ++uses[i];
    }
    firsts.push_back(static_cast<std::int32_t>(members.size()));
}

void TissueRig::add_tie(std::int32_t particle, double length) {
    ties.push_back(particle);
    tie_lengths.push_back(length);
    if (particle >= 0 && static_cast<std::size_t>(particle) < uses.size()) ++uses[particle];
}

void set_stiffness(TissueRig& rig, std::span<const double> stiffness) {
    DUCTILE_ASSERT(stiffness.size() == 1 || stiffness.size() == rig.size(), "one, or one each");
    for (std::size_t i = 0; i < rig.size(); ++i) {
        const double k = stiffness[stiffness.size() == 1 ? 0 : i];
        rig.ease[i] = k > 0 ? rig.masses[i] / k : kInfinity;
    }
}

double visit_share(const TissueRig& rig, std::size_t i, int sweeps, double dt) {
    return share_of_visit(rig.ease[i], std::max(1, rig.uses[i]) * sweeps, dt);
}

double turn_share(const TissueRig& rig, std::size_t i, int sweeps, double dt) {
    if (!(rig.response.torsion > 0)) return 0.0;
    return share_of_visit(rig.ease[i] / rig.response.torsion, std::max(1, rig.uses[i]) * sweeps,
                          dt);
}

Status check_tissue(const TissueRig& rig) {
    const std::size_t n = rig.size();
    if (n == 0) return Error{"a coat without particles", "", ""};
    bool has_outer = false;
    for (std::size_t i = 0; i < n; ++i) {
        const Mat3& s = rig.shapes[i];
        const bool is_fine = is_finite(rig.places[i]) && s.allFinite() && s.determinant() > 0 &&
                             rig.masses[i] > 0 && std::isfinite(rig.masses[i]) && rig.ease[i] >= 0;
        if (!is_fine) {
            return Error{fmt::format("particle {} has no sound place, size or mass", i), "", ""};
        }
        has_outer |= rig.attached[i] == 0;
    }
    if (!has_outer) return Error{"every particle is fixed to the bone", "", "give it some room"};
    for (const std::int32_t i : rig.members) {
        if (i < 0 || static_cast<std::size_t>(i) >= n) {
            return Error{fmt::format("a group names particle {}, which is not there", i), "", ""};
        }
    }
    for (const std::int32_t i : rig.ties) {
        if (i < 0 || static_cast<std::size_t>(i) >= n || rig.attached[i]) {
            return Error{fmt::format("a tie names {}, which is no outer particle", i), "", ""};
        }
    }
    for (std::size_t g = 0; g < rig.group_count(); ++g) {
        std::vector<std::int32_t> group(rig.group(g).begin(), rig.group(g).end());
        std::sort(group.begin(), group.end());
        if (group.empty() || std::adjacent_find(group.begin(), group.end()) != group.end()) {
            return Error{fmt::format("group {} is empty or names a particle twice", g), "", ""};
        }
    }
    return {};
}

}  // namespace ductile
