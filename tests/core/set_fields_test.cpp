// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>

#include <doctest/doctest.h>
#include <support/sample_fields.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("of several overrides every mistake is told, and the good ones are set") {
    Outer outer;
    const std::vector<std::string> assignments = {"mass=heavy", "id=7", "colour=ornage", "tilte=a"};
    const std::vector<Error> errors = set_fields(outer, assignments);
    REQUIRE(errors.size() == 3);
    CHECK(errors[0].where == "--set mass");
    CHECK(errors[1].where == "--set colour");
    CHECK(errors[2].where.starts_with("--set tilte"));
    CHECK(outer.id == 7);
    CHECK(outer.colour == Colour::Green);
}

TEST_CASE("names that a message lists are not listed again as a hint") {
    Outer outer;
    std::vector<Error> errors;
    read_fields(parse_json(R"({"colour": "ochre"})", "").value(), outer, "", errors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].what == R"("ochre" is none of red, green, blue)");
    CHECK(errors[0].hint.empty());
    errors.clear();
    read_fields(parse_json(R"({"colour": "blu"})", "").value(), outer, "", errors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].hint == "did you mean 'blue'?");
}
