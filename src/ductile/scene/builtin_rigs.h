// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/scene/build_rig.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// A rig that comes along: one of rigs/.
struct BuiltinRig {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinRig> builtin_rigs();

/// By its name; null: there is none.
const BuiltinRig* find_builtin_rig(std::string_view name);

/// "did you mean ...", or "" where no name is near.
std::string builtin_rig_hint(std::string_view typed);

/// The file of a rig that comes along, looking for its own files as if it lay in `rigs`.
LoadedRigFile load_builtin_rig(const BuiltinRig& rig, std::span<const std::string> overrides = {});

/// A rig as layers take it. A rig whose weights are a skin's gets a lattice of its own.
/// Error: a surface that no lattice can be made around.
Result<std::shared_ptr<const ExampleRig>> example_rig(const BuiltRig& built,
                                                      double weight_threshold);

}  // namespace ductile
