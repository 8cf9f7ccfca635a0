// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/sheet_edge.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// Where the shape of a dent comes from.
enum class DentSource {
    Projectile,  ///< The shape of what hit, as it was turned and moving.
    Gaussian,
    Cosine,
    Cap,
    Table,    ///< Depths over distances.
    Picture,  ///< White is deep.
    Formula,  ///< Of x, y and r.
    Vectors,  ///< From a file of (dx, dy, dz).
};
inline std::span<const std::string_view> enum_names(DentSource) {
    static constexpr std::string_view names[] = {"projectile", "gaussian", "cosine",  "cap",
                                                 "table",      "picture",  "formula", "vectors"};
    return names;
}

/// One line of a dent table.
struct DentTableRow {
    double distance = 0.0;  ///< From the axis [m].
    double depth = 0.0;     ///< [m]; only its share of the deepest counts.
};
template <class Visitor>
void visit_fields(DentTableRow& r, Visitor&& field) {
    field(Field{"distance", "m", 0.0, kMostRecordLength, "from the axis"}, r.distance);
    field(Field{"depth", "m", 0.0, kMostRecordLength, "there; its share of the deepest counts"},
          r.depth);
}

/// The shape of a dent, named.
struct DentShapeOptions {
    DentSource source = DentSource::Projectile;
    std::string projectile{};  ///< For a hit by hand: the body whose shape is pressed in.
    std::string picture{};     ///< A PNG or PFM file; beside the scene, else in the current folder.
    bool flip = false;         ///< The picture is mirrored, as a stamp's own face is.
    std::string formula{};     ///< Depth over x, y, r in units of the radius.
    std::string formula_x{};   ///< Beside it: how far places go along x; then depths may be < 0.
    std::string formula_y{};   ///< And along y.
    std::string vectors{};     ///< A table or PFM file of (dx, dy, dz).
    std::vector<DentTableRow> table{};  ///< By ascending distance.
};
template <class Visitor>
void visit_fields(DentShapeOptions& o, Visitor&& field) {
    field(Field{"source", "", 0, 0, "where the shape comes from"}, o.source);
    field(Field{"projectile", "", 0, 0, "for a hit by hand: the body that is pressed in"},
          o.projectile);
    field(file_field("picture", "a PNG or PFM file; white is deep"), o.picture);
    field(Field{"flip", "", 0, 0, "mirrors the picture, as the face of a stamp"}, o.flip);
    field(Field{"formula", "", 0, 0, "depth over x, y and r, which is 1 at the radius"}, o.formula);
    field(Field{"formula_x", "", 0, 0, "how far places go along x, in the formula's unit"},
          o.formula_x);
    field(Field{"formula_y", "", 0, 0, "the same along y"}, o.formula_y);
    field(file_field("vectors", "a table or colour PFM of (dx, dy, dz) over the struck place"),
          o.vectors);
    field(Field{"table", "", 0, 0, "depths over ascending distances"}, o.table);
}

/// A shape without a size: a map, or a round profile.
struct DentStamp {
    DentProfile profile = DentProfile::Gaussian;
    std::optional<DentGrid> map;
    double radius = 0.0;  ///< Its own reach where it has one (a table) [m]; 0: as the hit says.
};

/// What becomes of the body that pressed the dent.
enum class AfterDent {
    Leave,  ///< It goes on as the engine says.
    Slow,   ///< What went into the dent does not come back: its rebound is lowered.
    Move,   ///< The same, and both bodies go on into the room that the shape gives up.
};
inline std::span<const std::string_view> enum_names(AfterDent) {
    static constexpr std::string_view names[] = {"leave", "slow", "move"};
    return names;
}

/// Finer meshes under dents, where a body's own is too coarse to show them.
struct DentRefineOptions {
    double edges = 0.0;          ///< Along a dent's radius, at least; 0: meshes stay as they are.
    std::int32_t budget = 4000;  ///< Points that all dents of a body may add to its mesh, >= 0.
};
template <class Visitor>
void visit_fields(DentRefineOptions& o, Visitor&& field) {
    field(Field{"edges", "", 0.0, 100.0,
                "edges along a dent's radius, which longer ones are halved for; 0: the mesh stays"},
          o.edges);
    field(Field{"budget", "", 0, 5e5, "points that all dents of a body may add to its mesh"},
          o.budget);
}

/// How the dent layer answers hits. Plain data; every default is usable as it stands.
struct DentOptions {
    DentShapeOptions shape{};
    double radius = 0.0;      ///< Reach of a round dent [m]; 0: from the sizes of both bodies.
    double exaggerate = 1.0;  ///< Depths are scaled by this; 1 is physics.
    double span = 0.0;        ///< From a dent in a sheet to where the sheet is held [m]; 0: found.
    SheetEdge edge = SheetEdge::Clamped;  ///< How a sheet is held there.
    double depth_limit = 0.0;  ///< Deepest push of one hit [m]; 0: from the body's extent.
    double total_limit =
        0.0;                 ///< Furthest any point may move in all [m]; 0: from the body's extent.
    double duration = 0.0;   ///< Time over which a dent is pressed in [s]; 0: as the impact takes.
    double smoothing = 0.0;  ///< How softly a dent fades out beyond what pressed it, in [0, 1].
    std::int32_t grid = 100;  ///< Samples along the longer side of a map at most.
    Attenuation attenuation = Attenuation::Logistic;
    double fade = 0.0;      ///< Length over which the push fades inward [m]; 0: from the dent.
    double widening = 0.0;  ///< Leans the front of a slanted dent more, its back less.
    double rim = 1.0;  ///< Height of the rim around a dent in a solid, over what the material has.
    double rim_width = 0.28;  ///< Over which it falls off [share of the dent's radius].
    double rim_volume = 0.0;  ///< Share of the dent's volume that it holds; 0: as its width has it.
    AfterDent after = AfterDent::Move;
    DentRefineOptions refine{};
};
template <class Visitor>
void visit_fields(DentOptions& o, Visitor&& field) {
    field(Field{"shape", "", 0, 0, "what dents look like"}, o.shape);
    field(Field{"radius", "m", 0.0, kMostRecordLength,
                "how far a round dent reaches; 0: from both bodies"},
          o.radius);
    field(Field{"exaggerate", "", 0.0, 1000.0, "scales the depths of dents; 1 is physics"},
          o.exaggerate);
    field(Field{"span", "m", 0.0, kMostRecordLength,
                "from a dent in a sheet to where the sheet is held; 0: folds and borders"},
          o.span);
    field(Field{"edge", "", 0, 0, "how a sheet is held there"}, o.edge);
    field(
        Field{"depth_limit", "m", 0.0, kMostRecordLength, "deepest push of one hit; 0: automatic"},
        o.depth_limit);
    field(Field{"total_limit", "m", 0.0, kMostRecordLength,
                "furthest any point moves in all; 0: automatic"},
          o.total_limit);
    field(Field{"duration", "s", 0.0, 60.0,
                "time over which a dent is pressed in; 0: as long as the impact takes"},
          o.duration);
    field(Field{"smoothing", "", 0.0, 1.0, "how softly a dent fades out beyond what pressed it"},
          o.smoothing);
    field(Field{"grid", "", 8, 1024, "samples along the longer side of a dent map at most"},
          o.grid);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, o.attenuation);
    field(Field{"fade", "m", 0.0, kMostRecordLength,
                "length over which the push fades; 0: from the dent"},
          o.fade);
    field(Field{"widening", "", 0.0, 10.0, "leans the front of a slanted dent more"}, o.widening);
    field(Field{"rim", "", 0.0, 2.0,
                "height of the rim around a solid's dent; 1: as the material has it, 0: none"},
          o.rim);
    field(Field{"rim_width", "", 0.01, 10.0, "over which a rim falls, as a share of the radius"},
          o.rim_width);
    field(
        Field{
            "rim_volume", "", 0.0, 1.0,
            "share of a dent's volume that its rim holds, the rest is compacted; 0: by its width"},
        o.rim_volume);
    field(Field{"after", "", 0, 0, "what becomes of the body that pressed the dent"}, o.after);
    field(Field{"refine", "", 0, 0, "a finer mesh under dents that the body's own cannot show"},
          o.refine);
}

}  // namespace ductile
