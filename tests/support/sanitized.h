// SPDX-License-Identifier: MIT
#pragma once

// Whether a sanitizer that replaces the allocator is compiled in, as GCC or as clang says it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DUCTILE_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DUCTILE_IS_SANITIZED 1
#endif
#endif
#ifndef DUCTILE_IS_SANITIZED
#define DUCTILE_IS_SANITIZED 0
#endif

namespace ductile::test {

/// Sanitized builds are many times slower: they look for mistakes, not for statistics.
inline constexpr bool kIsSanitized = DUCTILE_IS_SANITIZED != 0;

}  // namespace ductile::test
