// SPDX-License-Identifier: MIT
// Section 4.4 of Brunel et al. 2020. The paper's volume equation lacks ordinates as printed and
// sums lengths times areas; here the true volume is kept, which gives "bulge 1" its meaning.
#include <ductile/core/parallel.h>
#include <ductile/deform/press/bulge/press_bulge.h>
#include <ductile/deform/press/bulge/press_profile.h>
#include <ductile/deform/press/bulge/press_relief.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

// Secants stop when the volume is kept to this share of what was displaced.
constexpr double kVolumeTolerance = 1e-6;
constexpr int kMostSecants = 24;
// Guards are sought for heights up to this times the estimate; a search that goes beyond starts
// again with more.
constexpr double kHeightReserve = 2.0;
constexpr int kMostRounds = 6;
// A guard's plane touches the rigid body beside where its point comes to lie: what is still inside
// by less than this share of the depth goes to the nearest place of the surface itself.
constexpr double kSnapReach = 0.05;
// Of what would be lost without a bulge, an elastic ball between planes loses 1.16 c / (1 + 0.63 c)
// to compression, with c = 1 - 2 times Poisson's ratio (validation/soft_shapes.csv).
constexpr double kLost = 1.16, kLostLess = 0.63;
// A contact is deep from this share of the extent on.
constexpr double kDeepShare = 0.2;
// And beside a rigid body with edges, whose walls stand across the way of what is outside.
constexpr double kSideReach = 0.5;

class BulgedRegion {
public:
    BulgedRegion(const PressFields& fields, const PressOptions& options)
        : fields_(fields), guard_of_(fields.region.points.size(), -1) {
        const PressRegion& region = fields.region;
        const PressProfiles profiles(options);
        const PressRelief relief(options);
        origin_ = region.points.empty() ? Vec3(Vec3::Zero()) : region.points[0];
        start_.resize(region.points.size());
        step_.resize(region.points.size());
        displacements_.resize(region.points.size());
        for (std::size_t i = 0; i < region.points.size(); ++i) {
            const bool is_contact = region.is_contact[i] != 0;
            start_[i] = (is_contact ? region.touching[i].position : region.points[i]) - origin_;
            step_[i].setZero();
            if (!is_contact && fields.radial[i] < 1.0) {
                bulging_.push_back(static_cast<std::int32_t>(i));
            }
        }
        constexpr std::size_t kTask = 128;
        parallel_for((bulging_.size() + kTask - 1) / kTask, 1, [&](std::size_t task) {
            const std::size_t first = task * kTask;
            move(std::span(bulging_).subspan(first, std::min(kTask, bulging_.size() - first)),
                 profiles, relief);
        });
        gather_triangles();
    }

    /// Volume gained at no height, per height and so on, where no guard acts.
    const std::array<double, 4>& free_gain() const { return free_gain_; }

    /// Finds the guards that act at some height between 0 and `most`.
    void set_guards(double most) {
        const PressRegion& region = fields_.region;
        std::vector<double> reaches(start_.size());
        for (std::size_t i = 0; i < reaches.size(); ++i) {
            reaches[i] = displacements_[i].still + std::max(most, 0.0) * displacements_[i].bulging;
        }
        for (const PressGuard& guard : guards_) guard_of_[guard.point] = -1;
        guards_ = press_guards(region, fields_.radial, fields_.directions, fields_.guides, reaches,
                               fields_.rigid, fields_.sides);
        std::erase_if(guards_, [&](const PressGuard& guard) {
            return std::min(gap(guard, 0.0), gap(guard, most)) >= guard.width;
        });
        index_guards();
    }

    /// Moves them to where points come to at this height.
    void move_guards(double height) {
        std::vector<Vec3> reached = fields_.region.points;
        for (const std::int32_t i : bulging_) reached[i] = start_[i] + height * step_[i] + origin_;
        for (const PressGuard& guard : guards_) guard_of_[guard.point] = -1;
        spread_guards(fields_.region, fields_.radial, fields_.guides, reached, fields_.rigid,
                      fields_.sides, guards_);
        index_guards();
    }

    /// Volume gained against rest [m^3]; exact where the region's border does not move.
    double gain(double height) {
        const auto& c = unguarded_gain_;
        double sum = ((c[3] * height + c[2]) * height + c[1]) * height + c[0];
        for (const std::int32_t v : near_) scratch_[v] = at(v, height);
        double sixfold = 0.0;
        for (const std::int32_t f : guarded_) {
            const Triangle& t = fields_.region.triangles[f];
            sixfold += scratch_[t[0]].dot(scratch_[t[1]].cross(scratch_[t[2]]));
        }
        return sum + (sixfold / 6.0 - guarded_rest_);
    }

    /// Lays what a guard's plane leaves just inside the rigid body onto it, at this height.
    void snap_to_rigid(double height) {
        nudge_.assign(guards_.size(), Vec3::Zero());
        if (fields_.is_sharp) add_slots(height);
        const SurfaceQuery& rigid = fields_.rigid;
        parallel_for(guards_.size(), 32, [&](std::size_t g) {
            const PressGuard& guard = guards_[g];
            if (fields_.is_sharp) {
                nudge_[g] = way_out(guard, height);
                return;
            }
            const double reach = kSnapReach * fields_.guides.amplitude[guard.point];
            if (softened_gap(gap(guard, height), guard.width) > reach) return;
            const Vec3 p = at(guard.point, height) + origin_;
            const SurfacePoint near = rigid.closest_point(p, reach);
            if (near.triangle < 0) return;
            const Vec3 face = area_vector(rigid.points(), rigid.triangles()[near.triangle]);
            const bool is_inside = (p - near.position).dot(face) < 0;
            if (is_inside && face.dot(guard.normal) > 0) nudge_[g] = near.position - p;
        });
    }

    std::vector<Vec3> points(double height) const {
        const PressRegion& region = fields_.region;
        std::vector<Vec3> points = region.points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (region.is_contact[i])
                points[i] = region.touching[i].position;
            else if (fields_.radial[i] < 1.0)
                points[i] = at(i, height) + origin_;
        }
        return points;
    }

private:
    void index_guards() {
        for (std::size_t g = 0; g < guards_.size(); ++g) {
            guard_of_[guards_[g].point] = static_cast<std::int32_t>(g);
        }
        nudge_.assign(guards_.size(), Vec3::Zero());
        gather_guarded();
    }

    /// Finds where points with a profile go.
    void move(std::span<const std::int32_t> points, const PressProfiles& profiles,
              const PressRelief& relief) {
        std::vector<PressProfile::Sample> samples;
        std::vector<PressProfile::Displacement> found(points.size());
        for (const std::int32_t i : points) {
            samples.push_back(
                {fields_.radial[i], fields_.guides.amplitude[i], fields_.guides.slope[i]});
        }
        PressProfile::displacements(samples, profiles, found);
        for (std::size_t k = 0; k < points.size(); ++k) {
            const std::int32_t i = points[k];
            displacements_[i] = found[k];
            if (!relief.is_empty()) {
                displacements_[i].still +=
                    fields_.guides.amplitude[i] *
                    relief.at(fields_.radial[i], fields_.at_rest[fields_.region.vertices[i]]);
            }
            if (!fields_.bulge_factor.empty()) {
                displacements_[i].bulging *= fields_.bulge_factor[fields_.region.vertices[i]];
            }
            start_[i] += displacements_[i].still * fields_.directions[i];
            step_[i] = displacements_[i].bulging * fields_.directions[i];
        }
    }

    /// Gives points that came to lie inside the rigid body without a guard one that bars nothing,
    /// so that they can be nudged out: a surface that turns sharply is not where their way met it.
    void add_slots(double height) {
        const Box box = fields_.rigid.box();
        const std::size_t before = guards_.size();
        for (const std::int32_t i : bulging_) {
            if (guard_of_[i] >= 0 || box.distance_sq(at(i, height) + origin_) > 0) continue;
            if (fields_.sides[fields_.region.vertices[i]] == RigidSide::Unknown) continue;
            guard_of_[i] = static_cast<std::int32_t>(guards_.size());
            guards_.push_back({.point = i});
        }
        if (guards_.size() == before) return;
        nudge_.resize(guards_.size(), Vec3::Zero());
        gather_guarded();
    }

    /// From inside a rigid body with edges to its surface: along the normal that a point inside at
    /// rest was mapped along, which does not jump from face to face; else the nearest way.
    Vec3 way_out(const PressGuard& guard, double height) const {
        const SurfaceQuery& rigid = fields_.rigid;
        const Vec3 p = at(guard.point, height) + origin_;
        const double reach = fields_.guides.amplitude[guard.point];
        const auto face = [&](const SurfacePoint& hit) {
            return area_vector(rigid.points(), rigid.triangles()[hit.triangle]);
        };
        if (fields_.sides[fields_.region.vertices[guard.point]] == RigidSide::Inside) {
            const Vec3& normal = fields_.region.touching[guard.point].normal;
            const SurfacePoint hit = rigid.first_hit(p, normal, reach);
            const bool is_out = hit.triangle < 0 || !(face(hit).dot(normal) > 0);
            return is_out ? Vec3(Vec3::Zero()) : Vec3(hit.position - p);
        }
        const SurfacePoint near = rigid.closest_point(p, kSideReach * reach);
        const bool is_out = near.triangle < 0 || !((p - near.position).dot(face(near)) < 0);
        return is_out ? Vec3(Vec3::Zero()) : Vec3(near.position - p);
    }

    double gap(const PressGuard& guard, double height) const {
        return (start_[guard.point] + height * step_[guard.point] + (origin_ - guard.place))
            .dot(guard.normal);
    }

    Vec3 at(std::size_t i, double height) const {
        const Vec3 p = start_[i] + height * step_[i];
        if (guard_of_[i] < 0) return p;
        const PressGuard& guard = guards_[guard_of_[i]];
        const double now = (p + (origin_ - guard.place)).dot(guard.normal);
        const double widened = now < guard.width ? softened_gap(now, guard.width) - now : 0.0;
        return p + widened * guard.normal + nudge_[guard_of_[i]];
    }

    /// Triangles with a guarded corner: their gains are no cubics.
    void gather_guarded() {
        guarded_.clear();
        near_.clear();
        unguarded_gain_ = free_gain_;
        guarded_rest_ = 0.0;
        if (guards_.empty()) return;
        std::vector<std::uint8_t> is_near(start_.size(), 0);
        for (const std::int32_t f : moving_) {
            const Triangle& t = fields_.region.triangles[f];
            if (guard_of_[t[0]] < 0 && guard_of_[t[1]] < 0 && guard_of_[t[2]] < 0) continue;
            guarded_.push_back(f);
            const std::array<double, 4> own = gain_of(t);
            for (int k = 0; k < 4; ++k) unguarded_gain_[k] -= own[k];
            guarded_rest_ += rest_volume(t);
            for (const std::int32_t v : t) {
                if (!is_near[v]) near_.push_back(v);
                is_near[v] = 1;
            }
        }
        scratch_.resize(start_.size());
    }

    double rest_volume(const Triangle& t) const {
        const auto& points = fields_.region.points;
        const Vec3 a = points[t[0]] - origin_, b = points[t[1]] - origin_;
        return a.dot(b.cross(points[t[2]] - origin_)) / 6.0;
    }

    /// Of a triangle whose corners move along straight lines: a cubic in the height.
    std::array<double, 4> gain_of(const Triangle& t) const {
        const Vec3 &a = start_[t[0]], &b = start_[t[1]], &c = start_[t[2]];
        const Vec3 &da = step_[t[0]], &db = step_[t[1]], &dc = step_[t[2]];
        const Vec3 bc = b.cross(c), mixed = db.cross(c) + b.cross(dc), steps = db.cross(dc);
        return {a.dot(bc) / 6.0 - rest_volume(t), (da.dot(bc) + a.dot(mixed)) / 6.0,
                (da.dot(mixed) + a.dot(steps)) / 6.0, da.dot(steps) / 6.0};
    }

    void gather_triangles() {
        const PressRegion& region = fields_.region;
        const auto moves = [&](std::int32_t i) {
            return region.is_contact[i] || fields_.radial[i] < 1.0;
        };
        for (std::size_t f = 0; f < region.triangles.size(); ++f) {
            const Triangle& t = region.triangles[f];
            if (!moves(t[0]) && !moves(t[1]) && !moves(t[2])) continue;
            moving_.push_back(static_cast<std::int32_t>(f));
            const std::array<double, 4> own = gain_of(t);
            for (int k = 0; k < 4; ++k) free_gain_[k] += own[k];
        }
    }

    const PressFields& fields_;
    Vec3 origin_ = Vec3::Zero();      ///< Near the region: volumes keep their digits.
    std::vector<Vec3> start_, step_;  ///< Where points are at height 0, and their way per height.
    std::vector<std::int32_t> bulging_;                      ///< Points with a profile, ascending.
    std::vector<PressProfile::Displacement> displacements_;  ///< Of those, along their directions.
    std::vector<std::int32_t> guard_of_;                     ///< Per point; -1 for none.
    std::vector<PressGuard> guards_;
    std::vector<Vec3> nudge_;                     ///< Per guard, once snapped.
    std::vector<std::int32_t> moving_, guarded_;  ///< Triangles.
    std::vector<std::int32_t> near_;              ///< Corners of those guarded.
    std::vector<Vec3> scratch_;                   ///< Where those are at the height last asked for.
    double guarded_rest_ = 0.0;
    std::array<double, 4> free_gain_{}, unguarded_gain_{};
};

/// The height at which the volume is kept, by secants from `guess`.
struct KeptHeight {
    double height = 0.0;
    double lost = 0.0;  ///< Volume, at no height [m^3].
    bool is_found = true;
};
KeptHeight keep_volume(BulgedRegion& bulged, double guess) {
    const double lost = -bulged.gain(0.0), tolerance = kVolumeTolerance * std::abs(lost);
    double before = 0.0, gain_before = -lost, now = guess, gain_now = bulged.gain(now);
    for (int left = kMostSecants; std::abs(gain_now) > tolerance && left > 0; --left) {
        const double slope = (gain_now - gain_before) / (now - before);
        if (!(slope > 0)) break;
        const double next = now - gain_now / slope;
        before = now;
        gain_before = gain_now;
        now = next;
        gain_now = bulged.gain(now);
    }
    const bool is_found = std::abs(gain_now) <= std::max(tolerance, 1e-3 * std::abs(lost));
    return {is_found ? now : guess, lost, is_found};
}

/// Shallow contacts have no wall along which neighbours could be held differently.
bool is_deep(const PressFields& fields) {
    const std::vector<double>& depths = fields.guides.amplitude;
    return !depths.empty() &&
           *std::max_element(depths.begin(), depths.end()) > kDeepShare * fields.extent;
}

}  // namespace

double bulge_of(const PressOptions& options) {
    const double compressible = 1.0 - 2.0 * options.poissons_ratio;
    const double lost = kLost * compressible / (1.0 + kLostLess * compressible);
    return options.bulge * std::max(0.0, 1.0 - lost);
}

PressBulge press_bulge(const PressFields& fields, const PressOptions& options) {
    BulgedRegion bulged(fields, options);
    const double bulge = bulge_of(options);
    PressBulge result;
    const auto& [lost, per_height, square, cube] = bulged.free_gain();
    const double guess = per_height > 0 ? -lost / per_height : 0.0;
    const double most_bulge = std::max(bulge, 1.0);
    double most = kHeightReserve * most_bulge * guess;
    for (int round = 0; round < kMostRounds; ++round) {
        bulged.set_guards(most);
        const KeptHeight kept = keep_volume(bulged, guess);
        result.height = kept.height;
        result.displaced = kept.lost;
        result.is_kept = kept.is_found;
        if (!(most_bulge * std::abs(kept.height) > std::abs(most))) break;
        most = kHeightReserve * most_bulge * kept.height;
    }
    for (std::size_t i = 0; i < fields.radial.size(); ++i) {
        const bool is_inside = fields.sides[fields.region.vertices[i]] == RigidSide::Inside;
        result.out_of_reach += is_inside && !fields.region.is_contact[i] && fields.radial[i] >= 1.0;
    }
    if (!(per_height > 0)) result.is_kept = !(std::abs(result.displaced) > 0);
    // Edges that jut out have planes of their own: the nearest place of theirs jumps.
    if (!fields.is_sharp && result.is_kept && is_deep(fields)) {
        bulged.move_guards(result.height);
        const KeptHeight kept = keep_volume(bulged, result.height);
        result.height = kept.height;
        result.displaced = kept.lost;
        result.is_kept = kept.is_found;
    }
    if (fields.is_sharp && result.is_kept) {
        // What is nudged out of a body with edges is no longer little beside what is displaced.
        bulged.snap_to_rigid(result.height);
        const KeptHeight kept = keep_volume(bulged, result.height);
        if (kept.is_found) result.height = kept.height;
    }
    bulged.snap_to_rigid(bulge * result.height);
    result.points = bulged.points(bulge * result.height);
    result.change = bulged.gain(bulge * result.height);
    return result;
}

}  // namespace ductile
