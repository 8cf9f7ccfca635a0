// SPDX-License-Identifier: MIT
#include <ductile/core/file_names.h>

#include <algorithm>

namespace ductile {
namespace {

constexpr std::size_t kLongestName = 200;  // of 255 bytes; endings and unfinished names need some

bool is_bad_in_name(unsigned char c) { return c < 32 || c == 127 || c == '/' || c == '\\'; }

}  // namespace

bool is_file_name(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           std::none_of(name.begin(), name.end(), is_bad_in_name);
}

std::string free_file_name(std::string_view name, std::set<std::string>& taken) {
    std::string plain(name.substr(0, kLongestName - 10));  // a number has to fit behind it
    // A character of several bytes is kept whole or not at all.
    const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    if (plain.size() < name.size() && is_inside(name[plain.size()])) {
        while (is_inside(plain.back())) plain.pop_back();
        plain.pop_back();
    }
    std::replace_if(plain.begin(), plain.end(), is_bad_in_name, '_');
    if (plain.empty() || plain.front() == '.') plain.insert(0, 1, '_');
    std::string found = plain;
    for (int number = 2; !taken.insert(found).second; ++number) {
        found = plain + "_" + std::to_string(number);
    }
    return found;
}

}  // namespace ductile
