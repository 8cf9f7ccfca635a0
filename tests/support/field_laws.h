// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_fields.h>

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace ductile::test {

/// What every field list owes those who read it: names that are words of their own, one line of
/// help in the house's manner, and defaults that come back from a file as they went in, which means
/// that each lies within its own range.
template <class T>
void check_field_list() {
    const T defaults{};
    std::set<std::string> names;
    T named{};
    visit_fields(named, [&](const Field& field, auto&) {
        const std::string name(field.name);
        CAPTURE(name);
        CHECK(names.insert(name).second);
        CHECK_FALSE(name.empty());
        for (const char c : name) CHECK((std::islower(c) || std::isdigit(c) || c == '_'));
        CHECK(field.min <= field.max);
        CHECK(field.help.find('\n') == std::string_view::npos);
        CHECK_FALSE(field.help.ends_with('.'));
    });
    CHECK_FALSE(names.empty());
    const Json written = write_fields(defaults);
    T back{};
    std::vector<Error> errors;
    read_fields(written, back, "", errors);
    for (const Error& e : errors) FAIL_CHECK(e.text());
    CHECK(write_fields(back) == written);
}

}  // namespace ductile::test
