// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field_view.h>
#include <ductile/core/json_text.h>
#include <ductile/core/result.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ductile {

// How the types of core/field.h stand in JSON:
//   double, integers, bool, std::string   as themselves; 3.0 is a whole number
//   enum                  its name as text
//   to_text, from_text    that text
//   Vec3                  [x, y, z], or {"x": .., "y": .., "z": ..} with any of them left out
//   Quat                  {"axis": [x, y, z], "angle_deg": a}, or [w, x, y, z] of any length but 0
//   struct                an object; a field left out keeps its value
//   std::optional<T>      as T; null, or leaving it out, for nothing
//   std::array<T, N>      an array of N
//   std::vector<T>        an array; with `key_of` (core/field_view.h) an object, keyed by name

/// Reads every field that is present into `value` and leaves the others as they are.
///
/// Appends one Error per mistake and goes on: where is a JSON pointer beginning with `pointer`,
/// what holds the value, the range and the unit, the hint the nearest known name. A field with a
/// mistake keeps its value. "$schema" at the top (pointer "") is passed over.
template <class T>
void read_fields(const Json& json, T& value, const std::string& pointer,
                 std::vector<Error>& errors);

/// All fields as JSON; `read_fields` gives back the same bits. Empty optionals are left out. A
/// number that is not finite becomes null, which `read_fields` refuses.
template <class T>
Json write_fields(const T& value);

/// JSON Schema (draft 2020-12) of a struct: what `read_fields` takes, told to editors.
template <class T>
Json schema_of(std::string_view title);

/// Sets one field by its dotted path: "bodies.ball.velocity.x=-12".
///
/// A path names fields, names within keyed arrays, indices within plain ones, * for every item of
/// either, and x, y, z of vectors; an empty optional on the way is filled with its defaults. The
/// value is JSON; texts and enum names need no quotes, arrays no brackets. Error: `root` is as it
/// was.
template <class T>
Status set_field(T& root, std::string_view assignment);

/// The same for all that `--set PATH=VALUE` named on a command line, one after the other; returns
/// every mistake, placed at its --set.
template <class T>
std::vector<Error> set_fields(T& root, std::span<const std::string> assignments);

/// One field of a struct, or of one within it, in words.
struct FieldLine {
    std::string path;     ///< Dotted; "*" stands for any name or index.
    std::string type;     ///< "number", "one of a, b", "[x, y, z]" ...
    std::string range;    ///< "0 to 10 m", or "" if any.
    std::string initial;  ///< The default as JSON, or "" where there is none to show.
    std::string help;
};

/// All fields of a struct and of the structs within it, in the order of their lists.
template <class T>
std::vector<FieldLine> field_lines();

/// Calls `visit(std::string&)` for every field that names a file, in the order of the lists.
template <class T, class Visit>
void for_each_file(T& value, Visit&& visit);

// The same on views, once for all types.
void visit_files(const FieldView& value, const std::function<void(std::string&)>& visit);
void read_value(const Json& json, const FieldView& into, const std::string& pointer,
                std::vector<Error>& errors);
Json write_value(const ValueView& value);
Json schema_value(const FieldView& value);
Json schema_root(const ValueView& value, std::string_view title);
Status set_value(const ValueView& root, std::string_view assignment);
std::vector<FieldLine> value_lines(const ValueView& value);

template <class T>
void read_fields(const Json& json, T& value, const std::string& pointer,
                 std::vector<Error>& errors) {
    read_value(json, {Field{}, view_of(value)}, pointer, errors);
}

template <class T>
Json write_fields(const T& value) {
    // Field lists take a reference that may be written to; this visitor only reads.
    return write_value(view_of(const_cast<T&>(value)));
}

template <class T>
Json schema_of(std::string_view title) {
    T defaults;
    return schema_root(view_of(defaults), title);
}

template <class T>
Status set_field(T& root, std::string_view assignment) {
    T changed = root;
    Status status = set_value(view_of(changed), assignment);
    if (status) root = std::move(changed);
    return status;
}

template <class T>
std::vector<Error> set_fields(T& root, std::span<const std::string> assignments) {
    std::vector<Error> errors;
    for (const std::string& assignment : assignments) {
        const Status status = set_field(root, assignment);
        if (status) continue;
        Error& error = errors.emplace_back(status.error());
        error.where = "--set " + (error.where.empty() ? assignment : error.where);
    }
    return errors;
}

template <class T, class Visit>
void for_each_file(T& value, Visit&& visit) {
    visit_files({Field{}, view_of(value)}, visit);
}

template <class T>
std::vector<FieldLine> field_lines() {
    T defaults;
    return value_lines(view_of(defaults));
}

}  // namespace ductile
