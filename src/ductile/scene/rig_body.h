// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/prepare_asset.h>
#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/scene/rig_file.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ductile {

/// The body of a rig file, with what its mesh file says about joints and shapes.
struct RigBody {
    std::optional<Model> model;  ///< Of the mesh file; nothing for a solid.
    PreparedAsset prepared;      ///< `asset` is empty: it is below.
    std::shared_ptr<const SurfaceAsset> asset;
    double thickness = 0.0;
};

/// Where a file that a rig names is: beside it, else in the current folder. Error: in neither.
Result<std::filesystem::path> find_rig_file(const RigFile& rig, const std::string& name);

/// Makes the solid, or reads the mesh file. Error: what cannot be made or read.
Result<RigBody> make_rig_body(const RigFile& rig, const StopFlag* stop);

/// Where a deformed copy of the mesh has the surface's points [m, the body's frame]: a morph, a
/// file, a sample of a cache, or a mesh file's animation. Requires: a pose that names one of these.
/// Error: what cannot be read, or has other vertices.
Result<std::vector<Vec3>> copied_points(const RigFile& rig, const RigBody& body,
                                        const PoseSource& pose);

/// What an animation does to the joints of a mesh file's skin, against how the nodes stand in the
/// file. Error: no such animation; one that scales a joint, or shears it.
Result<RigPose> joint_pose(const RigBody& body, const PoseSource& pose);

}  // namespace ductile
