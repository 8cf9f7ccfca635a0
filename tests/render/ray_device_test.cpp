// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/render/ray_device.h>

#include <doctest/doctest.h>

#include <vector>

using namespace ductile;

namespace {

/// The same square many times over in one place: which of them a ray meets is up to the tree.
std::vector<unsigned> squares_met(RTCDevice device) {
    const RayGeometry geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
    constexpr unsigned count = 20000;
    auto* points = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), 3 * count));
    auto* corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), count));
    for (unsigned t = 0; t < count; ++t) {
        const float x = static_cast<float>(t % 100);  // 200 at each place.
        const float triangle[] = {x, 0, 0, x + 1, 0, 0, x, 1, 0};
        std::copy_n(triangle, 9, points + 9 * t);
        for (unsigned k = 0; k < 3; ++k) corners[3 * t + k] = 3 * t + k;
    }
    rtcCommitGeometry(geometry.get());
    const RayTree tree(rtcNewScene(device));
    rtcAttachGeometry(tree.get(), geometry.get());
    build_tree(tree.get());
    std::vector<unsigned> met;
    for (int x = 0; x < 100; ++x) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRayHit ray{};
        ray.ray.org_x = static_cast<float>(x) + 0.25f;
        ray.ray.org_y = 0.25f;
        ray.ray.org_z = 1.0f;
        ray.ray.dir_z = -1.0f;
        ray.ray.tfar = 10.0f;
        ray.ray.mask = ~0U;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(tree.get(), &context, &ray);
        REQUIRE(ray.hit.geomID != RTC_INVALID_GEOMETRY_ID);
        CHECK(ray.ray.tfar == 1.0f);
        CHECK(ray.hit.primID % 100 == static_cast<unsigned>(x));
        met.push_back(ray.hit.primID);
    }
    return met;
}

}  // namespace

TEST_CASE("which of equally near triangles a ray meets does not depend on the number of threads") {
    const auto with = [](int threads) {
        const ThreadLimit limit(threads);
        const Result<RayDevice> device = make_ray_device();
        REQUIRE(device.ok());
        return squares_met(device.value().get());
    };
    const std::vector<unsigned> one = with(1);
    CHECK(with(4) == one);
    CHECK(with(16) == one);
}
