// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/track/pick_samples.h>
#include <ductile/export/track/shape_track.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// How the tolerance is shared: straight lines between shapes, then straight lines over time.
constexpr double kShapeShare = 0.75;
constexpr double kTimeShare = 0.25;
// With more keys than allowed the tolerance grows by this factor until they suffice.
constexpr double kToleranceGrowth = 1.5;
// Where that growth begins if no error at all was asked for: float rounding of the body's size.
constexpr double kSmallestShare = 1e-6;
constexpr double kSmallest = 1e-12;  // [m]; only so that a body without size comes to an end

using Points = std::span<const Vec3>;

double furthest(Points a, Points b) {
    double most_sq = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most_sq = std::max(most_sq, (a[i] - b[i]).squaredNorm());
    }
    return std::sqrt(most_sq);
}

// The weight that brings the line nearest to `points` in the mean, and what is left at the worst.
struct Fit {
    double weight = 0.0;
    double error = 0.0;
};
Fit fit_line(Points from, Points to, Points points) {
    double along = 0.0;
    double length_sq = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 step = to[i] - from[i];
        along += step.dot(points[i] - from[i]);
        length_sq += step.squaredNorm();
    }
    Fit fit;
    if (length_sq > 0.0) fit.weight = std::clamp(along / length_sq, 0.0, 1.0);
    double most_sq = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 on_line = from[i] + fit.weight * (to[i] - from[i]);
        most_sq = std::max(most_sq, (points[i] - on_line).squaredNorm());
    }
    fit.error = std::sqrt(most_sq);
    return fit;
}

// The reduction of one body under one tolerance.
class Reduction {
public:
    Reduction(const RecordedBody& body, std::vector<std::int32_t> sequence, double tolerance)
        : body_(body), sequence_(std::move(sequence)), tolerance_(tolerance) {
        key_of_shape_.assign(std::max<std::size_t>(body.shapes.size(), 1), -1);
    }

    /// One blend per entry of the sequence.
    std::vector<ShapeBlend> run() {
        std::vector<ShapeBlend> blends(sequence_.size());
        std::int32_t from = make_key(0, 0);
        blends[0] = {from, from, 0.0};
        error_ = furthest(key_points(from), shape_points(0));
        for (std::size_t at = 0; at + 1 < sequence_.size();) {
            const std::size_t next =
                furthest_fit(at, sequence_.size() - 1,
                             [&](std::size_t a, std::size_t b) { return line_fits(from, a, b); });
            const std::int32_t to = make_key(next, from);
            for (std::size_t i = at + 1; i < next; ++i) {
                const Fit fit = fit_line(key_points(from), key_points(to), shape_points(i));
                blends[i] = {from, to, fit.weight};
                error_ = std::max(error_, fit.error);
            }
            blends[next] = {to, to, 0.0};
            error_ = std::max(error_, furthest(key_points(to), shape_points(next)));
            from = to;
            at = next;
        }
        return blends;
    }

    const std::vector<std::int32_t>& keys() const { return keys_; }
    double error() const { return error_; }

    Points key_points(std::int32_t key) const {
        return key == 0 ? Points(body_.asset->surface.points)
                        : Points(body_.shapes[keys_[key - 1]]);
    }

private:
    Points shape_points(std::size_t i) const {
        return body_.shapes.empty() ? Points(body_.asset->surface.points)
                                    : Points(body_.shapes[sequence_[i]]);
    }

    // A key that already exists and stands for entry i, or -1. Rest and the key just left are
    // tried by shape (a repaired body comes home; a scratch below the tolerance is none), all
    // others by index only: trying them all would cost keys x shapes.
    std::int32_t known_key(std::size_t i, std::int32_t from) const {
        if (key_of_shape_[sequence_[i]] >= 0) return key_of_shape_[sequence_[i]];
        if (furthest(key_points(from), shape_points(i)) <= tolerance_) return from;
        if (furthest(key_points(0), shape_points(i)) <= tolerance_) return 0;
        return -1;
    }

    std::int32_t make_key(std::size_t i, std::int32_t from) {
        if (const std::int32_t known = known_key(i, from); known >= 0) return known;
        keys_.push_back(sequence_[i]);
        return key_of_shape_[sequence_[i]] = static_cast<std::int32_t>(keys_.size());
    }

    bool line_fits(std::int32_t from, std::size_t a, std::size_t b) const {
        const std::int32_t known = known_key(b, from);
        const Points to = known >= 0 ? key_points(known) : shape_points(b);
        for (std::size_t i = b - 1; i > a; --i) {
            if (fit_line(key_points(from), to, shape_points(i)).error > tolerance_) return false;
        }
        return true;
    }

    const RecordedBody& body_;
    std::vector<std::int32_t> sequence_;
    double tolerance_;
    std::vector<std::int32_t> keys_;
    std::vector<std::int32_t> key_of_shape_;
    double error_ = 0.0;
};

// Weights of two blends over time, compared without writing out all keys: a blend touches two.
struct TimeBlend {
    const ShapeTrack& track;
    const std::vector<Frame>& frames;

    void add(std::vector<double>& weights, const ShapeBlend& blend, double factor) const {
        if (blend.from > 0) weights[blend.from - 1] += factor * (1.0 - blend.weight);
        if (blend.to > 0) weights[blend.to - 1] += factor * blend.weight;
    }
    // How far the weights at its keys put a point off; sets these back to 0.
    double take_error(std::vector<double>& weights, const ShapeBlend& blend) const {
        double off = 0.0;
        for (const std::int32_t key : {blend.from, blend.to}) {
            if (key == 0) continue;
            off += std::abs(weights[key - 1]) * track.key_reach[key - 1];
            weights[key - 1] = 0.0;
        }
        return off;
    }
    // No point is off by more than the sum over keys of weight error times reach.
    double error(std::size_t a, std::size_t b, std::size_t f, std::vector<double>& weights) const {
        const double t = (frames[f].time - frames[a].time) / (frames[b].time - frames[a].time);
        add(weights, track.frames[a], 1.0 - t);
        add(weights, track.frames[b], t);
        add(weights, track.frames[f], -1.0);
        return take_error(weights, track.frames[a]) + take_error(weights, track.frames[b]) +
               take_error(weights, track.frames[f]);
    }
};

void pick_time_keys(ShapeTrack& track, const std::vector<Frame>& frames, double tolerance) {
    const ShapeBlend& first = track.frames[0];
    const bool changes =
        std::any_of(track.frames.begin(), track.frames.end(), [&](const ShapeBlend& b) {
            return b.from != first.from || b.to != first.to || b.weight != first.weight;
        });
    if (!changes) return;
    const TimeBlend blend{track, frames};
    std::vector<double> weights(track.keys.size(), 0.0);
    track.time_keys = pick_samples(frames.size(), [&](std::size_t a, std::size_t b) {
        for (std::size_t f = a + 1; f < b; ++f) {
            if (blend.error(a, b, f, weights) > tolerance) return false;
        }
        return true;
    });
    double worst = 0.0;
    for (std::size_t k = 1; k < track.time_keys.size(); ++k) {
        for (std::size_t f = track.time_keys[k - 1] + 1; f < track.time_keys[k]; ++f) {
            worst = std::max(worst,
                             blend.error(track.time_keys[k - 1], track.time_keys[k], f, weights));
        }
    }
    track.error += worst;
}

// The shapes in the order they are shown, each run once, and the run that each frame belongs to.
struct Runs {
    std::vector<std::int32_t> shapes;
    std::vector<std::size_t> of_frame;
};
Runs shape_runs(const Recording& r, std::size_t body, std::span<const std::size_t> source) {
    Runs runs;
    for (const std::size_t f : source) {
        const std::int32_t shape = r.frames[f].bodies[body].shape;
        if (runs.shapes.empty() || runs.shapes.back() != shape) runs.shapes.push_back(shape);
        runs.of_frame.push_back(runs.shapes.size() - 1);
    }
    return runs;
}

}  // namespace

ShapeTrack track_shapes(const Recording& recording, std::size_t body,
                        std::span<const std::size_t> source, const ShapeTrackOptions& options) {
    DUCTILE_ASSERT(options.tolerance >= 0.0 && options.max_keys >= 0, "a length and a count");
    const RecordedBody& recorded = recording.bodies[body];
    DUCTILE_ASSERT(recorded.asset != nullptr, "only a body with a surface has shapes");
    ShapeTrack track;
    if (source.empty()) return track;
    const Runs runs = shape_runs(recording, body, source);
    const double size = bounds(recorded.asset->surface.points).diagonal();

    double tolerance = options.tolerance;
    std::vector<ShapeBlend> blends;
    while (true) {
        Reduction reduction(recorded, runs.shapes, kShapeShare * tolerance);
        blends = reduction.run();
        track.keys = reduction.keys();
        track.error = reduction.error();
        if (track.keys.size() <= static_cast<std::size_t>(options.max_keys)) break;
        tolerance = std::max(kToleranceGrowth * tolerance, kSmallestShare * size + kSmallest);
    }
    for (const std::int32_t key : track.keys) {
        track.key_reach.push_back(furthest(recorded.shapes[key], recorded.asset->surface.points));
    }
    for (const std::size_t run : runs.of_frame) track.frames.push_back(blends[run]);
    pick_time_keys(track, recording.frames, kTimeShare * options.tolerance);
    return track;
}

std::vector<double> key_weights(const ShapeTrack& track, const ShapeBlend& blend) {
    std::vector<double> weights(track.keys.size(), 0.0);
    if (blend.from > 0) weights[blend.from - 1] += 1.0 - blend.weight;
    if (blend.to > 0) weights[blend.to - 1] += blend.weight;
    return weights;
}

}  // namespace ductile
