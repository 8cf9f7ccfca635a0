// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A point on the straight line between two shape keys: (1 - weight) * from + weight * to.
/// Key 0 is the asset at rest, key k > 0 is shape `ShapeTrack::keys[k - 1]`.
struct ShapeBlend {
    std::int32_t from = 0;
    std::int32_t to = 0;
    double weight = 0.0;  ///< In [0, 1].
};

/// The shapes one body took, told with few of them.
struct ShapeTrack {
    std::vector<std::int32_t> keys;  ///< Indices into RecordedBody::shapes, each once.
    std::vector<double> key_reach;   ///< Per key: how far its furthest point lies from rest [m].
    std::vector<ShapeBlend> frames;  ///< One per frame.
    std::vector<std::size_t> time_keys;  ///< Frames to keep as keys; empty if all blends are alike.
    double error = 0.0;                  ///< No point of any frame is further off than this [m].
};

struct ShapeTrackOptions {
    double tolerance = 0.0;       ///< Largest error wanted [m], >= 0.
    std::int32_t max_keys = 200;  ///< More are never made: then the error grows instead. >= 0.
};

/// Reduces the shapes that body `body` shows to keys between which straight lines do.
///
/// Walks along the sequence of shapes and makes a key of the last one such that all shapes since
/// the key before lie within the tolerance of the straight line between both: a dent that is
/// pressed in over many frames costs one key, and so does one that appears at once. Then frames
/// whose weights follow from their neighbours' by linear blending over time are dropped. A
/// change from one frame to the next keeps both of them, so that it does not begin earlier.
/// Every recorded frame is measured, and `error` bounds what it is off by after both.
///
/// `source` is BodyTrack::source. Requires: check_recording is content; the body has an asset.
/// O(shapes log shapes x points).
ShapeTrack track_shapes(const Recording& recording, std::size_t body,
                        std::span<const std::size_t> source, const ShapeTrackOptions& options);

/// The weight of every key but key 0, in the order of `keys`; all zero means the asset at rest.
std::vector<double> key_weights(const ShapeTrack& track, const ShapeBlend& blend);

}  // namespace ductile
