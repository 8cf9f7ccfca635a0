// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/render/ray_scene.h>
#include <ductile/render/renderer.h>
#include <ductile/render/texture.h>

#include <doctest/doctest.h>
#include <image/test_pictures.h>
#include <render/test_shapes.h>
#include <support/near.h>

#include <array>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr int kTextureSide = 64;  // pixels of the test pictures taken

Look wearing(std::shared_ptr<const Texture> texture) {
    Look look{"label", Vec3(1, 1, 1), 0.0, 1.0, 1.0};
    look.texture = std::move(texture);
    return look;
}

/// Two metres a side, facing +z, its picture laid over it `repeats` times.
std::shared_ptr<SurfaceAsset> label(const Look& look, double repeats = 1.0) {
    RenderMesh mesh;
    mesh.points = {Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0)};
    mesh.normals.assign(4, Vec3(0, 0, 1));
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    auto asset = asset_of(std::move(mesh), look);
    asset->render.uvs = {Vec2(0, 0), Vec2(0, repeats), Vec2(repeats, repeats), Vec2(repeats, 0)};
    return asset;
}

/// Sees the label and nothing else, from in front or, with -1, from behind.
Camera before_label(double side = 1.0) {
    return {.eye_w = Vec3(0, 0, 10 * side),
            .target_w = Vec3::Zero(),
            .field_of_view_deg = 2.0 * std::atan(0.1) * 180.0 / std::numbers::pi};
}

/// No sun, no ground, radiance 1 from everywhere.
RenderOptions plain_furnace() {
    RenderOptions o;
    o.width = o.height = kTextureSide;
    o.sun_strength = 0.0;
    o.sky = SkyKind::Uniform;
    o.has_ground = false;
    return o;
}

Recording recording_of(std::shared_ptr<const SurfaceAsset> asset) {
    Recording recording;
    add_body(recording, std::move(asset), Vec3::Zero());
    return recording;
}

Radiance light_of(const std::shared_ptr<SurfaceAsset>& asset, const Camera& camera,
                  const RenderOptions& options) {
    const Recording recording = recording_of(asset);
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    CHECK(renderer.value().notes().empty());
    Result<Radiance> light = renderer.value().trace(recording.frames[0], camera, options);
    REQUIRE(light.ok());
    return std::move(light).value();
}

Vec3f at(const Radiance& light, int x, int y) {
    const float* rgb = &light.rgb[3 * (std::size_t(y) * light.width + x)];
    return {rgb[0], rgb[1], rgb[2]};
}

/// What a matte colour shows in a furnace under a gloss that takes the share `gloss`.
Vec3f under_gloss(const Vec3f& colour, float gloss) {
    return colour * (1.0f - gloss) + Vec3f::Constant(gloss);
}

double worst_difference(const Radiance& a, const Radiance& b) {
    REQUIRE(a.rgb.size() == b.rgb.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) {
        worst = std::max(worst, std::abs(double(a.rgb[i]) - double(b.rgb[i])));
    }
    return worst;
}

/// Blocks of 8 x 8 pixels of one colour each, four to a side; the first is black.
std::array<int, 4> block(int x, int y) {
    return {80 * (x / 8), 80 * (y / 8), x / 8 == y / 8 ? 0 : 200, 255};
}

}  // namespace

TEST_CASE("a label seen straight on shows the pixels of its picture") {
    const RgbaImage image = picture(32, 32, block);
    const Radiance light =
        light_of(label(wearing(texture_of(as_png(image)))), before_label(), plain_furnace());
    const float gloss = at(light, 8, 8).y();
    CHECK(gloss < 0.08f);
    const std::span<const float> levels = linear_levels();
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            const std::array<int, 4> c = block(8 * x, 8 * y);
            const Vec3f wanted = under_gloss({levels[c[0]], levels[c[1]], levels[c[2]]}, gloss);
            const Vec3f got = at(light, 16 * x + 8, 16 * y + 8);
            CHECK((got - wanted).cwiseAbs().maxCoeff() < 0.004f);
        }
    }
}

TEST_CASE("a picture too fine to be seen shows its mean colour") {
    const RgbaImage image = picture(32, 32, block);
    Vec3f mean = Vec3f::Zero();
    const std::span<const float> levels = linear_levels();
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        mean += Vec3f(levels[image.rgba[i]], levels[image.rgba[i + 1]], levels[image.rgba[i + 2]]);
    }
    mean /= 32.0f * 32.0f;
    const Radiance light = light_of(label(wearing(texture_of(as_png(image))), 1000.0),
                                    before_label(), plain_furnace());
    const float gloss = 0.04f;
    for (int i = 2; i < kTextureSide - 2; ++i) {
        CHECK((at(light, i, i) - under_gloss(mean, gloss)).cwiseAbs().maxCoeff() < 0.03f);
        CHECK((at(light, i, i) - at(light, 32, 32)).cwiseAbs().maxCoeff() < 0.002f);
    }
}

TEST_CASE("a picture repeats to all sides and is smooth across its edges") {
    const TextureMap map(picture(4, 2, [](int x, int y) {
        return std::array{60 * x, 100 * y, 10, 255};
    }));
    const Vec2 place(0.3, 0.7);
    for (const Vec2& shift : {Vec2(1, 0), Vec2(0, -1), Vec2(-7, 12)}) {
        CHECK((map.colour(place, 0.0) - map.colour(place + shift, 0.0)).norm() < 1e-5f);
    }
    const double near = 1e-9;
    CHECK((map.colour(Vec2(-near, 0.5), 0.0) - map.colour(Vec2(near, 0.5), 0.0)).norm() < 1e-5f);
    for (const double wild : {1e30, -1e30, 1e300, 5e-324}) {
        CHECK(map.colour(Vec2(wild, -wild), wild).allFinite());
        CHECK(map.alpha(Vec2(wild, -wild)) == 1.0f);
    }
}

TEST_CASE("colours of vertices are interpolated and multiply the look's own") {
    Look look{"paint", Vec3(1, 0.5, 0), 0.0, 1.0, 1.0};
    auto asset = label(look);
    const Vec4 left(0.2, 0.2, 1, 1), right(1, 0.6, 1, 1);
    asset->render.colours = {left, left, right, right};
    RenderOptions o = plain_furnace();
    o.variation = 0.0;
    const Radiance light = light_of(asset, before_label(), o);
    const float gloss = at(light, 32, 32).z();  // the look has no blue
    for (int x = 4; x < kTextureSide - 4; ++x) {
        const float share = (static_cast<float>(x) + 0.5f) / kTextureSide;
        const Vec3f wanted(mix(0.2f, 1.0f, share), 0.5f * mix(0.2f, 0.6f, share), 0.0f);
        CHECK((at(light, x, 20) - under_gloss(wanted, gloss)).cwiseAbs().maxCoeff() < 0.01f);
    }
}

TEST_CASE("a picture cuts holes where its alpha is below one half") {
    const RgbaImage image = picture(32, 32, [](int x, int) {
        return std::array{0, 0, 0, x < 16 ? 100 : 150};
    });
    Look look = wearing(texture_of(as_png(image)));
    CHECK(at(light_of(label(look), before_label(), plain_furnace()), 20, 32).y() <
          0.1f);  // not meant
    look.has_holes = true;
    auto asset = label(look);
    const Radiance light = light_of(asset, before_label(), plain_furnace());
    CHECK(test::near(at(light, 20, 32).y(), 1.0, 1e-6));
    CHECK(at(light, 44, 32).y() < 0.1f);

    const Recording recording = recording_of(asset);
    Result<RayScene> scene = RayScene::make(recording);
    REQUIRE(scene.ok());
    REQUIRE(scene.value().place(recording.frames[0], Vec3::Zero()).ok());
    const Vec3f back(0, 0, -1);
    CHECK(scene.value().light_through({Vec3f(-0.5f, 0, 1), back}) == 1.0f);
    CHECK(scene.value().light_through({Vec3f(0.5f, 0, 1), back}) == 0.0f);
}

TEST_CASE("alpha makes glass clearer") {
    const RgbaImage image = picture(32, 32, [](int x, int) {
        return std::array{0, 0, 0, x < 16 ? 51 : 204};
    });
    Look glass = wearing(texture_of(as_png(image)));
    glass.opacity = 0.5;
    glass.has_holes = true;
    const Recording recording = recording_of(label(glass));
    Result<RayScene> scene = RayScene::make(recording);
    REQUIRE(scene.ok());
    REQUIRE(scene.value().place(recording.frames[0], Vec3::Zero()).ok());
    const Vec3f back(0, 0, -1);
    CHECK(test::near(scene.value().light_through({Vec3f(-0.5f, 0, 1), back}), 0.9, 1e-6));
    CHECK(test::near(scene.value().light_through({Vec3f(0.5f, 0, 1), back}), 0.6, 1e-6));
}

TEST_CASE("a picture that cannot be decoded leaves the look's colour and a note, once") {
    std::vector<std::byte> bytes = as_png(picture(32, 32, block));
    bytes.resize(bytes.size() / 2);
    Look plain = wearing(nullptr);
    plain.base_colour = Vec3(0.3, 0.5, 0.7);
    Look broken = plain;
    broken.texture = texture_of(bytes);
    Recording recording = recording_of(label(broken));
    add_body(recording, label(broken), Vec3(0, 0, -1));
    Result<Renderer> renderer = Renderer::make(recording);
    REQUIRE(renderer.ok());
    REQUIRE(renderer.value().notes().size() == 1);
    const std::string& note = renderer.value().notes()[0];
    CHECK_MESSAGE(note.find("paint.png") != std::string::npos, note);
    CHECK_MESSAGE(note.find("label") != std::string::npos, note);
    CHECK_MESSAGE(note.find("damaged") != std::string::npos, note);
    const Result<Radiance> light =
        renderer.value().trace(recording.frames[0], before_label(), plain_furnace());
    REQUIRE(light.ok());
    CHECK(light.value().rgb == light_of(label(plain), before_label(), plain_furnace()).rgb);
}

TEST_CASE("a look with a picture gets no stains of our own") {
    const RgbaImage white = picture(4, 4, [](int, int) { return std::array{255, 255, 255, 255}; });
    const auto asset = label(wearing(texture_of(as_png(white))));
    RenderOptions even = plain_furnace(), worn = plain_furnace();
    even.variation = 0.0;
    worn.variation = 4.0;
    CHECK(light_of(asset, before_label(), even).rgb == light_of(asset, before_label(), worn).rgb);
}

TEST_CASE("an open sheet is as bright from behind as from in front") {
    const Look look{"sheet", Vec3(0.4, 0.4, 0.4), 0.0, 1.0, 1.0};
    RenderOptions o = plain_furnace();
    o.sky_strength = 0.0;
    o.variation = 0.0;
    o.sun_strength = 1.0;
    o.sun_direction_w = Vec3(0, 1, 1);
    const Radiance front = light_of(label(look), before_label(), o);
    o.sun_direction_w = Vec3(0, 1, -1);
    const Radiance behind = light_of(label(look), before_label(-1.0), o);
    CHECK(at(front, 32, 32).y() > 0.1f);
    CHECK(worst_difference(front, behind) < 1e-3);
}

TEST_CASE("triangles wound against their normals are lit as the others") {
    const Look look{"ball", Vec3(0.8, 0.8, 0.8), 0.0, 1.0, 1.0};
    RenderOptions o = plain_furnace();
    o.sky = SkyKind::Clear;
    o.sun_strength = 1.0;
    o.variation = 0.0;
    const auto good = sphere(0.9, 16, look), mixed = sphere(0.9, 16, look),
               inverted = sphere(0.9, 16, look);
    for (std::size_t i = 0; i < mixed->render.triangles.size(); ++i) {
        Triangle& t = mixed->render.triangles[i];
        if (i % 3 == 0) std::swap(t[1], t[2]);
    }
    for (Vec3& n : inverted->render.normals) n = -n;
    const Radiance wanted = light_of(good, before_label(), o);
    CHECK(worst_difference(wanted, light_of(inverted, before_label(), o)) < 1e-3);
    CHECK(worst_difference(wanted, light_of(mixed, before_label(), o)) < 0.05);
}

TEST_CASE("a picture on a body has the same bytes at any number of threads") {
    const auto asset = label(wearing(texture_of(as_jpeg(picture(100, 75, block), 90))), 3.0);
    std::vector<float> first;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const Radiance light = light_of(asset, before_label(), plain_furnace());
        if (first.empty()) first = light.rgb;
        CHECK(light.rgb == first);
    }
}
