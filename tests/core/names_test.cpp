// SPDX-License-Identifier: MIT
#include <ductile/core/names.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

std::string nearest(std::string_view typed) {
    static constexpr std::string_view known[] = {"velocity", "mass", "material", "pose", "steel"};
    return nearest_name(typed, known);
}

}  // namespace

TEST_CASE("a slip of the finger finds the name that was meant") {
    CHECK(nearest("velocty") == "velocity");
    CHECK(nearest("veloctiy") == "velocity");
    CHECK(nearest("Velocity") == "velocity");
    CHECK(nearest("MATERIAL") == "material");
    CHECK(nearest("materials") == "material");
    CHECK(nearest("mas") == "mass");
    CHECK(nearest("steal") == "steel");
    CHECK(nearest("mass") == "mass");
}

TEST_CASE("the beginning of one name finds it, that of two finds none") {
    static constexpr std::string_view known[] = {"obj_sequence", "ply_sequence", "yield_stress",
                                                 "sun_direction", "sun_strength"};
    CHECK(nearest_name("obj", known) == "obj_sequence");
    CHECK(nearest_name("yeild", known) == "yield_stress");
    CHECK(nearest_name("sun", known) == "");
    CHECK(nearest_name("ob", known) == "");
    CHECK(nearest_name("sequence", known) == "");
}

TEST_CASE("what resembles nothing finds nothing") {
    CHECK(nearest("") == "");
    CHECK(nearest("x") == "");
    CHECK(nearest("gravity_scale") == "");
    CHECK(nearest(std::string(100000, 'm')) == "");
    CHECK(nearest_name("mass", {}) == "");
}

TEST_CASE("of equally near names the one of the nearest length is taken, then the first") {
    static constexpr std::string_view bodies[] = {"ball", "barrel", "bar"};
    CHECK(nearest_name("barell", bodies) == "barrel");
    static constexpr std::string_view known[] = {"bend", "dent", "bent"};
    CHECK(nearest_name("benn", known) == "bend");
    static constexpr std::string_view turned[] = {"bent", "dent", "bend"};
    CHECK(nearest_name("benn", turned) == "bent");
}

TEST_CASE("nothing typed suggests nothing, even where names are short") {
    static constexpr std::string_view known[] = {"x", "y"};
    CHECK(nearest_name("", known) == "");
    CHECK(nearest_name("X", known) == "x");
}
