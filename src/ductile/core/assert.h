// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <string_view>

namespace ductile {

/// Prints the failed claim and ends the process. For callers' mistakes only, never for bad data.
[[noreturn]] void fail_assert(std::string_view claim, std::string_view message, const char* file,
                              int line);

}  // namespace ductile

/// The file's name without its folders, where the compiler tells: what is built holds no path of
/// the machine that built it.
#if defined(__FILE_NAME__)
#define DUCTILE_FILE_NAME __FILE_NAME__
#else
#define DUCTILE_FILE_NAME __FILE__
#endif

/// A caller's duty, checked in every build with DUCTILE_ASSERTS (the default, Release included).
#if defined(DUCTILE_ASSERTS)
#define DUCTILE_ASSERT(claim, message) \
    ((claim) ? void(0) : ::ductile::fail_assert(#claim, message, DUCTILE_FILE_NAME, __LINE__))
#else
#define DUCTILE_ASSERT(claim, message) void(0)
#endif
