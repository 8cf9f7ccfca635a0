// SPDX-License-Identifier: MIT
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

using namespace ductile;

namespace {

/// Driven bodies, the last one twice, and what each keeps in step with.
std::vector<Error> wrong_with(const std::string& a, const std::string& b, const std::string& c) {
    const auto body = [](const std::string& name, int x, const std::string& leader) {
        return fmt::format(R"("{}": {{ "position": [{}, 3, 0],
            "drive": {{ "in_step_with": "{}" }} }})",
                           name, 4 * x, leader);
    };
    const std::string text = R"({ "bodies": { "stone": { "position": [-4, 3, 0] }, )" +
                             body("a", 0, a) + ", " + body("b", 1, b) + ", " + body("c", 2, c) +
                             "}}";
    return parse_scene(text, "t",
                       {{"bodies.c.copies.count=[1,1,2]", "bodies.c.copies.spacing.z=5"}})
        .errors;
}

Error only_one(const std::vector<Error>& errors) {
    std::string all;
    for (const Error& error : errors) all += error.text() + "\n";
    CAPTURE(all);
    REQUIRE(errors.size() == 1);
    return errors[0];
}

}  // namespace

TEST_CASE("a drive keeps in step with a body or one copy that is there and driven") {
    CHECK(wrong_with("b", "", "").empty());
    CHECK(wrong_with("c-2", "", "").empty());
    CHECK(wrong_with("b", "c-1", "").empty());
    const Error many = only_one(wrong_with("c", "", ""));
    CHECK(many.where == "t#/bodies/a/drive/in_step_with");
    CHECK(many.hint.find("c-1") != std::string::npos);
    CHECK(only_one(wrong_with("c-3", "", "")).hint.find("did you mean 'c-1") != std::string::npos);
    CHECK(only_one(wrong_with("stone", "", "")).what.find("no drive") != std::string::npos);
}

TEST_CASE("drives that wait for each other in a circle are named, once") {
    const auto circle = [](const std::string& a, const std::string& b, const std::string& c) {
        return only_one(wrong_with(a, b, c)).what;
    };
    CHECK(circle("b", "a", "") == "these keep in step in a circle: 'b', 'a'");
    CHECK(circle("b", "c-2", "a") == "these keep in step in a circle: 'b', 'c-2', 'a'");
    CHECK(circle("a", "", "") == "'a' would keep in step with itself");
    CHECK(circle("", "", "c-2") == "'c-2' would keep in step with itself");
    // One that follows the circle is not of it.
    CHECK(circle("b", "c-1", "b") == "these keep in step in a circle: 'c-1', 'b'");
}
