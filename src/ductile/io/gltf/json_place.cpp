// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/io/gltf/json_place.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace ductile {

void JsonPlace::refuse(std::string what, std::string hint) const {
    if (!*error_) *error_ = Error{std::move(what), pointer(), std::move(hint)};
}

JsonPlace JsonPlace::operator[](const char* key) const {
    const Json* member = nullptr;
    if (json_ && !json_->is_object()) {
        refuse("must be an object");
    } else if (json_) {
        const Json::const_iterator found = json_->find(key);
        if (found != json_->end()) member = &*found;
    }
    return {member, pointer_ + "/" + key, error_};
}

JsonPlace JsonPlace::item(std::size_t i) const {
    DUCTILE_ASSERT(json_ && json_->is_array() && i < json_->size(), "an item that is there");
    return {&(*json_)[i], pointer_ + "/" + std::to_string(i), error_};
}

std::size_t JsonPlace::size() const {
    if (!json_) return 0;
    if (json_->is_array()) return json_->size();
    refuse("must be an array");
    return 0;
}

const JsonPlace& JsonPlace::required() const {
    if (!json_) refuse("is missing");
    return *this;
}

std::uint64_t JsonPlace::whole(std::uint64_t fallback, std::uint64_t most) const {
    if (!json_) return fallback;
    // Some writers put 3.0 where 3 is meant.
    const double value = json_->is_number() ? json_->get<double>() : -1.0;
    if (!(value >= 0.0) || value != std::floor(value)) {
        refuse("must be a whole number, 0 or more");
        return fallback;
    }
    const bool is_small = value <= static_cast<double>(most) && value <= 0x1p53;
    if (is_small) return static_cast<std::uint64_t>(value);
    refuse(fmt::format("is {}, but {} at most can be read", json_->dump(), most));
    return fallback;
}

double JsonPlace::number(double fallback) const {
    if (!json_) return fallback;
    const double value = json_->is_number() ? json_->get<double>() : std::nan("");
    if (std::abs(value) <= double(std::numeric_limits<float>::max())) return value;
    refuse(json_->is_number() ? "is too large for a float" : "must be a number");
    return fallback;
}

bool JsonPlace::flag(bool fallback) const {
    if (!json_) return fallback;
    if (json_->is_boolean()) return json_->get<bool>();
    refuse("must be true or false");
    return fallback;
}

const std::string* JsonPlace::text() const {
    if (!json_) return nullptr;
    if (json_->is_string()) return json_->get_ptr<const std::string*>();
    refuse("must be text");
    return nullptr;
}

std::string JsonPlace::text_or(std::string_view fallback) const {
    const std::string* found = text();
    return found ? *found : std::string(fallback);
}

void JsonPlace::numbers(double* out, std::size_t count) const {
    if (!json_) return;
    if (size() != count) return refuse(fmt::format("must hold {} numbers", count));
    for (std::size_t i = 0; i < count; ++i) out[i] = item(i).number(out[i]);
}

std::int32_t JsonPlace::reference(std::size_t count, std::string_view what) const {
    if (!json_) return -1;
    const std::uint64_t index = whole(0, std::numeric_limits<std::int32_t>::max());
    if (index < count) return static_cast<std::int32_t>(index);
    refuse(fmt::format("{} {} does not exist: there are {}", what, index, count));
    return -1;
}

}  // namespace ductile
