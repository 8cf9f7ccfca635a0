// SPDX-License-Identifier: MIT
#include <ductile/core/file_names.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("no file is called by a folder, a way up, or something invisible") {
    for (const char* name : {"", ".", "..", ".hidden", "a/b", "a\\b", "a\nb", "a\x7f"}) {
        CAPTURE(name);
        CHECK_FALSE(is_file_name(name));
    }
    CHECK_FALSE(is_file_name(std::string_view("a\0b", 3)));
    CHECK_FALSE(is_file_name(std::string(5000, 'x')));
    CHECK(is_file_name("drum-1.obj"));
    CHECK(is_file_name("\xd0\xba\xd1\x80\xd0\xbe\xd0\xbb\xd0\xb8\xd0\xba"));
}

TEST_CASE("whatever a thing is called, its file name is one, and nobody else's") {
    std::set<std::string> taken;
    std::string wide;
    for (int i = 0; i < 200; ++i) wide += "\xc3\xa4";
    std::size_t count = 0;
    for (const std::string& name :
         {std::string("drum"), std::string("drum"), std::string("drum_2"), std::string("a/b"),
          std::string("a_b"), std::string(), std::string(".."), std::string(400, 'x'), wide}) {
        const std::string found = free_file_name(name, taken);
        CAPTURE(found);
        CHECK(is_file_name(found));
        CHECK(taken.count(found) == 1);
        CHECK(taken.size() == ++count);
        CHECK((static_cast<unsigned char>(found.back()) & 0xC0) != 0xC0);
    }
}
