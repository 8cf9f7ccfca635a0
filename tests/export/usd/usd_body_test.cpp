// SPDX-License-Identifier: MIT
#include <ductile/export/usd/usd_body.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <export/two_sheets.h>
#include <export/usd/usd_layer.h>
#include <export/usd/usd_reader.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

usd::Prim read_body(const Recording& recording, const UsdPlace& place, UsdPictures& pictures) {
    return usd::parse(usd::layer_text([&](UsdText& text) {
        append_usd_body(text, recording, 0, place, UsdOptions{}, pictures);
    }));
}

std::shared_ptr<const Texture> png_of(std::byte byte) {
    auto picture = std::make_shared<Texture>();
    picture->mime_type = "image/png";
    picture->bytes = {byte};
    return picture;
}

}  // namespace

TEST_CASE("time codes are frame numbers where frames are as far apart as the rate says") {
    Recording r = sample::still({sample::two_sheets()}, 4);
    r.frame_rate = 30.0;
    const double begin = 1234.5;
    const double codes[] = {0, 1 + 1e-8, 1.5, 3};
    for (int f = 0; f < 4; ++f) r.frames[f].time = begin + codes[f] / 30.0;
    const std::vector<double> found = usd_time_codes(r);
    REQUIRE(found.size() == 4);
    CHECK(found[0] == 0.0);
    CHECK(found[1] == 1.0);
    CHECK(test::near(found[2], 1.5, 1e-6));
    CHECK(found[3] == 3.0);
}

TEST_CASE("a body's prim is an Xform with its motion, presence, parts and looks of its own") {
    Recording r = sample::still({sample::two_sheets()}, 3);
    r.bodies[0].name = "two \"sheets\"";
    r.frames[2].bodies[0].pose_w.translation = Vec3(0, 2, 0);
    r.frames[0].bodies[0].is_present = false;
    UsdPictures pictures;
    const usd::Prim layer = read_body(r, {"sheets", "/World", ""}, pictures);
    const usd::Prim& body = layer.child("sheets");
    CHECK(body.type == "Xform");
    CHECK(body.metadata.find(R"(displayName = "two \"sheets\"")") != std::string::npos);
    CHECK(body["xformOp:translate"].at(1) == std::vector<double>{0, 0, 0});
    CHECK(body["xformOp:translate"].at(2) == std::vector<double>{0, 2, 0});
    CHECK(body["visibility"].held_at(0) == "\"invisible\"");
    CHECK(body["visibility"].held_at(1) == "\"inherited\"");
    for (const char* part : {"left", "right"}) {
        const usd::Prim& mesh = body.child(part).child("geometry");
        CHECK(mesh["material:binding"].value.text == "</World/sheets/Looks/paint>");
    }
    CHECK(pictures.empty());
}

TEST_CASE("materials and pictures that meshes have in common are written once") {
    RenderMesh one = sample::two_sheets()->render, other = one, third = one;
    one.looks[0].texture = other.looks[0].texture = png_of(std::byte{7});
    third.looks[0].texture = png_of(std::byte{8});
    UsdLooks looks;
    for (const RenderMesh* mesh : {&one, &other, &third}) looks.add(*mesh);
    UsdPictures pictures;
    const usd::Prim layer = usd::parse(usd::layer_text(
        [&](UsdText& text) { looks.append(text, "/World", "./pictures/", pictures); }));
    CHECK(layer.child("Looks").children.size() == 2);
    CHECK(looks.paths(one) == looks.paths(other));
    CHECK(looks.paths(one) != looks.paths(third));
    CHECK(looks.paths(one)[0].starts_with("/World/Looks/"));

    CHECK(pictures.name_of(Look{}).empty());
    CHECK(pictures.name_of(one.looks[0]) == pictures.name_of(other.looks[0]));
    const test::TempFolder folder;
    REQUIRE(pictures.write(folder.path).ok());
    CHECK(folder.names() == std::vector<std::string>{"picture_0.png", "picture_1.png"});
    CHECK(read_file(folder.path / pictures.name_of(third.looks[0])).value() == "\x8");
    CHECK_FALSE(pictures.write(folder.path / "picture_0.png").ok());
}

TEST_CASE("a film's set has a lens of the field of view, and names that nobody has") {
    const Recording r = sample::still({sample::two_sheets()}, 2);
    FilmSet set;
    set.ground.emplace();
    set.camera.emplace();
    set.camera->poses_w = {looking_pose(Vec3(0, 1, 5), Vec3::Zero())};
    set.camera->field_of_view_deg = 60.0;
    set.camera->aspect = 2.0;
    set.sun = FilmSet::Sun{.strength = 0.5};
    UsdPictures pictures;
    const usd::Prim layer = usd::parse(usd::layer_text([&](UsdText& text) {
        append_usd_set(text, r, set, {"", "/World", ""}, {"camera", "World"}, pictures);
    }));
    REQUIRE(layer.children.size() == 3);
    CHECK_FALSE(layer.has_child("camera"));
    for (const auto& prim : layer.children) {
        if (prim->type != "Camera") continue;
        const double height = (*prim)["verticalAperture"].value.numbers()[0];
        const double focal = (*prim)["focalLength"].value.numbers()[0];
        CHECK(test::near(2.0 * std::atan(0.5 * height / focal), kPi / 3, 1e-6));
        CHECK(test::near((*prim)["horizontalAperture"].value.numbers()[0], 2.0 * height, 1e-6));
    }
    CHECK(test::near(layer.child("sun")["inputs:intensity"].value.numbers()[0], 0.5 * kPi, 1e-6));
    CHECK(layer.child("ground").has_child("geometry"));
}

TEST_CASE("the size of a body's text is estimated within a factor of two") {
    const Recording r = sample::busy();
    for (const std::size_t body : {0u, 1u}) {
        UsdPictures pictures;
        const std::string text = usd::layer_text([&](UsdText& out) {
            append_usd_body(out, r, body, {"body", "", ""}, UsdOptions{}, pictures);
        });
        const double estimate = usd_body_size(r, body, UsdOptions{});
        CHECK(estimate > 0.5 * static_cast<double>(text.size()));
        CHECK(estimate < 2.0 * static_cast<double>(text.size()));
    }
    CHECK(usd_body_size(r, 5, UsdOptions{}) == 0.0);  // It has no surface.
}
