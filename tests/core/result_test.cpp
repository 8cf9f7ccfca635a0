// SPDX-License-Identifier: MIT
#include <ductile/core/result.h>

#include <doctest/doctest.h>
#include <support/aborts.h>

#include <memory>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("an error reads as place, fault and advice, leaving out what is empty") {
    CHECK(Error{"is too large", "a.json", "try less"}.text() == "a.json: is too large (try less)");
    CHECK(Error{"is too large", "", "try less"}.text() == "is too large (try less)");
    CHECK(Error{"is too large", "a.json", ""}.text() == "a.json: is too large");
    CHECK(Error{"is too large", "", ""}.text() == "is too large");
}

TEST_CASE("a result holds a value or an error") {
    Result<int> seven = 7;
    CHECK(seven.ok());
    CHECK(bool(seven));
    seven.value() += 1;
    CHECK(seven.value() == 8);
    const Result<int> none = Error{"no number", "here", ""};
    CHECK_FALSE(none.ok());
    CHECK(none.error().where == "here");
}

TEST_CASE("a value can be moved out of a result") {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    const std::unique_ptr<int> out = std::move(result).value();
    REQUIRE(out);
    CHECK(*out == 3);
}

TEST_CASE("a status is good until it holds an error") {
    CHECK(Status().ok());
    const Status bad = Error{"no", "", ""};
    CHECK_FALSE(bool(bad));
    CHECK(bad.error().what == "no");
}

#if defined(DUCTILE_ASSERTS)
TEST_CASE("a broken promise ends the process") {
    CHECK(aborts([] { DUCTILE_ASSERT(1 + 1 == 3, "arithmetic"); }));
    CHECK_FALSE(aborts([] { DUCTILE_ASSERT(1 + 1 == 2, "arithmetic"); }));
    CHECK(aborts([] { (void)Result<int>(Error{"no", "", ""}).value(); }));
    CHECK(aborts([] { (void)Result<int>(1).error(); }));
    CHECK(aborts([] { (void)Status().error(); }));
}
#endif
