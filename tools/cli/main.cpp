// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/names.h>

#include "command.h"
#include "print.h"
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

namespace ductile::cli {

void print_error(const Error& error) { print_err("error: {}\n", error.text()); }

void print_errors(std::span<const Error> errors) {
    for (const Error& error : errors) print_error(error);
}

void print_notes(std::span<const std::string> notes) {
    for (const std::string& note : notes) print_err("note: {}\n", note);
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides,
                   const std::string& help) {
    command.add_option("--set", overrides, help)->type_name("FIELD=VALUE")->allow_extra_args(false);
}

std::string not_empty(const std::string& value) { return value.empty() ? "is empty" : ""; }

std::function<std::string(const std::string&)> ends_in(std::string_view extension) {
    return [=](const std::string& path) {
        const bool is_fine = path.size() > extension.size() && path.ends_with(extension);
        return is_fine ? "" : fmt::format("'{}' must end in {}", path, extension);
    };
}

std::function<std::string(const std::string&)> in_range(double lower, double upper) {
    return [=](const std::string& text) -> std::string {
        double value = 0.0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, value);
        if (read.ec == std::errc() && read.ptr == end && value >= lower && value <= upper) {
            return "";
        }
        return fmt::format("'{}' is not a number from {} to {}", text, lower, upper);
    };
}

namespace {

/// The first argument that is not an option: what the user meant to do.
std::string first_command(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] != '-') return argv[i];
    }
    return "";
}

bool is_any(const CLI::App*) { return true; }

/// The first word that looks like an option and is none of them, with what to try instead; else
/// nothing.
std::optional<Error> unknown_option(const CLI::App& command, int argc, char** argv) {
    std::vector<std::string_view> known;  // Without dashes, which would make all of them alike.
    for (const CLI::Option* option : command.get_options()) {
        known.insert(known.end(), option->get_lnames().begin(), option->get_lnames().end());
    }
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (!word.starts_with("--") || word.size() == 2) continue;
        const std::string_view name = word.substr(2, word.find('=') - 2);
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = nearest_name(name, known);
        return Error{fmt::format("there is no option --{}", name), "",
                     near.empty() ? "" : "did you mean --" + near + "?"};
    }
    return std::nullopt;
}

/// What CLI11 found wrong, in words of people: "--picture: 1 required FILE missing" and the like.
std::string plain_misuse(std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    const std::size_t colon = what.find(": ");
    const std::string name = what.substr(0, colon);
    const std::string rest = colon == what.npos ? "" : what.substr(colon + 2);
    const std::string required = " required ", missing = " missing", received = " but received ";
    if (what.ends_with("disallowed flag override")) {
        return "--" + what.substr(0, what.find(' ')) + " takes no value";
    }
    if (name.starts_with("The following argument")) {
        const std::size_t last = rest.rfind(' ');  // it counts from the last one
        return fmt::format("'{}' is not expected", rest.substr(last == rest.npos ? 0 : last + 1));
    }
    if (const std::size_t at = rest.find(required); at != rest.npos && rest.ends_with(missing)) {
        const std::size_t from = at + required.size();
        return name + " needs " + rest.substr(from, rest.size() - missing.size() - from);
    }
    if (const std::size_t at = rest.find(received); at != rest.npos) {
        const std::string count = rest.substr(0, rest.find(required.substr(0, 9)));
        return fmt::format("{} takes {} value{}, found {}", name,
                           count.substr(count.rfind(' ') + 1), count.ends_with(" 1") ? "" : "s",
                           rest.substr(at + received.size()));
    }
    return what;
}

int report_misuse(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
    const std::string name = first_command(argc, argv);
    std::vector<std::string> names;
    const CLI::App* command = nullptr;
    for (const CLI::App* a : app.get_subcommands(is_any)) {
        names.push_back(a->get_name());
        if (a->get_name() == name) command = a;
    }
    if (!command && !name.empty()) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        print_error({"there is no command '" + name + "'", "", suggestion(name, known)});
        return kBadInput;
    }
    const std::string help = command ? "see `ductile " + name + " --help`" : "see `ductile --help`";
    std::optional<Error> unknown = unknown_option(command ? *command : app, argc, argv);
    if (unknown) {
        if (unknown->hint.empty()) unknown->hint = help;
        print_error(*unknown);
        return kBadInput;
    }
    print_error({name.empty() ? "nothing to do" : plain_misuse(problem.what()), "", help});
    return kBadInput;
}

/// What was printed may still wait in a buffer, and the disk behind it be full.
int flushed(int exit_code) {
    const int failure = close_output();
    if (failure == 0) return exit_code;
    print_error({std::string("cannot write: ") + std::strerror(failure), "standard output", ""});
    return kFailed;
}

}  // namespace

int run_command(int argc, char** argv) {
    open_streams();
    CLI::App app{"ductile: impacts in, shapes out. Rigid bodies that dent when they are hit.",
                 "ductile"};
    app.require_subcommand(1);
    app.option_defaults()->disable_flag_override();
    app.set_version_flag("--version", "ductile " DUCTILE_VERSION);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND ...");
    app.get_formatter()->label("REQUIRED", "");
    app.footer("`ductile COMMAND --help` says more about a command. Start with `ductile demo`.");
    int exit_code = kFine;
    add_demo(app, exit_code);
    add_run(app, exit_code);
    add_compare(app, exit_code);
    add_replay(app, exit_code);
    add_check(app, exit_code);
    add_info(app, exit_code);
    add_press(app, exit_code);
    add_bones(app, exit_code);
    add_segments(app, exit_code);
    add_cut(app, exit_code);
    add_plot(app, exit_code);
    add_map(app, exit_code);
    add_rig(app, exit_code);
    add_pose(app, exit_code);
    add_poke(app, exit_code);
    add_scenes(app, exit_code);
    add_materials(app, exit_code);
    add_validate(app, exit_code);
    add_schema(app, exit_code);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        command->group("Commands");
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) return report_misuse(app, e, argc, argv);
        return flushed(app.exit(e));  // help or version
    } catch (const std::bad_alloc&) {
        print_error({"there is not enough memory for this", "", "make it smaller or coarser"});
        return kFailed;
    } catch (const std::exception& e) {
        // Nothing of ours throws; what is left is a library in trouble.
        print_error({e.what(), "", ""});
        return kFailed;
    }
    return flushed(exit_code);
}

}  // namespace ductile::cli

int main(int argc, char** argv) { return ductile::cli::run_command(argc, argv); }
