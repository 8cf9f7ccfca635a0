// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/model.h>

#include <cstddef>
#include <vector>

namespace ductile {

/// When an animation begins and ends [s]; both 0 without channels.
struct AnimationSpan {
    double begin = 0.0, end = 0.0;
};
AnimationSpan animation_span(const ModelAnimation& animation);

/// The model as it is at a time of one of its animations: nodes where their channels put them
/// (before the first key as at it, after the last as at that), skinned meshes bent by their joints
/// (linear blending) and in the place of their skin, morphs added as far as their weights say. Same
/// vertices and triangles in the same order, no animations, no skins. Interpolation is as glTF has
/// it: LINEAR (rotations along the arc), STEP, CUBICSPLINE. Requires: an animation of the model.
/// Error: a channel or skin that does not fit its nodes. O(vertices + keys).
Result<Model> posed_model(const Model& model, std::size_t animation, double time);

/// Where each node is at that time: from its own frame to the model's. The same errors.
Result<std::vector<Mat4>> posed_places(const Model& model, std::size_t animation, double time);

}  // namespace ductile
