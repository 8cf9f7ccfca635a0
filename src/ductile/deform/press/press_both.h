// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>

namespace ductile {

struct PressedBoth {
    Pressed a, b;
};

/// Presses two soft bodies onto each other (the seed's future work). `share` says how much of the
/// overlap `a` gives way by: 0 makes it rigid, 1 makes `b` rigid, exactly as `press_soft` would.
///
/// Between them, the part of `a` inside `b` is moved by its share of the way to where it is mapped
/// on `b`; `b` is pressed onto that middle surface, then `a` onto the pressed `b`. So `a` touches
/// `b` in its zone without a gap, and they overlap no more than a press leaves. Where an overlap
/// cannot be mapped, `b` alone gives way; `a.report.notes` says so.
/// Error: as `press_soft`; a share out of [0, 1].
Result<PressedBoth> press_both(const TriMesh& a, const TriMesh& b, double share,
                               const PressOptions& options_a = {},
                               const PressOptions& options_b = {});

}  // namespace ductile
