// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/names.h>

#include <fmt/format.h>

#include <cmath>

namespace ductile {

std::string value_text(const Json& json) {
    std::size_t longest = 60;
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() <= longest) return text;
    while ((text[longest] & 0xc0) == 0x80) --longest;  // not within a character of several bytes
    return text.substr(0, longest) + "...";
}

std::string with_unit(std::string text, std::string_view unit) {
    return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

std::string range_text(double min, double max, std::string_view unit) {
    const bool has_min = std::isfinite(min), has_max = std::isfinite(max);
    if (has_min && has_max) return with_unit(fmt::format("{} to {}", min, max), unit);
    if (has_min) return with_unit(fmt::format("at least {}", min), unit);
    if (has_max) return with_unit(fmt::format("at most {}", max), unit);
    return unit.empty() ? "" : fmt::format("any, in {}", unit);
}

std::string name_list(std::span<const std::string_view> names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string suggestion(std::string_view typed, std::span<const std::string_view> known) {
    const std::string near = nearest_name(typed, known);
    if (!near.empty()) return fmt::format("did you mean '{}'?", near);
    return known.empty() ? "there are none" : "known: " + name_list(known);
}

std::string pointer_below(const std::string& pointer, std::string_view key) {
    std::string out = pointer + "/";
    for (char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace ductile
