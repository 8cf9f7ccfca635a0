// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/export/glb/glb.h>
#include <ductile/record/shown_hash.h>
#include <ductile/render/image.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/build.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/surroundings.h>

#include "command.h"
#include "input_files.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include <fmt/format.h>

#include <charconv>
#include <memory>

namespace ductile::cli {
namespace {

struct ReplayArgs {
    std::string journal;
    std::optional<double> time;
    std::vector<std::string> removed;  ///< "BODY:ID"
    double repair = 0.0;
    bool is_listing = false;
    std::string out;
    ViewArgs view;
};

/// Which hits there are to choose from.
std::string hits_hint(const Journal& journal) {
    const std::span<const Hit> hits = journal.hits();
    if (hits.empty()) return "it has none";
    if (hits.size() == 1) return fmt::format("its only one is {}", hits.front().id);
    return fmt::format("it has {} hits, from {} to {}", hits.size(), hits.front().id,
                       hits.back().id);
}

/// A line per hit, by body: BODY:ID as --remove takes it, when, what, how large and where.
void list_hits(const JournalFile& file) {
    bool is_empty = true;
    for (const BodyJournal& body : file.bodies) {
        const std::int64_t inherited = last_inherited(file.bodies, body);
        for (const Hit& hit : body.journal.hits()) {
            if (hit.id <= inherited) continue;
            const RecordMark mark = record_mark(hit.record);
            const Vec3& p = mark.position_b;
            print_out("{:<16} {:8.4f} s  {:<8} {:.4g} {} at {:.4g}, {:.4g}, {:.4g} m\n",
                      fmt::format("{}:{}", body.name, hit.id), hit.time, record_name(hit.record),
                      mark.size, mark.unit, p.x(), p.y(), p.z());
            is_empty = false;
        }
    }
    if (is_empty) print_out("no hits\n");
}

/// What came of a body has its hits, too.
void remove_inherited(JournalFile& file, const std::string& parent, std::int64_t id) {
    for (BodyJournal& body : file.bodies) {
        if (body.parent != parent || !body.journal.remove(id)) continue;
        remove_inherited(file, body.name, id);
    }
}

/// Takes "barrel-3:2" out of the journals.
Status remove_hit(JournalFile& file, const std::string& argument) {
    const std::size_t colon = argument.rfind(':');
    std::int64_t id = 0;
    const char* end = argument.data() + argument.size();
    const auto read = colon == std::string::npos
                          ? std::from_chars_result{end, std::errc::invalid_argument}
                          : std::from_chars(argument.data() + colon + 1, end, id);
    if (read.ec != std::errc() || read.ptr != end) {
        return Error{"'" + argument + "' is not of the form BODY:ID", "--remove",
                     "such as barrel-3:2"};
    }
    const std::string name = argument.substr(0, colon);
    std::vector<std::string_view> names;
    for (BodyJournal& body : file.bodies) {
        names.push_back(body.name);
        if (body.name != name) continue;
        if (body.journal.remove(id)) {
            remove_inherited(file, name, id);
            return {};
        }
        return Error{fmt::format("body '{}' has no hit {}", name, id), "--remove",
                     hits_hint(body.journal)};
    }
    return Error{"there is no body '" + name + "'", "--remove", suggestion(name, names)};
}

bool can_write(const std::filesystem::path& path) {
    return path.extension() == ".glb" || path.extension() == ".png";
}

/// Requires: can_write(out).
Status write_still(const Scene& scene, const Recording& recording, const std::string& out) {
    const std::filesystem::path path = out;
    if (path.extension() == ".glb") {
        const GlbOptions options{.damage = scene.outputs.damage,
                                 .dense_morphs = scene.outputs.dense_morphs};
        return write_glb(recording, path, options, surroundings(scene, recording));
    }
    Result<SceneView> view = SceneView::make(scene, recording);
    if (!view) return view.error();
    print_notes(view.value().notes());
    const Result<Image> image = view.value().draw_poster(0);
    if (!image) return image.error();
    return write_png(path, image.value());
}

/// Compares what is shown with what the run ended with, and says so.
bool is_as_shown(const ReplayArgs& args, const JournalFile& file, const Recording& still) {
    if (const std::uint64_t shown = shown_hash(still); shown != file.shown_hash) {
        print_error({fmt::format("what is shown is {:016x}, the run ended with {:016x}", shown,
                                 file.shown_hash),
                     args.journal, "was a mesh, a picture, a map or the journal edited?"});
        return false;
    }
    print_out("the same bits as when the run ended\n");
    return true;
}

int replay(const ReplayArgs& args) {
    if (!args.out.empty() && !can_write(args.out)) {
        print_error({"only .glb and .png can be written", args.out, "choose one of these endings"});
        return kBadInput;
    }
    const bool has_picture = std::filesystem::path(args.out).extension() == ".png";
    if (const Status fine = check_view(args.view, has_picture, "write one with -o FILE.png");
        !fine) {
        print_error(fine.error());
        return kBadInput;
    }
    Result<JournalFile> read = read_journals(args.journal);
    if (!read) {
        print_error(read.error());
        return kBadInput;
    }
    JournalFile file = std::move(read).value();
    for (const std::string& argument : args.removed) {
        if (Status done = remove_hit(file, argument); !done) {
            print_error(done.error());
            return kBadInput;
        }
    }
    if (args.is_listing) {
        list_hits(file);
        return kFine;
    }
    if (!args.out.empty()) {
        Paths inputs = scene_inputs(file.scene);
        inputs.emplace_back(args.journal);
        if (const Status fine = check_outputs({args.out}, inputs); !fine) {
            print_error(fine.error());
            return kBadInput;
        }
    }
    const double time = args.time.value_or(file.time);
    if (time > file.time) {
        print_err("note: the run ended at {:.4f} s; after that nothing new happens\n", file.time);
    }
    print_notes(journal_notes(file.scene));
    if (args.repair > 0) {
        for (BodyJournal& body : file.bodies) body.journal.repair({time, 0.0, args.repair});
    }
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(file.scene, {}, stop_flag());
    // A pointer is one within the scene, which lies within the journal.
    const auto in_journal = [&](Error error) {
        if (error.where.starts_with('#')) {
            error.where = args.journal + "#/scene" + error.where.substr(1);
        }
        return error;
    };
    if (!bodies) {
        print_error(error_to_print(in_journal(bodies.error())));
        return exit_code_after(kBadInput);
    }
    const Result<PresentBodies> present = bodies_at(file, bodies.value(), time);
    if (!present) {
        print_error(present.error());
        return kBadInput;
    }
    const std::vector<PreparedBody>& there = present.value().bodies;
    Result<ReplayedShapes> replayed = replay_shapes(file, there, time);
    if (!replayed) {
        print_error(replayed.error());
        return kBadInput;
    }
    ReplayedShapes& shapes = replayed.value();
    std::size_t hits = 0;
    for (const BodyJournal& body : file.bodies) {
        const std::int64_t inherited = last_inherited(file.bodies, body);
        for (const Hit& hit : body.journal.hits()) {
            hits += hit.time <= time && hit.id > inherited ? 1 : 0;
        }
    }
    print_out("{}, shapes at {:.4f} s: {:016x}\n", counted(hits, "hit", "hits"), time,
              shapes.shape_hash);
    const bool is_unchanged = args.removed.empty() && args.repair == 0 && time == file.time;
    if (is_unchanged && shapes.shape_hash != file.shape_hash) {
        print_error({fmt::format("the run ended with shapes {:016x}", file.shape_hash),
                     args.journal, "was it made by another version, or edited?"});
        return kFailed;
    }
    if (!is_unchanged && args.out.empty()) return kFine;
    const Result<Recording> still =
        replay_still(file, there, std::move(shapes), time, {.may_go_on = go_on});
    if (!still) {
        print_error(error_to_print(in_journal(still.error())));
        return exit_code_after(kFailed);
    }
    if (is_unchanged && !is_as_shown(args, file, still.value())) return kFailed;
    if (args.out.empty()) return kFine;
    std::optional<SceneCamera>& poster = file.scene.outputs.poster_camera;
    set_view(args.view, poster ? *poster : file.scene.camera);
    if (Status done = write_still(file.scene, still.value(), args.out); !done) {
        print_error(error_to_print(done.error()));
        return exit_code_after(kFailed);
    }
    print_out("wrote {}\n", args.out);
    return kFine;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<ReplayArgs>();
    CLI::App* command = app.add_subcommand(
        "replay", "rebuild a run's shapes from its journal, at any time, without an engine");
    command->add_option("journal", args->journal, "journal.json of a run")
        ->type_name("FILE")
        ->required();
    command->add_option("--time", args->time, "when; the end of the run if left out")
        ->type_name("SECONDS")
        ->check(in_range(0, 1e9));
    command->add_option("--remove", args->removed, "take a hit out; may be repeated")
        ->type_name("BODY:ID")
        ->allow_extra_args(false);
    command->add_option("--repair", args->repair, "share of all damage to take away, from 0 to 1")
        ->type_name("SHARE")
        ->check(in_range(0.0, 1.0));
    command->add_flag("--list", args->is_listing, "list all hits, as --remove names them");
    add_view_options(*command, args->view);
    command->add_option("-o,--out", args->out, "write the shapes as FILE.glb or FILE.png")
        ->type_name("FILE")
        ->check(not_empty);
    command->callback([args, &exit_code] {
        if (!args->out.empty()) {
            catch_interrupts();
            clean_when_cut_off(std::filesystem::path(args->out).parent_path());
        }
        exit_code = replay(*args);
    });
}

}  // namespace ductile::cli
