// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>
#include <string>

namespace ductile {

/// What ductile-import writes: a model or an error, as bytes.
std::string pack_answer(const Result<Model>& result);

/// How many bytes of an answer that begins with `first` are worth waiting for: as many as the
/// largest model may take, few of an error, none of what is neither.
std::size_t longest_answer(std::byte first, std::size_t largest_model);

/// What such bytes say; they are not trusted (see unpack_model). Error: the one in the bytes, or
/// that they are no answer at all.
Result<Model> unpack_answer(std::span<const std::byte> bytes, const ReadLimits& limits);

}  // namespace ductile
