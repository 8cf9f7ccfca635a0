// SPDX-License-Identifier: MIT
#include "command.h"
#include "interrupt.h"
#include "progress_bar.h"
#include "run_scene.h"
#include <fmt/format.h>

#include <memory>

namespace ductile::cli {
namespace {

struct RunWords {
    std::string scene;
    std::vector<std::string> overrides;
    std::string out;
    std::int32_t max_frames = 0;
    bool is_draft = false;
    bool is_quiet = false;
};

int run(const RunWords& words) {
    std::optional<Scene> scene = open_scene(words.scene, words.overrides);
    if (!scene) return kBadInput;
    if (words.is_draft) {
        // Half the size and a quarter of the rays: a look at the motion in a tenth of the time.
        scene->picture.width = std::max(2, scene->picture.width / 2);
        scene->picture.height = std::max(2, scene->picture.height / 2);
        scene->picture.samples = std::max(1, scene->picture.samples / 4);
    }
    RunOptions options;
    options.out = words.out.empty() ? std::filesystem::path("out") / scene->name
                                    : std::filesystem::path(words.out);
    options.max_frames = words.max_frames;
    catch_interrupts();
    ProgressBar bar(words.is_quiet);
    RunResult result = run_scene(*scene, options, bar.callback());
    bar.finish_stage();
    if (result.error) {
        // A body that cannot be made is pointed to within the scene.
        std::string& where = result.error->where;
        if (where.starts_with('#')) where = words.scene + where;
        print_error(*result.error);
        return result.exit_code;
    }
    if (words.is_quiet) return kFine;
    if (result.incidents > 0) {
        fmt::print(stderr, "note: {} incidents were contained{}\n", result.incidents,
                   scene->outputs.report ? "; report.json tells" : "");
    }
    for (const std::string& note : result.notes) fmt::print(stderr, "note: {}\n", note);
    fmt::print("{} hits. {}\n", result.hits,
               result.files.empty() ? "The scene asks for no outputs." : "Open:");
    for (const std::filesystem::path& file : result.files) fmt::print("  {}\n", file.string());
    return kFine;
}

void add_common(CLI::App& command, const std::shared_ptr<RunWords>& words) {
    add_overrides(command, words->overrides);
    command.add_option("-o,--out", words->out, "folder for the results [out/NAME]")
        ->type_name("FOLDER")
        ->check(not_empty);
    command.add_option("--max-frames", words->max_frames, "stop after this many frames")
        ->type_name("COUNT")
        ->check(in_range(1, 1e7));
    command.add_flag("--draft", words->is_draft, "small and rough pictures, ten times faster");
    command.add_flag("-q,--quiet", words->is_quiet, "print errors only");
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto words = std::make_shared<RunWords>();
    CLI::App* command =
        app.add_subcommand("run", "simulate a scene and write film, GLB, picture and report");
    command->add_option("scene", words->scene, "a scene file, or the name of a built-in scene")
        ->type_name("SCENE")
        ->required();
    add_common(*command, words);
    command->footer(
        "`--set picture.colour_by=strain` (or depth, scratch) shows damage as colours;\n"
        "`--set outputs.ply=true` writes the final shapes with their damage;\n"
        "`--set outputs.usd=true` (or pc2, mdd, obj_sequence, ply_sequence, csv) writes every\n"
        "frame for other programs.");
    command->callback([words, &exit_code] { exit_code = run(*words); });
}

void add_demo(CLI::App& app, int& exit_code) {
    auto words = std::make_shared<RunWords>();
    words->scene = "demo";
    CLI::App* command =
        app.add_subcommand("demo", "barrels, a loading dock and a heavy ball: the first look");
    add_common(*command, words);
    command->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace ductile::cli
