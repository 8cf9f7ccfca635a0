// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/kinds.h>

#include <doctest/doctest.h>

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
    CHECK(RecordFields::kind_names() == "dent, bend, refine");
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
