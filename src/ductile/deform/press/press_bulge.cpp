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

class BulgedRegion {
public:
    BulgedRegion(const PressRegion& region, std::span<const double> radial,
                 std::span<const Vec3> directions, const PressGuides& guides,
                 const PressOptions& options)
        : region_(region), still_(region.points), bulging_(region.points.size(), Vec3::Zero()) {
        parallel_for(region.points.size(), 64, [&](std::size_t i) {
            if (region.is_contact[i]) {
                still_[i] = region.touching[i].position;
            } else if (radial[i] < 1.0) {
                const PressProfile profile(guides.amplitude[i], guides.slope[i], options);
                const auto moved = profile.at(radial[i]);
                still_[i] += moved.still * directions[i];
                bulging_[i] = moved.bulging * directions[i];
            }
        });
        for (const Vec3& p : region.points) about_ += p / static_cast<double>(region.points.size());
    }

    std::vector<Vec3> at(double height) const {
        std::vector<Vec3> points = still_;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!bulging_[i].isZero(0.0)) points[i] += height * bulging_[i];
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
            sum += areas[i] * bulging_[i].dot(region_.normals[i]);
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
    std::vector<Vec3> still_;    ///< With height 0.
    std::vector<Vec3> bulging_;  ///< What a unit of height adds.
    Vec3 about_ = Vec3::Zero();
};

}  // namespace

PressBulge press_bulge(const PressRegion& region, std::span<const double> radial,
                       std::span<const Vec3> directions, const PressGuides& guides,
                       const PressOptions& options) {
    const BulgedRegion bulged(region, radial, directions, guides, options);
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
