// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>
#include <ductile/core/names.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

namespace ductile {
namespace {

using Errors = std::vector<Error>;

const Json* member(const Json& object, std::string_view key) {
    for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
        if (name == key) return &value;
    }
    return nullptr;
}

// Reads one value; every mistake becomes an Error at `pointer`.
class Reader {
public:
    Reader(const Json& json, const Field& field, const std::string& pointer, Errors& errors)
        : json_(json), field_(field), pointer_(pointer), errors_(errors) {}

    void operator()(double* out) const {
        if (!json_.is_number()) return expect("a number");
        const double number = json_.get<double>();
        if (in_range(number)) *out = number;
    }
    void operator()(std::int32_t* out) const { read_whole(out); }
    void operator()(std::int64_t* out) const { read_whole(out); }
    void operator()(std::uint64_t* out) const { read_whole(out); }
    void operator()(bool* out) const {
        if (!json_.is_boolean()) return expect("true or false");
        *out = json_.get<bool>();
    }
    void operator()(std::string* out) const {
        if (!json_.is_string()) return expect("a text");
        *out = json_.get_ref<const std::string&>();
    }

    void operator()(Vec3* out) const {
        constexpr std::string_view kAxes[] = {"x", "y", "z"};
        if (json_.is_object()) {
            refuse_unknown(kAxes);
            for (int i = 0; i < 3; ++i) {
                if (const Json* part = member(json_, kAxes[i])) read(*part, kAxes[i], &(*out)[i]);
            }
            return;
        }
        if (!json_.is_array() || json_.size() != 3) return expect("[x, y, z]");
        Vec3 read_in = *out;
        const std::size_t before = errors_.size();
        for (std::size_t i = 0; i < 3; ++i) {
            read(json_[i], std::to_string(i), &read_in[static_cast<int>(i)]);
        }
        if (errors_.size() == before) *out = read_in;
    }

    void operator()(Quat* out) const {
        constexpr std::string_view kParts[] = {"axis", "angle_deg"};
        constexpr const char* kForms = R"({"axis": [x, y, z], "angle_deg": a} or [w, x, y, z])";
        const std::size_t before = errors_.size();
        if (json_.is_object()) {
            refuse_unknown(kParts);
            const Json* axis = member(json_, "axis");
            const Json* angle = member(json_, "angle_deg");
            if (errors_.size() == before && (!axis || !angle)) return expect(kForms);
            if (!axis || !angle) return;  // one of them is misspelt
            Vec3 direction = Vec3::Zero();
            double degrees = 0.0;
            const Field any{};
            read_value(*axis, {any, &direction}, pointer_below(pointer_, "axis"), errors_);
            read_value(*angle, {kAngleField, &degrees}, pointer_below(pointer_, "angle_deg"),
                       errors_);
            if (errors_.size() != before) return;
            const double length = direction.stableNorm();
            if (!(length > 0.0)) return fail("an axis of length 0 points nowhere", "");
            *out = Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, direction / length);
            return;
        }
        if (!json_.is_array() || json_.size() != 4) return expect(kForms);
        Eigen::Vector4d w_x_y_z = Eigen::Vector4d::Zero();
        for (int i = 0; i < 4; ++i) {
            const auto at = static_cast<std::size_t>(i);
            read_value(json_[at], {Field{}, &w_x_y_z[i]},
                       pointer_below(pointer_, std::to_string(i)), errors_);
        }
        if (errors_.size() != before) return;
        const double length = w_x_y_z.stableNorm();
        if (!(length > 0.0)) return fail("a quaternion of length 0 is no rotation", "");
        // One that is already of unit length keeps its bits, so that what was written comes back.
        if (std::abs(length - 1.0) > 1e-12) w_x_y_z /= length;
        *out = Quat(w_x_y_z[0], w_x_y_z[1], w_x_y_z[2], w_x_y_z[3]);
    }

    void operator()(const EnumView& out) const {
        if (!json_.is_string()) return expect("one of " + name_list(out.names));
        const std::string& name = json_.get_ref<const std::string&>();
        const auto found = std::find(out.names.begin(), out.names.end(), name);
        if (found == out.names.end()) {
            // The names are in the message already.
            const bool has_near = !nearest_name(name, out.names).empty();
            return fail(fmt::format("{} is none of {}", value_text(json_), name_list(out.names)),
                        has_near ? suggestion(name, out.names) : "");
        }
        out.set(found - out.names.begin());
    }

    void operator()(const TextView& out) const {
        if (!json_.is_string()) return expect("a text");
        const Status read_in = out.set(json_.get_ref<const std::string&>());
        if (!read_in) fail(read_in.error().what, read_in.error().hint);
    }

    void operator()(const StructView& out) const {
        if (!json_.is_object()) return expect("an object {...}");
        std::vector<std::string_view> known;
        for (const FieldView& part : out.fields) {
            known.push_back(part.field.name);
            if (const Json* value = member(json_, part.field.name)) {
                read_value(*value, part, pointer_below(pointer_, part.field.name), errors_);
            }
        }
        refuse_unknown(known);
    }

    void operator()(const ContainerView& out) const {
        switch (out.kind()) {
            case ContainerKind::Optional:
                return read_optional(out);
            case ContainerKind::Keyed:
                return read_keyed(out);
            case ContainerKind::Array:
                return read_array(out);
            case ContainerKind::Fixed:
                return read_fixed(out);
        }
    }

private:
    void fail(std::string what, std::string hint) const {
        errors_.push_back({std::move(what), pointer_, std::move(hint)});
    }
    void expect(std::string_view kind) const {
        fail(fmt::format("expected {}{}{}, found {}", kind, field_.unit.empty() ? "" : " in ",
                         field_.unit, value_text(json_)),
             std::string(field_.help));
    }
    void outside(double min, double max) const {
        fail(fmt::format("{} is outside the range {}", value_text(json_),
                         range_text(min, max, field_.unit)),
             std::string(field_.help));
    }
    bool in_range(double number) const {
        const bool is_inside = number >= field_.min && number <= field_.max;
        if (!is_inside) outside(field_.min, field_.max);
        return is_inside;
    }
    void read(const Json& json, std::string_view key, ValueView into) const {
        read_value(json, {field_, std::move(into)}, pointer_below(pointer_, key), errors_);
    }

    template <class Whole>
    void read_whole(Whole* out) const {
        const bool is_fraction =
            json_.is_number_float() && json_.get<double>() != std::floor(json_.get<double>());
        if (!json_.is_number() || is_fraction) return expect("a whole number");
        using Limits = std::numeric_limits<Whole>;
        Whole whole = 0;
        if (!fits(&whole)) {
            return outside(std::max(field_.min, static_cast<double>(Limits::min())),
                           std::min(field_.max, static_cast<double>(Limits::max())));
        }
        if (in_range(static_cast<double>(whole))) *out = whole;
    }
    template <class Whole>
    bool fits(Whole* out) const {
        if (json_.is_number_unsigned()) {
            const auto number = json_.get<std::uint64_t>();
            *out = static_cast<Whole>(number);
            return std::in_range<Whole>(number);
        }
        if (json_.is_number_integer()) {
            const auto number = json_.get<std::int64_t>();
            *out = static_cast<Whole>(number);
            return std::in_range<Whole>(number);
        }
        const double number = json_.get<double>();
        const double end = std::ldexp(1.0, std::numeric_limits<Whole>::digits);
        if (!(number >= (std::is_signed_v<Whole> ? -end : 0.0) && number < end)) return false;
        *out = static_cast<Whole>(number);
        return true;
    }

    void refuse_unknown(std::span<const std::string_view> known) const {
        for (const auto& [key, value] : json_.get_ref<const Json::object_t&>()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            if (key == "$schema" && pointer_.empty()) continue;
            errors_.push_back({fmt::format("there is no field called {}", value_text(Json(key))),
                               pointer_below(pointer_, key), suggestion(key, known)});
        }
    }

    void read_optional(const ContainerView& out) const {
        if (json_.is_null()) return out.clear();
        if (out.size() == 0) out.append();
        read_value(json_, {field_, out.item(0)}, pointer_, errors_);
    }
    void read_array(const ContainerView& out) const {
        if (!json_.is_array()) return expect("an array [...]");
        out.clear();
        for (std::size_t i = 0; i < json_.size(); ++i) {
            out.append();
            read(json_[i], std::to_string(i), out.item(i));
        }
    }
    void read_fixed(const ContainerView& out) const {
        if (!json_.is_array() || json_.size() != out.size()) {
            return expect(fmt::format("an array of {}", out.size()));
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            read(json_[i], std::to_string(i), out.item(i));
        }
    }
    void read_keyed(const ContainerView& out) const {
        if (!json_.is_object()) return expect("an object {\"name\": {...}}");
        for (const auto& [key, value] : json_.get_ref<const Json::object_t&>()) {
            if (key.empty() || key.size() > 100 ||
                std::any_of(key.begin(), key.end(), [](unsigned char c) {
                    return c < 0x20 || c == 0x7f || c == '.' || c == '/' || c == '=' || c == '\\';
                })) {
                errors_.push_back({fmt::format("{} cannot be a name", value_text(Json(key))),
                                   pointer_below(pointer_, key),
                                   "up to 100 characters without . / \\ = and control ones"});
                continue;
            }
            std::size_t i = 0;
            while (i < out.size() && *out.key(i) != key) ++i;
            if (i == out.size()) {
                out.append();
                *out.key(i) = key;
            }
            read(value, key, out.item(i));
        }
    }

    const Json& json_;
    const Field& field_;
    const std::string& pointer_;
    Errors& errors_;
};

Json written(const ContainerView& view) {
    if (view.kind() == ContainerKind::Optional) {
        return view.size() == 0 ? Json() : write_value(view.item(0));
    }
    if (view.kind() != ContainerKind::Keyed) {
        Json array = Json::array();
        for (std::size_t i = 0; i < view.size(); ++i) array.push_back(write_value(view.item(i)));
        return array;
    }
    Json object = Json::object();
    for (std::size_t i = 0; i < view.size(); ++i) object[*view.key(i)] = write_value(view.item(i));
    return object;
}

bool is_empty_optional(const ValueView& value) {
    const auto* view = std::get_if<ContainerView>(&value);
    return view && view->kind() == ContainerKind::Optional && view->size() == 0;
}

}  // namespace

void read_value(const Json& json, const FieldView& into, const std::string& pointer,
                std::vector<Error>& errors) {
    std::visit(Reader(json, into.field, pointer, errors), into.value);
}

Json write_value(const ValueView& value) {
    return std::visit(
        Overload{[](const EnumView& view) {
                     return Json(std::string(view.names[static_cast<std::size_t>(view.index())]));
                 },
                 [](const TextView& view) { return Json(view.text()); },
                 [](Vec3* v) {
                     return Json{v->x(), v->y(), v->z()};
                 },
                 [](Quat* q) {
                     return Json{q->w(), q->x(), q->y(), q->z()};
                 },
                 [](const StructView& view) {
                     Json object = Json::object();
                     for (const FieldView& part : view.fields) {
                         if (is_empty_optional(part.value)) continue;
                         object[std::string(part.field.name)] = write_value(part.value);
                     }
                     return object;
                 },
                 [](const ContainerView& view) { return written(view); },
                 [](const auto* plain) { return Json(*plain); }},
        value);
}

void visit_files(const FieldView& value, const std::function<void(std::string&)>& visit) {
    if (const auto* text = std::get_if<std::string*>(&value.value)) {
        if (value.field.is_file) visit(**text);
    } else if (const auto* fields = std::get_if<StructView>(&value.value)) {
        for (const FieldView& field : fields->fields) visit_files(field, visit);
    } else if (const auto* items = std::get_if<ContainerView>(&value.value)) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            visit_files({value.field, items->item(i)}, visit);
        }
    }
}

}  // namespace ductile
