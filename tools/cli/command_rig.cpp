// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/export/glb/glb_rig.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/render/image.h>

#include "command.h"
#include "interrupt.h"
#include "open_rig.h"
#include "print.h"
#include "progress_bar.h"
#include "rig_pictures.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <system_error>

namespace ductile::cli {
namespace {

struct RigCommandArgs : RigArgs {
    std::string out;  ///< Of `rig` a folder, of `pose` a picture.
    std::int32_t handles = 0;
    bool has_pictures = true;
    std::int32_t columns = 0;
    bool shows_handles = false;
};

/// One picture of a sheet.
struct Caption {
    std::string text;
    std::function<Result<Image>()> draw;
    std::string file = {};  ///< What its own file's name ends with; empty: it has none.
};

/// Draws one after the other.
Result<std::vector<Image>> draw_all(const std::vector<Caption>& pictures, bool is_quiet) {
    ProgressBar bar(is_quiet);
    std::vector<Image> images;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        bar.show("pictures", double(i) / double(pictures.size()));
        Result<Image> image = pictures[i].draw();
        if (!image) return image.error();
        images.push_back(std::move(image).value());
    }
    bar.finish_stage();
    return images;
}

Result<Image> sheet_of(const std::vector<Caption>& pictures, std::span<const Image> images,
                       std::int32_t columns) {
    std::vector<std::string> captions;
    for (const Caption& picture : pictures) captions.push_back(picture.text);
    if (columns == 0) {
        columns = static_cast<std::int32_t>(std::ceil(std::sqrt(double(pictures.size()))));
    }
    return contact_sheet(images, captions, columns);
}

RigPictureOptions picture_options(const RigArgs& args) {
    return {args.width, args.height, args.samples, args.view};
}

// Jones et al. 2016, Algorithm 1: the way from a mesh to its poses, as in its Figure 2.
std::vector<Caption> authoring_steps(const BuiltRig& built, const RigPictures& pictures) {
    std::vector<Caption> out;
    const std::vector<Handle>& handles = built.rig.handles;
    const std::size_t all = handles.size();
    // Those by hand come first; the others have names that say what they are.
    const auto automatic = std::find_if(handles.begin(), handles.end(), [](const Handle& handle) {
        return handle.name.starts_with("auto");
    });
    const auto by_hand =
        built.lattice ? static_cast<std::size_t>(automatic - handles.begin()) : std::size_t{0};
    out.push_back({"load the mesh", [&] { return pictures.draw_body(); }});
    if (by_hand > 0) {
        out.push_back({fmt::format("handles by hand: {}", by_hand),
                       [&, by_hand] { return pictures.draw_handles(by_hand); }});
    }
    if (built.lattice) {
        out.push_back({fmt::format("lattice: {} nodes", built.lattice->points().size()),
                       [&] { return pictures.draw_lattice(); }, "lattice"});
    }
    if (all > by_hand) {
        out.push_back({fmt::format("{}handles: {}", built.lattice ? "add " : "", all),
                       [&, all] { return pictures.draw_handles(all); }, "handles"});
    } else {
        out[1].file = "handles";
    }
    out.push_back({"weights", [&] { return pictures.draw_weights(); }, "weights"});
    for (std::size_t p = 0; p < built.rig.poses.size(); ++p) {
        out.push_back(
            {"pose: " + built.rig.poses[p].name, [&, p] { return pictures.draw_pose(p, true); }});
    }
    return out;
}

int fail(const Error& error, int exit_code = kFailed) {
    print_error(error_to_print(error));
    return exit_code_after(exit_code);
}

std::filesystem::path picture_path(const std::filesystem::path& folder, const std::string& name,
                                   const std::string& what) {
    return folder / fmt::format("{}_{}.png", name, what);
}

Status draw_rig(const OpenedRig& rig, const BuiltRig& built, const RigCommandArgs& args,
                const std::filesystem::path& folder, Paths& written) {
    const RigPictures pictures(built, picture_options(args));
    const std::vector<Caption> steps = authoring_steps(built, pictures);
    const Result<std::vector<Image>> drawn = draw_all(steps, args.is_quiet);
    if (!drawn) return drawn.error();
    const auto write = [&](const std::string& what, const Image& image) {
        written.push_back(picture_path(folder, rig.name, what));
        return write_png(written.back(), image);
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].file.empty()) continue;
        if (Status done = write(steps[i].file, drawn.value()[i]); !done) return done;
    }
    const Result<Image> overview = sheet_of(steps, drawn.value(), args.columns);
    if (!overview) return overview.error();
    return write("overview", overview.value());
}

// The rig will lie in another folder than what it was made from.
RigFile moved_rig_file(RigFile settled, const std::filesystem::path& folder) {
    for_each_file(settled, [&](std::string& name) {
        if (name.empty()) return;
        std::error_code ec;
        const std::filesystem::path beside = settled.folder / name;
        const std::filesystem::path found =
            std::filesystem::exists(beside, ec) ? beside : std::filesystem::path(name);
        const std::filesystem::path whole = std::filesystem::absolute(found, ec);
        const std::filesystem::path near = std::filesystem::proximate(whole, folder, ec);
        name = (ec || near.empty() ? whole : near).string();
    });
    return settled;
}

int make_rig(RigCommandArgs args) {
    if (!args.view.is_empty() && !args.has_pictures) {
        print_error({"a view is of pictures, and none are asked for", "--eye, --target",
                     "leave --no-pictures out"});
        return kBadInput;
    }
    if (args.handles > 0) args.overrides.push_back(fmt::format("handle_count={}", args.handles));
    const std::optional<OpenedRig> rig = open_rig(args);
    if (!rig) return kBadInput;
    const std::filesystem::path folder = args.out.empty() ? std::filesystem::path("out") / rig->name
                                                          : std::filesystem::path(args.out);
    const std::filesystem::path rig_path = folder / (rig->name + ".rig.json");
    const std::filesystem::path glb_path = folder / (rig->name + ".glb");
    Paths outputs = {rig_path, glb_path};
    for (const char* what : {"handles", "lattice", "weights", "overview"}) {
        outputs.push_back(picture_path(folder, rig->name, what));
    }
    if (const Status fine = check_outputs(outputs, rig->inputs); !fine) {
        return fail(fine.error(), kBadInput);
    }
    clean_when_cut_off(folder);
    const std::optional<BuiltRig> built = build_opened(*rig, args);
    if (!built) return exit_code_after(kBadInput);
    const std::string text = rig_text(moved_rig_file(complete_rig_file(rig->file, *built), folder));
    if (Status done = write_file(rig_path, text); !done) return fail(done.error());
    const Status exported = write_rig_glb(glb_path, built->asset, built->rig, rig->name);
    if (!exported) return fail(exported.error());
    Paths written = {rig_path, glb_path};
    if (args.has_pictures) {
        const Status drawn = draw_rig(*rig, *built, args, folder, written);
        if (!drawn) return fail(drawn.error());
    }
    if (args.is_quiet) return kFine;
    print_rig(*built);
    print_out("Open:\n");
    for (const std::filesystem::path& path : written) print_out("  {}\n", path.string());
    return kFine;
}

int draw_poses(const RigCommandArgs& args) {
    const std::optional<OpenedRig> rig = open_rig(args);
    if (!rig) return kBadInput;
    const std::filesystem::path out =
        args.out.empty() ? std::filesystem::path("out") / rig->name / (rig->name + "_poses.png")
                         : std::filesystem::path(args.out);
    if (const Status fine = check_outputs({out}, rig->inputs); !fine) {
        return fail(fine.error(), kBadInput);
    }
    clean_when_cut_off(out.parent_path());
    const std::optional<BuiltRig> built = build_opened(*rig, args);
    if (!built) return exit_code_after(kBadInput);
    if (built->rig.poses.empty()) {
        return fail({"the rig has no poses to draw", args.input,
                     "docs/rigging.md tells the ways to draw some"},
                    kBadInput);
    }
    const RigPictures pictures(*built, picture_options(args));
    std::vector<Caption> shown;
    shown.push_back({"rest", [&] { return pictures.draw_body(); }});
    for (std::size_t p = 0; p < built->rig.poses.size(); ++p) {
        shown.push_back({built->rig.poses[p].name,
                         [&, p] { return pictures.draw_pose(p, args.shows_handles); }});
    }
    const Result<std::vector<Image>> drawn = draw_all(shown, args.is_quiet);
    if (!drawn) return fail(drawn.error());
    const Result<Image> sheet = sheet_of(shown, drawn.value(), args.columns);
    if (!sheet) return fail(sheet.error());
    if (Status done = write_png(out, sheet.value()); !done) return fail(done.error());
    if (args.is_quiet) return kFine;
    print_rig(*built);
    print_out("Open:\n  {}\n", out.string());
    return kFine;
}

}  // namespace

void add_rig(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<RigCommandArgs>();
    CLI::App* command = app.add_subcommand(
        "rig", "give a mesh handles, weights and poses: a rig file, a GLB for Blender, pictures");
    add_rig_options(*command, *args);
    command->add_option("-o,--out", args->out, "the folder to write to [out/NAME]")
        ->type_name("FOLDER")
        ->check(not_empty);
    command
        ->add_option("--handles", args->handles,
                     "how many handles in all; those that the file does not place are added [12]")
        ->type_name("NUMBER")
        ->check(in_range(1, 1000));
    command->add_option("--columns", args->columns, "of the overview; 0 chooses")
        ->type_name("NUMBER")
        ->check(in_range(0, 100));
    command->add_flag_callback(
        "--no-pictures", [args] { args->has_pictures = false; }, "write the rig and the GLB only");
    command->callback([args, &exit_code] {
        catch_interrupts();
        exit_code = make_rig(*args);
    });
}

void add_pose(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<RigCommandArgs>();
    CLI::App* command = app.add_subcommand("pose", "draw the poses of a rig side by side");
    add_rig_options(*command, *args);
    command->add_option("-o,--out", args->out, "the picture [out/NAME/NAME_poses.png]")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->add_option("--columns", args->columns, "of the sheet; 0 chooses")
        ->type_name("NUMBER")
        ->check(in_range(0, 100));
    command->add_flag("--handles", args->shows_handles, "draw the handles, too");
    command->callback([args, &exit_code] {
        catch_interrupts();
        exit_code = draw_poses(*args);
    });
}

}  // namespace ductile::cli
