// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/bend/skeleton.h>
#include <ductile/deform/record_kind.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// How far an impact had moved a joint at some time, until the next.
struct JointKey {
    double time = 0.0;            ///< Since the impact [s], >= 0.
    Vec3 turn = Vec3::Zero();     ///< Axis times angle, at rest [rad].
    std::optional<Vec3> slide{};  ///< Of a joint that slides: how far, at rest [m].

    Vec3 slid() const { return slide.value_or(Vec3::Zero()); }
};
template <class Visitor>
void visit_fields(JointKey& k, Visitor&& field) {
    field(Field{"time", "s", 0.0, 1e9, "since the impact"}, k.time);
    field(Field{"turn", "rad", -10.0, 10.0, "axis times angle, in the body's rest frame"}, k.turn);
    field(Field{"slide", "m", -1e6, 1e6,
                "how far it has slid, in the body's rest frame; none: it only turns"},
          k.slide);
}

/// A joint by what does not hang on which others there are.
struct JointName {
    std::int32_t joint = -1;  ///< Of the skeleton as it was given; -1: made by an impact.
    std::int32_t bone = 0;    ///< Made: the bone as it was given, that was struck.
    double along = 0.5;       ///< Made: where on it, share of the way.
    double length = 0.1;      ///< Made: over which the bend is spread along it [m], > 0.

    bool is_same(const JointName& o) const {
        return joint == o.joint && (joint >= 0 || (bone == o.bone && along == o.along));
    }
};

/// What an impact did to one joint.
struct JointTurn {
    JointName name{};
    std::vector<JointKey> keys{};  ///< By time.

    /// How far, at rest, `time` after the impact; of which only `amount` acts.
    JointMotion at(double time, double amount) const;
};
template <class Visitor>
void visit_fields(JointTurn& j, Visitor&& field) {
    field(Field{"joint", "", -1, 1e6, "of the body's skeleton; -1: made by the impact"},
          j.name.joint);
    field(Field{"bone", "", 0, 1e6, "the struck bone of the skeleton, for a joint that was made"},
          j.name.bone);
    field(Field{"along", "", 0.0, 1.0, "where on that bone, share of the way"}, j.name.along);
    field(length_field("length", "over which the bend is spread along it"), j.name.length);
    field(Field{"keys", "", 0, 0, "how far it was moved over time; each holds until the next"},
          j.keys);
}

/// What an impact did to the joints of a body's skeleton, over time: a result, so that a replay
/// needs no engine. Several impacts on a joint add up, later ones turn what earlier ones left.
struct JointHit {
    Vec3 position_b = Vec3::Zero();  ///< Where it fell, in the body's rest frame [m].
    std::vector<JointTurn> joints{};

    double last_time() const;  ///< Of its keys [s].
};
template <class Visitor>
void visit_fields(JointHit& h, Visitor&& field) {
    field(place_field("position", "where the impact fell"), h.position_b);
    field(Field{"joints", "", 0, 0, "what it did to the joints"}, h.joints);
}

template <>
struct RecordKind<JointHit> {
    static constexpr std::string_view name = "joints";
    static constexpr std::string_view help =
        "turns and slides of the joints of the body's skeleton";
    static constexpr Stage stage = Stage::Joint;
    /// Error: keys that go back in time.
    static Status check(JointHit& hit);
    /// Whether the body has a skeleton, and bones and joints of these numbers.
    static Status fits(const JointHit& hit, const BodyShape& shape);
    static void guard(JointHit&, const SurfaceQuery&, const BodyShape&) {}
    static RecordMark mark(const JointHit& hit);
};

}  // namespace ductile
