// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <cstddef>
#include <vector>

namespace ductile {

/// Where one body is at every frame, and the few frames from which a reader can tell the rest.
struct BodyTrack {
    /// The frame whose pose and shape stand for frame f: f itself while the body is present, else
    /// the last one when it was, else the first one when it will be. Empty if it never is.
    std::vector<std::size_t> source;
    /// Per frame; neighbouring rotations lie in one hemisphere, so that blending them goes the
    /// short way. Empty if the body is never present.
    std::vector<Transform> poses;
    /// Frames to keep as keys; empty where the first pose says it all.
    std::vector<std::size_t> translation_keys;
    std::vector<std::size_t> rotation_keys;
    /// Frame 0 and every frame at which the body appears or vanishes; empty if always present.
    std::vector<std::size_t> presence_keys;
};

/// BodyTrack::source alone. Requires: check_recording is content. O(frames).
std::vector<std::size_t> source_frames(const Recording& recording, std::size_t body);

/// Follows body `body` through the recording and thins out its poses.
///
/// At every frame linear blending of the kept translations, and spherical or normalised linear
/// blending of the kept rotations (readers differ), moves no point of the body further than
/// `tolerance` [m] from where it was recorded.
/// Requires: check_recording is content; tolerance >= 0. O(frames log frames).
BodyTrack track_body(const Recording& recording, std::size_t body, double tolerance);

}  // namespace ductile
