// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/scene/scene_press.h>
#include <ductile/sim/press_recording.h>

#include "command.h"
#include "file_watch.h"
#include "input_files.h"
#include "interrupt.h"
#include "out_folder.h"
#include "press_input.h"
#include "press_output.h"
#include "press_plot.h"
#include "press_still.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>

namespace ductile::cli {
namespace {

// How often files are looked at while nothing else is to be done.
constexpr std::chrono::milliseconds kPressPause{200};

struct PressArgs {
    PressSource soft, rigid;
    std::string out, options_file, keys_file, frames, profile, reference;
    PressSetup setup;  ///< Options come from their file and the overrides.
    double frame_rate = 24.0, resolution = 0.0;
    std::vector<std::string> overrides;
    bool is_json = false;
    bool is_quiet = false;
    bool shows_contact = false;
    bool shows_left = false;
    bool plots_rival = false;
    bool is_watching = false;
};

void print_report(PressReport report) {
    const auto print_number = []<class Value>(const Field& field, const Value& value) {
        if constexpr (std::is_arithmetic_v<Value>) {
            const std::string number =
                fmt::format("{:.6g} {}", static_cast<double>(value), field.unit);
            print_out("{:<17} {:<18} {}\n", field.name, number, field.help);
        }
    };
    visit_fields(report, print_number);
    if (report.left) visit_fields(*report.left, print_number);
    for (const std::string& note : report.notes) print_out("note: {}\n", note);
}

/// Fields from a JSON file; without a name there is nothing to read.
template <class Fields>
Status read_fields_of_file(const std::string& file, Fields& fields) {
    if (file.empty()) return {};
    const Result<std::string> text = read_file(file, 1 << 20);
    if (!text) return text.error();
    const Result<Json> json = parse_json(text.value(), file);
    if (!json) return json.error();
    std::vector<Error> errors;
    read_fields(json.value(), fields, "", errors);
    if (errors.empty()) return {};
    return Error{errors[0].what, file + "#" + errors[0].where, errors[0].hint};
}

/// The options of the file, then those of the command line.
Result<PressOptions> read_press_options(const PressArgs& args) {
    PressOptions options;
    if (const Status read = read_fields_of_file(args.options_file, options); !read) {
        return read.error();
    }
    if (const auto errors = set_fields(options, args.overrides); !errors.empty()) {
        return errors.front();
    }
    if (const Status fine = check(options); !fine) return fine.error();
    return options;
}

/// What a file of keys holds.
struct PressKeyList {
    std::vector<PressKey> keys;
};
template <class Visitor>
void visit_fields(PressKeyList& list, Visitor&& field) {
    field(Field{"keys", "", 0, 0, "options that change over time"}, list.keys);
}

/// The keys of the file, their times counted from the first frame that is pressed.
Result<std::vector<PressKey>> read_press_keys(const PressArgs& args, std::size_t first_frame) {
    PressKeyList list;
    if (const Status read = read_fields_of_file(args.keys_file, list); !read) return read.error();
    for (PressKey& key : list.keys) {
        key.time -= static_cast<double>(first_frame) / args.frame_rate;
    }
    return std::move(list.keys);
}

/// An error of a setup's field with the argument that it came from.
Error named_by_argument(const PressArgs& args, const Error& error) {
    if (error.where.starts_with("--")) return error;
    const std::string name = error.where.substr(0, error.where.find('/'));
    std::string where = "--" + name;
    if (name == "keys") where = args.keys_file + "#/" + error.where;
    if (name == "options") where = "--set " + error.where.substr(name.size() + 1);
    if (name == "both") where = "--share";
    if (name == "rigid_region") where = "--rigid-region-map";
    return {error.what, where, error.hint};
}

/// Frames first to last, both included, of an animation.
struct FrameRange {
    std::size_t first = 0, last = 0;
    std::size_t count() const { return last - first + 1; }
};

/// "A:B", "A:", ":B" or "A"; nothing for all.
Result<FrameRange> read_frames(const std::string& text, std::size_t count) {
    FrameRange range{0, count - 1};
    if (text.empty()) return range;
    const Error wrong{fmt::format("'{}' does not name frames", text), "--frames",
                      fmt::format("write A:B, from 0 to {}", count - 1)};
    const auto read = [&](std::string_view word, std::size_t& into) {
        if (word.empty()) return true;
        const char* end = word.data() + word.size();
        const auto done = std::from_chars(word.data(), end, into);
        return done.ec == std::errc() && done.ptr == end;
    };
    const std::size_t colon = text.find(':');
    const std::string_view all = text;
    if (colon == std::string::npos) {
        if (!read(all, range.first)) return wrong;
        range.last = range.first;
    } else if (!read(all.substr(0, colon), range.first) ||
               !read(all.substr(colon + 1), range.last)) {
        return wrong;
    }
    if (range.first > range.last || range.last >= count) return wrong;
    return range;
}

void record_input(const char* name, const PressInput& input, const FrameRange& range,
                  Recording& recording) {
    RecordedBody body;
    body.name = name;
    body.asset = input.asset;
    body.shapes.push_back(input.asset->surface.points);
    std::int32_t shape = 0;
    for (std::size_t f = range.first; f <= range.last; ++f) {
        if (input.at(f) != body.shapes[static_cast<std::size_t>(shape)]) {
            shape = static_cast<std::int32_t>(body.shapes.size());
            body.shapes.push_back(input.at(f));
        }
        recording.frames[f - range.first].bodies.push_back({{}, shape, true});
    }
    recording.bodies.push_back(std::move(body));
}

/// Both bodies over the frames, before the press.
Recording record_inputs(const PressInput& soft, const PressInput& rigid, const FrameRange& range,
                        double frame_rate) {
    Recording recording;
    recording.frame_rate = frame_rate;
    for (std::size_t i = 0; i < range.count(); ++i) {
        recording.frames.emplace_back().time = static_cast<double>(i) / frame_rate;
    }
    record_input("soft", soft, range, recording);
    record_input("rigid", rigid, range, recording);
    return recording;
}

Status make_still(const PressArgs& args, Recording recording, const PressTask& task) {
    ProgressBar bar(args.is_quiet || args.is_json, /*is_for_terminals*/ true);
    bar.show("press", 0.0);
    Result<PressedStill> done = press_still(std::move(recording), task);
    if (!done) return done.error();
    PressedStill& still = done.value();
    still.shows_contact = args.shows_contact;
    still.shows_left = args.shows_left;
    if (still.pressed.report.overlaps == 0) {
        const char* what = "the two do not overlap: there is nothing to press";
        if (std::filesystem::path(args.out).extension() == ".png") {
            return Error{what, args.out, "move one of them with --soft-at or --rigid-at"};
        }
        if (!args.is_quiet) print_notes(std::vector<std::string>{what});
    }
    if (!args.profile.empty()) {
        const Result<std::string> plot = press_plot(still, {args.reference, args.plots_rival});
        if (!plot) return plot.error();
        if (Status written = write_file(args.profile, plot.value()); !written) return written;
    }
    std::vector<std::string> notes;
    bar.show("write", 0.0);
    if (Status written = write_press_still(still, args.out, notes); !written) return written;
    bar.finish_stage();
    if (!args.is_quiet) print_notes(notes);
    const PressReport& report = still.pressed.report;
    if (args.is_json) {
        print_out("{}", json_text(press_report_json(report)));
    } else if (!args.is_quiet) {
        print_report(report);
    }
    return {};
}

Status make_film(const PressArgs& args, Recording recording, const PressTask& task) {
    ProgressBar bar(args.is_quiet || args.is_json);
    const Result<std::vector<PressResult>> done = press_recording(
        recording, std::span(&task, 1), {.may_go_on = go_on, .progress = bar.callback()});
    if (!done) return done.error();
    std::vector<std::string> notes;
    if (Status written = write_press_film(recording, args.out, task.setup.refine.has_value(),
                                          bar.callback(), notes);
        !written) {
        return written;
    }
    bar.finish_stage();
    if (!args.is_quiet) print_notes(notes);
    if (args.is_json) {
        print_out("{}", json_text(press_json(recording, done.value())));
    } else if (!args.is_quiet) {
        for (const std::string& line : press_summary(recording, done.value())) {
            print_out("{}\n", line);
        }
    }
    return {};
}

int refuse(const Error& error, int exit_code = kBadInput) {
    print_error(error_to_print(error));
    return exit_code_after(exit_code);
}

/// The files that a press reads.
Paths press_inputs(const PressArgs& args) {
    Paths files = args.soft.files();
    for (std::filesystem::path& file : args.rigid.files()) files.push_back(std::move(file));
    for (const std::string& file : map_files(args.setup)) files.emplace_back(file);
    for (const std::string& file : {args.options_file, args.keys_file, args.reference}) {
        if (!file.empty()) files.emplace_back(file);
    }
    return files;
}

/// Looks at what would only show after minutes of work. Requires: a known kind of output.
Status check_press_outputs(const PressArgs& args) {
    const std::filesystem::path out = args.out;
    Paths outputs = {out};
    if (!args.profile.empty()) outputs.emplace_back(args.profile);
    const bool is_cache = out.extension() == ".pc2" || out.extension() == ".mdd";
    if (is_cache && args.setup.refine) {
        outputs.push_back(std::filesystem::path(out).replace_extension(".obj"));
    }
    if (Status fine = check_outputs(outputs, press_inputs(args)); !fine) return fine;
    const bool is_film = out.extension() == ".mp4" || out.extension() == ".webm";
    return is_film ? find_ffmpeg("write .glb or .usda") : Status{};
}

int press_once(const PressArgs& args) {
    const PressOutputKind kind = press_output_kind(args.out);
    if (kind == PressOutputKind::Unknown) {
        return refuse({"it must end in .obj, .ply, .glb, .png, .pc2, .mdd, .usda, .mp4 or .webm",
                       args.out, ""});
    }
    if (const Status fine = check_press_outputs(args); !fine) return refuse(fine.error());
    const Result<PressOptions> options = read_press_options(args);
    if (!options) return refuse(options.error());
    const Result<PressInput> soft = open_press_input(args.soft);
    if (!soft) return refuse(soft.error());
    const Result<PressInput> rigid = open_press_input(args.rigid);
    if (!rigid) return refuse(rigid.error());
    if (!args.is_quiet) print_notes(soft.value().notes);
    if (!args.is_quiet) print_notes(rigid.value().notes);
    const std::size_t count = std::max(soft.value().frames.size(), rigid.value().frames.size());
    const Result<FrameRange> range = read_frames(args.frames, count);
    if (!range) return refuse(range.error());
    const bool is_still = range.value().count() == 1 && kind != PressOutputKind::Film;
    if (!is_still && (kind == PressOutputKind::Still || args.shows_contact || args.shows_left)) {
        return refuse(
            {fmt::format("a file of this kind cannot hold {} frames", range.value().count()),
             args.out, "choose one with --frames N, or write .glb, .pc2, .mdd, .usda, .mp4"});
    }
    if (!is_still && !args.profile.empty()) {
        return refuse(
            {"it works on one frame, not on a film", "--profile", "choose one with --frames N"});
    }
    PressSetup setup = args.setup;
    setup.options = options.value();
    Result<std::vector<PressKey>> keys = read_press_keys(args, range.value().first);
    if (!keys) return refuse(keys.error());
    setup.keys = std::move(keys).value();
    Result<PressTask> task =
        press_task(std::move(setup), *soft.value().asset, *rigid.value().asset);
    if (!task) return refuse(named_by_argument(args, task.error()));
    task.value().refines_itself = !keeps_vertices(args.out);
    Recording recording =
        record_inputs(soft.value(), rigid.value(), range.value(), args.frame_rate);
    const Status done = is_still ? make_still(args, std::move(recording), task.value())
                                 : make_film(args, std::move(recording), task.value());
    return done ? kFine : refuse(done.error(), kFailed);
}

/// Presses again whenever a file that was read changes, at once if it does so meanwhile.
int press_and_watch(const PressArgs& args) {
    const Paths files = press_inputs(args);
    if (files.empty()) {
        return refuse({"there is no file to watch", "--watch", "press mesh files, or --options"});
    }
    if (const Status fine = check_press_outputs(args); !fine) return refuse(fine.error());
    for (;;) {
        const FileWatch watch(files);
        const auto has_changed = [&] { return watch.has_changed(); };
        stop_when(has_changed);
        press_once(args);
        stop_when({});
        std::fflush(stdout);
        if (!args.is_quiet) print_err("watching {} files; Ctrl-C ends\n", files.size());
        do {
            if (interrupt_signal() != 0) return 128 + interrupt_signal();
            std::this_thread::sleep_for(kPressPause);
        } while (!has_changed());
    }
}

void add_bodies(CLI::App& command, PressArgs& args) {
    command.add_option("soft", args.soft.name, "a mesh file, or a solid's name, as in sphere")
        ->type_name("SOFT")
        ->required()
        ->check(not_empty);
    command.add_option("rigid", args.rigid.name, "what presses: the same")
        ->type_name("RIGID")
        ->required()
        ->check(not_empty);
    const auto add_triple = [&](const char* name, std::vector<double>& value, const char* help) {
        command.add_option(name, value, help)
            ->type_name("X,Y,Z")
            ->delimiter(',')
            ->expected(3)
            ->check(in_range(-1e4, 1e4));
    };
    add_triple("--soft-at", args.soft.at, "move the soft mesh by so much [m]");
    add_triple("--rigid-at", args.rigid.at, "move the rigid mesh by so much [m]");
    add_triple("--soft-size", args.soft.size, "of a soft solid [m]");
    add_triple("--rigid-size", args.rigid.size, "of a rigid solid [m]");
    command.add_option("--resolution", args.resolution, "edge length of solids [m]")
        ->type_name("NUMBER")
        ->check(in_range(0, 1e4));
    command.add_option("--soft-cache", args.soft.cache, "a PC2 or MDD that moves the soft mesh")
        ->type_name("FILE")
        ->check(not_empty);
    command.add_option("--rigid-cache", args.rigid.cache, "the same for the rigid mesh")
        ->type_name("FILE")
        ->check(not_empty);
    command.add_option("--frames", args.frames, "of an animation: A:B, both included, or one")
        ->type_name("A:B")
        ->check(not_empty);
    command
        .add_option("--frame-rate", args.frame_rate,
                    "at which glTF animations are read and results played [24]")
        ->type_name("NUMBER")
        ->check(in_range(1, 240));
}

void add_setup(CLI::App& command, PressArgs& args) {
    PressSetup& setup = args.setup;
    const auto add_map = [&](const char* name, std::optional<PaintedMap>& map, const char* help) {
        const auto set = [&map](const std::string& text) { map = painted_map_argument(text); };
        command.add_option_function<std::string>(name, set, help)
            ->type_name("FILE|CHANNEL|=FORMULA")
            ->check(not_empty);
    };
    add_map("--stiffness-map", setup.maps.stiffness,
            "factors of the stiffness: numbers in a file, one per vertex; or red, green, blue, "
            "alpha or mean of the soft mesh's vertex colours; or a formula of x, y, z after =");
    add_map("--bulge-map", setup.maps.bulge, "factors of the bulge: the same");
    add_map("--region-map", setup.maps.region,
            "what of the soft body may be pressed, 1 yes and 0 no: the same");
    add_map("--rigid-region-map", setup.rigid_region,
            "what of the rigid body presses, 1 yes and 0 no: the same for that one");
    const auto set_detail = [&](std::int32_t rounds) { setup.detail = {.rounds = rounds}; };
    CLI::Option* detail =
        command
            .add_option_function<std::int32_t>(
                "--detail", set_detail,
                "press a surface smoothed by so many rounds; its detail comes back "
                "outside the contact")
            ->type_name("ROUNDS")
            ->check(in_range(1, 1000));
    CLI::Option* refine = command.add_flag_callback(
        "--refine", [&] { setup.refine.emplace(); },
        "make the soft mesh finer where it is stretched");
    command.add_flag_callback(
        "--proxy",
        [&] {
            if (!setup.proxy) setup.proxy.emplace();
        },
        "draw a rigid mesh that is swallowed whole out to the surface first");
    const auto set_direction = [&](const std::vector<double>& xyz) {
        setup.proxy = PressProxyOptions{Vec3(xyz[0], xyz[1], xyz[2])};
    };
    command
        .add_option_function<std::vector<double>>(
            "--proxy-from", set_direction,
            "the same, drawn out to where it came from, as soon as it goes in")
        ->type_name("X,Y,Z")
        ->delimiter(',')
        ->expected(3)
        ->check(in_range(-1e6, 1e6));
    const auto set_share = [&](double share) { setup.both = PressOtherBody{.share = share}; };
    command
        .add_option_function<double>(
            "--share", set_share,
            "both are soft: how much of the overlap the first one gives way by")
        ->type_name("SHARE")
        ->check(in_range(0, 1))
        ->excludes(detail)
        ->excludes(refine);
    detail->excludes(refine);
    CLI::Option* profile =
        command.add_option("--profile", args.profile, "also plot a cut across z as FILE.svg")
            ->type_name("FILE")
            ->check(not_empty);
    command
        .add_flag("--rival", args.plots_rival,
                  "plot with it what moving points inside to the nearest rigid places gives")
        ->needs(profile);
    command
        .add_option("--reference", args.reference, "points to plot with it: a CSV of x and y [m]")
        ->type_name("FILE")
        ->check(not_empty)
        ->needs(profile);
}

}  // namespace

void add_press(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<PressArgs>();
    args->rigid.colour = Vec3(0.2, 0.24, 0.3);
    CLI::App* command = app.add_subcommand(
        "press", "squash a soft mesh onto a rigid one that it overlaps, and let it bulge");
    add_bodies(*command, *args);
    add_setup(*command, *args);
    command
        ->add_option("-o,--out", args->out,
                     "the result: .obj, .ply, .glb or .png of one frame; .glb, .pc2, .mdd, .usda, "
                     ".mp4 or .webm of all")
        ->type_name("FILE")
        ->required()
        ->check(not_empty);
    add_overrides(*command, args->overrides,
                  "change an option, as in --set bulge=0.5; may be repeated: the table in "
                  "docs/deformers/press.md");
    command
        ->add_option("--options", args->options_file,
                     "a JSON file of options; --set comes after it")
        ->type_name("FILE")
        ->check(not_empty);
    command
        ->add_option("--keys", args->keys_file,
                     "a JSON file {\"keys\": [...]} of options that change over an animation")
        ->type_name("FILE")
        ->check(not_empty);
    CLI::Option* contact = command->add_flag(
        "--show-contact", args->shows_contact,
        "paint the contact zone and the radial parameter; a PNG leaves the rigid body out");
    command
        ->add_flag("--show-left", args->shows_left,
                   "paint what is left: blue to red what is inside, yellow folds, magenta "
                   "self-crossings; a PNG leaves the rigid body out")
        ->excludes(contact);
    command->add_flag("--json", args->is_json, "the report as JSON");
    command->add_flag("--watch", args->is_watching,
                      "press again whenever a mesh, cache or options file changes");
    command->add_flag("-q,--quiet", args->is_quiet, "print errors only");
    command->callback([args, &exit_code] {
        for (PressSource* source : {&args->soft, &args->rigid}) {
            source->resolution = args->resolution;
            source->frame_rate = args->frame_rate;
        }
        catch_interrupts();
        clean_when_cut_off(std::filesystem::path(args->out).parent_path());
        exit_code = args->is_watching ? press_and_watch(*args) : press_once(*args);
    });
}

}  // namespace ductile::cli
