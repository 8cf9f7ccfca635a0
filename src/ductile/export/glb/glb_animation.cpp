// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb_animation.h>

#include <string_view>

namespace ductile {
namespace {

// Steps come this share of a frame early: a reader that asks at the frame's time, rounded its own
// way, must find the step done.
constexpr float kStepAhead = 1e-3f;

}  // namespace

void GlbAnimation::add_channel(int node, const char* path, const char* interpolation,
                               std::span<const std::size_t> keys, std::span<const float> values,
                               int width) {
    std::vector<float> key_times;
    key_times.reserve(keys.size());
    const bool steps = interpolation == std::string_view("STEP");
    for (const std::size_t f : keys) {
        const float ahead = steps && f > 0 ? kStepAhead * (times_[f] - times_[f - 1]) : 0.0f;
        key_times.push_back(times_[f] - ahead);
    }
    samplers_.push_back({{"input", builder_.add_times(key_times)},
                         {"interpolation", interpolation},
                         {"output", builder_.add_keys(values, width)}});
    channels_.push_back(
        {{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

void GlbAnimation::add_motion(int node, const BodyTrack& track,
                              const std::vector<bool>& is_present) {
    std::vector<float> values;
    for (const std::size_t f : track.translation_keys) {
        for (int i = 0; i < 3; ++i) {
            values.push_back(static_cast<float>(track.poses[f].translation[i]));
        }
    }
    if (!values.empty())
        add_channel(node, "translation", "LINEAR", track.translation_keys, values, 3);

    values.clear();
    for (const std::size_t f : track.rotation_keys) {
        for (int i = 0; i < 4; ++i) {  // both sides store x, y, z, w
            values.push_back(static_cast<float>(track.poses[f].rotation.coeffs()[i]));
        }
    }
    if (!values.empty()) add_channel(node, "rotation", "LINEAR", track.rotation_keys, values, 4);

    values.clear();
    for (const std::size_t f : track.presence_keys) {
        values.insert(values.end(), 3, is_present[f] ? 1.0f : 0.0f);
    }
    if (!values.empty()) add_channel(node, "scale", "STEP", track.presence_keys, values, 3);
}

void GlbAnimation::add_shapes(int node, const ShapeTrack& track,
                              std::span<const std::size_t> keys) {
    if (track.time_keys.empty() || keys.empty()) return;
    std::vector<float> values;
    values.reserve(track.time_keys.size() * keys.size());
    for (const std::size_t f : track.time_keys) {
        const std::vector<double> weights = key_weights(track, track.frames[f]);
        for (const std::size_t key : keys) values.push_back(static_cast<float>(weights[key]));
    }
    add_channel(node, "weights", "LINEAR", track.time_keys, values, 1);
}

void GlbAnimation::finish() {
    if (channels_.empty()) return;
    builder_.add("animations", {{"name", "recording"},
                                {"channels", std::move(channels_)},
                                {"samplers", std::move(samplers_)}});
}

}  // namespace ductile
