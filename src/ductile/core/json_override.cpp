// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ductile {
namespace {

// Something on the way of a dotted path. Its parts are found one by one.
struct Step {
    FieldView view;
    Error error;  ///< `what` is empty unless the part does not exist.
};

Step no_part(std::string_view part, std::span<const std::string_view> known) {
    return {{}, {fmt::format("there is no '{}' here", part), "", suggestion(part, known)}};
}

Step part_of(const StructView& view, std::string_view part) {
    std::vector<std::string_view> known;
    for (const FieldView& field : view.fields) {
        if (field.field.name == part) return {field, {}};
        known.push_back(field.field.name);
    }
    return no_part(part, known);
}

Step part_of(const ContainerView& view, const Field& field, std::string_view part) {
    if (view.kind() == ContainerKind::Keyed) {
        std::vector<std::string_view> known;
        for (std::size_t i = 0; i < view.size(); ++i) {
            if (*view.key(i) == part) return {{field, view.item(i)}, {}};
            known.push_back(*view.key(i));
        }
        return no_part(part, known);
    }
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (code != std::errc() || end != part.data() + part.size() || index >= view.size()) {
        return {{},
                {fmt::format("there is no item '{}' here", part), "",
                 view.size() == 0 ? "the list is empty"
                                  : fmt::format("items are 0 to {}", view.size() - 1)}};
    }
    return {{field, view.item(index)}, {}};
}

Step part_of(Vec3* vector, const Field& field, std::string_view part) {
    constexpr std::string_view kAxes[] = {"x", "y", "z"};
    const auto found = std::find(std::begin(kAxes), std::end(kAxes), part);
    if (found == std::end(kAxes)) return no_part(part, kAxes);
    return {{field, &(*vector)[static_cast<int>(found - kAxes)]}, {}};
}

FieldView filled(FieldView view) {
    auto* optional = std::get_if<ContainerView>(&view.value);
    if (!optional || optional->kind() != ContainerKind::Optional) return view;
    if (optional->size() == 0) optional->append();
    return {view.field, optional->item(0)};
}

Step part_of(const FieldView& whole, std::string_view part) {
    const FieldView view = filled(whole);
    return std::visit(Overload{[&](const StructView& v) { return part_of(v, part); },
                               [&](const ContainerView& v) { return part_of(v, view.field, part); },
                               [&](Vec3* v) { return part_of(v, view.field, part); },
                               [&](const auto&) { return no_part(part, {}); }},
                      view.value);
}

// What stands right of '=': JSON, made easy to type in a shell.
Result<Json> typed_value(std::string_view text, const FieldView& target) {
    const bool is_quoted = text.starts_with('"');
    const bool is_text = std::holds_alternative<std::string*>(target.value) ||
                         std::holds_alternative<EnumView>(target.value) ||
                         std::holds_alternative<TextView>(target.value);
    if (is_text && !is_quoted) return Json(std::string(text));
    const auto* list = std::get_if<ContainerView>(&target.value);
    const bool is_list =
        std::holds_alternative<Vec3*>(target.value) ||
        std::holds_alternative<Quat*>(target.value) ||
        (list && (list->kind() == ContainerKind::Array || list->kind() == ContainerKind::Fixed));
    const bool is_bare = !text.starts_with('[') && !text.starts_with('{');
    Result<Json> parsed = is_list && is_bare ? parse_json(fmt::format("[{}]", text), "value")
                                             : parse_json(text, "value");
    // A text or name within an optional needs no quotes either; whoever wants something else says
    // what, and shows what was typed. A mistake within brackets is told as such.
    if (!parsed && is_bare) return Json(std::string(text));
    return parsed;
}

Status set_at(FieldView target, const std::string& path, std::size_t begin,
              std::string_view value) {
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string_view part = std::string_view(path).substr(begin, end - begin);
        begin = end + 1;
        const auto* items = std::get_if<ContainerView>(&target.value);
        if (part == "*" && items && items->kind() != ContainerKind::Optional) {
            for (std::size_t i = 0; i < items->size(); ++i) {
                const Status set = set_at({target.field, items->item(i)}, path, begin, value);
                if (!set) return set;
            }
            return {};
        }
        Step step = part_of(target, part);
        if (!step.error.what.empty()) {
            step.error.where = path;
            return step.error;
        }
        target = step.view;
    }
    const Result<Json> json = typed_value(value, target);
    if (!json) return Error{"cannot read the value: " + json.error().what, path, json.error().hint};
    std::vector<Error> errors;
    read_value(json.value(), target, path, errors);
    if (!errors.empty()) return errors.front();
    return {};
}

}  // namespace

Status set_value(const ValueView& root, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string path(assignment.substr(0, equals));
    if (equals == assignment.npos || path.empty()) {
        return Error{fmt::format("'{}' sets nothing", assignment), "",
                     "write path=value, such as gravity.y=-1.6"};
    }
    return set_at({Field{}, root}, path, 0, assignment.substr(equals + 1));
}

}  // namespace ductile
