// SPDX-License-Identifier: MIT
#include <ductile/export/track/body_track.h>
#include <ductile/export/track/shape_track.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>

#include <algorithm>
#include <set>

using namespace ductile;

namespace {

using Keys = std::vector<std::size_t>;
using Shapes = std::vector<std::int32_t>;

ShapeTrack tracked(const Recording& r, const ShapeTrackOptions& options) {
    return track_shapes(r, 0, track_body(r, 0, 0.0).source, options);
}

// Shows shapes `of` one after the other, one a frame.
void show(Recording& r, const Shapes& of) {
    for (std::size_t f = 0; f < of.size(); ++f) r.frames[f].bodies[0].shape = of[f];
}

std::vector<double> weights_at(const Recording& r, const ShapeTrack& track, std::size_t f) {
    if (track.time_keys.empty()) return key_weights(track, track.frames[0]);
    if (f == track.time_keys.back()) return key_weights(track, track.frames[f]);
    const auto next = std::upper_bound(track.time_keys.begin(), track.time_keys.end(), f);
    const std::size_t a = *(next - 1), b = *next;
    const double t = (r.frames[f].time - r.frames[a].time) / (r.frames[b].time - r.frames[a].time);
    std::vector<double> from = key_weights(track, track.frames[a]);
    const std::vector<double> to = key_weights(track, track.frames[b]);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] += t * (to[k] - from[k]);
    return from;
}

// The largest distance over all points and frames, measured the slow way.
double measured_error(const Recording& r, const ShapeTrack& track) {
    const RecordedBody& body = r.bodies[0];
    const std::vector<Vec3>& rest = body.asset->surface.points;
    double worst = 0.0;
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        const std::vector<double> weights = weights_at(r, track, f);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            Vec3 p = rest[i];
            for (std::size_t k = 0; k < weights.size(); ++k) {
                p += weights[k] * (body.shapes[track.keys[k]][i] - rest[i]);
            }
            worst = std::max(worst, (p - body.shapes[r.frames[f].bodies[0].shape][i]).norm());
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("a body that keeps its shape has no key") {
    const ShapeTrack track = tracked(sample::still({sample::ball(2)}, 5), {.tolerance = 0.0});
    CHECK(track.keys.empty());
    CHECK(track.time_keys.empty());
    CHECK(track.error == 0.0);
    CHECK(track.frames.size() == 5);
}

TEST_CASE("a sudden dent costs one key and is timed by the frame before it and its own") {
    Recording r = sample::still({sample::ball(4)}, 20);
    r.bodies[0].shapes.push_back(sample::dented(r.bodies[0].shapes[0], Vec3::UnitX(), 0.1));
    for (int f = 7; f < 20; ++f) r.frames[f].bodies[0].shape = 1;
    const ShapeTrack track = tracked(r, {.tolerance = 1e-3});
    CHECK(track.keys == Shapes{1});
    CHECK(test::near(track.key_reach[0], 0.1, 1e-6));
    CHECK(track.time_keys == Keys{0, 6, 7, 19});
    CHECK(track.error == 0.0);
}

TEST_CASE("a fade costs one key however its speed changes") {
    Recording r = sample::still({sample::ball(4)}, 60);
    for (int f = 1; f < 60; ++f) {
        const double share = f / 59.0;
        r.bodies[0].shapes.push_back(
            sample::dented(r.bodies[0].shapes[0], Vec3::UnitX(), 0.1 * share * share * share));
        r.frames[f].bodies[0].shape = f;
    }
    const ShapeTrack track = tracked(r, {.tolerance = 1e-5});
    CHECK(track.keys == Shapes{59});
    CHECK(measured_error(r, track) <= 1e-5);
    const ShapeTrack coarse = tracked(r, {.tolerance = 1e-2});
    CHECK(coarse.time_keys.size() < track.time_keys.size() / 2);
}

TEST_CASE("a body that is repaired comes home to rest without a key for it") {
    Recording r = sample::still({sample::ball(4)}, 21);
    for (int f = 1; f < 21; ++f) {
        const double depth = 0.01 * (f <= 10 ? f : 20 - f);
        r.bodies[0].shapes.push_back(sample::dented(r.bodies[0].shapes[0], Vec3::UnitX(), depth));
        r.frames[f].bodies[0].shape = f;
    }
    const ShapeTrack track = tracked(r, {.tolerance = 1e-6});
    CHECK(track.keys == Shapes{10});
    CHECK(track.time_keys == Keys{0, 10, 20});
}

TEST_CASE("a shape that comes back is the same key") {
    Recording r = sample::still({sample::ball(4)}, 7);
    auto& shapes = r.bodies[0].shapes;
    shapes.push_back(sample::dented(shapes[0], Vec3::UnitX(), 0.1));
    shapes.push_back(sample::dented(shapes[0], Vec3::UnitZ(), 0.1));
    show(r, {1, 2, 1, 0, 2, 1, 0});
    const ShapeTrack track = tracked(r, {.tolerance = 1e-3});
    CHECK(track.keys == Shapes{1, 2});
    CHECK(measured_error(r, track) < 1e-12);
}

TEST_CASE(
    "every frame of random damage is within the stated error, and that within the tolerance") {
    Rng rng(23);
    for (int round = 0; round < 30; ++round) {
        Recording r = sample::still({sample::ball(3)}, 60);
        auto& shapes = r.bodies[0].shapes;
        Vec3 direction = sample::random_direction(rng);
        for (Frame& frame : r.frames) {
            if (rng.uniform() < 0.1) direction = sample::random_direction(rng);
            const double chance = rng.uniform();
            if (chance < 0.4) {
                shapes.push_back(sample::dented(shapes.back(), direction, rng.uniform(0, 0.02)));
            } else if (chance < 0.45) {
                shapes.push_back(shapes[0]);
            }
            frame.bodies[0].shape = static_cast<std::int32_t>(shapes.size()) - 1;
        }
        const double tolerance = round % 5 == 0 ? 0.0 : rng.uniform(1e-4, 2e-2);
        const ShapeTrack track = tracked(r, {.tolerance = tolerance});
        CAPTURE(round);
        CHECK(track.error <= tolerance + 1e-12);
        CHECK(measured_error(r, track) <= track.error + 1e-12);
        CHECK(std::set<std::int32_t>(track.keys.begin(), track.keys.end()).size() ==
              track.keys.size());
    }
}

TEST_CASE("more keys than allowed are never made, and the error is still the truth") {
    Rng rng(29);
    Recording r = sample::still({sample::ball(3)}, 40);
    for (int f = 1; f < 40; ++f) {
        r.bodies[0].shapes.push_back(
            sample::dented(r.bodies[0].shapes.back(), sample::random_direction(rng), 0.02));
        r.frames[f].bodies[0].shape = f;
    }
    double last = 0.0;
    for (const int most : {100, 20, 8, 2, 1, 0}) {
        const ShapeTrack track = tracked(r, {.tolerance = 0.0, .max_keys = most});
        CAPTURE(most);
        CHECK(track.keys.size() <= std::size_t(most));
        CHECK(measured_error(r, track) <= track.error + 1e-12);
        CHECK(track.error >= last);
        last = track.error;
    }
    CHECK(last > 0.02);
}

TEST_CASE("the shape of an absent body does not count") {
    Recording r = sample::still({sample::ball(2)}, 4);
    r.bodies[0].shapes.push_back(sample::dented(r.bodies[0].shapes[0], Vec3::UnitX(), 0.1));
    r.frames[3].bodies[0].shape = 1;
    r.frames[3].bodies[0].is_present = false;
    CHECK(tracked(r, {.tolerance = 1e-3}).keys.empty());
    for (Frame& frame : r.frames) frame.bodies[0].is_present = false;
    CHECK(tracked(r, {.tolerance = 1e-3}).frames.empty());
}
