// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <embree3/rtcore.h>

#include <memory>

namespace ductile {

/// Lets go of Embree's objects when their owner dies.
struct RayRelease {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using RayDevice = std::unique_ptr<RTCDeviceTy, RayRelease>;
using RayTree = std::unique_ptr<RTCSceneTy, RayRelease>;
using RayGeometry = std::unique_ptr<RTCGeometryTy, RayRelease>;

/// Starts Embree. Error: it cannot (no memory, a processor it does not know).
Result<RayDevice> make_ray_device();

/// Builds or rebuilds the tree over what is attached to a scene, on the calling thread alone: the
/// tree, and with it which of two equally near triangles a ray meets, never depends on the number
/// of threads.
void build_tree(RTCScene scene);

}  // namespace ductile
