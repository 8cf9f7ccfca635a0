// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ductile {

/// Whether a file can be called so: no folder, no "..", nothing invisible.
bool is_file_name(std::string_view name);

/// A file name for anything called `name`: what no file can be called by is replaced by '_', and a
/// name that is among `taken` gets a number. Adds itself to `taken`.
std::string free_file_name(std::string_view name, std::set<std::string>& taken);

}  // namespace ductile
