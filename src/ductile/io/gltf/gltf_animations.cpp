// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

namespace ductile {
namespace {

std::optional<ModelChannel::Target> target_of(const std::string& path) {
    using Target = ModelChannel::Target;
    if (path == "translation") return Target::Translation;
    if (path == "rotation") return Target::Rotation;
    if (path == "scale") return Target::Scale;
    if (path == "weights") return Target::Weights;
    return std::nullopt;  // an extension's
}

int width_of(ModelChannel::Target target) {
    using Target = ModelChannel::Target;
    return target == Target::Weights ? 1 : target == Target::Rotation ? 4 : 3;
}

struct Sampler {
    std::int32_t input = -1;
    std::int32_t output = -1;
    std::string interpolation;
};

std::vector<Sampler> read_samplers(const JsonPlace& list, const GltfDocument& out) {
    std::vector<Sampler> samplers;
    for (std::size_t s = 0; s < list.size(); ++s) {
        const JsonPlace place = list.item(s);
        Sampler sampler;
        sampler.interpolation = place["interpolation"].text_or("LINEAR");
        sampler.input = place["input"].required().reference(out.accessors.size(), "accessor");
        sampler.output = place["output"].required().reference(out.accessors.size(), "accessor");
        if (sampler.interpolation != "LINEAR" && sampler.interpolation != "STEP" &&
            sampler.interpolation != "CUBICSPLINE") {
            place["interpolation"].refuse("must be LINEAR, STEP or CUBICSPLINE");
        }
        samplers.push_back(std::move(sampler));
    }
    return samplers;
}

// What is wrong with a sampler for this target; empty for nothing.
std::string mismatch(const Sampler& sampler, ModelChannel::Target target, const GltfDocument& out) {
    if (sampler.input < 0 || sampler.output < 0) return "";  // told already
    const GltfAccessor& times = out.accessors[sampler.input];
    const GltfAccessor& values = out.accessors[sampler.output];
    if (times.width != 1) return "its times must be single numbers";
    if (values.width != width_of(target)) {
        return fmt::format("its keys must have {} numbers, not {}", width_of(target), values.width);
    }
    const std::uint64_t per_key = sampler.interpolation == "CUBICSPLINE" ? 3 : 1;
    const std::uint64_t least = per_key * times.count;
    const bool is_matched = target == ModelChannel::Target::Weights
                                ? least > 0 && values.count % least == 0
                                : values.count == least;
    if (is_matched) return "";
    return fmt::format("its {} values do not match {} times", values.count, times.count);
}

GltfAnimation read_animation(const JsonPlace& place, const GltfDocument& out) {
    GltfAnimation animation;
    animation.name = place["name"].text_or("");
    const JsonPlace channels = place["channels"].required();
    const std::vector<Sampler> samplers = read_samplers(place["samplers"], out);
    for (std::size_t k = 0; k < channels.size(); ++k) {
        const JsonPlace target = channels.item(k)["target"].required();
        const JsonPlace used = channels.item(k)["sampler"].required();
        const std::int32_t s = used.reference(samplers.size(), "sampler");
        const auto path = target_of(target["path"].required().text_or(""));
        const std::int32_t node = target["node"].reference(out.nodes.size(), "node");
        if (s < 0 || !path) continue;
        const Sampler& sampler = samplers[s];
        if (const std::string wrong = mismatch(sampler, *path, out); !wrong.empty()) {
            used.refuse(fmt::format("sampler {} does not suit its target: {}", s, wrong));
        }
        if (node < 0) continue;  // an extension's target
        animation.channels.push_back(
            {node, *path, sampler.input, sampler.output, sampler.interpolation});
    }
    return animation;
}

}  // namespace

void read_gltf_animations(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["animations"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        out.animations.push_back(read_animation(list.item(i), out));
    }
}

}  // namespace ductile
