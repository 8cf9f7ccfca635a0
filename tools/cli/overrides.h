// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_fields.h>
#include <ductile/core/result.h>

#include <span>
#include <string>

namespace ductile::cli {

/// Sets fields of options as `--set FIELD=VALUE` names them. Error: the first that cannot be,
/// with its place on the command line.
template <class Options>
Status set_overrides(Options& options, std::span<const std::string> overrides) {
    for (const std::string& override : overrides) {
        const Status set = set_field(options, override);
        if (set) continue;
        const std::string& where = set.error().where;
        return Error{set.error().what, "--set " + (where.empty() ? override : where),
                     set.error().hint};
    }
    return {};
}

}  // namespace ductile::cli
