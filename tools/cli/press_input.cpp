// SPDX-License-Identifier: MIT
#include "press_input.h"

#include <ductile/asset/flatten_model.h>
#include <ductile/core/names.h>
#include <ductile/geom/query/find_places.h>
#include <ductile/io/load_asset.h>
#include <ductile/io/read_point_cache.h>
#include <ductile/skin/pose_model.h>
#include <ductile/solids/solids.h>

#include "interrupt.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile::cli {
namespace {

constexpr AssetOptions kAsItIs{.scale = 1.0, .up = UpAxis::Y};
// How far apart two places may be that a file and a cache call one, as a share of the size: text
// files round.
constexpr double kSamePlace = 1e-5;
constexpr std::size_t kMostFrames = 100'000;

bool is_solid_name(const std::string& name, SolidKind& kind) {
    const auto kinds = enum_names(SolidKind::Box);
    const auto at = std::find(kinds.begin(), kinds.end(), name);
    if (at == kinds.end()) return false;
    kind = static_cast<SolidKind>(at - kinds.begin());
    return true;
}

Result<SurfaceAsset> make_press_solid(const PressSource& source, SolidKind kind) {
    SolidOptions options;
    options.kind = kind;
    if (!source.size.empty()) options.size = {source.size[0], source.size[1], source.size[2]};
    options.resolution = source.resolution;
    Result<SurfaceAsset> made = make_solid(options, stop_flag());
    if (!made) return made.error();
    made.value().render.looks[0].base_colour = source.colour;
    made.value().render.looks[0].metallic = 0.0;
    return made;
}

/// Which of `places` each surface point is; empty if one is none of them.
std::vector<std::int32_t> found_places(std::span<const Vec3> surface,
                                       std::span<const Vec3> places) {
    std::vector<std::int32_t> found =
        find_places(surface, places, kSamePlace * bounds(surface).diagonal());
    const bool has_all = std::find(found.begin(), found.end(), -1) == found.end();
    return has_all ? found : std::vector<std::int32_t>();
}

std::vector<Vec3> picked(std::span<const Vec3> places, std::span<const std::int32_t> which) {
    std::vector<Vec3> out;
    for (const std::int32_t i : which) out.push_back(places[static_cast<std::size_t>(i)]);
    return out;
}

Status play_cache(const PressSource& source, PressInput& input) {
    const Result<PointCache> cache = read_point_cache(source.cache);
    if (!cache) return cache.error();
    const std::vector<std::vector<Vec3>>& samples = cache.value().samples;
    const SurfaceAsset& asset = *input.asset;
    const FileVertices& file = asset.render.file_vertices;
    const std::vector<Vec3>& own = file.empty() ? asset.render.points : file.points;
    std::vector<std::int32_t> which = found_places(asset.surface.points, samples[0]);
    for (const std::vector<Vec3>* vertices : {&own, &asset.render.points}) {
        if (!which.empty() || samples[0].size() != vertices->size()) continue;
        which = found_places(asset.surface.points, *vertices);
    }
    if (which.empty()) {
        return Error{fmt::format("its {} points are not those of {}, which has {}",
                                 samples[0].size(), source.name, own.size()),
                     source.cache,
                     "give the mesh as it stands in the cache's first sample, or with the cache's "
                     "vertices in their order"};
    }
    input.frames.clear();
    for (const std::vector<Vec3>& sample : samples) input.frames.push_back(picked(sample, which));
    return {};
}

Result<PressInput> open_animated(const Model& model, const PressSource& source) {
    const auto named = [&](const Error& error) {
        return Error{error.what, source.name + ": " + error.where, error.hint};
    };
    const AnimationSpan span = animation_span(model.animations[0]);
    const auto count = static_cast<std::size_t>(
        std::min(std::floor((span.end - span.begin) * source.frame_rate + 1e-6) + 1.0,
                 static_cast<double>(kMostFrames)));
    PressInput input;
    std::vector<std::int32_t> which;
    for (std::size_t f = 0; f < count; ++f) {
        const double time = span.begin + static_cast<double>(f) / source.frame_rate;
        const Result<Model> posed = posed_model(model, 0, time);
        if (!posed) return named(posed.error());
        const Result<FlatModel> flat = flatten_model(posed.value(), {});
        if (!flat) return named(flat.error());
        if (f == 0) {
            Result<PreparedAsset> made = prepare_asset(posed.value(), kAsItIs);
            if (!made) return named(made.error());
            which = found_places(made.value().asset.surface.points, flat.value().render.points);
            if (which.empty()) {
                return Error{"its surface had to be mended too much to follow the animation",
                             source.name, "clean the mesh, or bake the animation into a cache"};
            }
            input.asset = std::make_shared<const SurfaceAsset>(std::move(made.value().asset));
        }
        input.frames.push_back(picked(flat.value().render.points, which));
    }
    return input;
}

Result<PressInput> open_still(const Model& model, const PressSource& source) {
    Result<PreparedAsset> made = prepare_asset(model, kAsItIs);
    if (!made) return Error{made.error().what, source.name, made.error().hint};
    PressInput input;
    input.asset = std::make_shared<const SurfaceAsset>(std::move(made.value().asset));
    return input;
}

Result<PressInput> open_file(const PressSource& source) {
    if (!source.size.empty())
        return Error{"a size is for solids; a file has its own", source.name, ""};
    const Result<Model> model = read_model(source.name, {.stop = stop_flag()});
    if (!model) {
        const std::string near = nearest_name(source.name, enum_names(SolidKind::Box));
        std::error_code ec;
        if (near.empty() || std::filesystem::exists(source.name, ec)) return model.error();
        return Error{"there is no such file or solid", source.name, "did you mean '" + near + "'?"};
    }
    const bool is_animated = !model.value().animations.empty() && source.cache.empty();
    Result<PressInput> input =
        is_animated ? open_animated(model.value(), source) : open_still(model.value(), source);
    if (!input) return input;
    for (const std::string& note : model.value().notes) {
        input.value().notes.push_back(fmt::format("{}: {}", source.name, note));
    }
    return input;
}

void shift(const Vec3& by, PressInput& input) {
    if (by == Vec3::Zero()) return;
    auto moved = std::make_shared<SurfaceAsset>(*input.asset);
    for (Vec3& p : moved->surface.points) p += by;
    for (Vec3& p : moved->render.points) p += by;
    for (Vec3& p : moved->render.file_vertices.points) p += by;
    input.asset = std::move(moved);
    for (std::vector<Vec3>& frame : input.frames) {
        for (Vec3& p : frame) p += by;
    }
}

}  // namespace

std::vector<std::filesystem::path> PressSource::files() const {
    std::vector<std::filesystem::path> out;
    SolidKind kind{};
    if (!is_solid_name(name, kind)) out.emplace_back(name);
    if (!cache.empty()) out.emplace_back(cache);
    return out;
}

Result<PressInput> open_press_input(const PressSource& source) {
    PressInput input;
    SolidKind kind{};
    if (is_solid_name(source.name, kind)) {
        Result<SurfaceAsset> made = make_press_solid(source, kind);
        if (!made) return made.error();
        input.asset = std::make_shared<const SurfaceAsset>(std::move(made).value());
    } else {
        Result<PressInput> opened = open_file(source);
        if (!opened) return opened.error();
        input = std::move(opened).value();
    }
    if (!source.cache.empty()) {
        if (Status played = play_cache(source, input); !played) return played.error();
    }
    if (input.frames.empty()) input.frames.push_back(input.asset->surface.points);
    shift({source.at[0], source.at[1], source.at[2]}, input);
    return input;
}

}  // namespace ductile::cli
