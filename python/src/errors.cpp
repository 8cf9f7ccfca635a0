// SPDX-License-Identifier: MIT
#include "errors.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace ductile::python {
namespace {

PyObject* error_type = nullptr;  // lives as long as the interpreter: modules are not unloaded

constexpr const char* kErrorText =
    "Bad data: a file, a mesh, a scene or an option that cannot be used.\n\n"
    "The text tells all; `what` is wrong, `where` it stands and, as a `hint`, what to try.";

}  // namespace

void define_error(py::module_& module) {
    error_type = PyErr_NewExceptionWithDoc("ductile.Error", kErrorText, PyExc_ValueError, nullptr);
    if (!error_type) throw py::error_already_set();
    module.add_object("Error", error_type);
}

void raise(const Error& error) { raise(std::span(&error, 1)); }

void raise(std::span<const Error> errors) {
    const auto text = [](const std::string& bytes) {
        // Names of files may be any bytes.
        return py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
            bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace"));
    };
    std::string all;
    for (const Error& error : errors) all += (all.empty() ? "" : "\n") + error.text();
    py::object exception = py::reinterpret_borrow<py::object>(error_type)(text(all));
    exception.attr("what") = text(errors[0].what);
    exception.attr("where") = text(errors[0].where);
    exception.attr("hint") = text(errors[0].hint);
    PyErr_SetObject(error_type, exception.ptr());
    throw py::error_already_set();
}

double checked(double value, double lower, double upper, const char* name) {
    if (std::isfinite(value) && value >= lower && value <= upper) return value;
    throw py::value_error(
        fmt::format("{} is {}, not a number from {} to {}", name, value, lower, upper));
}

std::int64_t checked_count(std::int64_t value, std::int64_t lower, std::int64_t upper,
                           const char* name) {
    if (value >= lower && value <= upper) return value;
    throw py::value_error(
        fmt::format("{} is {}, not a whole number from {} to {}", name, value, lower, upper));
}

}  // namespace ductile::python
