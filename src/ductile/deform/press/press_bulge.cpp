// SPDX-License-Identifier: MIT
// Section 4.4 of Brunel et al. 2020. The seed's volume equation lacks ordinates as printed and sums
// lengths times areas; here it only starts a search on the true volume, which gives "bulge 1" its
// meaning.
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_bulge.h>
#include <ductile/deform/press/press_profile.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Secants stop when the volume is kept to this share of what was displaced.
constexpr double kVolumeTolerance = 1e-6;
constexpr int kMostSecants = 24;
// No limit pulls a point in by more than this times what its zone's border moves: where a direction
// runs along the rigid surface, the way out along it may be any length.
constexpr double kMostRetreat = 1.5;

class BulgedRegion {
public:
    BulgedRegion(const PressRegion& region, std::span<const double> radial,
                 std::span<const Vec3> directions, const PressGuides& guides,
                 std::span<const double> limits, const PressOptions& options)
        : region_(region),
          directions_(directions),
          limits_(region.points.size(), kInfinity),
          is_moved_(region.points.size(), 0),
          profile_(region.points.size()) {
        parallel_for(region.points.size(), 64, [&](std::size_t i) {
            if (region.is_contact[i] || !(radial[i] < 1.0)) return;
            is_moved_[i] = 1;
            limits_[i] = std::max(limits[i], -kMostRetreat * guides.amplitude[i]);
            profile_[i] = PressProfile(guides.amplitude[i], guides.slope[i], options).at(radial[i]);
        });
        for (const Vec3& p : region.points) about_ += p / static_cast<double>(region.points.size());
    }

    std::vector<Vec3> at(double height) const {
        std::vector<Vec3> points = region_.points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (region_.is_contact[i]) points[i] = region_.touching[i].position;
            if (!is_moved_[i]) continue;
            const double way = profile_[i].still + height * profile_[i].bulging;
            points[i] += std::min(way, limits_[i]) * directions_[i];
        }
        return points;
    }

    /// Volume gained against rest [m^3]; exact where the region's border does not move.
    double gain(double height) const { return volume_of(at(height)) - volume_of(region_.points); }

    /// Volume gained per height, as areas times lengths.
    double gain_estimate() const {
        const std::vector<double> areas = vertex_areas(region_.points, region_.triangles);
        double sum = 0.0;
        for (std::size_t i = 0; i < areas.size(); ++i) {
            sum += areas[i] * profile_[i].bulging * directions_[i].dot(region_.normals[i]);
        }
        return sum;
    }

private:
    double volume_of(const std::vector<Vec3>& points) const {
        double sum = 0.0;
        for (const Triangle& t : region_.triangles) {
            const Vec3 a = points[t[0]] - about_, b = points[t[1]] - about_;
            sum += a.dot(b.cross(points[t[2]] - about_));
        }
        return sum / 6.0;
    }

    const PressRegion& region_;
    std::span<const Vec3> directions_;
    std::vector<double> limits_;
    std::vector<std::uint8_t> is_moved_;
    std::vector<PressProfile::Displacement> profile_;
    Vec3 about_ = Vec3::Zero();
};

}  // namespace

std::vector<double> press_limits(const PressRegion& region, std::span<const double> radial,
                                 std::span<const Vec3> directions, const SurfaceQuery& rigid,
                                 std::span<const RigidSide> sides, double reach) {
    std::vector<double> limits(region.points.size(), kInfinity);
    parallel_for(limits.size(), 32, [&](std::size_t i) {
        const auto side = sides[region.vertices[i]];
        if (region.is_contact[i] || !(radial[i] < 1.0) || side == RigidSide::Unknown) return;
        const bool is_inside = side == RigidSide::Inside;
        const Vec3 way = is_inside ? Vec3(-directions[i]) : directions[i];
        const SurfacePoint hit = rigid.first_hit(region.points[i], way, reach);
        if (hit.triangle >= 0) limits[i] = is_inside ? -hit.distance : hit.distance;
    });
    return limits;
}

PressBulge press_bulge(const PressRegion& region, std::span<const double> radial,
                       std::span<const Vec3> directions, const PressGuides& guides,
                       std::span<const double> limits, const PressOptions& options) {
    const BulgedRegion bulged(region, radial, directions, guides, limits, options);
    PressBulge result;
    const double lost = -bulged.gain(0.0), per_height = bulged.gain_estimate();
    result.displaced = lost;
    const double tolerance = kVolumeTolerance * std::abs(lost);
    if (per_height > 0) {
        double before = 0.0, gain_before = -lost, now = lost / per_height;
        double gain_now = bulged.gain(now);
        int left = kMostSecants;
        while (std::abs(gain_now) > tolerance && left-- > 0) {
            const double slope = (gain_now - gain_before) / (now - before);
            if (!(slope > 0)) break;
            const double next = now - gain_now / slope;
            before = now;
            gain_before = gain_now;
            now = next;
            gain_now = bulged.gain(now);
        }
        result.is_kept = std::abs(gain_now) <= std::max(tolerance, 1e-3 * std::abs(lost));
        result.height = result.is_kept ? now : lost / per_height;
    } else {
        result.is_kept = !(std::abs(lost) > 0);
    }
    result.points = bulged.at(options.bulge * result.height);
    result.change = bulged.gain(options.bulge * result.height);
    return result;
}

}  // namespace ductile
