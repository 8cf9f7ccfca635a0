// SPDX-License-Identifier: MIT
#pragma once
// Tests of independence from the time step run an impact at several phases of arrival within a
// step. As many as the environment's DUCTILE_PHASES says: docs/numbers.md has 40, which take
// minutes.
#include <algorithm>
#include <cstdlib>

namespace ductile::test {

inline int phase_count(int otherwise) {
    const char* asked = std::getenv("DUCTILE_PHASES");
    return asked ? std::max(1, std::atoi(asked)) : otherwise;
}

}  // namespace ductile::test
