// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/expression.h>
#include <ductile/deform/press/bulge/press_relief.h>
#include <ductile/deform/press/press_setup.h>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <type_traits>

namespace ductile {
namespace {

/// Whether every number is in its field's range, which NaN is not. Errors name the field.
template <class Options>
Status check_ranges(Options options) {
    Status status;
    const auto is_within = [](double number, const Field& field) {
        return number >= field.min && number <= field.max;
    };
    visit_fields(options, [&]<class Value>(const Field& field, const Value& value) {
        bool is_fine = true;
        if constexpr (std::is_arithmetic_v<Value>) {
            is_fine = is_within(static_cast<double>(value), field);
        } else if constexpr (std::is_same_v<Value, Vec3>) {
            for (int k = 0; k < 3; ++k) is_fine = is_fine && is_within(value[k], field);
        }
        if (status.ok() && !is_fine) {
            status = Error{"the value is out of range", std::string(field.name), ""};
        }
    });
    return status;
}

template <class Options>
Status check_ranges(const std::optional<Options>& options) {
    return options ? check_ranges(*options) : Status();
}

bool names_wall(const PressSetup& setup) {
    for (const PressKey& key : setup.keys) {
        if (key.wall && *key.wall > 0) return true;
    }
    return setup.options.wall > 0;
}

Status check_parts_match(const PressSetup& setup) {
    const auto apart = [](const char* a, const char* b) {
        return Error{fmt::format("{} and {} do not go together", a, b), a, "leave one of them out"};
    };
    if (setup.refine && setup.detail) return apart("refine", "detail");
    if (names_wall(setup) && !setup.maps.region) {
        return Error{"a wall goes along with maps.region, and there is none",
                     setup.options.wall > 0 ? "options/wall" : "keys",
                     "say with maps.region what is pressed"};
    }
    if (!setup.both) return {};
    if (setup.rigid_region) return apart("both", "rigid_region");
    if (setup.detail) return apart("both", "detail");
    if (setup.proxy) return apart("both", "proxy");
    if (setup.refine) return apart("both", "refine");
    return {};
}

/// An error with its field's path below `place`.
Status below(const char* place, const Status& status) {
    if (status) return {};
    const Error& error = status.error();
    return Error{error.what, std::string(place) + "/" + error.where, error.hint};
}

/// Where the keys around a time stand that name an option, and how far it is from one to the other.
struct KeySpan {
    const PressKey *before = nullptr, *after = nullptr;
    double along = 0.0;
};

template <class Named>
std::optional<double> keyed_value(std::span<const PressKey> keys, double time, Named&& named) {
    KeySpan at;
    for (const PressKey& key : keys) {
        if (!named(key)) continue;
        if (key.time <= time) at.before = &key;
        if (key.time > time && !at.after) at.after = &key;
    }
    if (!at.before && !at.after) return {};
    if (!at.before) return named(*at.after);
    if (!at.after) return named(*at.before);
    at.along = (time - at.before->time) / (at.after->time - at.before->time);
    return (1.0 - at.along) * *named(*at.before) + at.along * *named(*at.after);
}

/// The value that a key has for the option of this name, if it names it.
std::optional<double> named_value(const PressKey& key, std::string_view name) {
    std::optional<double> found;
    PressKey copy = key;
    visit_fields(copy, [&]<class Value>(const Field& field, const Value& value) {
        if constexpr (std::is_same_v<Value, std::optional<double>>) {
            if (field.name == name) found = value;
        }
    });
    return found;
}

Status check_keys(const PressSetup& setup) {
    for (std::size_t i = 0; i < setup.keys.size(); ++i) {
        PressKey key = setup.keys[i];
        const std::string where = fmt::format("keys/{}", i);
        bool is_empty = true;
        Status range;
        visit_fields(key, [&]<class Value>(const Field& field, const Value& value) {
            double number = key.time;
            if constexpr (std::is_same_v<Value, std::optional<double>>) {
                if (!value) return;
                is_empty = false;
                number = *value;
            }
            if (range.ok() && !(number >= field.min && number <= field.max)) {
                range =
                    Error{"the value is out of range", where + "/" + std::string(field.name), ""};
            }
        });
        if (!range) return range;
        if (is_empty) return Error{"a key says nothing", where, "name an option and its value"};
        if (i > 0 && !(setup.keys[i - 1].time < key.time)) {
            return Error{"keys come by ascending time", where + "/time", ""};
        }
    }
    // Between keys all goes evenly: what holds at each of them holds in between.
    for (std::size_t i = 0; i < setup.keys.size(); ++i) {
        const Status fine = check(options_at(setup, setup.keys[i].time));
        if (!fine) {
            return Error{fine.error().what, fmt::format("keys/{}/{}", i, fine.error().where),
                         fine.error().hint};
        }
    }
    return {};
}

}  // namespace

PressOptions options_at(const PressSetup& setup, double time) {
    PressOptions options = setup.options;
    if (setup.keys.empty()) return options;
    visit_fields(options, [&]<class Value>(const Field& field, Value& value) {
        if constexpr (std::is_same_v<Value, double>) {
            const auto named = [&](const PressKey& key) { return named_value(key, field.name); };
            value = keyed_value(setup.keys, time, named).value_or(value);
        }
    });
    return options;
}

Status check(const PressOptions& options) {
    if (const Status fine = check_ranges(options); !fine) return fine;
    if (!(options.bulge_at <= options.fade_from)) {
        return Error{"fade_from must be at least bulge_at", "fade_from", ""};
    }
    if (!(options.fade_from <= options.fade_flatness)) {
        return Error{"fade_flatness must be at least fade_from", "fade_flatness", ""};
    }
    for (const double height : options.curve) {
        if (!(std::abs(height) <= kMostRelief)) {
            return Error{"a height is out of range", "curve",
                         fmt::format("shares of the depth, up to {}", kMostRelief)};
        }
    }
    if (options.relief.empty()) return {};
    const Result<Expression> formula = parse_expression(options.relief, kReliefVariables);
    if (formula) return {};
    return Error{formula.error().where + ": " + formula.error().what, "relief",
                 formula.error().hint};
}

Status check(const PressSetup& setup) {
    for (const Status& fine :
         {below("options", check(setup.options)), below("maps", check(setup.maps)),
          below("detail", check_ranges(setup.detail)), below("refine", check_ranges(setup.refine)),
          below("proxy", check_ranges(setup.proxy)), below("both", check_ranges(setup.both)),
          check_parts_match(setup), check_keys(setup)}) {
        if (!fine) return fine;
    }
    if (setup.rigid_region) {
        const Status fine = check(rigid_maps(setup));
        const auto& [what, where, hint] = fine.ok() ? Error{} : fine.error();
        if (!fine) return Error{what, "rigid_" + where, hint};
    }
    if (!setup.both) return {};
    const PressSetup other = setup_of_other(setup);
    if (const Status fine = below("both/options", check(other.options)); !fine) return fine;
    return below("both/maps", check(other.maps));
}

PressSetup setup_of_other(const PressSetup& setup) {
    DUCTILE_ASSERT(setup.both, "a setup for two soft bodies");
    PressSetup other{.options = setup.both->options.value_or(setup.options),
                     .maps = setup.both->maps};
    if (!setup.both->options) other.keys = setup.keys;
    return other;
}

PaintedMaps rigid_maps(const PressSetup& setup) { return {.region = setup.rigid_region}; }

std::vector<std::string> map_files(const PressSetup& setup) {
    std::vector<std::string> files;
    const auto add = [&](const PaintedMaps& maps) {
        for (const auto* map : {&maps.stiffness, &maps.bulge, &maps.region}) {
            if (*map && !(*map)->file.empty()) files.push_back((*map)->file);
        }
    };
    add(setup.maps);
    add(rigid_maps(setup));
    if (setup.both) add(setup.both->maps);
    return files;
}

}  // namespace ductile
