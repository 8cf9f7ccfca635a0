// SPDX-License-Identifier: MIT
#include "call_errors.h"

#include "mesh.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ductile::python {
namespace {

namespace py = pybind11;

constexpr std::size_t kLongestText = 60;  // of a value that is shown as it is
constexpr const char* kOfMesh = "of a Mesh give mesh.points and mesh.triangles";

/// All functions are called through one function of pybind11's.
PyCFunctionWithKeywords call_bound = nullptr;

/// What the functions are called, by the object that is theirs alone.
std::map<const PyObject*, std::string>& names() {
    static auto* all = new std::map<const PyObject*, std::string>;  // as long as the interpreter
    return *all;
}

struct Parameter {
    std::string name, type, initial;  ///< Without an initial value it must be given.
};
struct Signature {
    std::vector<Parameter> parameters;
    bool takes_options = false;   ///< By name, beside the parameters.
    bool is_constructor = false;  ///< Then what is made is not among the parameters.
};

/// At the commas outside of brackets and quotes.
std::vector<std::string> split_parameters(std::string_view text) {
    std::vector<std::string> out;
    int depth = 0;
    bool is_quoted = false;
    for (const char letter : text) {
        if (letter == '\'') is_quoted = !is_quoted;
        if (!is_quoted)
            depth += (letter == '[' || letter == '(') - (letter == ']' || letter == ')');
        if (out.empty() || (letter == ',' && depth == 0 && !is_quoted)) out.emplace_back();
        if (letter == ',' && depth == 0 && !is_quoted) continue;
        if (letter != ' ' || !out.back().empty()) out.back() += letter;
    }
    return out;
}

/// From pybind11's message; nothing if it is another one.
std::optional<Signature> signature_of(std::string_view message) {
    Signature out;
    out.is_constructor = message.find("(): incompatible constructor") != message.npos;
    if (!out.is_constructor && message.find("(): incompatible function") == message.npos) return {};
    const std::size_t line = message.find("\n    1. ");
    if (line == message.npos) return {};
    const std::size_t begin = message.find('(', line), line_end = message.find('\n', line + 1);
    if (begin == message.npos || line_end == message.npos || begin > line_end) return {};
    const std::string_view text = message.substr(line, line_end - line);
    const std::size_t arrow = text.rfind(") -> ");
    const std::size_t end = line + (arrow == text.npos ? text.rfind(')') : arrow);
    for (const std::string& word : split_parameters(message.substr(begin + 1, end - begin - 1))) {
        if (word == "**kwargs") {
            out.takes_options = true;
            continue;
        }
        const std::size_t colon = word.find(": "), equals = word.find(" = ");
        if (colon == word.npos) return {};
        Parameter& one = out.parameters.emplace_back();
        one.name = word.substr(0, colon);
        one.type = word.substr(colon + 2, equals == word.npos ? equals : equals - colon - 2);
        if (equals != word.npos) one.initial = word.substr(equals + 3);
    }
    return out;
}

template <class T>
bool is_castable(py::handle value) {
    try {
        value.cast<T>();
        return true;
    } catch (const py::cast_error&) {
        return false;
    }
}

bool fits(py::handle value, std::string_view type) {
    constexpr std::string_view kOptional = "Optional[";
    if (type.starts_with(kOptional)) {
        type.remove_prefix(kOptional.size());
        type.remove_suffix(1);
        return value.is_none() || fits(value, type);
    }
    if (type == "float") return is_castable<double>(value);
    if (type == "int") return is_castable<std::int64_t>(value);
    if (type == "str") return is_castable<std::string>(value);
    if (type == "dict") return py::isinstance<py::dict>(value);
    if (type.starts_with("ductile.")) {
        const py::object wanted =
            py::module_::import("ductile").attr(std::string(type.substr(8)).c_str());
        return py::isinstance(value, wanted);
    }
    return true;
}

std::string wanted_type(std::string_view type) {
    constexpr std::string_view kOptional = "Optional[";
    if (type.starts_with(kOptional)) {
        return wanted_type(type.substr(kOptional.size(), type.size() - kOptional.size() - 1)) +
               " or None";
    }
    if (type == "float") return "a number";
    if (type == "int") return "a whole number";
    if (type == "str") return "a str";
    if (type == "dict") return "a dict";
    return fmt::format("a {}", type);
}

std::string joined(const std::vector<std::string>& parts) {
    if (parts.size() < 2) return parts.empty() ? "" : parts[0];
    return fmt::format("{} and {}", fmt::join(parts.begin(), parts.end() - 1, ", "), parts.back());
}

/// The call as one would write it, without the object it is a method of.
std::string call_text(const std::string& name, const Signature& signature) {
    std::vector<std::string> parts;
    for (const Parameter& one : signature.parameters) {
        if (one.name == "self") continue;
        parts.push_back(one.initial.empty() ? one.name : one.name + "=" + one.initial);
    }
    if (signature.takes_options) parts.emplace_back("**options");
    return fmt::format("{}({})", name, fmt::join(parts, ", "));
}

/// What is wrong with the arguments, each mistake by itself.
std::vector<std::string> mistakes(const Signature& signature, const std::vector<py::object>& given,
                                  const py::dict& named) {
    std::vector<std::string> out, missing;
    const auto& parameters = signature.parameters;
    const bool is_method = !parameters.empty() && parameters[0].name == "self";
    if (given.size() > parameters.size()) {
        const std::size_t self = is_method ? 1 : 0;
        out.push_back(fmt::format(
            "{} {} by position, it takes {}{}", given.size() - self,
            given.size() - self == 1 ? "argument came" : "arguments came",
            parameters.size() == self ? "none" : std::to_string(parameters.size() - self),
            signature.takes_options ? " (options are given by name)" : ""));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& one = parameters[i];
        const bool is_named = named.contains(one.name.c_str());
        if (i < given.size() && is_named) out.push_back(one.name + " came twice");
        const bool is_given = i < given.size() || is_named;
        if (!is_given && one.initial.empty()) missing.push_back(one.name);
        if (!is_given) continue;
        const py::object value = i < given.size() ? given[i] : named[one.name.c_str()];
        if (!fits(value, one.type)) {
            out.push_back(fmt::format("{} is {}, not {}", one.name, describe_value(value),
                                      wanted_type(one.type)));
        }
    }
    if (!missing.empty()) {
        out.push_back(joined(missing) + (missing.size() == 1 ? " is missing" : " are missing"));
    }
    if (signature.takes_options) return out;
    for (const auto& [key, value] : named) {
        const std::string name = py::str(key);
        if (std::none_of(parameters.begin(), parameters.end(),
                         [&](const Parameter& one) { return one.name == name; })) {
            out.push_back(fmt::format("it has no argument '{}'", name));
        }
    }
    return out;
}

/// In words, or empty if it is an error of another kind.
std::string reworded(const std::string& name, const std::string& message, const py::tuple& args,
                     const py::dict& named) {
    const std::optional<Signature> signature = signature_of(message);
    if (!signature) return "";
    std::vector<py::object> given;
    for (const py::handle value : args) given.push_back(py::reinterpret_borrow<py::object>(value));
    if (signature->is_constructor && !given.empty()) given.erase(given.begin());
    std::vector<std::string> wrong = mistakes(*signature, given, named);
    // Types are right, so that a number is one which the function's own kind of number cannot hold.
    if (wrong.empty()) wrong.emplace_back("a whole number is negative or too large");
    std::string text = fmt::format("{}: {}", call_text(name, *signature), fmt::join(wrong, "; "));
    const bool has_mesh = std::any_of(given.begin(), given.end(), [](const py::object& value) {
        return py::isinstance<Mesh>(value);
    });
    const bool wants_points =
        std::any_of(signature->parameters.begin(), signature->parameters.end(),
                    [](const Parameter& one) { return one.name.ends_with("triangles"); });
    if (has_mesh && wants_points) text += fmt::format(" ({})", kOfMesh);
    return text;
}

PyObject* call_reworded(PyObject* self, PyObject* args, PyObject* named) {
    PyObject* result = call_bound(self, args, named);
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
    py::error_already_set error;  // takes it
    try {
        const std::string text = reworded(
            names().at(self), py::str(error.value()), py::reinterpret_borrow<py::tuple>(args),
            named ? py::reinterpret_borrow<py::dict>(named) : py::dict());
        if (text.empty()) {
            error.restore();
        } else {
            PyErr_SetString(PyExc_TypeError, text.c_str());
        }
    } catch (py::error_already_set& other) {  // of an argument's own code
        other.restore();
    }
    return nullptr;
}

/// Of a function, or what wraps one; null for others.
PyCFunctionObject* bound_function(py::handle value) {
    PyObject* function = value.ptr();
    if (PyInstanceMethod_Check(function)) function = PyInstanceMethod_GET_FUNCTION(function);
    if (!PyCFunction_Check(function)) return nullptr;
    auto* bound = reinterpret_cast<PyCFunctionObject*>(function);
    const bool is_ours = bound->m_self && PyCapsule_CheckExact(bound->m_self) &&
                         bound->m_ml->ml_flags == (METH_VARARGS | METH_KEYWORDS);
    return is_ours ? bound : nullptr;
}

void reword(py::handle value, const std::string& name) {
    if (py::isinstance(value, py::handle(reinterpret_cast<PyObject*>(&PyStaticMethod_Type)))) {
        return reword(value.attr("__func__"), name);
    }
    PyCFunctionObject* bound = bound_function(value);
    if (!bound) return;
    const auto call = reinterpret_cast<PyCFunctionWithKeywords>(
        reinterpret_cast<void (*)()>(bound->m_ml->ml_meth));
    if (call == call_reworded) return;  // by another name
    if (!call_bound) call_bound = call;
    if (call != call_bound) return;
    names()[bound->m_self] = name;
    bound->m_ml->ml_meth =
        reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call_reworded));
}

}  // namespace

void reword_call_errors(py::module_& module) {
    for (const auto& [key, value] : py::dict(module.attr("__dict__"))) {
        const std::string name = py::str(key);
        if (!PyType_Check(value.ptr())) {
            reword(value, "ductile." + name);
            continue;
        }
        for (const auto& [inner, member] : py::dict(value.attr("__dict__"))) {
            const std::string member_name = py::str(inner);
            reword(member,
                   member_name == "__init__" ? "ductile." + name : name + "." + member_name);
        }
    }
}

void refuse_construction(py::handle type, const std::string& maker) {
    const std::string text = fmt::format("ductile.{} is not made by a call of its own: {}",
                                         std::string(py::str(type.attr("__name__"))), maker);
    type.attr("__init__") =
        py::cpp_function([text](const py::args&, const py::kwargs&) { throw py::type_error(text); },
                         py::is_method(type), py::doc(text.c_str()));
}

std::string describe_value(py::handle value) {
    PyObject* raw = value.ptr();
    if (value.is_none() || PyBool_Check(raw) || PyLong_CheckExact(raw) || PyFloat_CheckExact(raw) ||
        PyUnicode_CheckExact(raw)) {
        const auto text = py::reinterpret_steal<py::object>(PyObject_ASCII(raw));
        if (!text) PyErr_Clear();  // a whole number of very many digits
        if (text && py::len(text) <= kLongestText) return text.cast<std::string>();
    }
    return fmt::format("of type {}", Py_TYPE(raw)->tp_name);
}

std::string describe_array(py::handle value) {
    if (py::isinstance<Mesh>(value)) return fmt::format("of type ductile.Mesh ({})", kOfMesh);
    const auto array = py::array::ensure(value);
    if (!array) PyErr_Clear();
    if (!array || array.ndim() == 0) return describe_value(value);
    return fmt::format("an array of shape {} and type {}",
                       std::string(py::str(array.attr("shape"))),
                       std::string(py::str(array.dtype())));
}

}  // namespace ductile::python
