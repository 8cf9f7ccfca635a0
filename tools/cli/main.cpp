// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>

#include "command.h"
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>

namespace ductile::cli {

void print_error(const Error& error) { fmt::print(stderr, "error: {}\n", error.text()); }

void print_errors(std::span<const Error> errors) {
    for (const Error& error : errors) print_error(error);
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
    command
        .add_option("--set", overrides,
                    "override a field, as in --set bodies.ball.velocity.x=-12; may be repeated")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
}

std::string not_empty(const std::string& value) { return value.empty() ? "is empty" : ""; }

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

int report_misuse(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
    const std::string command = first_command(argc, argv), first = argc < 2 ? "" : argv[1];
    std::vector<std::string> commands;
    for (const CLI::App* a : app.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(a->get_name());
    }
    const bool is_known = std::find(commands.begin(), commands.end(), command) != commands.end();
    if (!is_known && !command.empty()) {
        const std::vector<std::string_view> known(commands.begin(), commands.end());
        print_error({"there is no command '" + command + "'", "", suggestion(command, known)});
    } else {
        std::string what = problem.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        if (command.empty()) what = argc < 2 ? "nothing to do" : "there is no option " + first;
        print_error(
            {what, "", is_known ? "see `ductile " + command + " --help`" : "see `ductile --help`"});
    }
    return kBadInput;
}

/// What was printed may still wait in a buffer, and the disk behind it be full.
int flushed(int exit_code) {
    if (std::fflush(stdout) == 0) return exit_code;
    print_error({std::string("cannot write: ") + std::strerror(errno), "standard output", ""});
    return kFailed;
}

}  // namespace

int run_command(int argc, char** argv) {
    CLI::App app{"ductile: impacts in, shapes out. Rigid bodies that dent when they are hit.",
                 "ductile"};
    app.require_subcommand(1);
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
    add_scenes(app, exit_code);
    add_materials(app, exit_code);
    add_schema(app, exit_code);
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        command->group("Commands");
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) return report_misuse(app, e, argc, argv);
        return flushed(app.exit(e));  // help or version
    } catch (const std::exception& e) {
        // Nothing of ours throws; what is left is fmt with a full disk, or no memory.
        print_error({e.what(), "", ""});
        return kFailed;
    }
    return flushed(exit_code);
}

}  // namespace ductile::cli

int main(int argc, char** argv) { return ductile::cli::run_command(argc, argv); }
