// SPDX-License-Identifier: MIT
#include <ductile/sim/tissue_layer.h>

namespace ductile {

std::size_t TissueLayer::add(const SoftCoat& coat, BodyId bone, bool is_driven) {
    auto rig = std::make_shared<TissueRig>(*coat.rig);
    set_bone_gaps(engine_, bone, *rig);
    const TissueOptions& options = coat.options;
    return add({.rig = std::move(rig),
                .bone = bone,
                .damping = options.damping,
                .friction = options.friction > 0 ? options.friction : engine_.friction(bone),
                .touches_itself = options.touches_itself,
                .is_driven = is_driven});
}

}  // namespace ductile
