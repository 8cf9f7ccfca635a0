// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/core/field_view.h>
#include <ductile/core/result.h>
#include <ductile/geom/rig.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/fit_pose.h>
#include <ductile/solids/solids.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

inline std::span<const std::string_view> enum_names(HandleKind) {
    static constexpr std::string_view names[] = {"point", "bone", "cage"};
    return names;
}
inline std::string& key_of(Handle& handle) { return handle.name; }
template <class Visitor>
void visit_fields(Handle& h, Visitor&& field) {
    field(Field{"kind", "", 0, 0, "a point, a bone from place to tip, or a cage's corner"}, h.kind);
    field(Field{"place", "m", -1e5, 1e5, "where it is at rest, in the body's frame"}, h.place);
    field(Field{"tip", "m", -1e5, 1e5, "where a bone ends"}, h.tip);
}

/// A face of a cage, by the names of its corners; a segment has two, the last of them twice.
struct CageFace {
    std::array<std::string, 3> corners;
};
template <class Visitor>
void visit_fields(CageFace& f, Visitor&& field) {
    field(Field{"corners", "", 0, 0, "names of three handles of kind cage"}, f.corners);
}

/// What a pose does with one handle.
struct HandleMove {
    std::string handle;        ///< Its name.
    std::optional<Vec3> move;  ///< From its place at rest [m].
    std::optional<Quat> turn;  ///< About that place; nothing: as bends the body least.
};
inline std::string& key_of(HandleMove& move) { return move.handle; }
template <class Visitor>
void visit_fields(HandleMove& m, Visitor&& field) {
    field(Field{"move", "m", -1e5, 1e5, "from its place at rest"}, m.move);
    field(Field{"turn", "", 0, 0, "about its place; left out: as bends the body least"}, m.turn);
}

/// One pose, in one of the ways that an artist can draw it.
struct PoseSource {
    std::string name;
    std::string animation;       ///< Of the mesh file, by name.
    std::optional<double> time;  ///< Of the animation [s]; nothing: its end.
    std::string morph;           ///< A morph target of the mesh file: Blender's shape key.
    std::string copy;            ///< A file with the same mesh, deformed.
    std::string cache;           ///< A PC2 or MDD file.
    std::int32_t frame = -1;     ///< Sample of the cache, from 0; -1: the last.
    std::vector<HandleMove> handles;
    bool others_follow = false;  ///< Handles it does not name go where that bends the body least.
};
inline std::string& key_of(PoseSource& pose) { return pose.name; }
template <class Visitor>
void visit_fields(PoseSource& p, Visitor&& field) {
    field(Field{"animation", "", 0, 0, "an animation of the mesh file's skin, by name"},
          p.animation);
    field(Field{"time", "s", -1e6, 1e6, "of the animation; left out: its end"}, p.time);
    field(Field{"morph", "", 0, 0, "a morph target (shape key) of the mesh file, by name"},
          p.morph);
    field(file_field("copy", "a file with the same mesh, deformed"), p.copy);
    field(file_field("cache", "a point cache (PC2, MDD) of the mesh"), p.cache);
    field(Field{"frame", "", -1, 1e6, "sample of the cache, from 0; -1: the last"}, p.frame);
    field(Field{"handles", "", 0, 0, "moves of handles, by their names"}, p.handles);
    field(Field{"others_follow", "", 0, 0,
                "handles that are not named go where that bends the body least; else they stay"},
          p.others_follow);
}

/// Where a rig's weights come from.
enum class WeightSource {
    Smooth,  ///< Bounded biharmonic weights on a lattice.
    Skin,    ///< The mesh file's skin: its joints are the handles.
};
inline std::span<const std::string_view> enum_names(WeightSource) {
    static constexpr std::string_view names[] = {"smooth", "skin"};
    return names;
}

/// A rig as its file has it: what to make one from. Plain data; every default is usable.
struct RigFile {
    std::string description;
    std::string mesh;  ///< A file, beside the rig or in the current folder; empty: the solid.
    AssetOptions mesh_options;
    SolidOptions solid;
    std::optional<Vec3> colour;  ///< Of its main surface, linear RGB; nothing: as it is.
    WeightSource weights = WeightSource::Smooth;
    std::vector<Handle> handles;  ///< By hand.
    std::vector<CageFace> cage;
    std::int32_t handle_count = 0;  ///< In all; missing ones are added. 0: those by hand, or 12.
    std::int32_t nodes = 4000;      ///< Of the lattice, about; unused if `cell` is given.
    double cell = 0.0;              ///< Of the lattice [m]; 0: as gives so many nodes.
    WeightOptions weight_options;
    FitOptions fit;
    std::vector<PoseSource> poses;
    std::filesystem::path folder;  ///< Where its files are looked for; not in the file.
};
template <class Visitor>
void visit_fields(RigFile& r, Visitor&& field) {
    field(Field{"description", "", 0, 0, "for people"}, r.description);
    field(file_field("mesh", "a mesh file, beside the rig or in the current folder"), r.mesh);
    field(Field{"mesh_options", "", 0, 0, "how the mesh file becomes a body"}, r.mesh_options);
    field(Field{"solid", "", 0, 0, "a shape of our own, where there is no mesh"}, r.solid);
    field(Field{"colour", "", 0.0, 1.0, "linear RGB of its main surface; left out: as it is"},
          r.colour);
    field(Field{"weights", "", 0, 0, "found on a lattice, or those of the file's skin"}, r.weights);
    field(Field{"handles", "", 0, 0, "placed by hand, by their names"}, r.handles);
    field(Field{"cage", "", 0, 0, "faces between handles of kind cage"}, r.cage);
    field(Field{"handle_count", "", 0, 1000, "handles in all: missing ones are added; 0: none"},
          r.handle_count);
    field(Field{"nodes", "", 20, 1e6, "of the lattice, about"}, r.nodes);
    field(Field{"cell", "m", 0.0, 1e4, "of the lattice; 0: as gives so many nodes"}, r.cell);
    field(Field{"weight_options", "", 0, 0, "how weights are found"}, r.weight_options);
    field(Field{"fit", "", 0, 0, "how poses are fitted to copies of the mesh"}, r.fit);
    field(Field{"poses", "", 0, 0, "examples of the deformed body, by their names"}, r.poses);
}
inline constexpr std::int32_t kUsualHandles = 12;

/// A rig file as far as it could be read, and everything that is wrong with it.
struct LoadedRigFile {
    RigFile rig;
    std::vector<Error> errors;  ///< `where` is "source#/json/pointer" or "source:line:column".

    bool ok() const { return errors.empty(); }
};

/// Reads a rig from text, sets the overrides ("handle_count=32"), and checks what can be checked
/// without its mesh: names, kinds of poses, what they speak of. Every mistake is reported.
LoadedRigFile parse_rig(std::string_view text, const std::string& source_name,
                        std::span<const std::string> overrides = {},
                        const std::filesystem::path& folder = {});

/// The same from a file of at most 64 MB.
LoadedRigFile load_rig(const std::filesystem::path& path,
                       std::span<const std::string> overrides = {});

/// The rig as text that `parse_rig` reads back to the same bits; defaults are left out.
std::string rig_text(const RigFile& rig);

/// JSON Schema (draft 2020-12) of rig files, for editors.
std::string rig_schema_text();

extern template StructView field_view_detail::struct_view(RigFile&);  // scene_fields.cpp

}  // namespace ductile
