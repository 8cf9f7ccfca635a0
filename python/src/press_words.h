// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/deform/press/press_frames.h>

#include <optional>
#include <vector>

namespace ductile::python {

/// The keywords of a body that is pressed: its options, and maps of an entry per point.
struct SoftWords {
    ductile::PressOptions options;
    ductile::PressMaps maps;
};
template <class Visitor>
void visit_fields(SoftWords& w, Visitor&& field) {
    visit_fields(w.options, field);
    field(Field{"stiffness_map", "", 0.01, 100.0, "factors of the stiffness, one per point"},
          w.maps.stiffness);
    field(Field{"bulge_map", "", 0.0, 20.0, "factors of the bulge, one per point"}, w.maps.bulge);
}

/// And what belongs to every frame of it.
struct FrameWords {
    SoftWords soft;
    std::optional<PressDetailOptions> detail;
    std::optional<PressProxyOptions> proxy;
};
template <class Visitor>
void visit_fields(FrameWords& w, Visitor&& field) {
    visit_fields(w.soft, field);
    field(Field{"detail", "", 0, 0, "a smoothed base is pressed; {} takes every default"},
          w.detail);
    field(Field{"proxy", "", 0, 0, "what is swallowed is drawn out first; {}: the nearest way"},
          w.proxy);
}

/// And how its mesh is made finer.
struct RefineWords {
    SoftWords soft;
    PressRefineOptions refine;
};
template <class Visitor>
void visit_fields(RefineWords& w, Visitor&& field) {
    visit_fields(w.soft, field);
    visit_fields(w.refine, field);
}

}  // namespace ductile::python
