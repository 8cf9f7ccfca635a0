// SPDX-License-Identifier: MIT
#include <ductile/core/file_writer.h>
#include <ductile/export/track/body_track.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/set_bodies.h>
#include <ductile/export/usd/usd.h>
#include <ductile/export/usd/usd_body.h>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>

namespace ductile {
namespace {

constexpr const char* kRoot = "World";

/// One body of the stage.
struct StageBody {
    std::size_t index = 0;
    std::string prim;
};

/// The stage as it will be: who is in it, and where its files go.
struct Stage {
    std::vector<StageBody> bodies;
    std::filesystem::path path;
    std::filesystem::path folder;  ///< Beside it.
    std::string folder_reference;  ///< As layers name it: "./NAME_usd/".
};

Stage plan(const Recording& recording, const std::filesystem::path& path) {
    Stage stage;
    stage.path = path;
    const std::string folder = path.stem().string() + "_usd";
    stage.folder = path.parent_path() / folder;
    stage.folder_reference = "./" + folder + "/";
    std::set<std::string> taken = {"Looks"};
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (source_frames(recording, b).empty()) continue;  // never present
        stage.bodies.push_back({b, usd_name(recording.bodies[b].name, taken)});
    }
    return stage;
}

void append_head(UsdText& text, const Recording& recording, const std::string& prim) {
    text.line("#usda 1.0");
    text.line("(");
    text.line(fmt::format("    defaultPrim = \"{}\"", prim));
    text.line("    doc = \"Written by ductile.\"");
    text.line(fmt::format("    endTimeCode = {}", usd_time_codes(recording).back()));
    text.line(fmt::format("    framesPerSecond = {}", recording.frame_rate));
    text.line("    metersPerUnit = 1");
    text.line("    startTimeCode = 0");
    text.line(fmt::format("    timeCodesPerSecond = {}", recording.frame_rate));
    text.line("    upAxis = \"Y\"");
    text.line(")");
    text.blank();
}

/// Tells the checkpoint of bodies that are done.
struct Pace {
    const Checkpoint& checkpoint;
    std::size_t count;
    Status done(std::size_t bodies) const {
        if (!checkpoint) return {};
        return checkpoint(static_cast<double>(bodies) / static_cast<double>(count));
    }
};

Status write_body_files(const Recording& recording, const Stage& stage, const UsdOptions& options,
                        const Pace& pace, const std::filesystem::path& folder,
                        UsdPictures& pictures) {
    for (std::size_t i = 0; i < stage.bodies.size(); ++i) {
        const StageBody& body = stage.bodies[i];
        Result<FileWriter> file = FileWriter::open(folder / (body.prim + ".usda"));
        if (!file) return file.error();
        UsdText text(file.value());
        append_head(text, recording, body.prim);
        append_usd_body(text, recording, body.index, {body.prim, "", "./"}, options, pictures);
        if (Status done = text.finish(); !done) return done;
        if (Status on = pace.done(i + 1); !on) return on;
    }
    return {};
}

void append_payloads(UsdText& text, const Stage& stage) {
    for (const StageBody& body : stage.bodies) {
        text.open_prim(
            fmt::format("def Xform \"{}\"", body.prim),
            {"prepend payload = " + usd_asset(stage.folder_reference + body.prim + ".usda")});
        text.close();
    }
}

// What lies beside the stage, in a folder that appears at once; nothing if there is nothing.
template <class Fill>
Status write_folder(const Stage& stage, Fill&& fill) {
    Result<FolderWriter> folder = FolderWriter::open(stage.folder, ".usda .png .jpg");
    if (!folder) return folder.error();
    if (Status done = fill(folder.value().path()); !done) {
        return folder.value().named(done.error());
    }
    // An older stage would name files that are not its own any more.
    std::error_code ec;
    std::filesystem::remove(stage.path, ec);
    return folder.value().finish();
}

void append_set(UsdText& text, const Recording& recording, const Stage& stage, const FilmSet& set,
                UsdPictures& pictures) {
    std::set<std::string> taken;
    taken.insert("Looks");
    for (const StageBody& body : stage.bodies) taken.insert(body.prim);
    append_usd_set(text, recording, set, {"", std::string("/") + kRoot, stage.folder_reference},
                   std::move(taken), pictures);
}

Status write_split(const Recording& recording, const Stage& stage, const UsdOptions& options,
                   const Pace& pace, const FilmSet& set) {
    UsdPictures pictures;
    Status done = write_folder(stage, [&](const std::filesystem::path& folder) {
        const Status bodies = write_body_files(recording, stage, options, pace, folder, pictures);
        return bodies ? pictures.write(folder) : bodies;
    });
    if (!done) return done;
    Result<FileWriter> file = FileWriter::open(stage.path);
    if (!file) return file.error();
    UsdText text(file.value());
    append_head(text, recording, kRoot);
    text.open_prim(fmt::format("def Xform \"{}\"", kRoot), {"kind = \"group\""});
    append_payloads(text, stage);
    append_set(text, recording, stage, set, pictures);
    text.close();
    return text.finish();
}

Status write_one(const Recording& recording, const Stage& stage, const UsdOptions& options,
                 const Pace& pace, const FilmSet& set) {
    Result<FileWriter> file = FileWriter::open(stage.path);
    if (!file) return file.error();
    UsdText text(file.value());
    UsdPictures pictures;
    append_head(text, recording, kRoot);
    text.open_prim(fmt::format("def Xform \"{}\"", kRoot), {"kind = \"group\""});
    UsdLooks looks;
    for (const StageBody& body : stage.bodies) {
        const std::shared_ptr<const SurfaceAsset>& asset = recording.bodies[body.index].asset;
        if (asset) looks.add(asset->render);
    }
    looks.append(text, std::string("/") + kRoot, stage.folder_reference, pictures);
    for (std::size_t i = 0; i < stage.bodies.size(); ++i) {
        const StageBody& body = stage.bodies[i];
        append_usd_body(text, recording, body.index,
                        {body.prim, std::string("/") + kRoot, stage.folder_reference, &looks},
                        options, pictures);
        if (!text.status()) return text.status();
        if (Status on = pace.done(i + 1); !on) return on;
    }
    append_set(text, recording, stage, set, pictures);
    text.close();
    if (!pictures.empty()) {
        const Status done = write_folder(
            stage, [&](const std::filesystem::path& folder) { return pictures.write(folder); });
        if (!done) return done;
    }
    return text.finish();
}

}  // namespace

Result<UsdReport> write_usd(const Recording& recording, const std::filesystem::path& path,
                            const UsdOptions& options, const Checkpoint& checkpoint,
                            const FilmSet& set) {
    if (Status good = check_recording(recording); !good) return good.error();
    if (Status good = check_set(set, recording); !good) return good.error();
    if (!(recording.frame_rate > 0.0 && std::isfinite(recording.frame_rate))) {
        return Error{"the frame rate must be above 0", path.string(), ""};
    }
    const Stage stage = plan(recording, path);
    UsdReport report;
    for (const StageBody& body : stage.bodies) {
        report.estimate += usd_body_size(recording, body.index, options);
    }
    const bool is_large = report.estimate > options.split_size;
    report.is_split =
        options.split == UsdSplit::Bodies || (options.split == UsdSplit::Auto && is_large);
    if (is_large && options.split != UsdSplit::Bodies) {
        report.note = fmt::format(
            "{}: about {:.0f} MB of text; {}", path.filename().string(), 1e-6 * report.estimate,
            report.is_split ? "each body has a file of its own"
                            : "readers load it all before they show anything");
    }
    const Pace pace{checkpoint, stage.bodies.size()};
    const Status done = report.is_split ? write_split(recording, stage, options, pace, set)
                                        : write_one(recording, stage, options, pace, set);
    if (!done) return done.error();
    return report;
}

}  // namespace ductile
