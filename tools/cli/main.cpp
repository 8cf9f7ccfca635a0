// SPDX-License-Identifier: MIT
#include "command.h"
#include <fmt/format.h>

#include <exception>

namespace ductile::cli {

void print_error(const Error& error) { fmt::print(stderr, "error: {}\n", error.text()); }

void print_errors(std::span<const Error> errors) {
    for (const Error& error : errors) print_error(error);
}

}  // namespace ductile::cli

int main(int argc, char** argv) {
    using namespace ductile::cli;
    CLI::App app{"ductile: impacts in, shapes out. Rigid bodies that dent when they are hit."};
    app.require_subcommand(1);
    app.set_version_flag("--version", "ductile " DUCTILE_VERSION);
    app.footer("\n`ductile WORD --help` tells more about a word. Start with `ductile demo`.");
    int exit_code = kFine;
    add_demo(app, exit_code);
    add_run(app, exit_code);
    add_replay(app, exit_code);
    add_check(app, exit_code);
    add_scenes(app, exit_code);
    add_materials(app, exit_code);
    add_schema(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? kFine : kBadInput;
    } catch (const std::exception& e) {
        // Nothing of ours throws; what is left is the standard library out of memory.
        fmt::print(stderr, "error: {}\n", e.what());
        return kFailed;
    }
    return exit_code;
}
