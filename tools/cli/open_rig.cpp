// SPDX-License-Identifier: MIT
#include "open_rig.h"

#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>
#include <ductile/io/read_model.h>

#include "command.h"
#include "interrupt.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <set>
#include <system_error>

namespace ductile::cli {
namespace {

// The file's joints are the handles, its animations and morph targets the poses.
Status take_skin(RigFile& rig) {
    const Result<Model> model = read_model(rig.mesh, {.stop = stop_flag()});
    if (!model) return model.error();
    rig.weights = WeightSource::Skin;
    std::set<std::string> names;
    const auto add = [&](const std::string& name, std::string PoseSource::*way) {
        if (name.empty() || !names.insert(name).second) return;
        PoseSource& pose = rig.poses.emplace_back();
        pose.name = name;
        pose.*way = name;
    };
    for (const ModelAnimation& animation : model.value().animations) {
        add(animation.name, &PoseSource::animation);
    }
    for (const ModelMesh& mesh : model.value().meshes) {
        for (const ModelMorph& morph : mesh.morphs) add(morph.name, &PoseSource::morph);
    }
    return {};
}

LoadedRigFile rig_of_mesh(const RigArgs& args) {
    LoadedRigFile out;
    out.rig.mesh = args.input;
    if (args.takes_skin) {
        if (const Status taken = take_skin(out.rig); !taken) out.errors.push_back(taken.error());
    }
    for (Error& error : set_fields(out.rig, args.overrides)) {
        out.errors.push_back(std::move(error));
    }
    return out;
}

}  // namespace

void add_rig_options(CLI::App& command, RigArgs& args) {
    command
        .add_option(
            "rig", args.input,
            "a mesh file, a rig file (.json), or a built-in rig: " +
                [] {
                    std::string names;
                    for (const BuiltinRig& rig : builtin_rigs()) {
                        names += (names.empty() ? "" : ", ") + std::string(rig.name);
                    }
                    return names;
                }())
        ->type_name("MESH|RIG")
        ->required()
        ->check(not_empty);
    command.add_flag("--skin", args.takes_skin,
                     "of a mesh file: its joints are the handles, its animations and shape keys "
                     "the poses");
    add_overrides(command, args.overrides,
                  "change a field, as in --set handle_count=32; may be repeated: the table in "
                  "docs/rigging.md");
    command.add_option("--width", args.width, "pixels across, of one picture [640]")
        ->type_name("PIXELS")
        ->check(in_range(16, 4096));
    command.add_option("--height", args.height, "pixels down [480]")
        ->type_name("PIXELS")
        ->check(in_range(16, 4096));
    command.add_option("--samples", args.samples, "rays per pixel [32]")
        ->type_name("NUMBER")
        ->check(in_range(1, 1024));
    add_view_options(command, args.view);
    command.add_flag("-q,--quiet", args.is_quiet, "print errors only");
}

std::optional<OpenedRig> open_rig(const RigArgs& args) {
    std::error_code ignored;
    const std::filesystem::path path = args.input;
    const BuiltinRig* builtin = find_builtin_rig(args.input);
    const std::filesystem::file_status there = std::filesystem::status(path, ignored);
    // As with scenes, a folder of a built-in rig's name holds results of it.
    const bool is_there =
        std::filesystem::exists(there) && !(builtin && std::filesystem::is_directory(there));
    if (!is_there && !builtin) {
        print_error({"there is no file and no built-in rig of that name", args.input,
                     builtin_rig_hint(args.input)});
        return std::nullopt;
    }
    LoadedRigFile loaded;
    if (!is_there) {
        loaded = load_builtin_rig(*builtin, args.overrides);
    } else if (path.extension() == ".json") {
        loaded = load_rig(path, args.overrides);
    } else {
        loaded = rig_of_mesh(args);
    }
    if (!loaded.ok()) {
        print_errors(loaded.errors);
        return std::nullopt;
    }
    OpenedRig out{path.stem().string(), std::move(loaded.rig), {}};
    if (out.name.ends_with(".rig")) out.name.resize(out.name.size() - 4);  // as we name them
    if (out.name.empty()) out.name = "rig";
    if (is_there) out.inputs.push_back(path);
    for_each_file(out.file, [&](std::string& name) {
        if (!name.empty()) out.inputs.push_back(out.file.folder / name);
    });
    return out;
}

std::optional<BuiltRig> build_opened(const OpenedRig& rig, const RigArgs& args) {
    ProgressBar bar(args.is_quiet);
    Result<BuiltRig> built = build_rig(rig.file, bar.callback(), stop_flag());
    bar.finish_stage();
    if (built) return std::move(built).value();
    Error error = built.error();
    if (error.where.starts_with('/')) error.where = args.input + "#" + error.where;
    print_error(error_to_print(error));
    return std::nullopt;
}

void print_rig(const BuiltRig& built) {
    const Rig& rig = built.rig;
    print_out("{}", counted(static_cast<std::int64_t>(rig.handles.size()), "handle", "handles"));
    if (built.lattice) {
        print_out(", a lattice of {} nodes and {} tetrahedra, cells of {:.4g} m",
                  built.lattice->points().size(), built.lattice->tets().size(), rig.cell);
    }
    const double mean = rig.weights.size() > 0
                            ? double(rig.weights.handle.size()) / double(rig.weights.size())
                            : 0.0;
    print_out("; {:.1f} handles a point on average\n", mean);
    for (const PoseReport& pose : built.poses) {
        print_out("  pose {} from {}", pose.name, pose.source);
        if (pose.rms) {
            print_out(": off by {:.2g} % of the size on average, {:.2g} % at worst",
                      100.0 * *pose.rms / built.size, 100.0 * pose.worst.value_or(0) / built.size);
        }
        print_out("\n");
        for (const HandleSuggestion& s : pose.suggestions) {
            print_out("    a handle at {:.4g}, {:.4g}, {:.4g} would help: off by {:.2g} %\n",
                      s.place.x(), s.place.y(), s.place.z(), 100.0 * s.distance / built.size);
        }
    }
    print_notes(built.notes);
}

}  // namespace ductile::cli
