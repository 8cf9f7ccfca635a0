// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/json_text.h>

#include <span>
#include <string>
#include <string_view>

// The messages of everything that reads a field list, written once.
namespace ductile {

/// A value as it was typed, cut short.
std::string value_text(const Json& json);

/// "12 kg"; the text alone without a unit.
std::string with_unit(std::string text, std::string_view unit);

/// "0 to 10 m", "at least 0 m", "at most 10 m", "any, in m", or "".
std::string range_text(double min, double max, std::string_view unit);

/// "a, b, c"
std::string name_list(std::span<const std::string_view> names);

/// What to try instead of an unknown name: the nearest one, or else all of them.
std::string suggestion(std::string_view typed, std::span<const std::string_view> known);

/// The JSON pointer (RFC 6901) of a member of what `pointer` points to.
std::string pointer_below(const std::string& pointer, std::string_view key);

/// Several lambdas as one visitor of a variant.
template <class... Fs>
struct Overload : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

}  // namespace ductile
