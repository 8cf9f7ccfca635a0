// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/press.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// What a press may have besides its numbers.
struct PressExtras {
    PressMaps maps;                            ///< Painted on the soft body; empty: 1.
    std::optional<PressDetailOptions> detail;  ///< A smoothed base is pressed.
    std::optional<PressProxyOptions> proxy;    ///< What is swallowed is drawn out first.
};

/// A `Presser` with all that belongs to a frame: maps, detail and proxies. A cheap handle that
/// keeps nothing of any frame.
class FramePresser {
public:
    /// A press without extras: the same bits.
    FramePresser(Presser presser) : presser_(std::move(presser)) {}

    /// Error: as `Presser::make`; extras out of range.
    static Result<FramePresser> make(TriMesh soft_rest, const PressOptions& options = {},
                                     PressExtras extras = {});

    /// As `Presser::press`. Detail is taken off the points as they now are, and comes back; report,
    /// zone and parameter are those of the base. Error: as that, and as `press_proxy`.
    Result<Pressed> press(std::span<const Vec3> soft_points, const PressRigid& rigid,
                          const Transform& rigid_pose = {}) const;

    const TriMesh& rest() const { return detail_ ? detail_->at_rest : presser_.rest(); }

private:
    struct Detail {
        TriMesh at_rest;
        PressDetail split;  ///< Of the body at rest.
        PressDetailOptions options;
    };
    Presser presser_;
    std::shared_ptr<const Detail> detail_;  ///< Null: none.
    std::optional<PressProxyOptions> proxy_;
};

/// What is where in one frame of an animation. Views, which must outlive the call.
struct PressFrame {
    std::span<const Vec3> soft_points;   ///< [m]; none: as at rest.
    std::span<const Vec3> rigid_points;  ///< In the rigid surface's own frame [m]; none: as it is.
    Transform rigid_pose;                ///< Where the rigid surface is.
};

/// Takes over a pressed frame. Called once per frame, by several threads at once and in any order.
using TakePressed = std::function<void(std::size_t frame, Pressed&& pressed)>;

/// Hears how many frames are done, one call at a time; false asks to stop.
using PressProgress = std::function<bool(std::size_t done)>;

/// Presses every frame, several at a time, one thread each: the same bits as each frame by itself,
/// in any order, at any number of threads. Holds no more frames than there are threads.
///
/// Error: of the first frame that `FramePresser::press` or `PressRigid::with_points` refuses, with
/// its number; or that it was asked to stop. Frames that were done by then have been taken.
Status press_frames(const FramePresser& presser, const PressRigid& rigid,
                    std::span<const PressFrame> frames, const TakePressed& take,
                    const PressProgress& progress = {});

/// The same, all frames in memory at once.
Result<std::vector<Pressed>> press_frames(const FramePresser& presser, const PressRigid& rigid,
                                          std::span<const PressFrame> frames,
                                          const PressProgress& progress = {});

}  // namespace ductile
