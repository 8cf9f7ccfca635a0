// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/export/track/body_track.h>
#include <ductile/record/film_set.h>
#include <ductile/record/recording.h>

namespace ductile {

/// Whether a set can be written with a recording. Error: a camera with a number of poses that is
/// neither one nor that of the frames, a number that is not finite, a sun without a direction.
Status check_set(const FilmSet& set, const Recording& recording);

/// A set's ground as the only body of a recording with these frames: a square, as wide as a film of
/// the bodies needs. Requires: check_recording and check_set are content; a ground.
Recording ground_recording(const FilmSet& set, const Recording& recording);

/// The way of a set's camera, with a key at every frame if it moves. Requires: a camera.
BodyTrack camera_track(const FilmSet& set, const Recording& recording);

/// The pose of a set's sun: it shines along its -z. Requires: a sun.
Transform sun_pose(const FilmSet& set);

}  // namespace ductile
