// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>
#include <string>

namespace ductile {

/// What ductile-import writes: a model or an error, as bytes.
std::string pack_answer(const Result<Model>& result);

/// What such bytes say; they are not trusted (see unpack_model). Error: the one in the bytes, or
/// that they are no answer at all.
Result<Model> unpack_answer(std::span<const std::byte> bytes, const ReadLimits& limits);

}  // namespace ductile
