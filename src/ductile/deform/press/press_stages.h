// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/mapping/press_surface.h>
#include <ductile/deform/press/press.h>

namespace ductile {

/// A body as a wall between what presses it and what lies behind.
struct PressWall {
    const RestSurface* body = nullptr;  ///< Null: it is none.
    double thickness = 0.0;             ///< [m]
    double share = 0.0;                 ///< How much of one it is to the contacts of a frame.
};

/// Contacts deeper than this share of a body's thickness may reach what lies behind.
inline constexpr double kThroughShare = 0.4;

/// Presses one frame in the rigid surface's own coordinates, stage by stage; `pose` takes what
/// moved back from there, null: nothing. Where the rigid body goes right through a thin wall, its
/// front alone is pressed. Says in `wall` how much of a wall the body is. Requires: `pressed` as
/// `unpressed` gives it, with stiffness and extent in its report.
void press_placed(const PressSurface& soft, const PreparedRigid& rigid, const PressOptions& options,
                  const PaintedMaps& maps, PressWall& wall, const Transform* pose,
                  const PressStageCallback& on_stage, Pressed& pressed);

}  // namespace ductile
