// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ductile {

/// How the part that went in is taken onto the rigid surface, once that is laid flat.
enum class PressMapKind {
    Spread,  ///< Spread out in its plane, as rigid as can be.
    Affine,  ///< The paper's: laid flat by itself, then an affine map and a harmonic field.
};
inline std::span<const std::string_view> enum_names(PressMapKind) {
    static constexpr std::string_view names[] = {"spread", "affine"};
    return names;
}

/// How a soft surface gives way to a rigid one. Plain data; every default is usable as it stands.
/// "Size" is a soft body's box diagonal divided by the root of three: a ball's diameter.
struct PressOptions {
    /// Radius of the ball that must fit into the soft body wherever it touches [m]: the larger, the
    /// stiffer, the smaller the contact. 0: a quarter of the size, of a thin body a quarter of its
    /// thickness.
    double stiffness = 0.0;
    /// How far along the surface the bulge reaches [m]. 0: 0.6 of the size.
    double extent = 0.0;
    double bulge = 1.0;       ///< 0 none, 1 keeps the volume, more exaggerates.
    double v2 = 1.0 / 3.0;    ///< Where the profile's bulge sits, as a share of the extent.
    double v3 = 5.0 / 6.0;    ///< Where it begins to run out.
    double v4 = 11.0 / 12.0;  ///< How flat it runs out.
    double wrinkles = 0.0;    ///< Height of waves around the contact, as a share of its depth.
    double waves = 6.0;       ///< How many of them, from the contact to the extent.
    PressMapKind mapping = PressMapKind::Spread;
};
template <class Visitor>
void visit_fields(PressOptions& o, Visitor&& field) {
    field(Field{"stiffness", "m", 0.0, 1e4,
                "radius of the ball that must fit where it touches; 0: a quarter of the thickness"},
          o.stiffness);
    field(Field{"extent", "m", 0.0, 1e4, "how far the bulge reaches; 0: 0.6 of the size"},
          o.extent);
    field(Field{"bulge", "", 0.0, 20.0, "0 none, 1 keeps the volume, more exaggerates"}, o.bulge);
    field(Field{"v2", "", 0.2, 1.0, "where the bulge sits, as a share of the extent"}, o.v2);
    field(Field{"v3", "", 0.2, 1.0, "where it begins to run out; at least v2"}, o.v3);
    field(Field{"v4", "", 0.2, 1.0, "how flat it runs out; at least v3"}, o.v4);
    field(Field{"wrinkles", "", 0.0, 2.0, "height of waves, as a share of the contact's depth"},
          o.wrinkles);
    field(Field{"waves", "", 0.5, 100.0, "how many of them, from the contact to the extent"},
          o.waves);
    field(Field{"mapping", "", 0, 0, "how what went in is taken onto the rigid surface"},
          o.mapping);
}

/// Whether every number of plain options is in its field's range, which NaN is not. Errors name the
/// field.
template <class Options>
Status check_ranges(Options options) {
    Status status;
    visit_fields(options, [&]<class Value>(const Field& field, const Value& value) {
        if constexpr (std::is_arithmetic_v<Value>) {
            const auto number = static_cast<double>(value);
            if (status.ok() && !(number >= field.min && number <= field.max)) {
                status = Error{"the value is out of range", std::string(field.name), ""};
            }
        }
    });
    return status;
}

/// Whether these can be met: in range, finite, v2 <= v3 <= v4. Errors name the field.
Status check(const PressOptions& options);

}  // namespace ductile
