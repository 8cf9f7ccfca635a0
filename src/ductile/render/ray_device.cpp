// SPDX-License-Identifier: MIT
#include <ductile/render/ray_device.h>

#include <tbb/task_arena.h>

#include <string>

namespace ductile {
namespace {

// Embree sizes its own arena after the one in which the device is made, and cuts parallel builds
// into as many parts as that arena has slots: one slot, one order.
constexpr int kBuildThreads = 1;

}  // namespace

Result<RayDevice> make_ray_device() {
    RTCDevice device = nullptr;
    tbb::task_arena(kBuildThreads).execute([&] { device = rtcNewDevice(nullptr); });
    if (!device) {
        return Error{"cannot start the ray tracer (Embree), code " +
                         std::to_string(static_cast<int>(rtcGetDeviceError(nullptr))),
                     "", ""};
    }
    return RayDevice(device);
}

void build_tree(RTCScene scene) {
    tbb::task_arena(kBuildThreads).execute([&] { rtcCommitScene(scene); });
}

}  // namespace ductile
