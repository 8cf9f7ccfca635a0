// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <utility>

namespace ductile::python {

namespace py = pybind11;

/// Makes the exception type ductile.Error, a ValueError with `what`, `where` and `hint`.
void define_error(py::module_& module);

/// Raise ductile.Error: bad data, in the library's words. Of several the first is in its attributes
/// and all are in its text. Requires: the GIL; at least one error.
[[noreturn]] void raise(const Error& error);
[[noreturn]] void raise(std::span<const Error> errors);

/// The value of a result, or its error raised. Requires: the GIL.
template <class T>
T unwrap(Result<T> result) {
    if (!result) raise(result.error());
    return std::move(result).value();
}
inline void unwrap(const Status& status) {
    if (!status) raise(status.error());
}

// What the library would end the process for (DUCTILE_ASSERT) is refused here, as ValueError.

/// A finite number in [lower, upper]. `name` is what the caller called it.
double checked(double value, double lower, double upper, const char* name);
/// The same of a whole number.
std::int64_t checked_count(std::int64_t value, std::int64_t lower, std::int64_t upper,
                           const char* name);

}  // namespace ductile::python
