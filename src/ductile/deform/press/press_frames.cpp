// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_frames.h>

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <optional>

namespace ductile {
namespace {

Result<Pressed> press_frame(const Presser& presser, const PressRigid& rigid,
                            const PressFrame& frame) {
    const std::span<const Vec3> soft = frame.soft_points.empty()
                                           ? std::span<const Vec3>(presser.rest().points)
                                           : frame.soft_points;
    if (frame.rigid_points.empty()) return presser.press(soft, rigid, frame.rigid_pose);
    const Result<PressRigid> moved = rigid.with_points(frame.rigid_points);
    if (!moved) return moved.error();
    return presser.press(soft, moved.value(), frame.rigid_pose);
}

}  // namespace

Status press_frames(const Presser& presser, const PressRigid& rigid,
                    std::span<const PressFrame> frames, const TakePressed& take,
                    const PressProgress& progress) {
    std::atomic<bool> is_stopped = false;
    std::mutex guard;
    std::size_t done = 0;
    // The refused frame with the lowest number is reported, whichever thread was first.
    std::optional<Error> refused;
    std::size_t refused_frame = frames.size();
    parallel_for(frames.size(), 1, [&](std::size_t i) {
        // A frame is work enough for a thread; splitting it further would cost more than it gives.
        const SerialScope serial;
        if (is_stopped) return;
        Result<Pressed> pressed = press_frame(presser, rigid, frames[i]);
        if (pressed) take(i, std::move(pressed.value()));
        const std::scoped_lock lock(guard);
        if (!pressed && i < refused_frame) {
            refused_frame = i;
            refused = pressed.error();
        }
        if (progress && !progress(++done)) is_stopped = true;
    });
    if (refused) {
        return Error{refused->what, fmt::format("frame {}: {}", refused_frame, refused->where),
                     refused->hint};
    }
    if (is_stopped) return Error{"stopped before all frames were pressed", "", ""};
    return {};
}

Result<std::vector<Pressed>> press_frames(const Presser& presser, const PressRigid& rigid,
                                          std::span<const PressFrame> frames,
                                          const PressProgress& progress) {
    std::vector<Pressed> all(frames.size());
    const TakePressed keep = [&](std::size_t i, Pressed&& pressed) { all[i] = std::move(pressed); };
    if (const Status done = press_frames(presser, rigid, frames, keep, progress); !done) {
        return done.error();
    }
    return all;
}

}  // namespace ductile
