// SPDX-License-Identifier: MIT
#include <ductile/io/file_units.h>
#include <ductile/io/text_cursor.h>

#include <array>
#include <string>
#include <vector>

namespace ductile {
namespace {

constexpr std::size_t kLongestComment = 400;  // Bytes that are looked at.

struct UnitName {
    std::string_view name;
    double metres;
};
constexpr std::array<UnitName, 21> kUnitNames{{
    {"m", 1.0},
    {"meter", 1.0},
    {"meters", 1.0},
    {"metre", 1.0},
    {"metres", 1.0},
    {"cm", 0.01},
    {"centimeter", 0.01},
    {"centimeters", 0.01},
    {"centimetres", 0.01},
    {"mm", 0.001},
    {"millimeter", 0.001},
    {"millimeters", 0.001},
    {"millimetres", 0.001},
    {"in", 0.0254},
    {"inch", 0.0254},
    {"inches", 0.0254},
    {"ft", 0.3048},
    {"foot", 0.3048},
    {"feet", 0.3048},
    {"km", 1000.0},
    {"kilometers", 1000.0},
}};

// Of numbers, the sizes that a unit may have [m]: micrometres to kilometres.
constexpr double kLeastUnit = 1e-6;
constexpr double kGreatestUnit = 1e4;

std::optional<double> unit_size(const std::string& word) {
    for (const UnitName& unit : kUnitNames) {
        if (unit.name == word) return unit.metres;
    }
    TextCursor at(word);
    double value = 0.0;
    if (at.read(value) != TextCursor::Number::Good || !at.is_at_end()) return {};
    if (value < kLeastUnit || value > kGreatestUnit) return {};
    return value;
}

// The words of a line in lower case; letters, digits, '.' and '_' make a word.
std::vector<std::string> lower_words(std::string_view line) {
    std::vector<std::string> words(1);
    for (char c : line.substr(0, kLongestComment)) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool is_part =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
        if (is_part) {
            words.back().push_back(c);
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

}  // namespace

FileUnits units_of_comment(std::string_view comment) {
    FileUnits found;
    const std::vector<std::string> words = lower_words(comment);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string next = i + 1 < words.size() ? words[i + 1] : "";
        if (words[i] == "unit" || words[i] == "units") {
            // "units = inches", or "... uses centimeters as units"
            const bool is_behind = i >= 2 && words[i - 1] == "as";
            const std::optional<double> size = unit_size(is_behind ? words[i - 2] : next);
            if (size) found.metres_per_unit = size;
        } else if (words[i] == "up" || words[i] == "up_axis") {
            if (next == "x_up" || next == "x") found.up_axis = 0;
            if (next == "y_up" || next == "y") found.up_axis = 1;
            if (next == "z_up" || next == "z") found.up_axis = 2;
        }
    }
    return found;
}

}  // namespace ductile
