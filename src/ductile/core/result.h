// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/assert.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ductile {

/// Why bad data was refused, in words for the person who made the data.
struct Error {
    std::string what{};   ///< What is wrong.
    std::string where{};  ///< File, line, byte or JSON pointer; may be empty.
    std::string hint{};   ///< What to try; may be empty.

    /// "where: what (hint)", leaving out what is empty.
    std::string text() const;
};

/// A value, or the Error that stands in its place. Library code throws nothing.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Requires: ok().
    T& value() & {
        DUCTILE_ASSERT(ok(), error().text());
        return std::get<0>(content_);
    }
    const T& value() const& {
        DUCTILE_ASSERT(ok(), error().text());
        return std::get<0>(content_);
    }
    T&& value() && {
        DUCTILE_ASSERT(ok(), error().text());
        return std::get<0>(std::move(content_));
    }
    /// Requires: !ok().
    const Error& error() const {
        DUCTILE_ASSERT(!ok(), "a result that went well has no error");
        return *std::get_if<1>(&content_);
    }

private:
    std::variant<T, Error> content_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool ok() const { return !error_; }
    explicit operator bool() const { return ok(); }
    /// Requires: !ok().
    const Error& error() const {
        DUCTILE_ASSERT(!ok(), "a status that is good has no error");
        return *error_;
    }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace ductile
