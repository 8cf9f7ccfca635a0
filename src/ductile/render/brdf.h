// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/shading_math.h>

namespace ductile {

/// How a surface reflects at one point. A layer of GGX micro-facets over a matte base.
struct Paint {
    Vec3f matte = Vec3f::Constant(0.5f);    ///< Colour of the base; black for bare metal.
    Vec3f mirror = Vec3f::Constant(0.04f);  ///< Reflectance of the layer seen head-on.
    Vec3f glow = Vec3f::Zero();             ///< Light of its own, the same whoever looks.
    float roughness = 0.6f;                 ///< Artists' roughness; alpha is its square.
    float opacity = 1.0f;

    float alpha() const { return std::max(roughness * roughness, 1e-3f); }
};

/// Schlick's Fresnel reflectance at the angle between direction and facet.
inline Vec3f fresnel(const Vec3f& head_on, float cosine) {
    const float m = 1.0f - std::clamp(cosine, 0.0f, 1.0f);
    const float m2 = m * m;
    return head_on + (Vec3f::Ones() - head_on) * (m2 * m2 * m);
}

/// The share of light from everywhere that the layer reflects towards a viewer: what it takes
/// from the base. Karis' fit ("Physically Based Shading on Mobile", 2014) of the integral.
inline Vec3f layer_reflectance(const Paint& p, float cosine_view) {
    const float r = p.roughness;
    const float a = std::min((1 - r) * (1 - r), std::exp2(-9.28f * cosine_view)) * (1 - r) +
                    (0.0425f - 0.0275f * r);
    const float scale = -1.04f * a + (1.04f - 0.572f * r);
    const float bias = 1.04f * a + (0.022f * r - 0.04f);
    return (p.mirror * scale + Vec3f::Constant(bias)).cwiseMax(0.0f).cwiseMin(1.0f);
}

/// Smith's masking for GGX, times 2 cosine: the form that the formulas below share.
inline float smith_lambda(float alpha, float cosine) {
    const float a2 = alpha * alpha;
    const float c2 = std::max(cosine * cosine, 1e-8f);
    return 0.5f * (std::sqrt(1.0f + a2 * (1.0f - c2) / c2) - 1.0f);
}

/// The layer's reflectance from one direction to another times the cosine of the light, in the
/// frame of the normal (z). Both directions point away from the surface.
inline Vec3f layer_towards(const Paint& p, float alpha, const Vec3f& view, const Vec3f& light) {
    if (view.z() <= 0.0f || light.z() <= 0.0f) return Vec3f::Zero();
    const Vec3f half = (view + light).normalized();
    const float a2 = alpha * alpha;
    const float d = half.z() * half.z() * (a2 - 1.0f) + 1.0f;
    const float facets = a2 / (kPiF * d * d);
    const float seen =
        1.0f / (1.0f + smith_lambda(alpha, view.z()) + smith_lambda(alpha, light.z()));
    return fresnel(p.mirror, view.dot(half)) * (facets * seen / (4.0f * view.z()));
}

/// Picks a facet among those that face the viewer (Heitz 2018, "Sampling the GGX Distribution of
/// Visible Normals"); light reflected at it then weighs fresnel * masked_share.
inline Vec3f sample_facet(float alpha, const Vec3f& view, float u, float v) {
    const Vec3f stretched = Vec3f(alpha * view.x(), alpha * view.y(), view.z()).normalized();
    const float length_sq = stretched.x() * stretched.x() + stretched.y() * stretched.y();
    const Vec3f t1 = length_sq > 1e-12f
                         ? Vec3f(Vec3f(-stretched.y(), stretched.x(), 0) / std::sqrt(length_sq))
                         : Vec3f(1, 0, 0);
    const Vec3f t2 = stretched.cross(t1);
    const float radius = std::sqrt(u);
    const float angle = 2.0f * kPiF * v;
    const float x = radius * std::cos(angle);
    const float s = 0.5f * (1.0f + stretched.z());
    const float y =
        (1.0f - s) * std::sqrt(std::max(0.0f, 1.0f - x * x)) + s * radius * std::sin(angle);
    const float z = std::sqrt(std::max(0.0f, 1.0f - x * x - y * y));
    const Vec3f n = x * t1 + y * t2 + z * stretched;
    return Vec3f(alpha * n.x(), alpha * n.y(), std::max(1e-6f, n.z())).normalized();
}

/// What is left of a sampled reflection after other facets stood in its way.
inline float masked_share(float alpha, const Vec3f& view, const Vec3f& light) {
    const float view_lambda = smith_lambda(alpha, view.z());
    return (1.0f + view_lambda) / (1.0f + view_lambda + smith_lambda(alpha, light.z()));
}

}  // namespace ductile
