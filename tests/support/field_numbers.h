// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field_messages.h>
#include <ductile/core/field_view.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ductile::test {

/// One number of a value with a field list.
struct FieldNumber {
    std::string path;  ///< As `set_field` takes it: "impacts.patch_share", "position.x".
    double min = 0.0, max = 0.0;
    bool is_whole = false;
    std::function<void(double)> set;

    /// The ends of its range and just inside, as far as they are finite.
    std::vector<double> extremes() const {
        std::vector<double> values;
        for (const auto& [end, other] : {std::pair(min, max), std::pair(max, min)}) {
            if (!std::isfinite(end)) continue;
            values.push_back(end);
            const double towards = end < other ? 1.0 : -1.0;
            const double inside = is_whole ? end + towards : std::nextafter(end, other);
            if (inside >= min && inside <= max) values.push_back(inside);
        }
        return values;
    }
};

/// Calls `visit(FieldNumber)` for every number of a value, through all structs and what containers
/// hold now. Containers that are empty are passed over.
template <class Visit>
void visit_numbers(const FieldView& view, const std::string& path, Visit&& visit) {
    const Field& f = view.field;
    const auto below = [&](std::string_view name) {
        return path.empty() ? std::string(name) : path + "." + std::string(name);
    };
    const auto whole = [&](auto* number) {
        visit(FieldNumber{path, f.min, f.max, true, [number](double v) {
                              *number = static_cast<std::remove_pointer_t<decltype(number)>>(v);
                          }});
    };
    std::visit(
        Overload{
            [&](double* number) {
                visit(FieldNumber{path, f.min, f.max, false, [number](double v) { *number = v; }});
            },
            [&](std::int32_t* number) { whole(number); },
            [&](std::int64_t* number) { whole(number); },
            [&](std::uint64_t* number) { whole(number); },
            [&](Vec3* vector) {
                for (int i = 0; i < 3; ++i) {
                    visit(FieldNumber{below(std::string_view("xyz").substr(i, 1)), f.min, f.max,
                                      false, [vector, i](double v) { (*vector)[i] = v; }});
                }
            },
            [&](const StructView& value) {
                for (const FieldView& part : value.fields) {
                    visit_numbers(part, below(part.field.name), visit);
                }
            },
            [&](const ContainerView& value) {
                for (std::size_t i = 0; i < value.size(); ++i) {
                    const std::string* key = value.key(i);
                    const std::string name = value.kind() == ContainerKind::Optional ? path
                                             : key                                   ? below(*key)
                                                   : below(std::to_string(i));
                    visit_numbers({f, value.item(i)}, name, visit);
                }
            },
            [](const auto&) {}},
        view.value);
}

/// All of them. They point into `value`.
template <class T>
std::vector<FieldNumber> numbers_of(T& value) {
    std::vector<FieldNumber> numbers;
    visit_numbers({Field{}, view_of(value)}, "",
                  [&](FieldNumber number) { numbers.push_back(std::move(number)); });
    return numbers;
}

}  // namespace ductile::test
