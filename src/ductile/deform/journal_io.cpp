// SPDX-License-Identifier: MIT
#include <ductile/deform/journal_io.h>

namespace ductile {
namespace {

/// A Hit as it stands in a file.
struct HitLine {
    double id = 0.0;  // JSON has no 64-bit integers; ids stay far below 2^53
    double time = 0.0;
    double duration = 0.0;
    HitGrowth growth = HitGrowth::Smooth;
    RecordFields record;
};
template <class Visitor>
void visit_fields(HitLine& h, Visitor&& field) {
    field(Field{"id", "", 1, 9e15, "unique within the journal, ascending"}, h.id);
    field(kHitTimeField, h.time);
    field(kHitDurationField, h.duration);
    field(kHitGrowthField, h.growth);
    visit_fields(h.record, field);
}

struct JournalText {
    std::vector<HitLine> hits;
    std::vector<Repair> repairs;
};
template <class Visitor>
void visit_fields(JournalText& j, Visitor&& field) {
    field(Field{"hits", "", 0, 0, "in the order in which they act"}, j.hits);
    field(Field{"repairs", "", 0, 0, "in the order in which they were made"}, j.repairs);
}

}  // namespace

Json journal_to_json(const Journal& journal) {
    JournalText text;
    for (const Hit& hit : journal.hits()) {
        HitLine& line = text.hits.emplace_back();
        line.id = static_cast<double>(hit.id);
        line.time = hit.time;
        line.duration = hit.duration;
        line.growth = hit.growth;
        line.record = RecordFields(hit.record);
    }
    text.repairs.assign(journal.repairs().begin(), journal.repairs().end());
    return write_fields(text);
}

Journal journal_from_json(const Json& json, const std::string& pointer,
                          std::vector<Error>& errors) {
    JournalText text;
    read_fields(json, text, pointer, errors);
    Journal journal;
    for (std::size_t i = 0; i < text.hits.size(); ++i) {
        const HitLine& line = text.hits[i];
        const std::string where = pointer + "/hits/" + std::to_string(i);
        std::optional<HitRecord> record = line.record.record();
        if (!record) {
            errors.push_back(
                {"a hit needs exactly one record", where, "one of: " + RecordFields::kind_names()});
            continue;
        }
        const Status fine = journal.restore({static_cast<std::int64_t>(line.id), line.time,
                                             line.duration, std::move(*record), line.growth});
        if (!fine) {
            errors.push_back({fine.error().what, where + fine.error().where, fine.error().hint});
        }
    }
    for (const Repair& repair : text.repairs) journal.repair(repair);
    return journal;
}

}  // namespace ductile
