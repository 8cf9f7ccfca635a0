// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/record/example_colours.h>
#include <ductile/render/colour_scale.h>
#include <ductile/render/damage_measure.h>
#include <ductile/render/legend.h>
#include <ductile/render/renderer.h>
#include <ductile/render/text.h>
#include <ductile/render/tone_map.h>

#include <doctest/doctest.h>
#include <render/test_shapes.h>
#include <support/near.h>

#include <algorithm>
#include <limits>

using namespace ductile;
using namespace ductile::test;

namespace {

/// The inverse of linear_from_oklab, after Ottosson's own formulas.
Vec3f oklab(const Vec3f& c) {
    const double l = 0.4122214708 * c.x() + 0.5363325363 * c.y() + 0.0514459929 * c.z();
    const double m = 0.2119034982 * c.x() + 0.6806995451 * c.y() + 0.1073969566 * c.z();
    const double s = 0.0883024619 * c.x() + 0.2817188376 * c.y() + 0.6299787005 * c.z();
    const double a = std::cbrt(l), b = std::cbrt(m), d = std::cbrt(s);
    return Vec3(0.2104542553 * a + 0.7936177850 * b - 0.0040720468 * d,
                1.9779984951 * a - 2.4285922050 * b + 0.4505937099 * d,
                0.0259040371 * a + 0.7827717662 * b - 0.8086757660 * d)
        .cast<float>();
}

Vec3f at(const DamageScale& scale, double value) {
    return oklab(scale.colour(Vec3f(static_cast<float>(value), 0, 0)));
}

/// No sun, no ground, radiance 1 from everywhere: a matte body shows its own colour.
RenderOptions furnace(ColourBy by) {
    RenderOptions o;
    o.width = 64;
    o.height = 48;
    o.sun_strength = 0.0;
    o.sky = SkyKind::Uniform;
    o.has_ground = false;
    o.colour_by = by;
    return o;
}

Camera above() {
    return {.eye_w = Vec3(0, 10, 0), .target_w = Vec3::Zero(), .field_of_view_deg = 20.0};
}

const Look kRed{"red", Vec3(0.9, 0.01, 0.01), 0.0, 0.3, 1.0};

/// A plate of 2 m on its first frame, the same with a move on its second.
Recording moved_plate(const Vec3& move) {
    Recording recording;
    add_body(recording, box(Vec3(2, 0.2, 2), kRed), Vec3::Zero());
    RecordedBody& plate = recording.bodies[0];
    plate.shapes.push_back(plate.shapes[0]);
    for (Vec3& p : plate.shapes[1]) {
        if (p.y() > 0) p += move;
    }
    recording.frames.push_back(recording.frames[0]);
    recording.frames[1].time = 1.0;
    recording.frames[1].bodies[0].shape = 1;
    return recording;
}

/// The body's colour in the middle of a picture.
Vec3f middle(const Recording& recording, std::size_t frame, const RenderOptions& options) {
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    const Result<Radiance> light =
        renderer.value().trace(recording.frames[frame], above(), options);
    REQUIRE(light.ok());
    const std::size_t i = 3 * (std::size_t(24) * 64 + 32);
    return {light.value().rgb[i], light.value().rgb[i + 1], light.value().rgb[i + 2]};
}

/// Whether what is seen is this colour under the thin gloss of a matte body, which adds white.
bool shows(const Vec3f& seen, const Vec3f& colour) {
    const Vec3f off = seen - colour;
    return off.minCoeff() > -0.02f && off.maxCoeff() < 0.08f;
}

}  // namespace

TEST_CASE("equal steps of depth and strain are steps of colour that look equal, ever lighter") {
    for (const ColourBy by : {ColourBy::Depth, ColourBy::Strain}) {
        const DamageScale scale{by, 0.04, true};
        for (const int side : {1, -1}) {
            const double whole = [&] {
                double way = 0.0;
                for (int i = 0; i < 100; ++i) {
                    way += (at(scale, side * 4e-4 * (i + 1)) - at(scale, side * 4e-4 * i)).norm();
                }
                return way;
            }();
            CHECK(whole > 0.4);  // 1 is black to white
            for (int i = 0; i < 20; ++i) {
                const Vec3f from = at(scale, side * 0.002 * i),
                            to = at(scale, side * 0.002 * (i + 1));
                CHECK(test::near((to - from).norm(), whole / 20, 0.05));
                CHECK(to.x() > from.x() + 0.01f);
            }
        }
    }
}

TEST_CASE("a scale begins dark blue, goes over teal and ends yellow, and stays so beyond") {
    const DamageScale scale{ColourBy::Depth, 0.05, false};
    const auto colour = [&](float x) { return scale.colour(Vec3f(x, 0, 0)); };
    CHECK(colour(0).z() > 3 * colour(0).x());
    CHECK(luminance(colour(0)) < 0.1f);
    CHECK(colour(0.025f).y() > 2 * colour(0.025f).x());
    CHECK(colour(0.05f).x() > 0.7f);
    CHECK(colour(0.05f).y() > 0.6f);
    CHECK(colour(0.05f).z() < 0.2f);
    CHECK(colour(7.0f) == colour(0.05f));
    CHECK(colour(-7.0f) == colour(-0.05f));
    CHECK(colour(std::numeric_limits<float>::infinity()) == colour(0.05f));
}

TEST_CASE("each direction of a scratch has a hue of its own, and longer ones show more of it") {
    const DamageScale scale{ColourBy::Scratch, 0.02, false};
    std::vector<Vec3f> ends;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {0.02f, -0.02f}) {
            ends.push_back(oklab(scale.colour(sign * Vec3f::Unit(axis))));
        }
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        CHECK(test::near(ends[i].x(), 0.72, 0.01));  // equally light
        for (std::size_t j = 0; j < i; ++j) CHECK((ends[i] - ends[j]).norm() > 0.09f);
    }
    CHECK(oklab(scale.colour(Vec3f::Zero())).tail<2>().norm() < 0.005f);
    const Vec3f direction = Vec3f(0.3f, -0.5f, 0.2f).normalized();
    float last = -1.0f;
    for (int i = 0; i <= 10; ++i) {
        const Vec3f lab = oklab(scale.colour(0.002f * static_cast<float>(i) * direction));
        CHECK(lab.x() > last);
        last = lab.x();
    }
    // No seam where a part of the direction changes its sign.
    const Vec3f one = scale.colour(Vec3f(0.02f, 1e-6f, 0)),
                other = scale.colour(Vec3f(0.02f, -1e-6f, 0));
    CHECK((one - other).norm() < 1e-4f);
}

TEST_CASE("a range is rounded up to a number that people read off a scale") {
    CHECK(test::near(round_up(0.05), 0.05));
    CHECK(test::near(round_up(0.050001), 0.06));
    CHECK(test::near(round_up(0.0123), 0.015));
    CHECK(test::near(round_up(1.0), 1.0));
    CHECK(test::near(round_up(8.1), 10.0));
    for (double x = 1e-5; x < 1e4; x *= 1.07) {
        CHECK(round_up(x) >= x * (1 - 1e-8));
        CHECK(round_up(x) <= 1.3334 * x);
    }
}

TEST_CASE("a body that was pushed in shows the colour of its depth") {
    const Recording recording = moved_plate(Vec3(0, -0.03, 0));
    RenderOptions options = furnace(ColourBy::Depth);
    options.colour_range = 0.1;
    const DamageScale scale{ColourBy::Depth, 0.1, false};
    CHECK(shows(middle(recording, 0, options), scale.colour(Vec3f::Zero())));
    CHECK(shows(middle(recording, 1, options), scale.colour(Vec3f(0.03f, 0, 0))));
    // A range from the data ends at the next round number above the deepest place.
    options.colour_range = 0.0;
    CHECK(shows(middle(moved_plate(Vec3(0, -0.031, 0)), 1, options),
                DamageScale{ColourBy::Depth, 0.04, false}.colour(Vec3f(0.031f, 0, 0))));
    options.colour_by = ColourBy::None;
    CHECK(shows(middle(recording, 1, options), kRed.base_colour.cast<float>()));
}

TEST_CASE("a scratch is seen in the body's frame, whichever way the body lies") {
    Recording recording = moved_plate(Vec3(0.05, 0, 0));
    RenderOptions options = furnace(ColourBy::Scratch);
    options.colour_range = 0.01;
    const Vec3f before = middle(recording, 1, options);
    recording.frames[1].bodies[0].pose_w.rotation =
        Quat(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitY()));
    const Vec3f turned = middle(recording, 1, options);
    CHECK((turned - before).norm() < 0.01f);
    CHECK(before.x() > 1.5f * before.y());  // +x is red
}

TEST_CASE("a colour means the same in every frame, and a body that keeps its shape is grey") {
    Recording recording = moved_plate(Vec3(0, -0.05, 0));
    recording.bodies[0].shapes.push_back(recording.bodies[0].shapes[1]);
    for (Vec3& p : recording.bodies[0].shapes[2]) {
        if (p.y() > -0.05) p.y() -= 0.02;
    }
    const RenderOptions options = furnace(ColourBy::Depth);
    // No frame shows the deepest shape, and still it is what the range is for: 70 mm, so 80.
    CHECK(shows(middle(recording, 1, options),
                DamageScale{ColourBy::Depth, 0.08, false}.colour(Vec3f(0.05f, 0, 0))));

    Recording still;
    add_body(still, box(Vec3(2, 0.2, 2), kRed), Vec3::Zero());
    const Vec3f grey = middle(still, 0, options);
    CHECK(std::abs(grey.x() - grey.y()) < 1e-3f);
    CHECK(std::abs(grey.x() - grey.z()) < 1e-3f);
}

TEST_CASE("shapes that are broken and never shown do not spoil the range") {
    Recording recording = moved_plate(Vec3(0, -0.05, 0));
    const DamageExtent before = damage_extent(recording, ColourBy::Depth);
    CHECK(test::near(before.most, 0.05, 1e-6));
    CHECK(before.least == 0.0);
    recording.bodies[0].shapes.push_back({Vec3(0, 0, 0)});
    recording.bodies[0].shapes.push_back(recording.bodies[0].shapes[1]);
    recording.bodies[0].shapes[3][2].x() = std::nan("");
    const DamageExtent after = damage_extent(recording, ColourBy::Depth);
    CHECK(after.most == before.most);
    CHECK(test::near(damage_extent(moved_plate(Vec3(0, 0.05, 0)), ColourBy::Depth).least, -0.05,
                     1e-6));
}

TEST_CASE("a few extreme places do not take the colours from all others") {
    Recording recording;
    add_body(recording, sphere(1.0, 24, kRed), Vec3::Zero());
    RecordedBody& ball = recording.bodies[0];
    ball.shapes.push_back(ball.shapes[0]);
    for (Vec3& p : ball.shapes[1]) p *= 0.99;
    ball.shapes[1][300] *= 0.2;
    CHECK(test::near(damage_extent(recording, ColourBy::Depth).most, 0.01, 0.05));
    CHECK(test::near(damage_extent(recording, ColourBy::Strain).most, 0.01, 0.05));
}

TEST_CASE("the plain curve leaves colours as they are") {
    const Radiance light{2, 1, {0.0f, 0.5f, 2.0f, 0.214f, 1.0f, 0.0f}};
    const Image plain = develop(light, 0.0, ToneCurve::Plain);
    const int expected[] = {0, 188, 255, 127, 255, 0};
    for (int i = 0; i < 6; ++i) CHECK(std::abs(plain.rgb[i] - expected[i]) <= 1);
    CHECK(develop(light, -1.0, ToneCurve::Plain).rgb[2] >= 254);
    CHECK(develop(light, 0.0).rgb != plain.rgb);
}

TEST_CASE("one renderer shows looks and every kind of damage in any order, on any threads") {
    const Recording recording = moved_plate(Vec3(0.03, -0.05, 0));
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    const ColourBy kinds[] = {ColourBy::None,   ColourBy::Depth, ColourBy::Scratch,
                              ColourBy::Strain, ColourBy::Depth, ColourBy::None};
    std::vector<std::vector<std::uint8_t>> seen(4);
    for (const ColourBy by : kinds) {
        const ThreadLimit limit(by == ColourBy::Depth && !seen[1].empty() ? 1 : 4);
        RenderOptions options = furnace(by);
        options.width = 240;
        options.height = 160;
        const Result<Image> image = renderer.value().draw(recording.frames[1], above(), options);
        REQUIRE(image.ok());
        std::vector<std::uint8_t>& known = seen[static_cast<std::size_t>(by)];
        if (!known.empty()) CHECK(known == image.value().rgb);
        known = image.value().rgb;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) CHECK(seen[i] != seen[j]);
    }
    CHECK(renderer.value().builds() == 1);  // colours need no new tree
}

namespace {

/// The corner of the legend: where it changes a picture of one grey.
LegendPlace changed_corner(const Image& image) {
    double x_sum = 0, y_sum = 0, count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
        if (image.rgb[i] == 100) continue;
        x_sum += double(i / 3 % image.width), y_sum += double(i / 3 / image.width), ++count;
    }
    if (count == 0) return LegendPlace::None;
    const bool is_right = x_sum / count > 0.5 * image.width;
    if (y_sum / count > 0.5 * image.height) {
        return is_right ? LegendPlace::LowerRight : LegendPlace::LowerLeft;
    }
    return is_right ? LegendPlace::UpperRight : LegendPlace::UpperLeft;
}

}  // namespace

TEST_CASE("a legend stands where it is asked for, with long names as well") {
    for (const ColourBy by : {ColourBy::Depth, ColourBy::Scratch, ColourBy::Example}) {
        DamageScale scale{by, 0.05, false};
        scale.poses = {"crushed", "", "right of the foot in, left side crushed, roof flattened"};
        for (const LegendPlace place :
             {LegendPlace::LowerLeft, LegendPlace::LowerRight, LegendPlace::UpperLeft,
              LegendPlace::UpperRight, LegendPlace::None}) {
            Image image{800, 360, std::vector<std::uint8_t>(std::size_t(3) * 800 * 360, 100)};
            draw_legend(scale, place, image);
            CHECK(changed_corner(image) == place);
            // Beyond the panel nothing is written: its margin is as it was.
            for (std::int32_t y = 0; y < 360; ++y) {
                for (const std::int32_t x : {0, 7, 792, 799}) {
                    CHECK(image.rgb[3 * (std::size_t(y) * 800 + x)] == 100);
                }
            }
        }
    }
    DamageScale scale{ColourBy::Example, 0.05, false};
    const auto panel_width = [&scale](const std::string& name) {
        scale.poses = {name};
        Image image{800, 360, std::vector<std::uint8_t>(std::size_t(3) * 800 * 360, 100)};
        draw_legend(scale, LegendPlace::LowerLeft, image);
        const std::uint8_t* row = &image.rgb[3 * (std::size_t(360 - 10) * 800)];
        std::int32_t last = 0;
        for (std::int32_t x = 0; x < 800; ++x) last = row[3 * x] == 25 ? x : last;
        return last;
    };
    const std::string longer = "left side crushed, back of the top in, roof flattened";
    CHECK(panel_width(longer) - panel_width("left") ==
          text_width(longer, 10) - text_width("left", 10));
}

TEST_CASE("a legend stays in its corner, and a small picture has none") {
    const auto grey = [](std::int32_t width, std::int32_t height) {
        return Image{width, height,
                     std::vector<std::uint8_t>(std::size_t(3) * width * height, 100)};
    };
    for (const ColourBy by : {ColourBy::Depth, ColourBy::Strain, ColourBy::Scratch}) {
        const DamageScale scale{by, 0.05, by == ColourBy::Depth};
        for (const auto& [width, height] : {std::pair(64, 36), std::pair(160, 90)}) {
            Image small = grey(width, height);
            draw_legend(scale, LegendPlace::LowerLeft, small);
            CHECK(small.rgb == grey(width, height).rgb);
        }
        for (const auto& [width, height] : {std::pair(640, 360), std::pair(1280, 720)}) {
            Image image = grey(width, height);
            draw_legend(scale, LegendPlace::LowerLeft, image);
            std::size_t changed = 0, white = 0;
            for (std::int32_t y = 0; y < height; ++y) {
                for (std::int32_t x = 0; x < width; ++x) {
                    const std::uint8_t* p = &image.rgb[3 * (std::size_t(y) * width + x)];
                    const bool is_touched = p[0] != 100 || p[1] != 100 || p[2] != 100;
                    if (is_touched) CHECK((x < width / 3 && y > height * 5 / 6));
                    changed += is_touched;
                    white += p[0] > 160 && p[1] > 160 && p[2] > 160;
                }
            }
            const double share = double(changed) / (double(width) * height);
            CHECK(share > 0.02);
            CHECK(share < 0.05);
            CHECK(white > changed / 100);  // there are letters
        }
    }
}

TEST_CASE("a place at rest is white, and one of a whole pose has that pose's colour") {
    const DamageScale scale{ColourBy::Example, 1.0, false};
    const Vec3f rest = scale.colour(Vec3f::Zero());
    CHECK(rest.minCoeff() > 0.85f);
    for (std::size_t pose = 0; pose < 8; ++pose) {
        const Vec3f whole = scale.colour(example_tint(pose).cast<float>());
        CHECK((whole - rest).norm() > 0.3f);
        for (std::size_t other = 0; other < pose; ++other) {
            CHECK((whole - scale.colour(example_tint(other).cast<float>())).norm() > 0.1f);
        }
    }
    RecordedBody body;
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface.points = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    for (std::int32_t v = 0; v < 2; ++v) asset->anchors.push_back(SurfaceAnchor::on_point(v));
    body.asset = asset;
    body.poses = {"crushed", "bent"};
    body.shapes = {asset->surface.points, asset->surface.points};
    body.shares = {{}, {0, 0, 0, 255}};
    CHECK(measure_examples(body, 0).empty());
    const std::vector<Vec3f> tints = measure_examples(body, 1);
    REQUIRE(tints.size() == 2);
    CHECK(tints[0] == Vec3f::Zero());
    CHECK((tints[1] - example_tint(1).cast<float>()).norm() < 1e-6f);
    Recording recording;
    body.shares[1] = {0, 255, 255, 0};
    recording.bodies = {body, body};
    recording.bodies[1].shares.clear();
    recording.bodies[1].poses = {"crushed", "folded", "flat"};
    // Nobody sees what the second body never shows.
    CHECK(example_names(recording) == std::vector<std::string>{"crushed", "bent", ""});
    recording.bodies[1].shares = {{0, 255, 0, 0, 255, 0}};
    CHECK(example_names(recording) == std::vector<std::string>{"crushed", "bent, folded", ""});
}
