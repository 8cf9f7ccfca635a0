// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace ductile::python {

/// Lets wrong arguments of every function in the module be told in words: what is missing, what
/// came and what is wanted instead. pybind11 prints its overloads and the repr of all arguments.
/// Requires: everything is bound; no function has two overloads.
void reword_call_errors(pybind11::module_& module);

/// Lets the call of a class whose objects only other calls make say which: "Scene.run() gives one".
void refuse_construction(pybind11::handle type, const std::string& maker);

/// What a value is, in a few words: "'a'" for a short text or a number, else its type.
std::string describe_value(pybind11::handle value);
/// The same of what was to be an array: its shape, if it has one. A Mesh comes with what to take of
/// it.
std::string describe_array(pybind11::handle value);

}  // namespace ductile::python
