// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace ductile::test {

/// Notes that the test case that runs now is skipped, and why: it counts as neither passed nor
/// failed. Prints the line "[skipped] CASE: REASON", which scripts/run_tests.py counts.
void skip_case(const std::string& reason);

/// A file or folder of real meshes, which lie beside the checkout (../shared) and are not part of
/// it. `name` is its path below that folder.
std::filesystem::path real_file(const std::string& name);

/// Whether it is there; if not, the running test case is skipped.
bool has_real_file(const std::string& name);

}  // namespace ductile::test

/// Leaves the test case, skipped. For use directly in a TEST_CASE.
#define DUCTILE_SKIP(reason)              \
    do {                                  \
        ductile::test::skip_case(reason); \
        return;                           \
    } while (false)

/// Skips the test case where a file of real meshes is not beside the checkout.
#define DUCTILE_NEEDS_REAL_FILE(name)                    \
    do {                                                 \
        if (!ductile::test::has_real_file(name)) return; \
    } while (false)
