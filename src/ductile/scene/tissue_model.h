// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/scene/build.h>

namespace ductile {

/// A bone and its coat: what is drawn is the skin. With `is_rigid` a rigid body of the skin's shape
/// and of the whole mass. Requires: `body.tissue`. Error (`where` from the body on): a coat that
/// cannot be made.
Result<BodyModel> make_coated_model(const Scene& scene, const SceneBody& body,
                                    const BodyAsset& bone, const Material& material,
                                    const StopFlag* stop);

/// Whether a body's coat can be made. Requires and Error: as make_coated_model.
Status try_coat(const Scene& scene, const SceneBody& body, const BodyAsset& bone);

/// Gives a simulation its drives and coats, and the recorder what it needs to film them.
void add_live_layers(const Scene& scene, std::span<const PreparedBody> bodies,
                     std::span<const ObjectId> ids, std::span<const std::int32_t> filmed,
                     Simulation& simulation, Recorder& recorder);

}  // namespace ductile
