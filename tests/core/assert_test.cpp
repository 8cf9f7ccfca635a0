// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("a claim that holds is evaluated once and changes nothing else") {
    int asked = 0;
    DUCTILE_ASSERT(++asked == 1, "asked once");
#if defined(DUCTILE_ASSERTS)
    CHECK(asked == 1);
#else
    CHECK(asked == 0);
#endif
}

TEST_CASE("an assert names its file without the folders of the machine that built it") {
    CHECK(std::string_view(DUCTILE_FILE_NAME).ends_with("assert_test.cpp"));
#if defined(__FILE_NAME__)
    CHECK(std::string_view(DUCTILE_FILE_NAME).find('/') == std::string_view::npos);
#endif
}
