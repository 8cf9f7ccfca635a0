// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ductile {

/// A value in a JSON document, or the place where one could be, with the pointer that errors name
/// ("#/nodes/3/mesh").
///
/// Reading never fails on the spot: what is absent or wrong gives the fallback, and the first
/// thing that was wrong is kept in the error shared by all places of a document. Whoever reads a
/// document looks at that error before trusting what was read.
class JsonPlace {
public:
    JsonPlace(const Json& root, std::optional<Error>& error) : json_(&root), error_(&error) {}

    bool exists() const { return json_ != nullptr; }
    /// The value as it is, or nullptr if absent.
    const Json* json() const { return json_; }
    /// A member of an object. Wrong: this is there but no object.
    JsonPlace operator[](const char* key) const;
    /// An item of an array. Requires: i < size().
    JsonPlace item(std::size_t i) const;
    /// How many items the array has; 0 if absent. Wrong: no array.
    std::size_t size() const;
    /// The same place; wrong if absent.
    const JsonPlace& required() const;

    /// A whole number in [0, `most`].
    std::uint64_t whole(std::uint64_t fallback, std::uint64_t most) const;
    /// A number that a float can hold.
    double number(double fallback) const;
    bool flag(bool fallback) const;
    /// Text, or nullptr if absent. Lives as long as the document.
    const std::string* text() const;
    std::string text_or(std::string_view fallback) const;
    /// Exactly `count` numbers into `out`; where absent, `out` stays as it is.
    void numbers(double* out, std::size_t count) const;
    /// An index below `count`, or -1 if absent. Wrong: no such index; `what` is what it counts.
    std::int32_t reference(std::size_t count, std::string_view what) const;

    void refuse(std::string what, std::string hint = "") const;
    std::string pointer() const { return pointer_.empty() ? "#" : "#" + pointer_; }

private:
    JsonPlace(const Json* json, std::string pointer, std::optional<Error>* error)
        : json_(json), pointer_(std::move(pointer)), error_(error) {}

    const Json* json_;
    std::string pointer_;
    std::optional<Error>* error_;
};

}  // namespace ductile
