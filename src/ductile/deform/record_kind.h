// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/geom/skin_frame.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace ductile {

class Deformer;
class SurfaceQuery;
struct BodyShape;

/// When a record acts in the making of a shape `x = skin(u + d)`.
enum class Stage {
    Mesh,    ///< Changes the rest mesh u: finer where it is needed.
    Offset,  ///< Moves points of the unskinned surface u + d: dents, shells.
    Blend,   ///< Changes the shares of example poses, a skin that what the offsets left goes into.
    Joint,   ///< Turns joints of the body's skeleton, which what is there by then goes along with.
    Skin,    ///< Turns and moves what all of these left: bends by hand.
    Parts,   ///< Moves nothing: says what no longer hangs together.
};

/// Some points of a body, for a record to act on.
struct RecordPoints {
    const BodyShape& shape;                 ///< With the data that its layers prepared.
    std::span<const std::int32_t> indices;  ///< Which surface points they are.
    std::span<const Vec3> rest;             ///< Their rest places.
};

/// Says of boxes whether a record may move a point that lies in them, by any amount. No is a
/// promise, bit for bit: what it rules out need not be looked at.
using RecordReach = std::function<bool(const Box&)>;

/// Where a record shows on a timeline or in a table, and how large it is.
struct RecordMark {
    Vec3 position_b = Vec3::Zero();  ///< In the body's rest frame [m].
    double size = 0.0;
    std::string_view unit;  ///< Of the size: "m", "deg".
};

/// Lengths that a record may hold [m], from an atom's to a country's: bodies of any size that
/// scenes allow leave records within, and what lies beyond is refused when it is written as when it
/// is read.
inline constexpr double kLeastRecordLength = 1e-9, kMostRecordLength = 1e6;
inline constexpr Field length_field(std::string_view name, std::string_view help) {
    return {name, "m", kLeastRecordLength, kMostRecordLength, help};
}
/// A direction of any length: checking the record brings it to unit length. (Rounding makes unit
/// vectors a little longer than 1, so that 1 would be no limit.)
inline constexpr Field direction_field(std::string_view name, std::string_view help) {
    return {name, "", -1e6, 1e6, help};
}
/// A place in a body's rest frame, whose origin may lie far off: meshes come in maps' coordinates.
inline constexpr Field place_field(std::string_view name, std::string_view help) {
    return {name, "m", -1e9, 1e9, help};
}

/// All that the library needs to know of a kind of record. Specialised beside each record, listed
/// in deform/kinds.h; nothing else knows the kinds.
///
///     static constexpr std::string_view name;  // in journals, scenes, tables, Python
///     static constexpr std::string_view help;  // one line
///     static constexpr Stage stage;
///     static Status check(Record&);            // makes sense beyond the ranges of its fields,
///     which
///                                              // hold already; unit directions
///     static void guard(Record&, const SurfaceQuery& surface, const BodyShape&);
///                                              // softened until it does no harm to the surface
///     static RecordMark mark(const Record&);
///     static void move(Record&, const Transform&);
///                                              // into another frame; without it a hit by hand has
///                                              // to be given in the body's own
/// and for Stage::Joint (deform/joint_skin.h) and Stage::Parts (deform/fracture/fracture_data.h)
/// nothing more; for Stage::Mesh
///     static std::vector<MeshEdge> marked_edges(const Record&, const SurfaceAsset&);
///                                              // to be split next; none: it is done
/// else
///     static RecordReach reach(const Record&); // Offset: of boxes of u + d; else of rest boxes
///     static void apply(const Record&, const RecordPoints&, double amount, std::span<Row> rows);
///
/// for Stage::Skin besides
///     static bool carries(const Record&, const Vec3& rest);
///                                              // whether what lies there goes along with it
/// and, where it needs data of a layer to be executed,
///     static Status fits(const Record&, const BodyShape&);
///                                              // whether the body has it
///
/// A row is a point (Vec3) for Stage::Offset, an ExampleRow for Stage::Blend, a SkinFrame for
/// Stage::Skin. `apply` executes `amount` (in [0, 1]) on rows in place. What becomes of a row
/// depends on that row, its point's number and rest place and the shape's data alone: some may be
/// executed without the others.
template <class Record>
struct RecordKind;

}  // namespace ductile
