// SPDX-License-Identifier: MIT
#include <ductile/export/track/check_recording.h>
#include <ductile/geom/repair/check_asset.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

namespace ductile {
namespace {

// Engines keep unit quaternions to 1e-12; what is off by more than this was never one.
constexpr double kUnitTolerance = 1e-3;

bool fits_float(double x) { return std::abs(x) <= std::numeric_limits<float>::max(); }  // NaN: no

template <class Vector>
bool all_fit_float(const Vector& v) {
    for (Eigen::Index i = 0; i < v.size(); ++i) {
        if (!fits_float(v[i])) return false;
    }
    return true;
}

template <class Vector>
std::size_t first_misfit(std::span<const Vector> values) {
    const auto bad = [](const Vector& v) { return !all_fit_float(v); };
    return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), bad) -
                                    values.begin());
}

std::string body_place(const Recording& r, std::size_t body) {
    return fmt::format("body {} ('{}')", body, r.bodies[body].name);
}

std::string frame_place(const Recording& r, std::size_t body, std::size_t frame) {
    return fmt::format("{}, frame {}", body_place(r, body), frame);
}

Status check_assets(const Recording& r) {
    std::set<const SurfaceAsset*> checked;  // for look-up only: its order is never used
    for (std::size_t b = 0; b < r.bodies.size(); ++b) {
        const SurfaceAsset* asset = r.bodies[b].asset.get();
        if (!asset || !checked.insert(asset).second) continue;
        if (const Status fine = check_asset(*asset); !fine) {
            return Error{fine.error().what, body_place(r, b), ""};
        }
    }
    return {};
}

Status check_times(const Recording& r) {
    if (r.bodies.empty()) return Error{"the recording has no body", "", ""};
    if (r.frames.empty()) return Error{"the recording has no frame", "", "run at least one step"};
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        const Frame& frame = r.frames[f];
        const std::string where = fmt::format("frame {}", f);
        if (!fits_float(frame.time)) return Error{"the time is not finite", where, ""};
        if (f > 0 && !(frame.time > r.frames[f - 1].time)) {
            return Error{"the time does not come after that of the frame before", where, ""};
        }
        if (frame.bodies.size() != r.bodies.size()) {
            return Error{fmt::format("holds {} bodies, the recording {}", frame.bodies.size(),
                                     r.bodies.size()),
                         where, ""};
        }
    }
    return {};
}

// `is_checked` remembers the shapes of this body that were found good.
Status check_shape(const Recording& r, std::size_t body, std::size_t frame,
                   std::vector<bool>& is_checked) {
    const RecordedBody& recorded = r.bodies[body];
    const std::int32_t shape = r.frames[frame].bodies[body].shape;
    const std::size_t shape_count = std::max<std::size_t>(recorded.shapes.size(), 1);
    if (shape < 0 || static_cast<std::size_t>(shape) >= shape_count) {
        return Error{fmt::format("shape {} of {} does not exist", shape, shape_count),
                     frame_place(r, body, frame), ""};
    }
    if (recorded.shapes.empty() || is_checked[shape]) return {};
    is_checked[shape] = true;
    const std::vector<Vec3>& points = recorded.shapes[shape];
    const std::size_t expected = recorded.asset ? recorded.asset->surface.points.size() : 0;
    if (recorded.asset && points.size() != expected) {
        return Error{
            fmt::format("shape {} has {} points, the asset {}", shape, points.size(), expected),
            frame_place(r, body, frame), ""};
    }
    if (const std::size_t i = first_misfit(std::span(points)); i < points.size()) {
        return Error{fmt::format("point {} of shape {} is not finite", i, shape),
                     frame_place(r, body, frame), ""};
    }
    return {};
}

Status check_body(const Recording& r, std::size_t body) {
    std::vector<bool> is_checked(r.bodies[body].shapes.size(), false);
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        const BodyFrame& at = r.frames[f].bodies[body];
        if (!at.is_present) continue;
        if (!all_fit_float(at.pose_w.translation) || !at.pose_w.rotation.coeffs().allFinite()) {
            return Error{"the pose is not finite", frame_place(r, body, f), ""};
        }
        if (std::abs(at.pose_w.rotation.norm() - 1.0) > kUnitTolerance) {
            return Error{"the rotation is not of unit length", frame_place(r, body, f), ""};
        }
        if (Status good = check_shape(r, body, f, is_checked); !good) return good;
    }
    return {};
}

Status check_hits(const Recording& r) {
    for (std::size_t h = 0; h < r.hits.size(); ++h) {
        const RecordedHit& hit = r.hits[h];
        const std::string where = fmt::format("hit {}", h);
        if (hit.body < 0 || static_cast<std::size_t>(hit.body) >= r.bodies.size()) {
            return Error{fmt::format("body {} does not exist", hit.body), where, ""};
        }
        if (!std::isfinite(hit.time) || !std::isfinite(hit.size) || !is_finite(hit.position_b)) {
            return Error{"a number is not finite", where, ""};
        }
    }
    return {};
}

Status check_impacts(const Recording& r) {
    const auto count = static_cast<std::int32_t>(r.bodies.size());
    for (std::size_t i = 0; i < r.impacts.size(); ++i) {
        const RecordedImpact& impact = r.impacts[i];
        const std::string where = fmt::format("impact {}", i);
        for (const std::int32_t body : impact.bodies) {
            if (body < -1 || body >= count) {
                return Error{fmt::format("body {} does not exist", body), where, ""};
            }
        }
        if (!std::isfinite(impact.time + impact.approach_speed + impact.effective_mass +
                           impact.damage_impulse) ||
            !is_finite(impact.position_w) || !is_finite(impact.normal_w)) {
            return Error{"a number is not finite", where, ""};
        }
    }
    return {};
}

Status check_energy(const Recording& r) {
    if (!r.energy.empty() && r.energy.size() != r.frames.size()) {
        return Error{
            fmt::format("energy is given for {} of {} frames", r.energy.size(), r.frames.size()),
            "", ""};
    }
    for (std::size_t f = 0; f < r.energy.size(); ++f) {
        bool is_finite = true;
        visit_entries(r.energy[f],
                      [&](const char*, double value) { is_finite &= std::isfinite(value); });
        if (!is_finite) return Error{"an energy is not finite", fmt::format("frame {}", f), ""};
    }
    return {};
}

}  // namespace

Status check_recording(const Recording& recording) {
    if (Status good = check_times(recording); !good) return good;
    if (Status good = check_assets(recording); !good) return good;
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (Status good = check_body(recording, b); !good) return good;
    }
    if (Status good = check_hits(recording); !good) return good;
    if (Status good = check_impacts(recording); !good) return good;
    return check_energy(recording);
}

}  // namespace ductile
