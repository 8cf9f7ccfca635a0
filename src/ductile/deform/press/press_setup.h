// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/painted_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// How the part that went in is taken onto the rigid surface, once that is laid flat.
enum class PressMappingKind {
    Spread,  ///< Spread out in its plane, as rigid as can be.
    Affine,  ///< The paper's: laid flat by itself, then an affine map and a harmonic field.
};
inline std::span<const std::string_view> enum_names(PressMappingKind) {
    static constexpr std::string_view names[] = {"spread", "affine"};
    return names;
}

/// How long the profile's first leg is, where the surface leaves the contact.
enum class PressLeg {
    Rising,  ///< Longer the steeper: up to the level at rest.
    Paper,   ///< The paper's: 0.2 of the canonical profile, whatever the slope.
};
inline std::span<const std::string_view> enum_names(PressLeg) {
    static constexpr std::string_view names[] = {"rising", "paper"};
    return names;
}

/// The numbers by which one soft body gives way. Every default is usable as it stands.
/// "Size" is a soft body's box diagonal divided by the root of three: a ball's diameter.
struct PressOptions {
    /// Radius of the ball that must fit into the soft body wherever it touches [m]: the larger, the
    /// stiffer, the smaller the contact. 0: what makes a ball touch as an elastic one does, a
    /// quarter of the body's thickness (of its size, for a sheet) and less the deeper it is
    /// pressed.
    double stiffness = 0.0;
    /// How far along the surface the bulge reaches [m]. 0: 0.92 of the thickness.
    double extent = 0.0;
    double bulge = 1.0;  ///< Of what Poisson's ratio has: 0 none, 1 all of it, more exaggerates.
    /// How much of the volume that is pressed in comes out again elsewhere: 0.5 all of it, as
    /// rubber and flesh; less is compressed, as foam.
    double poissons_ratio = 0.5;
    // The paper's v2, v3 and v4.
    double bulge_at = 1.0 / 3.0;         ///< Where the bulge sits, as a share of the extent.
    double fade_from = 5.0 / 6.0;        ///< Where it begins to fade out, likewise.
    double fade_flatness = 11.0 / 12.0;  ///< How flat it fades out; >= fade_from.
    double wrinkles = 0.0;               ///< Height of waves around the contact, as a share of its
                                         ///< depth.
    double waves = 6.0;                  ///< How many of them, from the contact to the extent.
    PressMappingKind mapping = PressMappingKind::Spread;
    PressLeg leg = PressLeg::Rising;
    /// A shape laid over the bulge: a formula (docs/formulas.md) of u, which is 0 at the contact
    /// and 1 at the extent, and of x, y and z in the body's own frame [m]. Its value is a share of
    /// the contact's depth; it fades out at both ends. Empty: none.
    std::string relief{};
    /// The same as a drawn curve: heights at even steps from the contact to the extent.
    std::vector<double> curve{};
    /// Points out of `maps.region` within this distance of it go along with it, as the back of a
    /// thin wall does [m]; 0: none.
    double wall = 0.0;
};
template <class Visitor>
void visit_fields(PressOptions& o, Visitor&& field) {
    field(Field{"stiffness", "m", 0.0, 1e4,
                "radius of the ball that must fit where it touches; 0: a quarter of the thickness, "
                "less the deeper it is pressed"},
          o.stiffness);
    field(Field{"extent", "m", 0.0, 1e4, "how far the bulge reaches; 0: 0.92 of the thickness"},
          o.extent);
    field(
        Field{"bulge", "", 0.0, 20.0, "0 none, 1 as much as Poisson's ratio has, more exaggerates"},
        o.bulge);
    field(Field{"poissons_ratio", "", 0.0, 0.5, "0.5 keeps the volume, less is compressed"},
          o.poissons_ratio);
    field(Field{"bulge_at", "", 0.2, 1.0, "where the bulge sits, as a share of the extent"},
          o.bulge_at);
    field(Field{"fade_from", "", 0.2, 1.0, "where it begins to fade out; at least bulge_at"},
          o.fade_from);
    field(Field{"fade_flatness", "", 0.2, 1.0, "how flat it fades out; at least fade_from"},
          o.fade_flatness);
    field(Field{"wrinkles", "", 0.0, 2.0, "height of waves, as a share of the contact's depth"},
          o.wrinkles);
    field(Field{"waves", "", 0.5, 100.0, "how many of them, from the contact to the extent"},
          o.waves);
    field(Field{"mapping", "", 0, 0, "how what went in is taken onto the rigid surface"},
          o.mapping);
    field(Field{"leg", "", 0, 0, "how far the surface follows its first slope"}, o.leg);
    field(Field{"relief", "", 0, 0, "formula of u, x, y, z laid over the bulge, share of depth"},
          o.relief);
    field(Field{"curve", "", -10.0, 10.0, "the same drawn: heights from the contact to the extent"},
          o.curve);
    field(Field{"wall", "m", 0.0, 1e4, "points this near to maps.region go along with it"}, o.wall);
}

/// Options at a time of an animation: those that it names. Each goes evenly from key to key of its
/// own, and stays before the first and after the last.
struct PressKey {
    double time = 0.0;                            ///< [s]
    std::optional<double> stiffness{}, extent{};  ///< [m], > 0.
    std::optional<double> bulge{}, poissons_ratio{};
    std::optional<double> bulge_at{}, fade_from{}, fade_flatness{};
    std::optional<double> wrinkles{}, waves{};
    std::optional<double> wall{};  ///< [m]
};
template <class Visitor>
void visit_fields(PressKey& k, Visitor&& field) {
    field(Field{"time", "s", -1e6, 1e6, "when"}, k.time);
    field(Field{"stiffness", "m", 1e-6, 1e4, "as in options, but not 0"}, k.stiffness);
    field(Field{"extent", "m", 1e-6, 1e4, "as in options, but not 0"}, k.extent);
    field(Field{"bulge", "", 0.0, 20.0, "as in options"}, k.bulge);
    field(Field{"poissons_ratio", "", 0.0, 0.5, "as in options"}, k.poissons_ratio);
    field(Field{"bulge_at", "", 0.2, 1.0, "as in options"}, k.bulge_at);
    field(Field{"fade_from", "", 0.2, 1.0, "as in options"}, k.fade_from);
    field(Field{"fade_flatness", "", 0.2, 1.0, "as in options"}, k.fade_flatness);
    field(Field{"wrinkles", "", 0.0, 2.0, "as in options"}, k.wrinkles);
    field(Field{"waves", "", 0.5, 100.0, "as in options"}, k.waves);
    field(Field{"wall", "m", 0.0, 1e4, "as in options"}, k.wall);
}

/// How the detail of a surface is separated from its smooth base, and where it comes back.
struct PressDetailOptions {
    std::int32_t rounds = 10;  ///< Of smoothing that make the base.
    double fade = 0.3;         ///< It is whole again from so much of the extent on.
};
template <class Visitor>
void visit_fields(PressDetailOptions& o, Visitor&& field) {
    field(Field{"rounds", "", 1, 1000, "of smoothing that make the base which is pressed"},
          o.rounds);
    field(Field{"fade", "", 0.01, 1.0, "share of the extent at which detail is whole again"},
          o.fade);
}

/// Where and how far a soft mesh is made finer before it is pressed for good: a deep pit stretches
/// few triangles over much surface (the paper's Figure 11).
struct PressRefineOptions {
    double edge = 1.5;        ///< Stretched edges are split above so many mean edges of the mesh.
    std::int32_t rounds = 3;  ///< Presses at most so many times to look where.
    double growth = 4.0;      ///< The mesh gets at most so many times its points.
};
template <class Visitor>
void visit_fields(PressRefineOptions& o, Visitor&& field) {
    field(Field{"edge", "", 0.1, 100.0, "stretched edges are split above so many mean edges"},
          o.edge);
    field(Field{"rounds", "", 0, 8, "presses at most so many times to look where"}, o.rounds);
    field(Field{"growth", "", 1.0, 100.0, "the mesh gets at most so many times its points"},
          o.growth);
}

/// How swallowed bodies are drawn out.
struct PressProxyOptions {
    /// Where they came from, in the frame of the soft surface. Zero: a body is drawn out to the
    /// nearest place of the soft surface once it is wholly inside.
    Vec3 direction = Vec3::Zero();
};
template <class Visitor>
void visit_fields(PressProxyOptions& o, Visitor&& field) {
    field(Field{"direction", "", -1e6, 1e6,
                "where swallowed bodies came from, in the soft body's frame; zero: the nearest way "
                "out, once they are inside"},
          o.direction);
}

/// The body that presses is soft, too.
struct PressOtherBody {
    double share = 0.5;                     ///< Of the overlap by which the first body gives way.
    std::optional<PressOptions> options{};  ///< None: as the first body's.
    PaintedMaps maps{};
};
template <class Visitor>
void visit_fields(PressOtherBody& b, Visitor&& field) {
    field(Field{"share", "", 0.0, 1.0, "of the overlap by which `soft` gives way"}, b.share);
    field(Field{"options", "", 0, 0, "how the other one gives way; none: alike"}, b.options);
    field(Field{"maps", "", 0, 0, "factors painted on the other one"}, b.maps);
}

/// All that can be said about pressing a soft body: scenes, the command, Python and animations fill
/// in this and nothing else. Plain data; every default is usable as it stands.
struct PressSetup {
    PressOptions options{};
    PaintedMaps maps{};
    std::optional<PressDetailOptions> detail{};  ///< A smoothed base is pressed.
    std::optional<PressRefineOptions> refine{};  ///< The mesh is made finer where it is stretched.
    std::optional<PressProxyOptions> proxy{};    ///< What is swallowed is drawn out first.
    std::optional<PressOtherBody> both{};        ///< What presses gives way, too.
    std::vector<PressKey> keys{};                ///< Of `options`, by ascending time.
    /// What of the rigid body presses, in [0, 1]: triangles with a corner below a half take no
    /// part. None: all of it.
    std::optional<PaintedMap> rigid_region{};
};
template <class Visitor>
void visit_fields(PressSetup& s, Visitor&& field) {
    field(Field{"options", "", 0, 0, "how it gives way"}, s.options);
    field(Field{"maps", "", 0, 0, "factors painted on it"}, s.maps);
    field(Field{"detail", "", 0, 0, "a smoothed base is pressed; {} takes every default"},
          s.detail);
    field(Field{"refine", "", 0, 0, "its mesh is made finer where frames stretch it"}, s.refine);
    field(Field{"proxy", "", 0, 0, "what it swallows is drawn out to press it"}, s.proxy);
    field(Field{"both", "", 0, 0, "what presses it is soft, too"}, s.both);
    field(Field{"keys", "", 0, 0, "options that change over time"}, s.keys);
    field(Field{"rigid_region", "", 0, 0, "what of the rigid body presses: 1 yes, 0 no"},
          s.rigid_region);
}

/// Whether these can be met: in range, finite, bulge_at <= fade_from <= fade_flatness. Errors name
/// the field.
Status check(const PressOptions& options);

/// The options of a setup at a time: as they stand, but for those that keys name. Without keys they
/// are the same bits at all times. Requires: keys by ascending time.
PressOptions options_at(const PressSetup& setup, double time);

/// Whether all parts are in range and go together, and every map has one source. Whether the values
/// of maps fit a mesh is up to `check_values`. `where` is the field's path, as "detail/rounds".
Status check(const PressSetup& setup);

/// How the other body of a setup gives way: its own options, or the first one's, and its own maps.
/// Requires: setup.both.
PressSetup setup_of_other(const PressSetup& setup);

/// The maps of the body that presses.
PaintedMaps rigid_maps(const PressSetup& setup);

/// The files that its maps and those of its other body are read from, as the maps name them.
std::vector<std::string> map_files(const PressSetup& setup);

}  // namespace ductile
