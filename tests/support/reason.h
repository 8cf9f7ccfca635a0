// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <string>

namespace ductile::test {

/// Why something failed, for messages; nothing if it did not.
template <class T>
std::string reason(const Result<T>& result) {
    return result ? "" : result.error().text();
}

}  // namespace ductile::test
