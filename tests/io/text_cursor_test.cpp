// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/io/companion.h>
#include <ductile/io/file_units.h>
#include <ductile/io/model_parts.h>
#include <ductile/io/text_cursor.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/temp_folder.h>

#include <cmath>

using namespace ductile;

TEST_CASE("words and numbers are read one after the other, whatever ends the lines") {
    for (const char* text : {"v 1.5 -2e3\nw", "v 1.5 -2e3\r\nw", "v\t1.5  -2e3 \rw"}) {
        CAPTURE(text);
        TextCursor at(text);
        CHECK(at.word() == "v");
        double number = 0.0;
        at.skip_blanks();
        CHECK(at.read(number) == TextCursor::Number::Good);
        CHECK(number == 1.5);
        at.skip_blanks();
        CHECK(at.read(number) == TextCursor::Number::Good);
        CHECK(number == -2000.0);
        at.skip_line();
        CHECK(at.word() == "w");
        CHECK(at.is_at_end());
    }
}

TEST_CASE("what is no number leaves the place alone") {
    for (const char* text : {"nan", "inf", "x", "", "1e999"}) {
        CAPTURE(text);
        TextCursor at(text);
        double number = 7.0;
        CHECK(at.read(number) != TextCursor::Number::Good);
        CHECK(at.byte() == 0);
    }
    TextCursor tiny("1e-999");
    double number = 7.0;
    CHECK(tiny.read(number) == TextCursor::Number::Good);
    CHECK(number == 0.0);
    TextCursor huge("99999999999999999999");
    std::int64_t whole = 0;
    CHECK(huge.read(whole));
    CHECK(whole == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("a byte's line is counted from one, over every kind of line end") {
    const std::string_view text = "a\nb\r\nc\rd";
    CHECK(line_at(text, 0) == 1);
    CHECK(line_at(text, 2) == 2);
    CHECK(line_at(text, 5) == 3);
    CHECK(line_at(text, 7) == 4);
    CHECK(line_place(text, 7) == "line 4");
}

TEST_CASE("texts are told from other bytes, and shown without harm") {
    CHECK(check_is_text("v 1 2 3\n").ok());
    CHECK_FALSE(check_is_text(std::string_view("v\0", 2)).ok());
    CHECK(without_byte_order_mark("\xef\xbb\xbfv") == "v");
    CHECK(without_byte_order_mark("v") == "v");
    CHECK(shown_word("\x01\xff"
                     "a") == "\"??a\"");
    CHECK(shown_word(std::string(100, 'x')).size() <= 45);
    CHECK(is_same_word("OFF", "off"));
    CHECK_FALSE(is_same_word("OFF", "of"));
}

TEST_CASE("a comment may tell units and the axis that is up, and any other tells nothing") {
    CHECK(test::near(units_of_comment("File units = inches").metres_per_unit.value(), 0.0254));
    CHECK(units_of_comment("unit: 0.5").metres_per_unit == 0.5);
    CHECK(test::near(
        units_of_comment("This file uses centimeters as units").metres_per_unit.value(), 0.01));
    CHECK(units_of_comment("up=Z_UP").up_axis == 2);
    const FileUnits none = units_of_comment("made by hand in inches of rain");
    CHECK_FALSE(none.up_axis.has_value());
}

TEST_CASE("companions are found in the asset's folder and below it, nowhere else") {
    const test::TempFolder folder;
    REQUIRE(write_file(folder.path / "asset" / "skin" / "a.png", "picture").ok());
    REQUIRE(write_file(folder.path / "secret.txt", "secret").ok());
    const std::filesystem::path asset = folder.path / "asset";
    CHECK(read_companion(asset, "skin/a.png", 100).value() == "picture");
    CHECK(read_companion(asset, "skin\\a.png", 100).value() == "picture");
    CHECK_FALSE(read_companion(asset, "skin/a.png", 3).ok());
    for (const std::string& name :
         {std::string("../secret.txt"), std::string("skin/../../secret.txt"), std::string(),
          std::string("C:\\a.png"), (folder.path / "secret.txt").string(), std::string("skin"),
          std::string("none.png")}) {
        CAPTURE(name);
        CHECK_FALSE(find_companion(asset, name).ok());
    }
    CHECK_FALSE(find_companion({}, "a.png").ok());
    std::filesystem::create_symlink(folder.path / "secret.txt", asset / "link.txt");
    CHECK_FALSE(find_companion(asset, "link.txt").ok());
}

TEST_CASE("faces of any size become triangles, and corners without a vertex are refused") {
    ModelMesh mesh;
    mesh.name = "square";
    mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
    IndexedFaces faces;
    faces.corners = {0, 1, 2, 3};
    faces.end_face();
    CHECK(faces.count() == 1);
    Model model;
    REQUIRE(add_indexed_mesh(model, mesh, faces, ReadLimits{}).ok());
    REQUIRE(model.meshes.size() == 1);
    CHECK(model.meshes[0].triangles.size() == 2);
    REQUIRE(model.nodes.size() == 1);
    CHECK(model.nodes[0].name == "square");
    CHECK(model.nodes[0].mesh == 0);
    faces.corners[2] = 4;
    const Status refused = add_indexed_mesh(model, mesh, faces, ReadLimits{});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == "face 0");
}

TEST_CASE("colours of screens become light: ends stay, the middle is darker, nothing falls") {
    CHECK(linear_from_srgb(0.0) == 0.0);
    CHECK(test::near(linear_from_srgb(1.0), 1.0));
    CHECK(test::near(linear_from_srgb(0.5), 0.2140, 1e-3));
    double last = -1.0;
    for (int i = 0; i <= 255; ++i) {
        CHECK(linear_from_srgb(i / 255.0) > last);
        last = linear_from_srgb(i / 255.0);
    }
}
