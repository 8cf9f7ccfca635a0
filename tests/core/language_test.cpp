// SPDX-License-Identifier: MIT
#include <ductile/core/language.h>

#include <doctest/doctest.h>

TEST_CASE("what is compiled is C++20 at least") {
    // That an older one is refused is for scripts/check_headers.py to show.
    CHECK(__cplusplus >= 202002L);
}
