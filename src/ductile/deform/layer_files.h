// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/dent/vector_map.h>

#include <functional>
#include <memory>
#include <string>

namespace ductile {

struct ExampleRig;
struct FileSkeleton;

/// How layers get at the files that their options name: whoever knows the folders answers.
struct LayerFiles {
    /// A picture as a relief one wide and one deep. Null: no pictures can be read.
    std::function<Result<DentMap>(const std::string& name)> relief;
    /// A table or picture of vectors; a picture is one wide. Null: none can be read.
    std::function<Result<VectorFile>(const std::string& name)> vectors{};
    /// A rig, of a file or one that comes along, made ready. Null: no rigs can be read.
    std::function<Result<std::shared_ptr<const ExampleRig>>(const std::string& name)> rig{};
    /// The joints and weights of the body's own mesh file. Null: it has none.
    std::function<std::shared_ptr<const FileSkeleton>()> skeleton{};
};

}  // namespace ductile
