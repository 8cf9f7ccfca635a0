// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <span>

namespace ductile {

// What a picture has to hold, and from where all of it is seen.

/// Towards a camera that stands in front, to the right and a little above.
inline const Vec3 kFromTheFront = Vec3(0.5, 0.35, 0.8);

/// The box of one of a body's shapes, in the body's frame; of what is drawn where it has none. Its
/// middle is where the body is, to an eye: a file's origin may lie anywhere.
Box body_box(const RecordedBody& body, std::int32_t shape);

/// The room in which something happens: where bodies are while they move or change, above all where
/// they are hit; of what stands still, the part near that. What leaves the place of the hits far
/// behind is not waited for. Where nothing moves, everything. Hidden bodies do not count. Empty
/// without bodies.
Box action_box(const Recording& recording);

/// What happens, as a camera can hold it.
struct Action {
    Box box;  ///< Of all of it; where it wanders off, of the part around `way.front()`.
    /// The middle of it at each frame, where it wanders so far that a picture of all of it would
    /// show next to nothing; else empty: a camera that stands still sees it all.
    std::vector<Vec3> way;
};
Action action_of(const Recording& recording);

/// How often what a picture is about stands behind something else, seen from an eye per frame: 0 it
/// is always in sight, 1 never. Counted on sight lines from middles of bodies against the boxes of
/// all others, for some frames and bodies where there are many. It is about `followed` if that is a
/// body's number, else about those that are hit or pressed, else about those that move.
/// Requires: as many eyes as frames.
double hidden_share(const Recording& recording, std::span<const Vec3> eyes,
                    std::int32_t followed = -1);

/// Where the eye stands so that the whole box is in the picture and as large as it can be, with a
/// little room around it, seen from the direction `towards_eye` of its middle.
///
/// `aspect`: width over height of the picture. Requires: a box that is not empty.
Vec3 eye_to_see(const Box& box, const Vec3& towards_eye, double field_of_view_deg, double aspect);

/// An eye and what it looks at, as near as points allow: all of them are in the picture, with a
/// little room around them. Nearer than `eye_to_see`, since nothing is in the corners of a box.
/// Requires: points of some size.
struct PointView {
    Vec3 eye = Vec3::Zero();
    Vec3 target = Vec3::Zero();
};
PointView view_of(std::span<const Vec3> points, const Vec3& towards_eye, double field_of_view_deg,
                  double aspect);

}  // namespace ductile
