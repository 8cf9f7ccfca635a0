// SPDX-License-Identifier: MIT
#include <ductile/scene/scene_file.h>

#include "command.h"
#include "file_watch.h"
#include "input_files.h"
#include "interrupt.h"
#include "print.h"
#include "progress_bar.h"
#include "run_scene.h"
#include "side_by_side.h"
#include "wedge.h"
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

namespace ductile::cli {
namespace {

// How often files are looked at while nothing else is to be done.
constexpr std::chrono::milliseconds kWatchPause{200};

struct RunArgs {
    std::vector<std::string> scenes;  ///< One, or several to compare.
    std::vector<std::string> overrides;
    std::vector<std::string> wedges;
    std::string out;
    std::int32_t max_frames = 0;
    bool is_draft = false;
    bool is_quiet = false;
    bool is_watching = false;
};

// Half the size and a quarter of the rays: a look at the motion in a tenth of the time. What was
// asked for by name stays.
void make_draft(const std::vector<std::string>& overrides, Scene& scene) {
    const auto is_asked_for = [&](std::string_view field) {
        return std::any_of(overrides.begin(), overrides.end(), [&](const std::string& text) {
            return std::string_view(text).substr(0, text.find('=')) == field;
        });
    };
    if (!is_asked_for("picture.width") && !is_asked_for("picture.height")) {
        scene.picture.width = std::max(2, scene.picture.width / 2);
        scene.picture.height = std::max(2, scene.picture.height / 2);
    }
    if (!is_asked_for("picture.samples")) {
        scene.picture.samples = std::max(1, scene.picture.samples / 4);
    }
}

std::filesystem::path out_folder(const RunArgs& args, const std::string& name) {
    if (!args.out.empty()) return args.out;
    return std::filesystem::path("out") / name;
}

int print_result(const RunArgs& args, const Scene& scene, RunResult& result) {
    if (result.error && is_stale()) {
        print_err("{}; it runs again\n", result.error->what);
        return kFine;
    }
    if (result.error) {
        // A body that cannot be made is pointed to within the scene.
        std::string& where = result.error->where;
        if (where.starts_with('#')) where = args.scenes.front() + where;
        print_error(*result.error);
        return result.exit_code;
    }
    if (args.is_quiet) return kFine;
    if (result.incidents > 0) {
        print_err("note: {} contained{}\n",
                  result.incidents == 1 ? "1 incident was"
                                        : fmt::format("{} incidents were", result.incidents),
                  scene.outputs.report ? "; see report.json" : "");
    }
    print_notes(result.notes);
    print_out("{}. {}\n", counted(result.hits, "hit", "hits"),
              result.files.empty() ? "The scene asks for no outputs." : "Open:");
    for (const std::filesystem::path& file : result.files) print_out("  {}\n", file.string());
    return kFine;
}

/// "yield=2e8" of "material.yield=2e8": what tells variants apart.
std::string last_part(const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    const std::size_t dot = assignment.rfind('.', equals);
    return dot < equals ? assignment.substr(dot + 1) : assignment;
}

/// The variants of the wedges, or the scenes to compare; empty if one cannot be had.
std::vector<Variant> variants_of(const RunArgs& args, const Wedges& wedges) {
    std::vector<Variant> variants;
    for (const std::string& name : args.scenes) {
        for (const std::vector<std::string>& wedge : wedges.variants) {
            std::vector<std::string> overrides = args.overrides;
            overrides.insert(overrides.end(), wedge.begin(), wedge.end());
            std::optional<Scene> scene = open_scene(name, overrides);
            if (!scene) return {};
            if (args.is_draft) make_draft(overrides, *scene);
            std::string caption = args.scenes.size() > 1 ? scene->name : "";
            for (const std::string& field : wedge) {
                caption += (caption.empty() ? "" : " ") + last_part(field);
            }
            variants.push_back({std::move(caption), std::move(*scene)});
        }
    }
    return variants;
}

/// Whether none of the scene's own files would be written over.
bool spares_inputs(const std::string& file_or_name, const Scene& scene,
                   const std::filesystem::path& folder) {
    Paths inputs = scene_inputs(scene);
    inputs.emplace_back(file_or_name);
    const Status fine = check_run_outputs(scene, folder, inputs);
    if (!fine) print_error(fine.error());
    return fine.ok();
}

int run_several(const RunArgs& args) {
    const Result<Wedges> wedges = read_wedges(args.wedges);
    if (!wedges) {
        print_error(wedges.error());
        return kBadInput;
    }
    const std::vector<Variant> variants = variants_of(args, wedges.value());
    if (variants.empty()) return kBadInput;
    const Scene& first = variants.front().scene;
    RunOptions options;
    const std::string name = args.scenes.size() > 1 ? "compare" : first.name + "-wedge";
    options.out = out_folder(args, name);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const std::string& file = args.scenes[i * args.scenes.size() / variants.size()];
        if (!spares_inputs(file, variants[i].scene, options.out)) return kBadInput;
    }
    options.max_frames = args.max_frames;
    std::size_t columns = wedges.value().columns;
    if (args.scenes.size() > 1 && columns == 1) {
        columns =
            static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(variants.size()))));
    }
    catch_interrupts();
    ProgressBar bar(args.is_quiet);
    RunResult result = run_side_by_side(variants, columns, options, bar.callback());
    bar.finish_stage();
    return print_result(args, first, result);
}

int run_one(const RunArgs& args, const Scene& scene) {
    RunOptions options;
    options.out = out_folder(args, scene.name);
    if (!spares_inputs(args.scenes.front(), scene, options.out)) return kBadInput;
    options.max_frames = args.max_frames;
    catch_interrupts();
    ProgressBar bar(args.is_quiet);
    RunResult result = run_scene(scene, options, bar.callback());
    bar.finish_stage();
    return print_result(args, scene, result);
}

int run_once(const RunArgs& args) {
    if (!args.wedges.empty() || args.scenes.size() > 1) return run_several(args);
    std::optional<Scene> scene = open_scene(args.scenes.front(), args.overrides);
    if (!scene) return kBadInput;
    if (args.is_draft) make_draft(args.overrides, *scene);
    return run_one(args, *scene);
}

/// Runs again whenever a file of the scene changes, at once if it does so during a run.
int run_and_watch(const RunArgs& args) {
    const std::string& file = args.scenes.front();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
        print_error({"only a scene file can be watched", file,
                     "`ductile scenes NAME > my.json` makes one of a built-in scene"});
        return kBadInput;
    }
    catch_interrupts();
    for (;;) {
        // Taken before the scene is read: a change in between is one more run, not one too few.
        const FileWatch text({file});
        const LoadedScene look = load_scene(file, args.overrides);
        const FileWatch meshes(scene_inputs(look.scene));
        const auto has_changed = [&] { return text.has_changed() || meshes.has_changed(); };
        stop_when(has_changed);
        run_once(args);
        stop_when({});
        if (!args.is_quiet) print_err("watching {}; Ctrl-C ends\n", file);
        std::fflush(stdout);
        do {
            if (interrupt_signal() != 0) return 128 + interrupt_signal();
            std::this_thread::sleep_for(kWatchPause);
        } while (!has_changed());
    }
}

void add_common(CLI::App& command, const std::shared_ptr<RunArgs>& args) {
    add_overrides(command, args->overrides);
    command.add_option("-o,--out", args->out, "folder for the results [out/NAME]")
        ->type_name("FOLDER")
        ->check(not_empty);
    command.add_option("--max-frames", args->max_frames, "stop after this many frames")
        ->type_name("COUNT")
        ->check(in_range(1, 1e7));
    command.add_flag("--draft", args->is_draft, "small and rough pictures, ten times faster");
    command.add_flag("-q,--quiet", args->is_quiet, "print errors only");
}

void add_wedge(CLI::App& command, const std::shared_ptr<RunArgs>& args) {
    command
        .add_option(
            "--wedge", args->wedges,
            "run variants side by side, as in --wedge material.yield=1e8,2e8,4e8; two make a grid")
        ->type_name("FIELD=VALUES")
        ->allow_extra_args(false);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<RunArgs>();
    CLI::App* command =
        app.add_subcommand("run", "simulate a scene and write film, GLB, picture and report");
    args->scenes.resize(1);
    command
        ->add_option("scene", args->scenes.front(), "a scene file, or the name of a built-in scene")
        ->type_name("SCENE")
        ->required();
    add_common(*command, args);
    add_wedge(*command, args);
    command->add_flag("--watch", args->is_watching,
                      "run again whenever the scene file or a mesh of it changes");
    command->footer(
        "`--set picture.colour_by=strain` (or depth, scratch, example) shows damage as\n"
        "colours;\n"
        "`--set outputs.ply=true` writes the final shapes with their damage;\n"
        "`--set outputs.usd=true` (or pc2, mdd, obj_sequence, ply_sequence, csv) writes every\n"
        "frame for other programs; `--set bodies.*.thickness=0.002` sets a field of all bodies.");
    command->callback([args, &exit_code] {
        exit_code = args->is_watching ? run_and_watch(*args) : run_once(*args);
    });
}

void add_compare(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<RunArgs>();
    CLI::App* command =
        app.add_subcommand("compare", "simulate several scenes and show them side by side");
    command->add_option("scenes", args->scenes, "scene files, or names of built-in scenes")
        ->type_name("SCENE")
        ->required()
        ->expected(2, 64);
    add_common(*command, args);
    command->callback([args, &exit_code] { exit_code = run_once(*args); });
}

void add_demo(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<RunArgs>();
    args->scenes = {"demo"};
    CLI::App* command =
        app.add_subcommand("demo", "barrels, a loading dock and a heavy ball: the first look");
    add_common(*command, args);
    command->callback([args, &exit_code] { exit_code = run_once(*args); });
}

}  // namespace ductile::cli
