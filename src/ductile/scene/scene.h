// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field_view.h>
#include <ductile/core/math.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/kinds.h>
#include <ductile/deform/tissue/tissue_options.h>
#include <ductile/record/export_options.h>
#include <ductile/record/picture_options.h>
#include <ductile/scene/scene_body.h>
#include <ductile/scene/scene_press.h>
#include <ductile/sim/simulation.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

// A scene as people write it (docs/scene-format.md): plain data, one field list per struct. Reading
// and writing and cross-checks are in scene_file.h, what stands where in placement.h.

/// In which frame the places and directions of a mark are given.
enum class HitSpace {
    Body,   ///< The body's own at rest: from the middle of its box, which `position` places.
    World,  ///< The world's, when the mark's time comes.
};
inline std::span<const std::string_view> enum_names(HitSpace) {
    static constexpr std::string_view names[] = {"body", "world"};
    return names;
}

/// A mark placed by hand, with no physics: exactly one of `time` and `frame`, exactly one record.
struct SceneHit {
    std::string body{};                   ///< Name of a body, or of one copy ("barrel-3").
    std::optional<double> time{};         ///< From when on [s].
    std::optional<std::int32_t> frame{};  ///< The same, counted in frames from 0.
    double duration = 0.0;                ///< How long it takes to come to its full amount [s].
    HitSpace space = HitSpace::Body;
    bool is_on_surface = false;  ///< It is moved to the nearest place of the surface.
    RecordFields record{};
    std::optional<DentShapeOptions> shape{};  ///< Of a dent, instead of its profile.
};
template <class Visitor>
void visit_fields(SceneHit& h, Visitor&& field) {
    field(Field{"body", "", 0, 0, "the body, or one copy of it, that is marked"}, h.body);
    field(Field{"time", "s", 0.0, 1e5, "when it begins; or give a frame"}, h.time);
    field(Field{"frame", "", 0, 1e7, "the frame in which it begins; or give a time"}, h.frame);
    field(Field{"duration", "s", 0.0, 1e5, "how long it takes to come to its full depth"},
          h.duration);
    field(Field{"space", "", 0, 0,
                "whether places count from the middle of the body's box at rest, or in the world"},
          h.space);
    field(Field{"is_on_surface", "", 0, 0, "moves it to the nearest place of the surface"},
          h.is_on_surface);
    visit_fields(h.record, field);
    field(Field{"shape", "", 0, 0, "a dent's shape, instead of its profile"}, h.shape);
}

/// An endless floor that bodies fall on.
struct SceneGround {
    bool is_on = true;
    double height = 0.0;  ///< [m]
    std::string material = "concrete";
    Vec3 colour = Vec3(0.31, 0.30, 0.285);  ///< Linear RGB.
};
template <class Visitor>
void visit_fields(SceneGround& g, Visitor&& field) {
    field(Field{"is_on", "", 0, 0, "whether there is one"}, g.is_on);
    field(Field{"height", "m", -1e5, 1e5, "how high it lies"}, g.height);
    field(Field{"material", "", 0, 0, "the name of a material card"}, g.material);
    field(Field{"colour", "", 0.0, 1.0, "linear RGB"}, g.colour);
}

/// Where the camera is at one time.
struct CameraKey {
    double time = 0.0;                ///< [s]
    Vec3 eye_w = Vec3(4, 2, 6);       ///< [m]
    Vec3 target_w = Vec3(0, 0.5, 0);  ///< [m]
};
template <class Visitor>
void visit_fields(CameraKey& k, Visitor&& field) {
    field(Field{"time", "s", 0.0, 1e5, "when it is there"}, k.time);
    field(Field{"eye", "m", -1e6, 1e6, "where the camera stands"}, k.eye_w);
    field(Field{"target", "m", -1e6, 1e6, "what is in the middle of the picture"}, k.target_w);
}

/// The camera: it stands still, or moves smoothly through its keys; it may circle its target, and
/// go along with a body.
struct SceneCamera {
    /// [m]; unused where there are keys. Nothing: so that all that happens is in the picture.
    std::optional<Vec3> eye_w{};
    /// [m]; unused where there are keys. Nothing: the middle of what happens.
    std::optional<Vec3> target_w{};
    double field_of_view_deg = 35.0;  ///< From the lower to the upper edge.
    std::vector<CameraKey> keys{};    ///< By ascending time.
    double turn_time = 0.0;  ///< Of one turn around the target, seen from above to the left [s];
                             ///< 0: none.
    std::string follow{};    ///< A body, or one copy, along with which all of the above moves.
};
template <class Visitor>
void visit_fields(SceneCamera& c, Visitor&& field) {
    field(Field{"eye", "m", -1e6, 1e6, "where the camera stands; none: where it sees all action"},
          c.eye_w);
    field(Field{"target", "m", -1e6, 1e6, "what is in the middle; none: the middle of the action"},
          c.target_w);
    field(Field{"field_of_view_deg", "deg", 1.0, 150.0, "from the lower to the upper edge"},
          c.field_of_view_deg);
    field(Field{"keys", "", 0, 0, "places that it moves through, instead of eye and target"},
          c.keys);
    field(Field{"turn_time", "s", 0.0, 1e5, "time of one turn around the target; 0: it stays"},
          c.turn_time);
    field(Field{"follow", "", 0, 0, "a body, or one copy, that the camera goes along with"},
          c.follow);
}

/// What a run leaves behind.
struct SceneOutputs {
    bool player = true;
    bool film = true;
    bool webm = false;
    bool turntable = false;
    bool glb = true;
    bool damage = true;         ///< In the GLB, as vertex attributes.
    bool dense_morphs = false;  ///< In the GLB: no sparse accessors.
    bool surroundings = true;   ///< Ground, camera and sun in GLB and USD.
    bool ply = false;
    bool usd = false;
    UsdSplit usd_split = UsdSplit::Auto;
    bool pc2 = false;
    bool mdd = false;
    CacheSpace cache_space = CacheSpace::World;  ///< Of PC2 and MDD.
    bool obj_sequence = false;
    bool ply_sequence = false;
    bool csv = false;
    bool poster = true;
    std::optional<double> poster_time{};         ///< [s]; nothing: three quarters through.
    std::optional<SceneCamera> poster_camera{};  ///< Nothing: the film's.
    bool journal = true;
    bool report = true;
};
template <class Visitor>
void visit_fields(SceneOutputs& o, Visitor&& field) {
    field(Field{"player", "", 0, 0, "an HTML page that plays the recording in a browser"},
          o.player);
    field(Field{"film", "", 0, 0, "an MP4 of all frames"}, o.film);
    field(Field{"webm", "", 0, 0, "the film as WebM (VP9)"}, o.webm);
    field(Field{"turntable", "", 0, 0, "an MP4 that goes once around the last frame"}, o.turntable);
    field(Field{"glb", "", 0, 0, "a binary glTF with motion and shapes"}, o.glb);
    field(Field{"damage", "", 0, 0, "depth, strain and scratch as vertex attributes in the glTF"},
          o.damage);
    field(Field{"dense_morphs", "", 0, 0,
                "write morph targets of the glTF in full, for readers of no sparse ones (Godot 3)"},
          o.dense_morphs);
    field(Field{"surroundings", "", 0, 0, "ground, film camera and sun in the glTF and in USD"},
          o.surroundings);
    field(Field{"ply", "", 0, 0, "a PLY of each damaged body as it ended, with its damage"}, o.ply);
    field(Field{"usd", "", 0, 0, "USD text with motion, shapes and damage over time"}, o.usd);
    field(Field{"usd_split", "", 0, 0, "one USD file, a file per body, or what its size asks for"},
          o.usd_split);
    field(Field{"pc2", "", 0, 0, "a PC2 point cache of each body, with an OBJ to play it on"},
          o.pc2);
    field(Field{"mdd", "", 0, 0, "an MDD point cache of each body, with an OBJ to play it on"},
          o.mdd);
    field(Field{"cache_space", "", 0, 0, "whether point caches move with their bodies"},
          o.cache_space);
    field(Field{"obj_sequence", "", 0, 0, "an OBJ of all bodies at each frame"}, o.obj_sequence);
    field(Field{"ply_sequence", "", 0, 0, "a PLY of all bodies at each frame, with their damage"},
          o.ply_sequence);
    field(Field{"csv", "", 0, 0, "tables of impacts, hits, energy, poses and shapes"}, o.csv);
    field(Field{"poster", "", 0, 0, "one picture"}, o.poster);
    field(Field{"poster_time", "s", 0.0, 1e5, "when the picture is taken"}, o.poster_time);
    field(Field{"poster_camera", "", 0, 0, "where it is taken from, if not from the film's place"},
          o.poster_camera);
    field(Field{"journal", "", 0, 0, "every hit, to replay the shapes without an engine"},
          o.journal);
    field(Field{"report", "", 0, 0, "bodies, hits, times and the state's hash"}, o.report);
}

/// All that a run needs. Plain data; every default is usable as it stands.
struct Scene {
    std::string name{};          ///< Of the outputs; empty: the file's name.
    std::string description{};   ///< One line for people.
    double duration = 4.0;       ///< [s]
    double frame_rate = 30.0;    ///< Pictures per second [1/s].
    double step_rate = 240.0;    ///< Simulation steps per second [1/s].
    std::int32_t sub_steps = 1;  ///< Equal parts into which the engine cuts a step.
    std::int32_t solver_iterations = 10;
    bool has_two_frictions = false;  ///< Contacts rub along two fixed directions: held things stay.
    /// Bodies that lie on something fall asleep below both of these for two seconds; 0: never.
    double sleep_speed = 0.05;         ///< In sizes of the body per second [1/s].
    double sleep_spin = 0.1;           ///< [rad/s]
    std::int32_t threads = 0;          ///< 0: all cores. The result does not depend on it.
    Vec3 gravity = Vec3(0, -9.81, 0);  ///< [m/s^2]
    SceneGround ground{};
    std::vector<SceneBody> bodies{};
    std::vector<SceneHit> hits{};
    std::vector<ScenePress> press{};  ///< In this order.
    SimOptions simulation{};
    TissueSolverOptions tissue{};
    SceneCamera camera{};
    PictureOptions picture{};
    SceneOutputs outputs{};

    std::filesystem::path folder{};  ///< Where it was read from; mesh files are looked for there.
};
template <class Visitor>
void visit_fields(Scene& s, Visitor&& field) {
    field(Field{"name", "", 0, 0, "of the outputs; empty takes the file's name"}, s.name);
    field(Field{"description", "", 0, 0, "one line for people"}, s.description);
    field(Field{"duration", "s", 0.0, 1e5, "how long it runs"}, s.duration);
    field(Field{"frame_rate", "1/s", 1.0, 240.0, "pictures per second"}, s.frame_rate);
    field(Field{"step_rate", "1/s", 1.0, 1e5, "simulation steps per second; n * frame_rate"},
          s.step_rate);
    field(Field{"sub_steps", "", 1, 1000, "equal parts into which the engine cuts a step"},
          s.sub_steps);
    field(Field{"solver_iterations", "", 1, 1000, "rounds of the contact solver"},
          s.solver_iterations);
    field(Field{"has_two_frictions", "", 0, 0,
                "contacts rub along two fixed directions, not one: what is held does not creep"},
          s.has_two_frictions);
    field(Field{"sleep_speed", "1/s", 0.0, 1e3,
                "bodies that lie slower than this, in their sizes per second, sleep; 0: never"},
          s.sleep_speed);
    field(Field{"sleep_spin", "rad/s", 0.0, 1e3,
                "bodies that lie turning faster than this do not sleep; 0: never"},
          s.sleep_spin);
    field(Field{"threads", "", 0, 1024, "0 takes all cores; the result is the same"}, s.threads);
    field(Field{"gravity", "m/s^2", -1e3, 1e3, "pull on every body"}, s.gravity);
    field(Field{"ground", "", 0, 0, "an endless floor"}, s.ground);
    field(Field{"bodies", "", 0, 0, "everything that is there, by name"}, s.bodies);
    field(Field{"hits", "", 0, 0, "marks placed by hand, with no physics"}, s.hits);
    field(Field{"press", "", 0, 0, "soft bodies, and what squashes them"}, s.press);
    field(Field{"simulation", "", 0, 0, "how impacts become shapes"}, s.simulation);
    field(Field{"tissue", "", 0, 0, "how soft coats are solved"}, s.tissue);
    field(Field{"camera", "", 0, 0, "where pictures are taken from"}, s.camera);
    field(Field{"picture", "", 0, 0, "how pictures are made"}, s.picture);
    field(Field{"outputs", "", 0, 0, "what a run leaves behind"}, s.outputs);
}

extern template StructView field_view_detail::struct_view(Scene&);  // scene_fields.cpp

}  // namespace ductile
