// SPDX-License-Identifier: MIT
#include <ductile/core/file_names.h>
#include <ductile/core/names.h>
#include <ductile/material/material.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/idle_settings.h>
#include <ductile/scene/rig_file.h>
#include <ductile/scene/scene_file.h>

#include "command.h"
#include "print.h"
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace ductile::cli {
namespace {

// Where a built-in scene looks for the files that it names: in the project that it came from, if
// the command runs there, else in what was installed beside the command.
std::filesystem::path files_of_scene(const BuiltinScene& scene) {
    const std::filesystem::path project = "scenes";
    std::error_code error;
    if (std::filesystem::exists(project / (std::string(scene.name) + ".json"), error)) {
        return project;
    }
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? project : self.parent_path().parent_path() / "share" / "ductile" / "scenes";
}

std::string builtin_hint(const std::string& typed) {
    std::vector<std::string_view> names;
    for (const BuiltinScene& b : builtin_scenes()) names.push_back(b.name);
    const std::string near = nearest_name(typed, names);
    return near.empty() ? "`ductile scenes` lists the built-in ones"
                        : "did you mean '" + near + "'?";
}

int show_scene(const std::string& name) {
    for (const BuiltinScene& b : builtin_scenes()) {
        if (name != b.name) continue;
        print_out("{}", b.text);
        return kFine;
    }
    print_error({"there is no built-in scene of that name", name, builtin_hint(name)});
    return kBadInput;
}

}  // namespace

std::optional<Scene> open_scene(const std::string& file_or_name,
                                const std::vector<std::string>& overrides) {
    LoadedScene loaded;
    const BuiltinScene* builtin = nullptr;
    for (const BuiltinScene& b : builtin_scenes()) {
        if (b.name == file_or_name) builtin = &b;
    }
    std::error_code ignored;
    const std::filesystem::file_status there = std::filesystem::status(file_or_name, ignored);
    // A folder of that name holds results of the scene more likely than it was meant.
    const bool is_file = std::filesystem::exists(there) && !std::filesystem::is_directory(there);
    if (!builtin || is_file) {
        if (!std::filesystem::exists(there)) {
            print_error({"there is no file and no built-in scene of that name", file_or_name,
                         builtin_hint(file_or_name)});
            return std::nullopt;
        }
        loaded = load_scene(file_or_name, overrides);
    } else {
        loaded = parse_scene(builtin->text, std::string(builtin->name) + ".json", overrides,
                             files_of_scene(*builtin));
        if (loaded.scene.name.empty()) loaded.scene.name = builtin->name;
    }
    if (!loaded.ok()) {
        print_errors(loaded.errors);
        return std::nullopt;
    }
    if (!is_file_name(loaded.scene.name)) {
        print_error({"'" + loaded.scene.name + "' cannot be the name of a file",
                     file_or_name + "#/name", "up to 200 characters without / and a dot in front"});
        return std::nullopt;
    }
    return loaded.scene;
}

void add_check(CLI::App& app, int& exit_code) {
    struct CheckArgs {
        std::vector<std::string> scenes;
        std::vector<std::string> overrides;
    };
    auto args = std::make_shared<CheckArgs>();
    CLI::App* command = app.add_subcommand("check", "report every mistake in scene files");
    command->add_option("scene", args->scenes, "scene files, or names of built-in scenes")
        ->type_name("SCENE")
        ->required();
    add_overrides(*command, args->overrides);
    command->callback([args, &exit_code] {
        for (const std::string& name : args->scenes) {
            const std::optional<Scene> scene = open_scene(name, args->overrides);
            std::vector<Error> errors;
            if (scene) errors = check_shapes(*scene);
            for (Error& error : errors) error.where = name + "#" + error.where;
            print_errors(errors);
            if (scene && errors.empty()) {
                print_out("{}: fine\n", name);
                print_notes(idle_settings(*scene));
            } else {
                exit_code = kBadInput;
            }
        }
    });
}

void add_schema(CLI::App& app, int&) {
    CLI::App* command =
        app.add_subcommand("schema", "print the JSON Schema of scene files, for editors");
    auto is_rig = std::make_shared<bool>(false);
    command->add_flag("--rig", *is_rig, "that of rig files");
    command->callback(
        [is_rig] { print_out("{}", *is_rig ? rig_schema_text() : scene_schema_text()); });
}

void add_scenes(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("scenes", "list the built-in scenes");
    auto shown = std::make_shared<std::string>();
    command->add_option("name", *shown, "print this scene's text, to start one of your own")
        ->type_name("NAME")
        ->check(not_empty);
    command->callback([shown, &exit_code] {
        if (!shown->empty()) {
            exit_code = show_scene(*shown);
            return;
        }
        for (const BuiltinScene& b : builtin_scenes()) {
            const LoadedScene loaded = parse_scene(b.text, std::string(b.name), {});
            print_out("{:<16} {}\n", b.name, loaded.scene.description);
        }
    });
}

void add_materials(CLI::App& app, int&) {
    CLI::App* command = app.add_subcommand("materials", "list the material cards");
    command->callback([] {
        print_out("{:<15} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>12}\n", "", "density", "modulus",
                  "Poisson", "yield", "hardness", "friction", "restitution");
        print_out("{:<15} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "", "kg/m^3", "GPa", "", "MPa", "MPa");
        for (const Material& m : material_cards()) {
            print_out("{:<15} {:>8.0f} {:>8.3g} {:>8.2f} {:>8.4g} {:>9.4g} {:>9.2f} {:>12.2f}\n",
                      m.name, m.density, 1e-9 * m.youngs_modulus, m.poissons_ratio,
                      1e-6 * m.yield_stress, 1e-6 * m.hardness(), m.friction, m.restitution);
        }
    });
}

}  // namespace ductile::cli
