// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/model.h>

#include <vector>

struct aiScene;
template <typename Real>
class aiMatrix4x4t;

namespace ductile {

Mat4 to_matrix(const aiMatrix4x4t<float>& m);

/// Adds the bones and animations of assimp's scene to a model whose nodes and meshes are there.
/// `sources[m]` are the scene's meshes of which mesh m was made, in order.
void add_rig(const aiScene& scene, const std::vector<std::vector<unsigned>>& sources, Model& model);

}  // namespace ductile
