// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_frames.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

namespace ductile {
namespace {

Result<Pressed> press_frame(const FramePresser& presser, const PressRigid& rigid,
                            const PressFrame& frame) {
    const std::span<const Vec3> soft = frame.soft_points.empty()
                                           ? std::span<const Vec3>(presser.rest().points)
                                           : frame.soft_points;
    if (frame.rigid_points.empty()) return presser.press(soft, rigid, frame.rigid_pose);
    const Result<PressRigid> moved = rigid.with_points(frame.rigid_points);
    if (!moved) return moved.error();
    return presser.press(soft, moved.value(), frame.rigid_pose);
}

/// `rigid` drawn out where the soft surface swallows it.
Result<PressRigid> with_proxy(const PressRigid& rigid, const Transform& pose,
                              std::span<const Vec3> soft_points, const TriMesh& soft_rest,
                              const PressProxyOptions& options) {
    TriMesh soft{{}, soft_rest.triangles};
    for (const Vec3& p : soft_points) soft.points.push_back(pose.inverse_point(p));
    const TriMesh as_it_is = rigid.mesh();
    const Result<TriMesh> drawn =
        press_proxy(soft, as_it_is, {pose.inverse_direction(options.direction)});
    if (!drawn) return drawn.error();
    if (drawn.value().points == as_it_is.points) return rigid;
    return rigid.with_points(drawn.value().points);
}

}  // namespace

Result<FramePresser> FramePresser::make(TriMesh soft_rest, const PressOptions& options,
                                        PressExtras extras) {
    if (extras.detail) {
        if (const Status fine = check(*extras.detail); !fine) return fine.error();
    }
    if (extras.proxy && !is_finite(extras.proxy->direction)) {
        return Error{"a direction is not finite", "direction", ""};
    }
    // What a presser refuses must not come to be smoothed.
    Result<Presser> presser = Presser::make(soft_rest, options, extras.maps);
    if (!presser) return presser.error();
    FramePresser made(std::move(presser.value()));
    made.proxy_ = extras.proxy;
    if (!extras.detail) return made;
    PressDetail split = split_detail(soft_rest, extras.detail->rounds);
    Result<Presser> on_base = Presser::make(split.base, options, std::move(extras.maps));
    if (!on_base) return on_base.error();
    made.presser_ = std::move(on_base.value());
    made.detail_ = std::make_shared<const Detail>(
        Detail{std::move(soft_rest), std::move(split), *extras.detail});
    return made;
}

Result<Pressed> FramePresser::press(std::span<const Vec3> soft_points, const PressRigid& rigid,
                                    const Transform& rigid_pose) const {
    if (proxy_ && soft_points.size() == rest().points.size()) {
        const Result<PressRigid> drawn =
            with_proxy(rigid, rigid_pose, soft_points, rest(), *proxy_);
        if (!drawn) return drawn.error();
        FramePresser plain = *this;
        plain.proxy_.reset();
        return plain.press(soft_points, drawn.value(), rigid_pose);
    }
    const bool is_smoothed = detail_ && soft_points.size() == rest().points.size();
    if (!is_smoothed) return presser_.press(soft_points, rigid, rigid_pose);
    const auto is_at_rest =
        std::equal(soft_points.begin(), soft_points.end(), detail_->at_rest.points.begin());
    std::optional<PressDetail> now;
    if (!is_at_rest) {
        now = split_detail({{soft_points.begin(), soft_points.end()}, rest().triangles},
                           detail_->options.rounds);
    }
    const PressDetail& split = is_at_rest ? detail_->split : *now;
    Result<Pressed> pressed = presser_.press(split.base.points, rigid, rigid_pose);
    if (!pressed) return pressed.error();
    pressed.value().points = restore_detail(split, pressed.value(), detail_->options.fade);
    return pressed;
}

Status press_frames(const FramePresser& presser, const PressRigid& rigid,
                    std::span<const PressFrame> frames, const TakePressed& take,
                    const PressProgress& progress) {
    std::atomic<bool> is_stopped = false;
    std::mutex guard;
    std::size_t done = 0;
    // The refused frame with the lowest number is told, whichever thread was first.
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

Result<std::vector<Pressed>> press_frames(const FramePresser& presser, const PressRigid& rigid,
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
