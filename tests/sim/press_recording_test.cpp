// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/record/shown_hash.h>
#include <ductile/sim/press_recording.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace ductile;

namespace {

RecordedBody body_of(const char* name, const SolidOptions& solid) {
    RecordedBody body;
    body.name = name;
    body.asset = std::make_shared<const SurfaceAsset>(make_solid(solid).value());
    body.shapes = {body.asset->surface.points};
    return body;
}

// A soft ball comes down on a slab; a second slab stands at its side. Heights are of its centre.
Recording ball_on_slabs(const std::vector<double>& heights) {
    Recording recording;
    recording.bodies.push_back(
        body_of("ball", {.kind = SolidKind::Sphere, .size = Vec3(1, 1, 1), .resolution = 0.1}));
    const SolidOptions slab{.kind = SolidKind::Box, .size = Vec3(3, 1, 3), .resolution = 1.0};
    recording.bodies.push_back(body_of("floor", slab));
    recording.bodies.push_back(body_of("wall", slab));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        Frame& frame = recording.frames.emplace_back();
        frame.time = 0.1 * static_cast<double>(i);
        frame.bodies.resize(3);
        frame.bodies[0].pose_w.translation = Vec3(0, heights[i], 0);
        frame.bodies[0].pose_w.rotation = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX()));
        frame.bodies[1].pose_w.translation = Vec3(0, -0.5, 0);
        frame.bodies[2].pose_w.translation = Vec3(0.94, 0, 0);
        frame.bodies[2].pose_w.rotation = Quat(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitZ()));
    }
    return recording;
}

const PressTask kFloor{.soft = 0, .by = {1}, .setup = {{.stiffness = 0.2, .extent = 0.5}}};

std::vector<PressResult> press(Recording& recording,
                               const std::vector<PressTask>& tasks = {kFloor}) {
    Result<std::vector<PressResult>> done = press_recording(recording, tasks);
    REQUIRE(done.ok());
    return std::move(done).value();
}

const std::vector<Vec3>& shown(const Recording& recording, std::size_t frame, std::size_t body) {
    const auto shape = static_cast<std::size_t>(recording.frames[frame].bodies[body].shape);
    return recording.bodies[body].shapes[shape];
}

}  // namespace

TEST_CASE("frames where nothing overlaps keep their shape, and frames alike share one") {
    Recording recording = ball_on_slabs({0.6, 0.42, 0.42, 0.4, 0.6});
    const std::vector<PressResult> done = press(recording);
    CHECK(recording.frames[0].bodies[0].shape == 0);
    CHECK(recording.frames[4].bodies[0].shape == 0);
    CHECK(recording.frames[1].bodies[0].shape == recording.frames[2].bodies[0].shape);
    CHECK(recording.frames[3].bodies[0].shape != recording.frames[2].bodies[0].shape);
    CHECK(recording.bodies[0].shapes.size() == 3);
    CHECK(recording.bodies[1].shapes.size() == 1);
    REQUIRE(done.size() == 1);
    REQUIRE(done[0].frames.size() == 3);
    CHECK(done[0].frames[1].frame == 2);
    CHECK(done[0].frames[1].report.displaced_volume == done[0].frames[0].report.displaced_volume);
}

TEST_CASE("a frame alone has the bits that it has among others, at any number of threads") {
    const std::vector<double> heights = {0.45, 0.43, 0.41, 0.39, 0.41, 0.44};
    Recording whole = ball_on_slabs(heights);
    press(whole);
    std::vector<double> backwards(heights.rbegin(), heights.rend());
    Recording reversed = ball_on_slabs(backwards);
    {
        const ThreadLimit one(1);
        press(reversed);
    }
    for (std::size_t f = 0; f < heights.size(); ++f) {
        Recording alone = ball_on_slabs({heights[f]});
        press(alone);
        CHECK(shown(alone, 0, 0) == shown(whole, f, 0));
        CHECK(shown(reversed, heights.size() - 1 - f, 0) == shown(whole, f, 0));
    }
    Recording again = ball_on_slabs(heights);
    press(again);
    CHECK(shown_hash(again) == shown_hash(whole));
    CHECK(shown_hash(reversed) != shown_hash(whole));
}

TEST_CASE("contact points lie on the rigid body where it is at that frame") {
    Recording recording = ball_on_slabs({0.42});
    const std::vector<PressResult> done = press(recording);
    const Transform& pose = recording.frames[0].bodies[0].pose_w;
    int on_floor = 0;
    for (const Vec3& p : shown(recording, 0, 0)) {
        on_floor += std::abs(pose.point(p).y()) < 1e-6;
    }
    CHECK(on_floor >= done[0].frames[0].report.contact_points);
    CHECK(on_floor > 5);
}

TEST_CASE("several bodies press together, and one that is not there does not") {
    PressTask both = kFloor;
    both.by = {1, 2};
    Recording together = ball_on_slabs({0.42});
    CHECK(press(together, {both})[0].frames[0].report.zones == 2);
    Recording without = ball_on_slabs({0.42});
    without.frames[0].bodies[2].is_present = false;
    press(without, {both});
    Recording floor_only = ball_on_slabs({0.42});
    press(floor_only);
    CHECK(shown(without, 0, 0) == shown(floor_only, 0, 0));
    Recording nobody = ball_on_slabs({0.42});
    nobody.frames[0].bodies[0].is_present = false;
    CHECK(press(nobody)[0].frames.empty());
}

TEST_CASE("a task sees what the task before it made, in a recording without stored shapes too") {
    PressTask wall = kFloor;
    wall.by = {2};
    Recording both = ball_on_slabs({0.42});
    for (RecordedBody& body : both.bodies) body.shapes.clear();
    press(both, {kFloor, wall});
    Recording first = ball_on_slabs({0.42});
    press(first);
    const std::vector<Vec3> after_first = shown(first, 0, 0);
    press(first, {wall});
    CHECK(shown(first, 0, 0) == shown(both, 0, 0));
    CHECK(shown(first, 0, 0) != after_first);
}

TEST_CASE("a press that may not go on says why, and options that cannot be are refused") {
    Recording recording = ball_on_slabs({0.42});
    const PressTask tasks[] = {kFloor};
    const auto stopped = press_recording(recording, tasks, {.may_go_on = [] {
                                             return Status(Error{"enough", "", ""});
                                         }});
    REQUIRE(!stopped.ok());
    CHECK(stopped.error().what == "enough");
    CHECK(recording.frames[0].bodies[0].shape == 0);
    PressTask bad = kFloor;
    bad.setup.options.bulge = -1;
    const PressTask bad_tasks[] = {bad};
    const auto refused = press_recording(recording, bad_tasks);
    REQUIRE(!refused.ok());
    CHECK(refused.error().where.find("ball") != std::string::npos);
}

namespace {

/// A ball of its own resolution comes down on a soft block, frame by frame.
Recording ball_on_block(const std::vector<double>& depths) {
    Recording recording;
    recording.bodies.push_back(
        body_of("block", {.kind = SolidKind::Box, .size = Vec3(1.6, 0.8, 1.6), .resolution = 0.1}));
    recording.bodies.push_back(body_of(
        "ball", {.kind = SolidKind::Sphere, .size = Vec3::Constant(0.5), .resolution = 0.05}));
    for (std::size_t i = 0; i < depths.size(); ++i) {
        Frame& frame = recording.frames.emplace_back();
        frame.time = 0.1 * static_cast<double>(i);
        frame.bodies.resize(2);
        frame.bodies[0].pose_w.translation = Vec3(0, -0.4, 0);
        frame.bodies[0].pose_w.rotation = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
        frame.bodies[1].pose_w.translation = Vec3(0.01, 0.25 - depths[i], 0.02);
    }
    return recording;
}

const PressTask kBlock{.soft = 0, .by = {1}, .setup = {{.stiffness = 0.1, .extent = 0.4}}};

}  // namespace

TEST_CASE("detail, proxies and shares of a frame alone have the bits that they have among others") {
    PressTask detail = kBlock, proxy = kBlock, both = kBlock;
    detail.setup.detail = PressDetailOptions{.rounds = 3};
    proxy.setup.proxy = PressProxyOptions{Vec3::UnitY()};
    both.setup.both = PressOtherBody{.share = 0.4, .options = PressOptions{.stiffness = 0.08}};
    const std::vector<double> depths = {-0.1, 0.1, 0.2, 0.15};
    for (const PressTask& task : {detail, proxy, both}) {
        Recording whole = ball_on_block(depths);
        const std::vector<PressResult> done = press(whole, {task});
        CHECK(done.size() == (task.setup.both ? 2u : 1u));
        CHECK(done[0].frames.size() == 3);
        CHECK(whole.frames[0].bodies[0].shape == 0);
        for (std::size_t f = 0; f < depths.size(); ++f) {
            Recording alone = ball_on_block({depths[f]});
            const ThreadLimit one(1);
            press(alone, {task});
            CHECK(shown(alone, 0, 0) == shown(whole, f, 0));
            CHECK(shown(alone, 0, 1) == shown(whole, f, 1));
        }
        const bool ball_gave_way = shown(whole, 2, 1) != shown(whole, 0, 1);
        CHECK(ball_gave_way == task.setup.both.has_value());
    }
}

TEST_CASE("a mesh is refined once for all frames, where some frame stretches it") {
    PressTask task = kBlock;
    task.setup.refine = PressRefineOptions{.edge = 1.2};
    const std::vector<double> depths = {-0.1, 0.1, 0.3};
    Recording whole = ball_on_block(depths);
    const std::size_t before = whole.bodies[0].asset->surface.points.size();
    // A shape of its own, as a dent would leave, gets the new points, too.
    whole.bodies[0].shapes.push_back(whole.bodies[0].shapes[0]);
    whole.bodies[0].shapes[1][0].y() += 0.01;
    whole.frames[1].bodies[0].shape = 1;
    press(whole, {task});
    const SurfaceAsset& asset = *whole.bodies[0].asset;
    CHECK(asset.surface.points.size() > before);
    CHECK(asset.surface.points.size() <= 4 * before);
    for (const std::vector<Vec3>& shape : whole.bodies[0].shapes) {
        CHECK(shape.size() == asset.surface.points.size());
    }
    CHECK(shown(whole, 0, 0) == asset.surface.points);
    // A frame is then the press of that mesh.
    const Transform pose =
        whole.frames[2].bodies[0].pose_w.inverse() * whole.frames[2].bodies[1].pose_w;
    const Presser presser = Presser::make(asset.surface, {task.setup.options}).value();
    const PressRigid ball = PressRigid::make(whole.bodies[1].asset->surface).value();
    CHECK(shown(whole, 2, 0) == presser.press(asset.surface.points, ball, pose).value().points);
    // One that stretches nothing keeps its mesh, and every bit.
    Recording shallow = ball_on_block({-0.1, 0.03}), plain = shallow;
    const auto* const asset_before = shallow.bodies[0].asset.get();
    press(shallow, {task});
    press(plain, {kBlock});
    CHECK(shallow.bodies[0].asset.get() == asset_before);
    CHECK(shown(shallow, 1, 0) == shown(plain, 1, 0));
}

TEST_CASE("what does not go together is refused by its name") {
    const auto refused = [](const PressTask& task) {
        Recording recording = ball_on_slabs({0.42});
        const PressTask tasks[] = {task};
        const auto done = press_recording(recording, tasks);
        REQUIRE_FALSE(done.ok());
        return done.error().text();
    };
    const auto contains = [](const std::string& text, const char* word) {
        return text.find(word) != std::string::npos;
    };
    PressTask task = kFloor;
    task.setup.both = PressOtherBody{};
    task.by = {1, 2};
    CHECK(contains(refused(task), "no more"));
    task.by = {1};
    task.setup.refine = PressRefineOptions{};
    CHECK(contains(refused(task), "both and refine"));
    task.setup.both.reset();
    task.setup.detail = PressDetailOptions{};
    CHECK(contains(refused(task), "refine and detail"));
    task.setup.refine = PressRefineOptions{.growth = 0.5};
    CHECK(contains(refused(task), "growth"));
    task.setup.refine.reset();
    task.setup.detail->rounds = 0;
    CHECK(contains(refused(task), "rounds"));
}

TEST_CASE("keys give each frame the options of its time, alone and among others") {
    PressTask keyed = kFloor;
    keyed.setup.keys = {{.time = 0.0, .bulge = 0.0}, {.time = 0.2, .bulge = 1.0}};
    Recording recording = ball_on_slabs({0.42, 0.42, 0.42, 0.42});
    press(recording, {keyed});
    const auto alone = [](double bulge) {
        PressTask task = kFloor;
        task.setup.options.bulge = bulge;
        Recording one = ball_on_slabs({0.42});
        press(one, {task});
        return shown(one, 0, 0);
    };
    CHECK(shown(recording, 0, 0) == alone(0.0));
    CHECK(shown(recording, 1, 0) == alone(0.5));
    CHECK(shown(recording, 2, 0) == alone(1.0));
    CHECK(recording.frames[2].bodies[0].shape == recording.frames[3].bodies[0].shape);
}

TEST_CASE("what a region leaves out of the rigid body does not press") {
    PressTask task = kFloor;
    Recording all = ball_on_slabs({0.42}), none = all;
    const std::size_t points = all.bodies[1].asset->surface.points.size();
    task.setup.rigid_region = PaintedMap{.values = std::vector<double>(points, 1.0)};
    press(all, {task});
    Recording plain = ball_on_slabs({0.42});
    press(plain);
    CHECK(shown(all, 0, 0) == shown(plain, 0, 0));
    // The top of the slab, which is what the ball stands in.
    for (std::size_t v = 0; v < points; ++v) {
        const double height = none.bodies[1].asset->surface.points[v].y();
        task.setup.rigid_region->values[v] = height < 0.4 ? 1.0 : 0.0;
    }
    press(none, {task});
    CHECK(none.frames[0].bodies[0].shape == 0);
    task.by = {1, 2};
    CHECK(check(task).error().where == "rigid_region");
}

TEST_CASE("parts that are stopped at each other stay out of the rigid body") {
    // The sides of a soft cube fold over its lower edges at this depth.
    Recording recording = ball_on_slabs({0.35});
    recording.bodies[0] =
        body_of("cube", {.kind = SolidKind::Box, .size = Vec3(1, 1, 1), .resolution = 0.08});
    recording.frames[0].bodies[0].pose_w.rotation = Quat::Identity();
    const std::vector<PressResult> done = press(recording, {PressTask{.soft = 0, .by = {1}}});
    REQUIRE(done[0].frames.size() == 1);
    CHECK(done[0].frames[0].report.left->depth_left < 0.005);
    CHECK(done[0].frames[0].report.left->self_crossings == 0);
    double lowest = kInfinity;
    for (const Vec3& p : shown(recording, 0, 0)) lowest = std::min(lowest, 0.35 + p.y());
    CHECK(lowest > -0.005);
}

TEST_CASE("a mesh is made finer by itself where frames are above limits, and nowhere else") {
    PressTask task = kBlock;
    task.refines_itself = true;
    Recording refined = ball_on_block({-0.1, 0.1, 0.3}), plain = refined;
    const std::size_t before = refined.bodies[0].asset->surface.points.size();
    const PressResult by_itself = press(refined, {task})[0], as_it_was = press(plain, {kBlock})[0];
    const auto deepest = [](const PressResult& result) {
        double most = 0.0;
        for (const FrameReport& frame : result.frames) {
            most = std::max(most, frame.report.left->depth_left);
        }
        return most;
    };
    CHECK(as_it_was.added_points == 0);
    CHECK(deepest(as_it_was) > 0.01);
    CHECK(deepest(by_itself) < 0.5 * deepest(as_it_was));
    CHECK(by_itself.added_points > 0);
    CHECK(refined.bodies[0].asset->surface.points.size() == before + by_itself.added_points);
    for (const std::vector<Vec3>& shape : refined.bodies[0].shapes) {
        CHECK(shape.size() == before + by_itself.added_points);
    }
    CHECK(shown(refined, 0, 0) == refined.bodies[0].asset->surface.points);
    // Where all is under the limits, not a bit is another.
    Recording shallow = ball_on_block({-0.1, 0.03}), same = shallow;
    const auto* const asset_before = shallow.bodies[0].asset.get();
    CHECK(press(shallow, {task})[0].added_points == 0);
    press(same, {kBlock});
    CHECK(shallow.bodies[0].asset.get() == asset_before);
    CHECK(shown_hash(shallow) == shown_hash(same));
}

TEST_CASE("maps of ones change no bit of a mesh whose last finer version did not help" *
          doctest::test_suite("long")) {
    Recording plain;
    plain.bodies.push_back(
        body_of("ball", {.kind = SolidKind::Sphere, .size = Vec3(1, 1, 1), .resolution = 0.05}));
    plain.bodies.push_back(body_of(
        "torus", {.kind = SolidKind::Torus, .size = Vec3(0.6, 0.2, 0.6), .resolution = 0.05}));
    Frame& frame = plain.frames.emplace_back();
    frame.bodies.resize(2);
    frame.bodies[1].pose_w.translation = Vec3(0, 0.4, 0);
    Recording mapped = plain;
    PressTask task{.soft = 0, .refines_itself = true, .by = {1}, .setup = {}};
    std::vector<std::size_t> seen;
    const PressCallbacks callbacks{
        .on_frame = [&](std::size_t, const Pressed& p) { seen.push_back(p.points.size()); }};
    REQUIRE(press_recording(plain, std::span(&task, 1), callbacks).ok());
    // The case is one of a version that was tried and taken back.
    REQUIRE(seen.size() > 2);
    REQUIRE(seen.back() < *std::max_element(seen.begin(), seen.end()));
    task.setup.maps.bulge = PaintedMap{.values = std::vector<double>(seen.front(), 1.0)};
    REQUIRE(press_recording(mapped, std::span(&task, 1), callbacks).ok());
    CHECK(shown_hash(mapped) == shown_hash(plain));
}
