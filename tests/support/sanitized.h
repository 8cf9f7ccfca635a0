// SPDX-License-Identifier: MIT
#pragma once

// There where a sanitizer that replaces the allocator is linked in, and nowhere else. These objects
// may be compiled without one and linked to libraries with one (DUCTILE_TEST_OBJECTS).
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __tsan_init();
}

namespace ductile::test {

/// Sanitized builds are many times slower: they look for mistakes, not for statistics.
inline const bool kIsSanitized = __asan_init != nullptr || __tsan_init != nullptr;

}  // namespace ductile::test
