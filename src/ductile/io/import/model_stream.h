// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>
#include <string>

namespace ductile {

/// A model as bytes, from one process to another on the same machine.
std::string pack_model(const Model& model);

/// The model that such bytes hold. Nothing in them is trusted: counts are compared with the bytes
/// that are left before anything is allocated, indices with what they point into, numbers must be
/// finite, parents must come before their children. Error (`where`: "byte N"): whatever is not so.
Result<Model> unpack_model(std::span<const std::byte> bytes, const ReadLimits& limits);

}  // namespace ductile
