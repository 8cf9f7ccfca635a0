// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/render/renderer.h>
#include <ductile/render/tone_map.h>

#include <doctest/doctest.h>
#include <render/test_shapes.h>
#include <support/near.h>

#include <algorithm>
#include <limits>

using namespace ductile;
using namespace ductile::test;

namespace {

const Look kWhite{"white", Vec3(1, 1, 1), 0.0, 1.0, 1.0};
const Look kSteel{"steel", Vec3(0.56, 0.57, 0.58), 1.0, 0.3, 1.0};

/// A camera before the origin, at the same height, that looks at it.
Camera ahead() {
    return {.eye_w = Vec3(0, 0, 10), .target_w = Vec3::Zero(), .field_of_view_deg = 20.0};
}

/// No sun, no ground, radiance 1 from everywhere.
RenderOptions furnace() {
    RenderOptions o;
    o.width = 64;
    o.height = 48;
    o.sun_strength = 0.0;
    o.sky = SkyKind::Uniform;
    o.has_ground = false;
    o.variation = 0.0;
    return o;
}

Radiance light_of(const Recording& recording, const Camera& camera, const RenderOptions& options) {
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    Result<Radiance> light = renderer.value().trace(recording.frames[0], camera, options);
    REQUIRE(light.ok());
    return std::move(light).value();
}

float green(const Radiance& light, int x, int y) {
    return light.rgb[3 * (std::size_t(y) * light.width + x) + 1];
}

}  // namespace

TEST_CASE("a white body in a white furnace cannot be seen") {
    Recording recording;
    add_body(recording, sphere(1.0, 24, kWhite), Vec3::Zero());
    const Radiance light = light_of(recording, ahead(), furnace());
    const auto [darkest, brightest] = std::minmax_element(light.rgb.begin(), light.rgb.end());
    CHECK(test::near(*darkest, 1.0, 0.002));
    CHECK(test::near(*brightest, 1.0, 0.002));
}

TEST_CASE("a grey body in a white furnace shows its colour and the gloss over it") {
    Look grey = kWhite;
    grey.base_colour = Vec3(0.5, 0.25, 0.125);
    Recording recording;
    add_body(recording, sphere(1.0, 24, grey), Vec3::Zero());
    const Radiance light = light_of(recording, ahead(), furnace());
    const std::size_t middle = 3 * (std::size_t(24) * 64 + 32);
    // A gloss that takes the share g leaves (1 - g) colour + g.
    const double g = (light.rgb[middle] - 0.5) / 0.5;
    CHECK(g >= 0.0);
    CHECK(g < 0.08);
    CHECK(test::near(light.rgb[middle + 1], 0.25 + 0.75 * g, 1e-3));
    CHECK(test::near(light.rgb[middle + 2], 0.125 + 0.875 * g, 1e-3));
}

TEST_CASE("metal in a white furnace shows its own colour and never more than the light") {
    Recording recording;
    add_body(recording, sphere(1.0, 24, kSteel), Vec3::Zero());
    const Radiance light = light_of(recording, ahead(), furnace());
    CHECK(test::near(green(light, 32, 24), 0.57, 0.05));
    CHECK(*std::max_element(light.rgb.begin(), light.rgb.end()) <= 1.001f);
}

TEST_CASE("a ball covers as much of the picture as its projection says") {
    Look black{"black", Vec3(0, 0, 0), 0.0, 1.0, 1.0};
    Recording recording;
    add_body(recording, sphere(1.0, 64, black), Vec3::Zero());
    RenderOptions o = furnace();
    o.width = 128;
    o.height = 96;
    o.samples = 16;
    const Radiance light = light_of(recording, ahead(), o);
    // The cone that touches the ball: its angle's sine is radius / distance.
    const double tangent = std::tan(std::asin(1.0 / 10.0));
    const double half = std::tan(10.0 * std::numbers::pi / 180.0);
    const double area = std::numbers::pi * std::pow(48.0 * tangent / half, 2);
    double covered = 0.0;
    const float own = green(light, 64, 48);
    for (int y = 0; y < o.height; ++y) {
        for (int x = 0; x < o.width; ++x) covered += (1.0 - green(light, x, y)) / (1.0 - own);
    }
    CHECK(test::near(covered, area, 0.02));
}

TEST_CASE("a body lies where its pose says: right is +x, up is +y") {
    Look black{"black", Vec3(0, 0, 0), 0.0, 1.0, 1.0};
    Recording recording;
    add_body(recording, sphere(0.3, 16, black), Vec3(1.0, 0.7, 0.0));
    const Radiance light = light_of(recording, ahead(), furnace());
    const double half = std::tan(10.0 * std::numbers::pi / 180.0) * 10.0;  // at the target [m]
    const int x = static_cast<int>(32 + 24 * 1.0 / half),
              y = static_cast<int>(24 - 24 * 0.7 / half);
    CHECK(green(light, x, y) < 0.1f);
    CHECK(test::near(green(light, 63 - x, y), 1.0, 1e-5));
    CHECK(test::near(green(light, x, 47 - y), 1.0, 1e-5));
}

TEST_CASE("a shadow falls on the side away from the sun, and the sun alone lights as a cosine") {
    Recording recording;
    add_body(recording, sphere(0.5, 32, kWhite), Vec3(0, 2, 0));
    RenderOptions o = furnace();
    o.sky_strength = 0.0;
    o.sun_strength = 1.0;
    o.sun_size_deg = 0.5;
    o.sun_direction_w = Vec3(1, 1, 0);
    o.has_ground = true;
    o.ground_colour = Vec3(1, 1, 1);
    const Camera above{
        .eye_w = Vec3(0, 30, 0.001), .target_w = Vec3::Zero(), .field_of_view_deg = 20};
    const Radiance light = light_of(recording, above, o);
    const double metres = 30.0 * 2.0 * std::tan(10.0 * std::numbers::pi / 180.0) / o.height;
    const int away = static_cast<int>(2.0 / metres);
    CHECK(green(light, 32 - away, 24) < 0.05f);  // the shadow of a ball 2 m up, sun at 45 degrees
    CHECK(green(light, 32 + away, 24) > 0.5f);
    const float level = green(light, 60, 4);
    o.sun_direction_w = Vec3(0, 1, 0);
    const Radiance noon = light_of(recording, above, o);
    // Both suns are high enough to be equally bright; haze takes the same from both.
    CHECK(test::near(level / green(noon, 60, 4), std::sqrt(0.5), 0.02));
}

TEST_CASE("a coarse ball shows no facets of shadow where the sun grazes it") {
    Recording recording;
    add_body(recording, sphere(1.0, 8, kWhite), Vec3::Zero());
    RenderOptions o = furnace();
    o.sky_strength = 0.0;
    o.sun_strength = 1.0;
    o.sun_direction_w = Vec3(1, 0.001, 0);
    o.is_denoised = false;
    const Radiance light = light_of(recording, ahead(), o);
    // Along the middle row light falls off towards the night side without a step back to dark.
    for (int x = 34; x < 42; ++x) CHECK(green(light, x + 1, 24) >= green(light, x, 24) - 0.02f);
    CHECK(green(light, 36, 24) > 0.0f);
}

TEST_CASE("a picture has the same bytes at any number of threads") {
    Recording recording;
    add_body(recording, sphere(0.5, 60, kSteel), Vec3(0, 0.5, 0));
    add_body(recording, box(Vec3(1, 1, 1), kWhite), Vec3(1, 0.5, 0));
    Look glass{"glass", Vec3(0.2, 0.3, 0.3), 0.0, 0.1, 0.3};
    add_body(recording, box(Vec3(1, 1, 0.05), glass), Vec3(0.5, 0.5, 1));
    RenderOptions o;
    o.width = 64;
    o.height = 36;
    o.samples = 4;
    const Camera camera{.eye_w = Vec3(1, 1.5, 4), .target_w = Vec3(0.4, 0.4, 0)};
    std::vector<std::uint8_t> first;
    for (int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        Result<Renderer> renderer = Renderer::make(recording);
        REQUIRE(renderer.ok());
        const Result<Image> image = renderer.value().draw(recording.frames[0], camera, o);
        REQUIRE(image.ok());
        if (first.empty()) first = image.value().rgb;
        CHECK(image.value().rgb == first);
    }
}

TEST_CASE("only shapes that changed are built again, and going back gives the same bytes") {
    Recording recording;
    const auto ball = sphere(0.5, 16, kSteel);
    add_body(recording, ball, Vec3(0, 0.5, 0));
    add_body(recording, ball, Vec3(1.2, 0.5, 0));
    std::vector<Vec3> flat = ball->surface.points;
    for (Vec3& p : flat) p.y() = std::min(p.y(), 0.2);
    recording.bodies[1].shapes.push_back(flat);
    recording.frames.push_back(recording.frames[0]);
    recording.frames[1].bodies[0].pose_w.translation.x() = -0.3;
    recording.frames.push_back(recording.frames[1]);
    recording.frames[2].bodies[1].shape = 1;
    recording.frames.push_back(recording.frames[2]);
    recording.frames[3].bodies[0].is_present = false;

    RenderOptions o;
    o.width = 48;
    o.height = 27;
    o.samples = 2;
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    const std::int64_t expected[] = {1, 1, 2, 2};  // two bodies share one rest shape
    std::vector<std::vector<std::uint8_t>> pictures;
    for (int i = 0; i < 4; ++i) {
        const Result<Image> image = renderer.value().draw(recording.frames[i], Camera(), o);
        REQUIRE(image.ok());
        CHECK(renderer.value().builds() == expected[i]);
        pictures.push_back(image.value().rgb);
        if (i > 0) CHECK(pictures[i] != pictures[i - 1]);
    }
    const Result<Image> again = renderer.value().draw(recording.frames[0], Camera(), o);
    REQUIRE(again.ok());
    CHECK(again.value().rgb == pictures[0]);
}

TEST_CASE("far from the world's origin a picture stays the same") {
    // 2^14 m: coordinates there still hold steps of a tenth of a micrometre as doubles, but only
    // millimetres as floats.
    const Vec3 far(16384, 0, -16384);
    RenderOptions o = furnace();
    o.sky = SkyKind::Clear;
    o.sun_strength = 1.0;
    Recording here, there;
    add_body(here, sphere(0.02, 24, kSteel), Vec3(0, 0, 0));
    add_body(there, sphere(0.02, 24, kSteel), far);
    const Camera near{.eye_w = Vec3(0, 0, 0.2), .target_w = Vec3::Zero()};
    Camera moved = near;
    moved.eye_w += far;
    moved.target_w += far;
    CHECK(light_of(here, near, o).rgb == light_of(there, moved, o).rgb);
}

TEST_CASE("glass lets light through as far as it is not opaque") {
    Recording recording;
    Look pane{"pane", Vec3(0, 0, 0), 0.0, 0.0, 0.25};
    add_body(recording, box(Vec3(2, 2, 0.1), pane), Vec3::Zero());
    RenderOptions o = furnace();
    const Radiance light = light_of(recording, ahead(), o);
    // Front and back each keep 3/4 of what their gloss (about 4 %, white here) leaves.
    CHECK(test::near(green(light, 32, 24), 0.75 * 0.75, 0.12));
}

TEST_CASE("an empty recording shows the sky over the ground") {
    Recording recording;
    recording.frames.emplace_back();
    RenderOptions o = furnace();
    o.sky = SkyKind::Clear;
    o.has_ground = true;
    Camera camera = ahead();
    camera.eye_w.y() = camera.target_w.y() = 1.0;
    const Radiance light = light_of(recording, camera, o);
    CHECK(*std::min_element(light.rgb.begin(), light.rgb.end()) > 0.0f);
    CHECK(std::all_of(light.rgb.begin(), light.rgb.end(), [](float v) { return v > 0.0f; }));
    CHECK(green(light, 32, 2) > green(light, 32, 45));
}

TEST_CASE("what cannot be drawn is refused with its name") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Recording recording;
    add_body(recording, sphere(1.0, 8, kWhite), Vec3::Zero());
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    const auto refuses = [&](const Frame& frame, const Camera& camera, const RenderOptions& o,
                             const char* word) {
        const Result<Image> image = renderer.value().draw(frame, camera, o);
        REQUIRE_FALSE(image.ok());
        CHECK_MESSAGE(image.error().text().find(word) != std::string::npos, image.error().text());
    };
    const Frame fine = recording.frames[0];
    Camera camera = ahead();
    camera.eye_w.x() = nan;
    refuses(fine, camera, furnace(), "eye");
    camera = ahead();
    camera.target_w = camera.eye_w;
    refuses(fine, camera, furnace(), "same place");
    camera = ahead();
    camera.field_of_view_deg = 180.0;
    refuses(fine, camera, furnace(), "field_of_view");
    RenderOptions o = furnace();
    o.width = 0;
    refuses(fine, ahead(), o, "width");
    o = furnace();
    o.exposure = nan;
    refuses(fine, ahead(), o, "exposure");
    o = furnace();
    o.sun_direction_w = Vec3::Zero();
    refuses(fine, ahead(), o, "sun_direction");
    Frame frame = fine;
    frame.bodies[0].pose_w.translation.y() = nan;
    refuses(frame, ahead(), furnace(), "body0");
    frame = fine;
    frame.bodies[0].shape = 3;
    refuses(frame, ahead(), furnace(), "shape 3");
    frame.bodies.clear();
    refuses(frame, ahead(), furnace(), "0 bodies");
}

TEST_CASE("a body that cannot be drawn is refused with its name") {
    const auto refuses = [](const auto& spoil) {
        auto asset = box(Vec3(1, 1, 1), kWhite);
        spoil(*asset);
        Recording recording;
        add_body(recording, asset, Vec3::Zero());
        const Result<Renderer> renderer = Renderer::make(recording);
        return !renderer.ok() && renderer.error().where == "body body0";
    };
    CHECK(refuses([](SurfaceAsset& a) { a.render.triangles[3][1] = 24; }));
    CHECK(refuses([](SurfaceAsset& a) { a.render.triangles[3][1] = -1; }));
    CHECK(refuses([](SurfaceAsset& a) { a.render.triangle_looks[0] = 1; }));
    CHECK(refuses([](SurfaceAsset& a) { a.render.normals.pop_back(); }));
    CHECK(refuses([](SurfaceAsset& a) { a.anchors[5].points[0] = 99; }));
    CHECK(refuses([](SurfaceAsset& a) { a.render.points[2].z() = NAN; }));
    Recording recording;
    recording.bodies.emplace_back();
    CHECK_FALSE(Renderer::make(recording).ok());
}

TEST_CASE("developing keeps order, ends in black and white, and survives what is not a number") {
    Radiance ramp{256, 1, {}};
    for (int i = 0; i < 256; ++i) ramp.rgb.insert(ramp.rgb.end(), 3, std::exp2((i - 160) / 10.0f));
    const Image image = develop(ramp, 0.0);
    for (int i = 1; i < 256; ++i) CHECK(image.rgb[3 * i] + 1 >= image.rgb[3 * i - 3]);
    CHECK(image.rgb.front() <= 1);
    CHECK(image.rgb.back() == 255);
    const float bad[] = {NAN, INFINITY, -1.0f};
    for (float v : bad) CHECK(develop({1, 1, {v, v, v}}, 0.0).rgb[0] <= 1);
    const Radiance grey{1, 1, {0.2f, 0.2f, 0.2f}};
    CHECK(develop(grey, 1.0).rgb[0] > develop(grey, 0.0).rgb[0]);
}
