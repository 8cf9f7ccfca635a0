// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/deform/dent/dent_kind.h>

#include <algorithm>

namespace ductile {

void RecordKind<DentHit>::guard(DentHit& hit, const SurfaceQuery& surface, const BodyShape& shape) {
    hit.lean = std::min(hit.lean, foldless_lean(hit));
    guard_dent(hit, surface, shape.rest());
}

RecordReach RecordKind<DentHit>::reach(const DentHit& hit) {
    return [press = DentPress(hit, 1.0)](const Box& box) { return press.may_move(box); };
}

}  // namespace ductile
