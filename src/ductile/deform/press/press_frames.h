// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace ductile {

/// What is where in one frame of an animation. Views, which must outlive the call.
struct PressFrame {
    std::span<const Vec3> soft_points{};  ///< [m]; none: as at rest.
    std::span<const Vec3>
        rigid_points{};      ///< In the rigid surface's own frame [m]; none: as it is.
    Transform rigid_pose{};  ///< Where the rigid surface is.
};

/// Takes over a pressed frame. Called once per frame, by several threads at once and in any order.
using TakePressed = std::function<void(std::size_t frame, Pressed&& pressed)>;

/// Called with the number of frames done, one call at a time; false asks to stop.
using PressProgress = std::function<bool(std::size_t done)>;

/// Presses every frame, several at a time, one thread each: the same bits as each frame by itself,
/// in any order, at any number of threads. Holds no more frames than there are threads.
///
/// Error: of the first frame that `Presser::press` or `PressRigid::with_points` refuses, with
/// its number; or that it was asked to stop. Frames that were done by then have been taken.
Status press_frames(const Presser& presser, const PressRigid& rigid,
                    std::span<const PressFrame> frames, const TakePressed& take,
                    const PressProgress& progress = {});

/// The same, all frames in memory at once.
Result<std::vector<Pressed>> press_frames(const Presser& presser, const PressRigid& rigid,
                                          std::span<const PressFrame> frames,
                                          const PressProgress& progress = {});

}  // namespace ductile
