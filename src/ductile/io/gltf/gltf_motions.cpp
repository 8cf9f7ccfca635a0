// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_motions.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace ductile {

Result<std::vector<double>> GltfMotions::numbers(std::int32_t accessor, const char* what) {
    const GltfAccessor& a = document_.accessors[accessor];
    const std::uint64_t count = a.count * static_cast<std::uint64_t>(a.width);
    if (count > spare_numbers_) {
        return Error{
            fmt::format("{} share too many numbers for a file of {} bytes", what, data_.size()),
            fmt::format("#/accessors/{}/count", accessor), ""};
    }
    spare_numbers_ -= count;
    std::vector<double> out(count);
    if (count == 0) return out;
    if (Status good = data_.read_numbers(accessor, out.data()); !good) return good.error();
    if (std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); })) return out;
    model_.notes.push_back(
        fmt::format("#/accessors/{}: a number is not finite: left out", accessor));
    return std::vector<double>();
}

Status GltfMotions::add_skins() {
    skin_place_.assign(document_.skins.size(), -1);
    for (std::size_t s = 0; s < document_.skins.size(); ++s) {
        const GltfSkin& from = document_.skins[s];
        ModelSkin skin;
        skin.name = from.name;
        for (const std::int32_t joint : from.joints) skin.joints.push_back(node_place_[joint]);
        skin.inverse_binds.assign(from.joints.size(), Mat4::Identity());
        const bool is_shown = std::all_of(skin.joints.begin(), skin.joints.end(),
                                          [](std::int32_t joint) { return joint >= 0; });
        if (!is_shown) {
            model_.notes.push_back(
                fmt::format("#/skins/{}: a joint is not in the scene: the skin is left out", s));
            continue;
        }
        if (from.inverse_binds >= 0) {
            Result<std::vector<double>> raw = numbers(from.inverse_binds, "skins");
            if (!raw) return raw.error();
            for (std::size_t k = 0; k < skin.joints.size() && !raw.value().empty(); ++k) {
                std::copy_n(raw.value().data() + 16 * k, 16, skin.inverse_binds[k].data());
            }
        }
        skin_place_[s] = static_cast<std::int32_t>(model_.skins.size());
        model_.skins.push_back(std::move(skin));
    }
    drop_unfit_skins();
    return {};
}

// A skin that lacks joints which a mesh asks for is no use to that mesh.
void GltfMotions::drop_unfit_skins() {
    std::vector<std::int32_t> most(model_.meshes.size(), -1);
    for (std::size_t m = 0; m < most.size(); ++m) {
        for (const std::array<std::int32_t, 4>& joints : model_.meshes[m].joints) {
            most[m] = std::max(most[m], *std::max_element(joints.begin(), joints.end()));
        }
    }
    std::size_t unfit = 0;
    for (ModelNode& node : model_.nodes) {
        if (node.skin >= 0) node.skin = skin_place_[node.skin];
        if (node.skin < 0 || node.mesh < 0) continue;
        if (most[node.mesh] < std::ssize(model_.skins[node.skin].joints)) continue;
        node.skin = -1;
        ++unfit;
    }
    if (unfit > 0) {
        model_.notes.push_back(
            fmt::format("{} nodes lose their skin: a vertex asks for a joint it lacks", unfit));
    }
}

Status GltfMotions::add_animations() {
    std::size_t left_out = 0;
    for (const GltfAnimation& from : document_.animations) {
        ModelAnimation animation;
        animation.name = from.name;
        for (const GltfChannel& c : from.channels) {
            ModelChannel channel;
            channel.node = node_place_[c.node];
            channel.target = c.target;
            channel.interpolation = c.interpolation;
            if (channel.node < 0) {
                ++left_out;
                continue;
            }
            Result<std::vector<double>> times = numbers(c.input, "animations");
            if (!times) return times.error();
            Result<std::vector<double>> values = numbers(c.output, "animations");
            if (!values) return values.error();
            channel.times = std::move(times).value();
            channel.values = std::move(values).value();
            const bool rises = std::adjacent_find(channel.times.begin(), channel.times.end(),
                                                  std::greater_equal<>()) == channel.times.end();
            if (!rises || channel.times.empty() || channel.values.empty()) {
                ++left_out;
                continue;
            }
            animation.channels.push_back(std::move(channel));
        }
        model_.animations.push_back(std::move(animation));
    }
    if (left_out > 0) {
        model_.notes.push_back(
            fmt::format("{} animated properties are left out: empty, times that do not rise, or "
                        "not in the scene",
                        left_out));
    }
    return {};
}

}  // namespace ductile
