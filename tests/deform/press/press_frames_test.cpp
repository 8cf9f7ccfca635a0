// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/press_frames.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <atomic>
#include <cmath>

using namespace ductile;

namespace {

/// A sheet that sways, a ball that comes down on it turning.
struct Film {
    TriMesh soft = test::grid_mesh(
        20, 20, false, false, [](int i, int j) { return Vec3(0.1 * i - 1.0, 0.0, 1.0 - 0.1 * j); });
    Presser presser = Presser::make(soft, {{.stiffness = 0.2, .extent = 0.5}}).value();
    PressRigid rigid = PressRigid::make(test::sphere_mesh(0.4, 3)).value();
    std::vector<std::vector<Vec3>> soft_points;
    std::vector<PressFrame> frames;

    explicit Film(int count) : soft_points(count) {
        for (int i = 0; i < count; ++i) {
            soft_points[i] = soft.points;
            for (Vec3& p : soft_points[i]) p.y() += 0.02 * i * p.x() * p.x();
            const Quat turn(Eigen::AngleAxisd(0.2 * i, Vec3(1, 2, 0).normalized()));
            frames.push_back({soft_points[i], {}, {turn, Vec3(0.01, 0.42 - 0.03 * i, 0.02)}});
        }
    }
};

}  // namespace

TEST_CASE("an animation is its frames, bit for bit, in any order at any number of threads") {
    const Film film(6);
    std::vector<std::vector<Vec3>> alone;
    int pressed = 0;
    for (const PressFrame& f : film.frames) {
        const auto one = film.presser.press(f.soft_points, film.rigid, f.rigid_pose);
        alone.push_back(one.value().points);
        pressed += one.value().report.zones > 0;
    }
    CHECK(pressed >= 4);
    std::vector<PressFrame> backwards(film.frames.rbegin(), film.frames.rend());
    for (const int threads : {1, 2, 5}) {
        const ThreadLimit limit(threads);
        const auto all = press_frames(film.presser, film.rigid, film.frames);
        const auto turned = press_frames(film.presser, film.rigid, backwards);
        REQUIRE(all);
        REQUIRE(turned);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            CHECK(all.value()[i].points == alone[i]);
            CHECK(turned.value()[alone.size() - 1 - i].points == alone[i]);
        }
    }
}

TEST_CASE("factors kept over many frames of a body at rest change no bit, wherever it is placed") {
    const Film film(6);
    // Enough frames that both kept factors are made and used: twice the mesh is solved for before.
    for (int round = 0; round < 4; ++round) {
        for (const PressFrame& f : film.frames) {
            const auto kept = film.presser.press(film.soft.points, film.rigid, f.rigid_pose);
            const Presser anew = Presser::make(film.soft, film.presser.setup()).value();
            const auto fresh = anew.press(film.soft.points, film.rigid, f.rigid_pose);
            CHECK(kept.value().points == fresh.value().points);
            CHECK(kept.value().radial == fresh.value().radial);
        }
    }
}

TEST_CASE("a frame without points of its own takes those at rest") {
    const Film film(1);
    const TriMesh ball = test::sphere_mesh(0.4, 3);
    const Vec3 down(0.01, 0.3, 0.02);
    std::vector<Vec3> lowered = ball.points;
    for (Vec3& p : lowered) p += down;
    const PressFrame frames[] = {{{}, {}, {Quat::Identity(), down}}, {{}, lowered, {}}};
    const auto all = press_frames(film.presser, film.rigid, frames);
    REQUIRE(all);
    const auto by_pose = film.presser.press(film.soft.points, film.rigid, frames[0].rigid_pose);
    CHECK(all.value()[0].points == by_pose.value().points);
    const TriMesh placed{lowered, ball.triangles};
    const auto anew = press_soft(film.soft, placed, film.presser.setup());
    CHECK(all.value()[1].points == anew.value().points);
    CHECK(all.value()[1].report.zones == 1);
}

TEST_CASE("progress is heard once per frame and may stop an animation") {
    const Film film(5);
    std::vector<std::size_t> heard;
    CHECK(press_frames(film.presser, film.rigid, film.frames, [&](std::size_t done) {
        heard.push_back(done);
        return true;
    }));
    CHECK(heard == std::vector<std::size_t>{1, 2, 3, 4, 5});
    const ThreadLimit one(1);
    std::atomic<int> taken = 0;
    const Status stopped = press_frames(
        film.presser, film.rigid, film.frames, [&](std::size_t, Pressed&&) { ++taken; },
        [](std::size_t done) { return done < 2; });
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().what.find("stopped") != std::string::npos);
    CHECK(taken == 2);
}

TEST_CASE("the first frame that is refused is named") {
    Film film(4);
    film.soft_points[2][7].x() = std::nan("");
    film.soft_points[3].pop_back();
    film.frames[3].soft_points = film.soft_points[3];
    const auto all = press_frames(film.presser, film.rigid, film.frames);
    REQUIRE_FALSE(all);
    CHECK(all.error().where.find("frame 2") != std::string::npos);
}

TEST_CASE("detail of an animation is that of each frame") {
    const Film film(4);
    PressSetup setup = film.presser.setup();
    setup.maps.bulge = PaintedMap{.values = std::vector<double>(film.soft.points.size(), 0.5)};
    const PressSetup plain = setup;
    setup.detail = PressDetailOptions{.rounds = 5};
    TriMesh rough = film.soft;
    for (Vec3& p : rough.points) p.y() += 0.01 * std::sin(30 * p.x()) * std::sin(30 * p.z());
    const Presser presser = Presser::make(rough, setup).value();
    CHECK(presser.rest().points == rough.points);
    const auto all = press_frames(presser, film.rigid, film.frames).value();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PressFrame& frame = film.frames[i];
        const TriMesh now{{frame.soft_points.begin(), frame.soft_points.end()}, rough.triangles};
        const PressDetail split = split_detail(now, 5);
        const Presser base = Presser::make(split_detail(rough, 5).base, plain).value();
        const Pressed by_hand = base.press(split.base.points, film.rigid, frame.rigid_pose).value();
        CHECK(all[i].points == restore_detail(split, by_hand));
        CHECK(presser.press(frame.soft_points, film.rigid, frame.rigid_pose).value().points ==
              all[i].points);
    }
    CHECK_FALSE(Presser::make(rough, {.detail = PressDetailOptions{.fade = 0.0}}));
    CHECK_FALSE(presser.press(std::span(rough.points).first(5), film.rigid));
}

TEST_CASE("a proxy of a placed body is that of the body, and one that is out changes no bit") {
    const TriMesh soft = test::sphere_mesh(0.5, 4), rigid = test::sphere_mesh(0.1, 3);
    const PressOptions options = {.stiffness = 0.06, .extent = 0.3};
    const PressRigid by = PressRigid::make(rigid).value();
    const Presser presser =
        Presser::make(soft, {.options = options, .proxy = PressProxyOptions{}}).value();
    const Transform inside{Quat(Eigen::AngleAxisd(0.4, Vec3::UnitX())), Vec3(0.02, 0.33, 0.01)};
    const Pressed pressed = presser.press(soft.points, by, inside).value();
    CHECK(pressed.report.zones == 1);
    const TriMesh proxy = press_proxy(soft, test::placed(rigid, inside)).value();
    const Pressed by_hand = press_soft(soft, proxy, {options}).value();
    double off = 0.0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        test::raise_to(off, (pressed.points[v] - by_hand.points[v]).norm());
    }
    CHECK(off < 1e-6);
    const Transform half{Quat::Identity(), Vec3(0.02, 0.5, 0.01)};
    const Presser plain = Presser::make(soft, {options}).value();
    CHECK(presser.press(soft.points, by, half).value().points ==
          plain.press(soft.points, by, half).value().points);
}

TEST_CASE("a frame that does not fit is refused with a message") {
    const Film film(1);
    const TriMesh& soft = film.soft;
    const Presser& presser = film.presser;
    const PressRigid& by = film.rigid;
    CHECK_FALSE(presser.press(std::vector<Vec3>(3, Vec3::Zero()), by));
    CHECK_FALSE(by.with_points(std::vector<Vec3>(3, Vec3::Zero())));
    std::vector<Vec3> bad = soft.points;
    bad[5].y() = std::nan("");
    CHECK_FALSE(presser.press(bad, by));
    CHECK_FALSE(presser.press(soft.points, by, {Quat(2, 0, 0, 0), Vec3::Zero()}));
    CHECK_FALSE(presser.press(soft.points, by, {Quat::Identity(), Vec3(std::nan(""), 0, 0)}));
}
