// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/core/field.h>
#include <ductile/core/math.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ductile {

/// What the file holds.
struct FileReport {
    std::string format{};
    std::int32_t vertices = 0, split_vertices = 0, triangles = 0;
    std::int32_t parts = 0, looks = 0, textures = 0;
    std::int32_t skins = 0, animations = 0;
    bool has_normals = false, has_uvs = false, has_colours = false;
};
template <class Visitor>
void visit_fields(FileReport& r, Visitor&& field) {
    field(Field{"format", "", 0, 0, "as the content says"}, r.format);
    field(Field{"vertices", "", 0, 0, "as the file counts them"}, r.vertices);
    field(Field{"split_vertices", "", 0, 0, "one per texture coordinate and normal"},
          r.split_vertices);
    field(Field{"triangles", "", 0, 0, "n-gons cut"}, r.triangles);
    field(Field{"parts", "", 0, 0, "named meshes"}, r.parts);
    field(Field{"looks", "", 0, 0, "materials"}, r.looks);
    field(Field{"textures", "", 0, 0, "pictures"}, r.textures);
    field(Field{"skins", "", 0, 0, "sets of bones"}, r.skins);
    field(Field{"animations", "", 0, 0, ""}, r.animations);
    field(Field{"has_normals", "", 0, 0, "in every part"}, r.has_normals);
    field(Field{"has_uvs", "", 0, 0, "in some part"}, r.has_uvs);
    field(Field{"has_colours", "", 0, 0, "in some part"}, r.has_colours);
}

/// How large the file is and which way it stands.
struct PlacementReport {
    double metres_per_unit = 1.0;
    bool is_scale_guessed = false;
    std::string scale_reason{};
    UpAxis up = UpAxis::Y;
    bool is_up_guessed = false;
    std::string up_reason{};
    Vec3 size = Vec3::Zero();  ///< Of the box, y up [m].
    Vec3 centre = Vec3::Zero();
};
template <class Visitor>
void visit_fields(PlacementReport& r, Visitor&& field) {
    field(Field{"metres_per_unit", "m", 0, 0, "what a unit of the file stands for"},
          r.metres_per_unit);
    field(Field{"is_scale_guessed", "", 0, 0, ""}, r.is_scale_guessed);
    field(Field{"scale_reason", "", 0, 0, "in words"}, r.scale_reason);
    field(Field{"up", "", 0, 0, "the file's axis that became y"}, r.up);
    field(Field{"is_up_guessed", "", 0, 0, ""}, r.is_up_guessed);
    field(Field{"up_reason", "", 0, 0, "in words"}, r.up_reason);
    field(Field{"size", "m", 0, 0, "of the box, y up"}, r.size);
    field(Field{"centre", "m", 0, 0, "of the box, y up"}, r.centre);
}

/// What was mended on the way to the surface.
struct MendReport {
    double weld_tolerance = 0.0;  ///< [m]
    std::int32_t welded = 0, unused_points = 0;
    std::int32_t collapsed_faces = 0, copied_faces = 0, back_sides = 0, fins = 0;
    std::int32_t faces_without_area = 0, slivers = 0;
    std::int32_t nonmanifold_edges = 0, twisted_edges = 0, split_points = 0, flipped_faces = 0;
};
template <class Visitor>
void visit_fields(MendReport& r, Visitor&& field) {
    field(Field{"weld_tolerance", "m", 0, 0, "points this close are one"}, r.weld_tolerance);
    field(Field{"welded", "", 0, 0, "vertices that joined another's place"}, r.welded);
    field(Field{"unused_points", "", 0, 0, "places no face needs"}, r.unused_points);
    field(Field{"collapsed_faces", "", 0, 0, "dropped: a place twice"}, r.collapsed_faces);
    field(Field{"copied_faces", "", 0, 0, "dropped: there already"}, r.copied_faces);
    field(Field{"back_sides", "", 0, 0, "dropped: the back of another face"}, r.back_sides);
    field(Field{"fins", "", 0, 0, "dropped: flaps folded onto themselves"}, r.fins);
    field(Field{"faces_without_area", "", 0, 0, "dropped: loose lines"}, r.faces_without_area);
    field(Field{"slivers", "", 0, 0, "kept: no area, but they close a seam"}, r.slivers);
    field(Field{"nonmanifold_edges", "", 0, 0, "taken apart: more than two faces"},
          r.nonmanifold_edges);
    field(Field{"twisted_edges", "", 0, 0, "cut: no winding fits both sides"}, r.twisted_edges);
    field(Field{"split_points", "", 0, 0, "copies where sheets touched"}, r.split_points);
    field(Field{"flipped_faces", "", 0, 0, "winding turned, in the surface only"}, r.flipped_faces);
}

/// One connected part of the surface.
struct ComponentReport {
    std::string part{};
    std::int32_t points = 0, triangles = 0, holes = 0;
    bool is_closed = false, is_sheet = false;
    double area = 0.0, volume = 0.0;
};
template <class Visitor>
void visit_fields(ComponentReport& r, Visitor&& field) {
    field(Field{"part", "", 0, 0, "where it begins"}, r.part);
    field(Field{"points", "", 0, 0, ""}, r.points);
    field(Field{"triangles", "", 0, 0, ""}, r.triangles);
    field(Field{"holes", "", 0, 0, "border loops"}, r.holes);
    field(Field{"is_closed", "", 0, 0, "without border"}, r.is_closed);
    field(Field{"is_sheet", "", 0, 0, "else it is solid"}, r.is_sheet);
    field(Field{"area", "m^2", 0, 0, ""}, r.area);
    field(Field{"volume", "m^3", 0, 0, "0 if open"}, r.volume);
}

/// One part of the file.
struct PartReport {
    std::string name{};
    PartRole role = PartRole::Deform;
    std::int32_t vertices = 0, triangles = 0;
};
template <class Visitor>
void visit_fields(PartReport& r, Visitor&& field) {
    field(Field{"name", "", 0, 0, "made unique"}, r.name);
    field(Field{"role", "", 0, 0, ""}, r.role);
    field(Field{"vertices", "", 0, 0, ""}, r.vertices);
    field(Field{"triangles", "", 0, 0, ""}, r.triangles);
}

/// The surface that is hit and moved, and how the drawn mesh follows it.
struct SurfaceReport {
    std::int32_t points = 0, triangles = 0, components = 0, closed = 0, sheets = 0, holes = 0;
    std::int32_t border_edges = 0;
    bool is_simplified = false;
    double deviation = 0.0;           ///< Furthest a drawn vertex lies from what it follows [m].
    double area = 0.0;                ///< [m^2]
    double volume = 0.0;              ///< Of its solids [m^3].
    double thickness = 0.0;           ///< Of its sheets [m]; 0 if it has none.
    std::int32_t added_vertices = 0;  ///< Drawn vertices split at creases.
};
template <class Visitor>
void visit_fields(SurfaceReport& r, Visitor&& field) {
    field(Field{"points", "", 0, 0, ""}, r.points);
    field(Field{"triangles", "", 0, 0, ""}, r.triangles);
    field(Field{"components", "", 0, 0, "connected parts"}, r.components);
    field(Field{"closed", "", 0, 0, "of these"}, r.closed);
    field(Field{"sheets", "", 0, 0, "of these"}, r.sheets);
    field(Field{"holes", "", 0, 0, "border loops"}, r.holes);
    field(Field{"border_edges", "", 0, 0, ""}, r.border_edges);
    field(Field{"is_simplified", "", 0, 0, "coarser than what is drawn"}, r.is_simplified);
    field(Field{"deviation", "m", 0, 0, "furthest a drawn vertex lies from it"}, r.deviation);
    field(Field{"area", "m^2", 0, 0, ""}, r.area);
    field(Field{"volume", "m^3", 0, 0, "of its solids"}, r.volume);
    field(Field{"thickness", "m", 0, 0, "of its sheets"}, r.thickness);
    field(Field{"added_vertices", "", 0, 0, "drawn vertices split at creases"}, r.added_vertices);
}

/// All that was found and done on the way from a file to a body's shape.
struct AssetReport {
    FileReport file{};
    PlacementReport placement{};
    MendReport mended{};
    SurfaceReport surface{};
    std::vector<PartReport> parts{};
    std::vector<ComponentReport> components{};  ///< The largest `kListedComponents` by area.
    std::vector<std::string> notes{};           ///< In words: the reader's, then our own.
};
inline constexpr std::size_t kListedComponents = 1000;

template <class Visitor>
void visit_fields(AssetReport& r, Visitor&& field) {
    field(Field{"file", "", 0, 0, "what it holds"}, r.file);
    field(Field{"placement", "", 0, 0, "unit, up axis, size"}, r.placement);
    field(Field{"mended", "", 0, 0, "what was wrong with it"}, r.mended);
    field(Field{"surface", "", 0, 0, "what is simulated"}, r.surface);
    field(Field{"parts", "", 0, 0, ""}, r.parts);
    field(Field{"components", "", 0, 0, "the largest first"}, r.components);
    field(Field{"notes", "", 0, 0, "in words"}, r.notes);
}

}  // namespace ductile
