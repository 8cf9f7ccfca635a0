// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/core/rng.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/kinds.h>

#include <doctest/doctest.h>
#include <support/field_numbers.h>

#include <cmath>
#include <limits>
#include <set>

using namespace ductile;

namespace {

/// One record of every kind, with its defaults, checked.
std::vector<HitRecord> one_of_each() {
    std::vector<HitRecord> records;
    RecordFields none;
    visit_fields(none, [&]<class Record>(const Field&, std::optional<Record>&) {
        HitRecord record = Record{};
        REQUIRE(check_record(record).ok());
        records.push_back(std::move(record));
    });
    return records;
}

/// Whether a journal of this hit, written out as text, is read back with the same text.
bool is_read_back(const Hit& hit) {
    Journal journal;
    journal.add(hit.time, hit.duration, hit.record);
    const std::string text = json_text(journal_to_json(journal));
    std::vector<Error> errors;
    const Result<Json> parsed = parse_json(text, "journal");
    if (!parsed) return false;
    const Journal back = journal_from_json(parsed.value(), "", errors);
    return errors.empty() && json_text(journal_to_json(back)) == text;
}

}  // namespace

TEST_CASE("every kind has a name of its own, a unit, and stands in a file under that name") {
    std::set<std::string_view> names;
    for (const HitRecord& record : one_of_each()) {
        CAPTURE(std::string(record_name(record)));
        CHECK(names.insert(record_name(record)).second);
        CHECK_FALSE(record_mark(record).unit.empty());
        const RecordFields fields(record);
        const Json json = write_fields(fields);
        REQUIRE(json.size() == 1);
        CHECK(json.contains(std::string(record_name(record))));
        REQUIRE(fields.record());
        CHECK(fields.record()->index() == record.index());
    }
    CHECK(names.size() == std::variant_size_v<HitRecord>);
    CHECK(RecordFields::kind_names() == "dent, bend, refine, example, shell, joints, fracture");
}

TEST_CASE("a file with no record, or with two, has none") {
    RecordFields fields;
    CHECK_FALSE(fields.record());
    fields.slot<DentHit>().emplace();
    CHECK(fields.record());
    fields.slot<BendHit>().emplace();
    CHECK_FALSE(fields.record());
}

TEST_CASE("a journal of every kind comes back from its text, bit for bit") {
    Journal journal;
    double time = 0.1;
    for (const HitRecord& record : one_of_each()) journal.add(time += 1.0 / 3.0, 0.05, record);
    const Json json = journal_to_json(journal);
    std::vector<Error> errors;
    const Journal back = journal_from_json(json, "", errors);
    CHECK(errors.empty());
    REQUIRE(back.hits().size() == journal.hits().size());
    CHECK(json_text(journal_to_json(back)) == json_text(json));
}

TEST_CASE("what check_record passes is read back, at both ends of every range and just outside") {
    int passed = 0, refused = 0;
    RecordFields none;
    visit_fields(none, [&]<class Record>(const Field&, std::optional<Record>&) {
        Record defaults{};
        const std::size_t count = test::numbers_of(defaults).size();
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<double> values = test::numbers_of(defaults)[i].extremes();
            const double min = test::numbers_of(defaults)[i].min;
            const double max = test::numbers_of(defaults)[i].max;
            if (test::numbers_of(defaults)[i].is_whole) {
                values.insert(values.end(), {min - 1.0, max + 1.0});
            } else {
                values.insert(values.end(), {std::nextafter(min, -kInfinity), 2.0 * max, kInfinity,
                                             std::numeric_limits<double>::quiet_NaN()});
            }
            for (const double value : values) {
                Record record{};
                test::numbers_of(record)[i].set(value);
                CAPTURE(test::numbers_of(record)[i].path);
                CAPTURE(value);
                const Hit raw{1, 0.5, 0.0, record};
                Hit hit = raw;
                const bool is_fine = check_hit(hit).ok();
                CHECK(is_read_back(is_fine ? hit : raw) == is_fine);
                CHECK((!is_fine || (value >= min && value <= max)));
                ++(is_fine ? passed : refused);
            }
        }
    });
    CHECK(passed > 50);
    CHECK(refused > 50);
}

TEST_CASE("a hit outside a journal's time is refused") {
    Hit hit{1, 1e9, 1e9, DentHit{}};
    CHECK(check_hit(hit).ok());
    CHECK(is_read_back(hit));
    hit.time = 2e9;
    CHECK(check_hit(hit).error().where == "/time");
    hit.time = 0.0;
    hit.duration = kInfinity;
    CHECK(check_hit(hit).error().where == "/duration");
}

TEST_CASE("records of random directions are checked once and for all") {
    Rng rng(7);
    const auto vector = [&](double size) {
        return Vec3(size * rng.uniform(-1, 1), size * rng.uniform(-1, 1),
                    size * rng.uniform(-1, 1));
    };
    for (int i = 0; i < 2000; ++i) {
        const double size = std::pow(10.0, rng.uniform(-6.0, 5.0));
        DentHit dent;
        dent.direction_b = vector(size);
        // Often all but along it, where rounding is worst.
        dent.from_b = rng.uniform(-1, 1) * dent.direction_b +
                      vector(size * std::pow(10.0, rng.uniform(-9.0, 0.0)));
        BendHit bend;
        bend.along_b = dent.direction_b;
        bend.axis_b = dent.from_b;
        for (HitRecord record : {HitRecord(dent), HitRecord(bend)}) {
            Hit hit{1, 0.0, 0.0, record};
            if (!check_hit(hit)) continue;
            CAPTURE(i);
            CHECK(is_read_back(hit));
        }
    }
}
