// SPDX-License-Identifier: MIT
#include "press_still.h"

#include <ductile/core/file.h>
#include <ductile/deform/press/press_both.h>
#include <ductile/deform/press/press_detail.h>
#include <ductile/deform/press/press_proxy.h>
#include <ductile/deform/press/press_refine.h>
#include <ductile/skin/render_skin.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ductile::cli {
namespace {

constexpr std::array<std::string_view, 5> kChannels = {"red", "green", "blue", "alpha", "mean"};

// A number per drawn vertex as one per surface point: that of the vertex that lies on it.
std::vector<double> on_surface(const SurfaceAsset& asset, const std::vector<double>& per_vertex) {
    std::vector<double> out(asset.surface.points.size(), 1.0);
    for (std::size_t v = 0; v < per_vertex.size(); ++v) {
        const SurfaceAnchor& anchor = asset.anchors[v];
        for (int k = 0; k < 3; ++k) {
            if (anchor.weights[k] > 0.5) {
                out[static_cast<std::size_t>(anchor.points[k])] = per_vertex[v];
            }
        }
    }
    return out;
}

Result<std::vector<double>> read_map(const std::string& name, const SurfaceAsset& soft) {
    if (name.empty()) return std::vector<double>();
    const auto channel = std::find(kChannels.begin(), kChannels.end(), name);
    if (channel != kChannels.end()) {
        return map_from_colours(soft, static_cast<PaintChannel>(channel - kChannels.begin()));
    }
    const Result<std::string> text = read_file(name, 64 << 20);
    if (!text) return text.error();
    Result<std::vector<double>> drawn = map_from_text(text.value(), soft.render.points.size());
    if (drawn) return on_surface(soft, drawn.value());
    Result<std::vector<double>> own = map_from_text(text.value(), soft.surface.points.size());
    if (own) return own;
    return Error{drawn.error().what, name, drawn.error().hint};
}

Result<PressedStill> press_two(const std::shared_ptr<const SurfaceAsset>& soft, SurfaceAsset rigid,
                               const PressOptions& options, double share) {
    Result<PressedBoth> both = press_both(soft->surface, rigid.surface, share, options, options);
    if (!both) return both.error();
    PressedStill still;
    still.soft = soft;
    still.pressed = std::move(both.value().a);
    const auto other = std::make_shared<const SurfaceAsset>(std::move(rigid));
    still.rigid = *other;
    RenderSkin(other).pose(both.value().b.points, still.rigid.render.points,
                           still.rigid.render.normals);
    still.rigid.surface.points = both.value().b.points;
    return still;
}

}  // namespace

Result<PressMaps> read_press_maps(const PressExtras& extras, const SurfaceAsset& soft) {
    PressMaps maps;
    Result<std::vector<double>> stiffness = read_map(extras.stiffness_map, soft);
    if (!stiffness) return stiffness.error();
    Result<std::vector<double>> bulge = read_map(extras.bulge_map, soft);
    if (!bulge) return bulge.error();
    maps.stiffness = std::move(stiffness).value();
    maps.bulge = std::move(bulge).value();
    if (const Status fine = check(maps, soft.surface.points.size()); !fine) return fine.error();
    return maps;
}

Result<PressedStill> press_still(const std::shared_ptr<const SurfaceAsset>& soft,
                                 SurfaceAsset rigid, const PressOptions& options,
                                 const PressExtras& extras, const PressMaps& maps) {
    if (extras.share) return press_two(soft, std::move(rigid), options, *extras.share);
    TriMesh by = rigid.surface;
    if (extras.uses_proxy) {
        Result<TriMesh> proxy = press_proxy(soft->surface, by);
        if (!proxy) return proxy.error();
        by = std::move(proxy).value();
    }
    PressedStill still;
    still.soft = soft;
    if (extras.refines) {
        Result<RefinedPress> done = press_refined(*soft, by, options, {}, maps);
        if (!done) return done.error();
        still.soft = std::make_shared<const SurfaceAsset>(std::move(done.value().asset));
        still.pressed = std::move(done.value().pressed);
    } else {
        PressDetail detail;
        if (extras.detail > 0) detail = split_detail(soft->surface, extras.detail);
        Result<Pressed> done =
            press_soft(extras.detail > 0 ? detail.base : soft->surface, by, options, maps);
        if (!done) return done.error();
        still.pressed = std::move(done).value();
        if (extras.detail > 0) still.pressed.points = restore_detail(detail, still.pressed);
    }
    still.rigid = std::move(rigid);
    return still;
}

}  // namespace ductile::cli
