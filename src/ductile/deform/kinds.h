// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/bend/bend_hit.h>
#include <ductile/deform/bend/joint_hit.h>
#include <ductile/deform/dent/dent_kind.h>
#include <ductile/deform/example/example_hit.h>
#include <ductile/deform/fracture/fracture_hit.h>
#include <ductile/deform/record_kind.h>
#include <ductile/deform/refine/refine_hit.h>
#include <ductile/deform/shell/shell_hit.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// The one list of kinds: what each kind of layer writes into a journal. A new deformer includes
/// its record above and adds it here; journals, replay, recordings, tables, exports and Python
/// follow by its RecordKind.
using HitRecord =
    std::variant<DentHit, BendHit, RefineHit, ExampleHit, ShellHit, JointHit, FractureHit>;

std::string_view record_name(const HitRecord& record);
Stage record_stage(const HitRecord& record);
RecordMark record_mark(const HitRecord& record);

/// Whether the record makes sense and every number of it lies within its field's range, so that a
/// journal can hold it; brings its directions to unit length. Error: says what does not.
Status check_record(HitRecord& record);

/// Whether a body has what the record needs to be executed. Error: says what is missing.
Status record_fits(const HitRecord& record, const BodyShape& shape);

/// Brings a record from one frame into another by the transform between them. False, and nothing
/// done, for a kind that cannot be moved.
bool move_record(HitRecord& record, const Transform& by);

/// Softens a record until it does no harm to the surface u + d it is about to act on.
void guard_record(HitRecord& record, const SurfaceQuery& surface, const BodyShape& shape);

/// Requires of the record: a stage that moves points. It must outlive the answer.
RecordReach record_reach(const HitRecord& record);
/// Whether what lies at a rest place goes along with the record. Requires: one of Stage::Skin.
bool record_carries(const HitRecord& record, const Vec3& rest);

/// The edges of a body's surface that a record of Stage::Mesh wants split next, ascending; none:
/// it is done. Requires: such a record.
std::vector<MeshEdge> record_edges(const HitRecord& record, const SurfaceAsset& asset);

/// Executes `amount` (in [0, 1]) of a record of Stage::Offset on points, of Stage::Blend on rows of
/// shares, or of Stage::Skin on frames. Requires: a record of that stage, as many rows as points.
void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<Vec3> points);
void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<ExampleRow> rows);
void apply_record(const HitRecord& record, const RecordPoints& at, double amount,
                  std::span<SkinFrame> frames);

/// The stage whose records act on rows of a type.
template <class Row>
inline constexpr Stage kStageOf = std::is_same_v<Row, Vec3>         ? Stage::Offset
                                  : std::is_same_v<Row, ExampleRow> ? Stage::Blend
                                                                    : Stage::Skin;

template <class List>
struct RecordSlots;
template <class... Records>
struct RecordSlots<std::variant<Records...>> {
    using Type = std::tuple<std::optional<Records>...>;
};

/// A record as it stands in a file: a field per kind, of which exactly one is there.
struct RecordFields {
    RecordSlots<HitRecord>::Type slots;

    RecordFields() = default;
    RecordFields(const HitRecord& record);

    /// The one that is there; nothing if none is, or several are.
    std::optional<HitRecord> record() const;
    template <class Record>
    const std::optional<Record>& slot() const {
        return std::get<std::optional<Record>>(slots);
    }
    template <class Record>
    std::optional<Record>& slot() {
        return std::get<std::optional<Record>>(slots);
    }
    /// Names of all kinds, for messages: "dent, bend, ...".
    static std::string kind_names();
};
template <class Visitor>
void visit_fields(RecordFields& r, Visitor&& field) {
    const auto visit = [&]<class Record>(std::optional<Record>& slot) {
        using Kind = RecordKind<Record>;
        field(Field{Kind::name, "", 0, 0, Kind::help}, slot);
    };
    std::apply([&](auto&... slot) { (visit(slot), ...); }, r.slots);
}

}  // namespace ductile
