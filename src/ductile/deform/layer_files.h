// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_map.h>

#include <functional>
#include <string>

namespace ductile {

/// How layers get at the files that their options name: whoever knows the folders answers.
struct LayerFiles {
    /// A picture as a relief one wide and one deep. Null: no pictures can be read.
    std::function<Result<DentMap>(const std::string& name)> relief;
};

}  // namespace ductile
