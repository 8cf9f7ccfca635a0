// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>

#include <fmt/format.h>

#include <cmath>

namespace ductile {
namespace {

// An item as it is when nothing is said about it, to describe what a container may hold.
struct Sample {
    std::shared_ptr<void> made;
    ValueView view;
};
Sample sample_of(const ContainerView& container) {
    std::shared_ptr<void> made = container.operations->make_item();
    ValueView view = container.operations->view_item(made.get());
    return {std::move(made), std::move(view)};
}

Json number_schema(const char* type, const Field& field) {
    Json schema = {{"type", type}};
    if (std::isfinite(field.min)) schema["minimum"] = field.min;
    if (std::isfinite(field.max)) schema["maximum"] = field.max;
    return schema;
}

Json array_schema(Json items, std::size_t count) {
    return {
        {"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

Json object_schema(Json properties) {
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json vector_schema(const Field& field) {
    const Json number = number_schema("number", field);
    return {
        {"oneOf",
         {array_schema(number, 3), object_schema({{"x", number}, {"y", number}, {"z", number}})}}};
}

Json rotation_schema() {
    const Json number = {{"type", "number"}};
    Json turn = object_schema(
        {{"axis", vector_schema({})}, {"angle_deg", number_schema("number", kAngleField)}});
    turn["required"] = {"axis", "angle_deg"};
    return {{"oneOf", {array_schema(number, 4), turn}}};
}

Json struct_schema(const StructView& view) {
    Json properties = Json::object();
    for (const FieldView& part : view.fields) {
        properties[std::string(part.field.name)] = schema_value(part);
    }
    return object_schema(std::move(properties));
}

Json container_schema(const ContainerView& view, const Field& field) {
    const Sample sample = sample_of(view);
    Json items = schema_value({Field{"", field.unit, field.min, field.max, ""}, sample.view});
    switch (view.kind()) {
        case ContainerKind::Optional:
            return {{"oneOf", {std::move(items), {{"type", "null"}}}}};
        case ContainerKind::Keyed:
            return {{"type", "object"}, {"additionalProperties", std::move(items)}};
        case ContainerKind::Fixed:
            return array_schema(std::move(items), view.size());
        case ContainerKind::Array:
            break;
    }
    return {{"type", "array"}, {"items", std::move(items)}};
}

Json type_schema(const FieldView& value) {
    const Field& field = value.field;
    return std::visit(
        Overload{[&](double*) { return number_schema("number", field); },
                 [&](std::int32_t*) { return number_schema("integer", field); },
                 [&](std::int64_t*) { return number_schema("integer", field); },
                 [&](std::uint64_t*) { return number_schema("integer", field); },
                 [](bool*) {
                     return Json{{"type", "boolean"}};
                 },
                 [](std::string*) {
                     return Json{{"type", "string"}};
                 },
                 [](const TextView&) {
                     return Json{{"type", "string"}};
                 },
                 [&](Vec3*) { return vector_schema(field); },
                 [](Quat*) { return rotation_schema(); },
                 [](const EnumView& view) {
                     return Json{
                         {"enum", std::vector<std::string>(view.names.begin(), view.names.end())}};
                 },
                 [](const StructView& view) { return struct_schema(view); },
                 [&](const ContainerView& view) { return container_schema(view, field); }},
        value.value);
}

std::string type_text(const ValueView& value);

std::string container_type(const ContainerView& view) {
    const std::string item = type_text(sample_of(view).view);
    switch (view.kind()) {
        case ContainerKind::Optional:
            return item + ", or left out";
        case ContainerKind::Keyed:
            return "objects by name";
        case ContainerKind::Fixed:
            return fmt::format("array of {}: {}", view.size(), item);
        case ContainerKind::Array:
            break;
    }
    return "array of " + item;
}

std::string type_text(const ValueView& value) {
    return std::visit(
        Overload{[](double*) { return std::string("number"); },
                 [](bool*) { return std::string("true or false"); },
                 [](std::string*) { return std::string("text"); },
                 [](const TextView&) { return std::string("text"); },
                 [](Vec3*) { return std::string("[x, y, z]"); },
                 [](Quat*) { return std::string("rotation"); },
                 [](const EnumView& view) { return "one of " + name_list(view.names); },
                 [](const StructView&) { return std::string("object"); },
                 [](const ContainerView& view) { return container_type(view); },
                 [](const auto&) { return std::string("whole number"); }},
        value);
}

bool has_range(const ValueView& value) {
    if (const auto* view = std::get_if<ContainerView>(&value)) {
        return view->kind() != ContainerKind::Keyed && has_range(sample_of(*view).view);
    }
    return !std::holds_alternative<bool*>(value) && !std::holds_alternative<std::string*>(value) &&
           !std::holds_alternative<Quat*>(value) && !std::holds_alternative<EnumView>(value) &&
           !std::holds_alternative<TextView>(value) && !std::holds_alternative<StructView>(value);
}

void append_lines(const ValueView& value, const std::string& path, std::vector<FieldLine>& out);

void append_line(const FieldView& part, const std::string& path, std::vector<FieldLine>& out) {
    const bool is_leaf = !std::holds_alternative<StructView>(part.value) &&
                         !std::holds_alternative<ContainerView>(part.value);
    const bool is_fixed = !is_leaf && std::holds_alternative<ContainerView>(part.value) &&
                          std::get<ContainerView>(part.value).kind() == ContainerKind::Fixed;
    out.push_back(
        {path, type_text(part.value),
         has_range(part.value) ? range_text(part.field.min, part.field.max, part.field.unit) : "",
         is_leaf || is_fixed ? write_value(part.value).dump(-1, ' ', false) : "",
         std::string(part.field.help)});
    append_lines(part.value, path, out);
}

void append_lines(const ValueView& value, const std::string& path, std::vector<FieldLine>& out) {
    if (const auto* view = std::get_if<StructView>(&value)) {
        for (const FieldView& part : view->fields) {
            append_line(part, (path.empty() ? "" : path + ".") + std::string(part.field.name), out);
        }
    } else if (const auto* list = std::get_if<ContainerView>(&value)) {
        const bool is_optional = list->kind() == ContainerKind::Optional;
        append_lines(sample_of(*list).view, is_optional ? path : path + ".*", out);
    }
}

}  // namespace

Json schema_value(const FieldView& value) {
    Json schema = type_schema(value);
    const std::string help(value.field.help);
    const std::string unit(value.field.unit);
    if (!help.empty()) schema["description"] = unit.empty() ? help : help + " [" + unit + "]";
    const bool is_nested = std::holds_alternative<StructView>(value.value) ||
                           std::holds_alternative<ContainerView>(value.value);
    if (!is_nested && !value.field.name.empty()) schema["default"] = write_value(value.value);
    return schema;
}

Json schema_root(const ValueView& value, std::string_view title) {
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", std::string(title)}};
    schema.update(schema_value({Field{}, value}));
    if (schema.contains("properties")) schema["properties"]["$schema"] = {{"type", "string"}};
    return schema;
}

std::vector<FieldLine> value_lines(const ValueView& value) {
    std::vector<FieldLine> out;
    append_lines(value, "", out);
    return out;
}

}  // namespace ductile
