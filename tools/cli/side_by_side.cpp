// SPDX-License-Identifier: MIT
#include "side_by_side.h"

#include <ductile/core/file_names.h>
#include <ductile/core/parallel.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/render/damage_measure.h>

#include "command.h"
#include "interrupt.h"
#include "out_folder.h"
#include "write_pictures.h"
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ductile::cli {
namespace {

constexpr std::int32_t kNarrowestTile = 240;  // [pixels]

Status check_variants(const std::vector<Variant>& variants) {
    const Scene& first = variants.front().scene;
    for (const Variant& v : variants) {
        if (v.scene.frame_rate != first.frame_rate) {
            return Error{fmt::format("{} and {} frames a second do not go side by side",
                                     first.frame_rate, v.scene.frame_rate),
                         v.caption, "give all of them one frame_rate"};
        }
        if (v.scene.picture.width != first.picture.width ||
            v.scene.picture.height != first.picture.height) {
            return Error{"pictures of different sizes do not go side by side", v.caption,
                         "give all of them one picture.width and picture.height"};
        }
    }
    return {};
}

/// Even sizes: a film's colours are kept for two by two pixels.
void shrink(std::size_t columns, PictureOptions& picture) {
    const double share =
        std::max(1.0 / static_cast<double>(columns),
                 std::min(1.0, kNarrowestTile / static_cast<double>(picture.width)));
    const auto even = [&](std::int32_t side) {
        return std::max(2, 2 * static_cast<std::int32_t>(0.5 * share * side));
    };
    picture.width = even(picture.width);
    picture.height = even(picture.height);
}

/// One scale for all, where the scene leaves it open.
void share_colours(const std::vector<RunResult>& runs, std::vector<SceneView>& views) {
    double most = 0.0;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const RenderOptions& options = views[i].options;
        if (options.colour_by == ColourBy::None || options.colour_range > 0) return;
        const DamageExtent extent = damage_extent(runs[i].recording, options.colour_by);
        most = std::max({most, extent.most, -extent.least});
    }
    if (!(most > 0)) return;
    for (SceneView& view : views) view.options.colour_range = round_up(most);
}

class Sheet {
public:
    Sheet(const std::vector<Variant>& variants, std::size_t columns, std::vector<SceneView> views)
        : columns_(static_cast<std::int32_t>(columns)), views_(std::move(views)) {
        for (const Variant& v : variants) captions_.push_back(v.caption);
    }

    template <class Draw>
    Result<Image> make(Draw&& draw) {
        std::vector<Image> pictures;
        for (SceneView& view : views_) {
            if (Status on = go_on(); !on) return on.error();
            Result<Image> picture = draw(view);
            if (!picture) return picture.error();
            pictures.push_back(std::move(picture).value());
        }
        return contact_sheet(pictures, captions_, columns_);
    }
    std::size_t frame_count() const {
        std::size_t most = 0;
        for (const SceneView& view : views_) most = std::max(most, view.frame_count());
        return most;
    }

private:
    std::int32_t columns_;
    std::vector<SceneView> views_;
    std::vector<std::string> captions_;
};

Status write_sheet(const std::vector<Variant>& variants, std::size_t columns,
                   const std::vector<RunResult>& runs, OutputWriter& writer, RunResult& result) {
    std::vector<SceneView> views;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        Result<SceneView> view = SceneView::make(variants[i].scene, runs[i].recording);
        if (!view) return view.error();
        shrink(columns, view.value().options);
        for (const std::string& note : view.value().notes()) result.notes.push_back(note);
        views.push_back(std::move(view).value());
    }
    share_colours(runs, views);
    Sheet sheet(variants, columns, std::move(views));
    const Status done = writer.write("sheet", "sheet.png", [&](const auto& path) -> Status {
        const Result<Image> image =
            sheet.make([](SceneView& view) { return view.draw_poster(view.poster_frame()); });
        if (!image) return image.error();
        return write_png(path, image.value());
    });
    if (!done || !variants.front().scene.outputs.film) return done;
    return writer.write("film", "sheet.mp4", [&](const auto& path) {
        return write_film(path, variants.front().scene.frame_rate, sheet.frame_count(),
                          writer.checkpoint("film"), [&](std::size_t i) {
                              return sheet.make([i](SceneView& view) { return view.draw(i); });
                          });
    });
}

/// What the scene asks for besides pictures: those are in the sheet.
Scene without_pictures(Scene scene) {
    SceneOutputs& outputs = scene.outputs;
    outputs.film = outputs.webm = outputs.turntable = outputs.poster = false;
    return scene;
}

}  // namespace

RunResult run_side_by_side(const std::vector<Variant>& variants, std::size_t columns,
                           const RunOptions& options, const Progress& progress) {
    RunResult result;
    const auto failed = [&](const Error& error, int exit_code) {
        result.exit_code = exit_code_after(exit_code);
        result.error = error_to_print(error);
        return std::move(result);
    };
    if (Status fine = check_variants(variants); !fine) return failed(fine.error(), kBadInput);
    const Result<FolderLock> lock = open_out_folder(variants.front().scene, options.out);
    if (!lock) return failed(lock.error(), kFailed);
    std::vector<RunResult> runs;
    std::vector<std::filesystem::path> folders;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        RunOptions own = options;
        own.out = options.out / free_file_name(variants[i].caption, taken);
        const Progress part = [&](std::string_view stage, double share) {
            if (progress)
                progress(fmt::format("{} of {}: {}", i + 1, variants.size(), stage), share);
        };
        runs.push_back(run_scene(without_pictures(variants[i].scene), own, part));
        if (runs.back().error) {
            result.exit_code = runs.back().exit_code;
            result.error = runs.back().error;
            return result;
        }
        result.hits += runs.back().hits;
        result.incidents += runs.back().incidents;
        folders.push_back(own.out);
    }
    const ThreadLimit limit(variants.front().scene.threads);
    Stopwatch watch;
    OutputWriter writer(lock.value(), progress, watch, result);
    if (Status done = write_sheet(variants, columns, runs, writer, result); !done) {
        return failed(done.error(), kFailed);
    }
    result.files.insert(result.files.end(), folders.begin(), folders.end());
    if (Status whole = writer.check_files(); !whole) return failed(whole.error(), kFailed);
    return result;
}

}  // namespace ductile::cli
