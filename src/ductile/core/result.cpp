// SPDX-License-Identifier: MIT
#include <ductile/core/result.h>

namespace ductile {

std::string Error::text() const {
    std::string out = where.empty() ? what : where + ": " + what;
    if (!hint.empty()) out += " (" + hint + ")";
    return out;
}

}  // namespace ductile
