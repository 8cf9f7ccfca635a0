// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile::cli {

// What the command exits with.
inline constexpr int kFine = 0;
inline constexpr int kBadInput = 1;  ///< A scene, journal or option that is wrong.
inline constexpr int kFailed = 2;    ///< The work could not be done: disk, ffmpeg, ...

// Each adds one command to the program.
void add_run(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_press(CLI::App& app, int& exit_code);
void add_bones(CLI::App& app, int& exit_code);
void add_segments(CLI::App& app, int& exit_code);
void add_cut(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_map(CLI::App& app, int& exit_code);
void add_rig(CLI::App& app, int& exit_code);
void add_poke(CLI::App& app, int& exit_code);
void add_pose(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app, int& exit_code);
void add_materials(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);

/// A scene that comes with the command.
struct BuiltinScene {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinScene> builtin_scenes();

/// The scene of a file, or a built-in one by its name, with "a.b.c=value" overrides made and
/// everything checked. Prints every mistake and returns nothing if there is one.
std::optional<Scene> open_scene(const std::string& file_or_name,
                                const std::vector<std::string>& overrides);

/// Adds "--set FIELD=VALUE", which may be repeated and takes one argument each time.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides,
                   const std::string& help =
                       "override a field, as in --set "
                       "bodies.ball.velocity.x=-12; may be repeated");

// Checks of an option's value, in CLI11's manner: "" or what is wrong.
std::string not_empty(const std::string& value);
/// A file of the only format that is written there.
std::function<std::string(const std::string&)> ends_in(std::string_view extension);
/// A number, and not NaN.
std::function<std::string(const std::string&)> in_range(double lower, double upper);

/// Prints "error: ..." lines.
void print_errors(std::span<const Error> errors);
void print_error(const Error& error);
/// Prints "note: ..." lines: what the user should know of a result.
void print_notes(std::span<const std::string> notes);

}  // namespace ductile::cli
