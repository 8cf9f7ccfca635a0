// SPDX-License-Identifier: MIT
#pragma once

// Public headers begin here, by way of others or themselves: one error for who compiles them as an
// older C++, in place of the hundreds that would follow.
#if __cplusplus < 202002L
#error \
    "ductile needs C++20: compile with -std=c++20 (in CMake: target_compile_features(... cxx_std_20))"
#include <C++20>  // there is none: the compiler stops
#endif
