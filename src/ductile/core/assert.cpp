// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>

#include <cstdio>
#include <cstdlib>

namespace ductile {

void fail_assert(std::string_view claim, std::string_view message, const char* file, int line) {
    std::fprintf(stderr, "ductile: %s:%d: broken promise: %.*s (%.*s)\n", file, line,
                 static_cast<int>(claim.size()), claim.data(), static_cast<int>(message.size()),
                 message.data());
    std::abort();
}

}  // namespace ductile
