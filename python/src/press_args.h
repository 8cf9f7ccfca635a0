// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press_setup.h>

#include <string_view>
#include <utility>
#include <vector>

namespace ductile::python {

// Keywords of functions that press: the fields of a PressSetup, its options and maps without a
// group around them.

/// Of a body that is pressed: its options, and maps of an entry per point.
struct SoftArgs {
    PressSetup setup;
    std::vector<double> stiffness_map, bulge_map;  ///< Empty: none.

    PressSetup take_setup() {
        if (!stiffness_map.empty()) {
            setup.maps.stiffness = PaintedMap{.values = std::move(stiffness_map)};
        }
        if (!bulge_map.empty()) setup.maps.bulge = PaintedMap{.values = std::move(bulge_map)};
        return std::move(setup);
    }
};
template <class Visitor>
void visit_fields(SoftArgs& a, Visitor&& field) {
    visit_fields(a.setup.options, field);
    field(Field{"stiffness_map", "", 0.01, 100.0, "factors of the stiffness, one per point"},
          a.stiffness_map);
    field(Field{"bulge_map", "", 0.0, 20.0, "factors of the bulge, one per point"}, a.bulge_map);
}

/// And what belongs to every frame of it.
struct FrameArgs : SoftArgs {};
template <class Visitor>
void visit_fields(FrameArgs& a, Visitor&& field) {
    visit_fields(static_cast<SoftArgs&>(a), field);
    visit_fields(a.setup, [&](const Field& group, auto& value) {
        if (group.name == "detail" || group.name == "proxy") field(group, value);
    });
}

/// And how its mesh is made finer.
struct RefineArgs : SoftArgs {
    RefineArgs() { setup.refine.emplace(); }
};
template <class Visitor>
void visit_fields(RefineArgs& a, Visitor&& field) {
    visit_fields(static_cast<SoftArgs&>(a), field);
    visit_fields(*a.setup.refine, field);
}

/// Where a rigid surface stands.
struct PlaceOptions {
    Vec3 position = Vec3::Zero();
    Quat rotation = Quat::Identity();
};
template <class Visitor>
void visit_fields(PlaceOptions& o, Visitor&& field) {
    field(Field{"position", "m", -1e5, 1e5, "where the rigid surface's origin is"}, o.position);
    field(Field{"rotation", "", 0, 0, "how it is turned"}, o.rotation);
}

}  // namespace ductile::python
