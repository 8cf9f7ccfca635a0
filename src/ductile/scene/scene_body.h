// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/core/field_view.h>
#include <ductile/core/math.h>
#include <ductile/deform/layers.h>
#include <ductile/deform/tissue/tissue_options.h>
#include <ductile/engine/engine.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/scene/body_keys.h>
#include <ductile/scene/material_changes.h>
#include <ductile/sim/drive.h>
#include <ductile/solids/solids.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

inline std::span<const std::string_view> enum_names(Motion) {
    static constexpr std::string_view names[] = {"static", "kinematic", "dynamic"};
    return names;
}

/// What a body collides as.
enum class ColliderKind {
    Auto,       ///< Pieces if it has layers; else the sphere or box that it is, under a coat also
                ///< the capsule; else pieces.
    Sphere,     ///< Of the solid's size; only for a sphere of three equal sizes without layers.
    Box,        ///< Of the solid's size; only without layers.
    Capsule,    ///< Of the solid's size; only for a capsule as wide as deep, without layers.
    HalfSpace,  ///< All that lies below the body's position, along its y axis; only static.
    Pieces,     ///< Convex pieces that follow the surface.
};
inline std::span<const std::string_view> enum_names(ColliderKind) {
    static constexpr std::string_view names[] = {"auto",    "sphere",     "box",
                                                 "capsule", "half_space", "pieces"};
    return names;
}

/// Repeats a body on a grid that begins at its position, a little disordered if wished.
struct SceneCopies {
    std::array<std::int32_t, 3> count = {1, 1, 1};  ///< Along x, y, z.
    Vec3 spacing = Vec3(1, 1, 1);                   ///< From one to the next [m].
    Vec3 jitter = Vec3::Zero();  ///< Each is moved at random, this far either way at most [m].
    double tilt_deg = 0.0;       ///< Each is tilted at random, this far at most.
    std::uint64_t seed = 1;      ///< Where chance begins: same seed, same places.
};
template <class Visitor>
void visit_fields(SceneCopies& c, Visitor&& field) {
    field(Field{"count", "", 1, 10000, "how many along x, y and z"}, c.count);
    field(Field{"spacing", "m", -1e4, 1e4, "from one copy to the next"}, c.spacing);
    field(Field{"jitter", "m", 0.0, 1e4, "random shift of each copy, either way"}, c.jitter);
    field(Field{"tilt_deg", "deg", 0.0, 180.0, "random tilt of each copy at most"}, c.tilt_deg);
    field(Field{"seed", "", 0, 1e15, "same seed, same places"}, c.seed);
}

/// One body, or several alike. Plain data; every default is usable as it stands.
struct SceneBody {
    std::string name{};    ///< Its key in the scene.
    SolidOptions solid{};  ///< What it looks like and collides as; unused if it has a mesh.
    /// A file to use instead; beside the scene, else in the current folder.
    std::string mesh{};
    std::string surface_mesh{};  ///< Another, coarser file to simulate; empty: made from `mesh`.
    AssetOptions mesh_options{};
    Motion motion = Motion::Dynamic;
    ColliderKind collider = ColliderKind::Auto;
    /// It collides as its surface moved inwards by so much [m]: for soft bodies, so that others
    /// come to overlap them. Only without layers.
    double collider_inset = 0.0;
    Vec3 position = Vec3::Zero();      ///< Of the middle of the solid's box [m], world.
    Quat rotation = Quat::Identity();  ///< From body to world.
    Vec3 velocity = Vec3::Zero();      ///< Of the centre of mass [m/s], world.
    Vec3 spin = Vec3::Zero();          ///< Angular velocity [rad/s], world.
    /// Where a kinematic body, or one with a drive, goes, instead of the four above; copies keep
    /// their distance.
    std::vector<BodyKey> keys{};
    std::string material = "steel";      ///< A card's name.
    MaterialChanges material_changes{};  ///< What differs from the card.
    double thickness = 0.0;              ///< Of the sheet it is made of [m]; 0: it is solid; a mesh
                                         ///< then is as its options say.
    double mass = 0.0;                   ///< [kg]; 0: from density and shape.
    std::vector<Vec3> colours{};         ///< Of its main surface, linear RGB; copies take turns.
    bool is_hidden = false;  ///< In pictures; it is simulated and exported all the same.
    LayerOptions layers{};
    std::optional<TissueOptions> tissue{};  ///< A soft coat; the body itself is its bone.
    std::optional<DriveOptions> drive{};    ///< What moves it; of a dynamic body.
    PieceOptions pieces{};
    SceneCopies copies{};
};
inline std::string& key_of(SceneBody& b) { return b.name; }

template <class Visitor>
void visit_fields(SceneBody& b, Visitor&& field) {
    field(Field{"solid", "", 0, 0, "its shape"}, b.solid);
    field(file_field("mesh", "a mesh file instead, beside the scene or in the current folder"),
          b.mesh);
    field(file_field("surface_mesh", "a coarser mesh file to simulate; the other is drawn"),
          b.surface_mesh);
    field(Field{"mesh_options", "", 0, 0, "how the mesh file becomes a body"}, b.mesh_options);
    field(Field{"motion", "", 0, 0, "whether it moves by itself"}, b.motion);
    field(Field{"collider", "", 0, 0, "what it collides as"}, b.collider);
    field(Field{"collider_inset", "m", 0.0, 1e4, "how far below its surface it collides"},
          b.collider_inset);
    field(Field{"position", "m", -1e5, 1e5, "where the middle of its box is"}, b.position);
    field(Field{"rotation", "", 0, 0, "how it is turned"}, b.rotation);
    field(Field{"velocity", "m/s", -1e3, 1e3, "how fast it starts"}, b.velocity);
    field(Field{"spin", "rad/s", -1e3, 1e3, "how fast it turns at the start"}, b.spin);
    field(Field{"keys", "", 0, 0, "places that a kinematic or driven body moves through"}, b.keys);
    field(Field{"material", "", 0, 0, "the name of a material card"}, b.material);
    field(Field{"material_changes", "", 0, 0, "what differs from the card"}, b.material_changes);
    field(Field{"thickness", "m", 0.0, 10.0,
                "of the sheet it is made of; 0: solid, or as mesh_options say"},
          b.thickness);
    field(Field{"mass", "kg", 0.0, 1e9, "0 takes it from density and shape"}, b.mass);
    field(Field{"colours", "", 0.0, 1.0, "linear RGB of its main surface; copies take turns"},
          b.colours);
    field(Field{"is_hidden", "", 0, 0, "left out of pictures; simulated and exported all the same"},
          b.is_hidden);
    field(Field{"layers", "", 0, 0, "how it deforms; none: rigid"}, b.layers);
    field(Field{"tissue", "", 0, 0, "a soft coat around it; {} takes every default"}, b.tissue);
    field(Field{"drive", "", 0, 0, "what moves a dynamic body, by phases or along its keys"},
          b.drive);
    field(Field{"pieces", "", 0, 0, "how its surface is cut into convex pieces"}, b.pieces);
    field(Field{"copies", "", 0, 0, "repeats it on a grid"}, b.copies);
}

extern template StructView field_view_detail::struct_view(SceneBody&);  // scene_fields.cpp

}  // namespace ductile
