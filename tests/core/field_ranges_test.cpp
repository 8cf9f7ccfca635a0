// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/core/json_fields.h>

#include <doctest/doctest.h>
#include <support/field_numbers.h>

#include <limits>

using namespace ductile;

namespace {

struct RangedPart {
    double share = 0.5;
};
template <class Visitor>
void visit_fields(RangedPart& p, Visitor&& field) {
    field(Field{"share", "", 0.0, 1.0, "of the whole"}, p.share);
}

struct Ranged {
    double length = 1.0;
    std::int32_t count = 3;
    std::uint64_t seed = 1;
    Vec3 place = Vec3::Zero();
    Quat turn = Quat::Identity();
    std::string name = "any";
    std::optional<RangedPart> part = RangedPart{};
    std::vector<RangedPart> parts = {{}, {}};
};
template <class Visitor>
void visit_fields(Ranged& r, Visitor&& field) {
    field(Field{"length", "m", 1e-3, 10.0, "how long"}, r.length);
    field(Field{"count", "", 1, 9, "how many"}, r.count);
    field(Field{"seed", "", 0, 1e15, "where chance begins"}, r.seed);
    field(Field{"place", "m", -5.0, 5.0, "where"}, r.place);
    field(Field{"turn", "", 0, 0, "how it is turned"}, r.turn);
    field(Field{"name", "", 0, 0, "what it is called"}, r.name);
    field(Field{"part", "", 0, 0, "one"}, r.part);
    field(Field{"parts", "", 0, 0, "several"}, r.parts);
}

std::string refused_at(const Ranged& value) {
    const Status fine = check_ranges(value);
    return fine ? "" : fine.error().where;
}

bool is_read_back(const Ranged& value) {
    Ranged back;
    std::vector<Error> errors;
    read_fields(write_fields(value), back, "", errors);
    return errors.empty() && write_fields(back) == write_fields(value);
}

}  // namespace

TEST_CASE("a value passes its ranges just when its reader takes it back") {
    int tried = 0;
    for (std::size_t i = 0; i < 9; ++i) {
        Ranged value;
        std::vector<test::FieldNumber> numbers = test::numbers_of(value);
        REQUIRE(numbers.size() == 9);
        const test::FieldNumber& number = numbers[i];
        CAPTURE(number.path);
        for (const double inside : number.extremes()) {
            number.set(inside);
            CHECK(refused_at(value) == "");
            CHECK(is_read_back(value));
            ++tried;
        }
        if (number.min == 0 && number.is_whole) continue;  // has nothing below
        for (const double outside :
             {number.is_whole ? number.min - 1 : std::nextafter(number.min, -kInfinity),
              number.is_whole ? number.max + 1 : std::nextafter(number.max, kInfinity)}) {
            number.set(outside);
            CHECK(refused_at(value) != "");
            CHECK_FALSE(is_read_back(value));
        }
    }
    CHECK(tried == 36);
}

TEST_CASE("what is refused is named, with its range") {
    Ranged value;
    value.parts[1].share = 2.0;
    CHECK(refused_at(value) == "/parts/1/share");
    value.part->share = std::numeric_limits<double>::quiet_NaN();
    CHECK(refused_at(value) == "/part/share");
    value.place.y() = kInfinity;
    CHECK(refused_at(value) == "/place/1");
    value.length = 1053.0;
    const Error error = check_ranges(value).error();
    CHECK(error.where == "/length");
    CHECK(error.what == "1053 is outside the range 0.001 to 10 m");
    value = {};
    value.turn.coeffs().setZero();
    CHECK(refused_at(value) == "/turn");
    CHECK(check_range(Field{"depth", "m", 0.0, 1.0, "how deep"}, 2.0).error().where == "/depth");
    CHECK(check_range(Field{"depth", "m", 0.0, 1.0, "how deep"}, 1.0).ok());
}
