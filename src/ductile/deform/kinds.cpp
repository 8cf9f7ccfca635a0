// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/field_ranges.h>
#include <ductile/deform/kinds.h>

#include <string>
#include <type_traits>

namespace ductile {
namespace {

/// The kind of a record, for use in visitors.
template <class Record>
using KindOf = RecordKind<std::remove_cvref_t<Record>>;

template <class Row>
void apply_rows(const HitRecord& record, const RecordPoints& at, double amount,
                std::span<Row> rows) {
    std::visit(
        [&](const auto& r) {
            using Kind = KindOf<decltype(r)>;
            if constexpr (Kind::stage == kStageOf<Row>) {
                Kind::apply(r, at, amount, rows);
            } else {
                DUCTILE_ASSERT(false, "a record acts in its own stage");
            }
        },
        record);
}

}  // namespace

std::string_view record_name(const HitRecord& record) {
    return std::visit([](const auto& r) { return KindOf<decltype(r)>::name; }, record);
}

Stage record_stage(const HitRecord& record) {
    return std::visit([](const auto& r) { return KindOf<decltype(r)>::stage; }, record);
}

RecordMark record_mark(const HitRecord& record) {
    return std::visit([](const auto& r) { return KindOf<decltype(r)>::mark(r); }, record);
}

Status check_record(HitRecord& record) {
    return std::visit(
        [](auto& r) {
            const Status in_range = check_ranges(r);
            return in_range ? KindOf<decltype(r)>::check(r) : in_range;
        },
        record);
}

Status record_fits(const HitRecord& record, const BodyShape& shape) {
    return std::visit(
        [&](const auto& r) -> Status {
            using Kind = KindOf<decltype(r)>;
            if constexpr (requires { Kind::fits(r, shape); }) {
                return Kind::fits(r, shape);
            } else {
                return {};
            }
        },
        record);
}

bool move_record(HitRecord& record, const Transform& by) {
    return std::visit(
        [&](auto& r) {
            using Kind = KindOf<decltype(r)>;
            if constexpr (requires { Kind::move(r, by); }) {
                Kind::move(r, by);
                return true;
            } else {
                return false;
            }
        },
        record);
}

void guard_record(HitRecord& record, const SurfaceQuery& surface, const BodyShape& shape) {
    std::visit([&](auto& r) { KindOf<decltype(r)>::guard(r, surface, shape); }, record);
}

RecordReach record_reach(const HitRecord& record) {
    return std::visit(
        [](const auto& r) -> RecordReach {
            using Kind = KindOf<decltype(r)>;
            if constexpr (Kind::stage == Stage::Mesh || Kind::stage == Stage::Joint ||
                          Kind::stage == Stage::Parts) {
                DUCTILE_ASSERT(false, "a record that moves points one by one");
                return [](const Box&) { return false; };
            } else {
                return Kind::reach(r);
            }
        },
        record);
}

bool record_carries(const HitRecord& record, const Vec3& rest) {
    return std::visit(
        [&](const auto& r) {
            using Kind = KindOf<decltype(r)>;
            if constexpr (Kind::stage == Stage::Skin) {
                return Kind::carries(r, rest);
            } else {
                DUCTILE_ASSERT(false, "a record that turns the whole");
                return false;
            }
        },
        record);
}

std::vector<MeshEdge> record_edges(const HitRecord& record, const SurfaceAsset& asset) {
    return std::visit(
        [&](const auto& r) -> std::vector<MeshEdge> {
            using Kind = KindOf<decltype(r)>;
            if constexpr (Kind::stage == Stage::Mesh) {
                return Kind::marked_edges(r, asset);
            } else {
                DUCTILE_ASSERT(false, "a record that changes the mesh");
                return {};
            }
        },
        record);
}

void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<Vec3> points) {
    apply_rows(record, at, amount, points);
}

void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<ExampleRow> rows) {
    apply_rows(record, at, amount, rows);
}

void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<SkinFrame> frames) {
    apply_rows(record, at, amount, frames);
}

RecordFields::RecordFields(const HitRecord& record) {
    std::visit(
        [&](const auto& r) {
            std::get<std::optional<std::remove_cvref_t<decltype(r)>>>(slots) = r;
        },
        record);
}

std::optional<HitRecord> RecordFields::record() const {
    std::optional<HitRecord> found;
    int count = 0;
    const auto take = [&](const auto& slot) {
        if (!slot) return;
        found = *slot;
        ++count;
    };
    std::apply([&](const auto&... slot) { (take(slot), ...); }, slots);
    if (count != 1) found.reset();
    return found;
}

std::string RecordFields::kind_names() {
    std::string names;
    RecordFields none;
    visit_fields(none, [&](const Field& field, auto&) {
        if (!names.empty()) names += ", ";
        names += field.name;
    });
    return names;
}

}  // namespace ductile
