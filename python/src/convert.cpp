// SPDX-License-Identifier: MIT
#include "convert.h"

#include "call_errors.h"
#include <fmt/format.h>

#include <cmath>

namespace ductile::python {
namespace {

constexpr int kDeepest = 64;  // as of JSON texts

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Wholes = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

std::string text_of(py::handle value) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (!bytes) throw py::error_already_set();  // a lone surrogate
    return {bytes, static_cast<std::size_t>(size)};
}

std::string type_name(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

Json number_of(py::handle value) {
    if (!PyLong_Check(value.ptr())) {
        const double number = PyFloat_AsDouble(value.ptr());
        if (number == -1.0 && PyErr_Occurred()) throw py::error_already_set();
        if (!std::isfinite(number)) throw py::value_error("an option is not finite");
        return number;
    }
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
    if (overflow == 0) return static_cast<std::int64_t>(number);
    const unsigned long long large = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw py::value_error("a whole number is beyond 64 bits");
    }
    return static_cast<std::uint64_t>(large);
}

Json json_at(py::handle value, int depth);

// Converting an item may call code that changes the container: items are held, not borrowed.
Json object_at(py::handle value, int depth) {
    Json object = Json::object();
    const auto items = py::reinterpret_steal<py::list>(PyDict_Items(value.ptr()));
    if (!items) throw py::error_already_set();
    for (const py::handle entry : items) {
        const auto pair = py::reinterpret_borrow<py::tuple>(entry);
        const py::object key = pair[0], item = pair[1];
        if (!PyUnicode_Check(key.ptr())) {
            throw py::type_error("a name among the options is no str but " + type_name(key));
        }
        object[text_of(key)] = json_at(item, depth + 1);
    }
    return object;
}

Json json_at(py::handle value, int depth) {
    if (depth > kDeepest) throw py::value_error("options are nested too deeply");
    if (value.is_none()) return nullptr;
    if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
    if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr())) return number_of(value);
    if (PyUnicode_Check(value.ptr())) return text_of(value);
    if (py::isinstance<py::dict>(value)) return object_at(value, depth);
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
        const auto sequence = py::reinterpret_borrow<py::sequence>(value);
        Json array = Json::array();
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const py::object item = sequence[i];
            array.push_back(json_at(item, depth + 1));
        }
        return array;
    }
    // numpy's arrays and scalars.
    if (py::hasattr(value, "dtype") && py::hasattr(value, "tolist")) {
        const py::object plain = value.attr("tolist")();
        if (!py::hasattr(plain, "dtype")) return json_at(plain, depth + 1);
    }
    if (py::hasattr(value, "__fspath__")) return path_of(value).string();
    throw py::type_error("an option cannot be " + type_name(value));
}

/// (n, 3) numbers, whatever they came as.
template <class Array>
Array rows_of_three(py::handle value, const char* name) {
    Array array = Array::ensure(value);
    if (!array) {
        PyErr_Clear();
        throw py::type_error(
            fmt::format("{}: {}, not an array of numbers", name, describe_array(value)));
    }
    if (array.ndim() != 2 || array.shape(1) != 3) {
        throw py::value_error(
            fmt::format("{}: {}, not an array of shape (n, 3)", name, describe_array(value)));
    }
    if (array.shape(0) > std::numeric_limits<std::int32_t>::max()) {
        throw py::value_error(fmt::format("{} are too many", name));
    }
    return array;
}

}  // namespace

Json json_of(py::handle value) { return json_at(value, 0); }

py::object object_of(const Json& json) {
    switch (json.type()) {
        case Json::value_t::boolean:
            return py::bool_(json.get<bool>());
        case Json::value_t::number_integer:
            return py::int_(json.get<std::int64_t>());
        case Json::value_t::number_unsigned:
            return py::int_(json.get<std::uint64_t>());
        case Json::value_t::number_float:
            return py::float_(json.get<double>());
        case Json::value_t::string: {
            const std::string& text = json.get_ref<const std::string&>();
            PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                                  "backslashreplace");
            if (!made) throw py::error_already_set();
            return py::reinterpret_steal<py::object>(made);
        }
        case Json::value_t::array: {
            py::list list;
            for (const Json& item : json) list.append(object_of(item));
            return list;
        }
        case Json::value_t::object: {
            py::dict dict;
            for (const auto& [name, item] : json.items()) dict[py::str(name)] = object_of(item);
            return dict;
        }
        default:
            return py::none();
    }
}

std::string help_with(std::string_view text, std::span<const FieldLine> lines) {
    std::string help(text);
    help += "\n\nOptions:\n";
    for (const FieldLine& line : lines) {
        help += fmt::format("    {}: {}", line.path, line.type);
        if (!line.range.empty()) help += fmt::format(", {}", line.range);
        if (!line.initial.empty()) help += fmt::format(" (default {})", line.initial);
        if (!line.help.empty()) help += fmt::format("; {}", line.help);
        help += "\n";
    }
    return help;
}

namespace detail {

py::capsule keeper(std::shared_ptr<const void> owner) {
    auto* held = new std::shared_ptr<const void>(std::move(owner));
    return py::capsule(held, [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
}

void make_read_only(py::array& array) { array.attr("setflags")(py::arg("write") = false); }

}  // namespace detail

py::array view_of_points(std::span<const Vec3> points, std::shared_ptr<const void> owner) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    const double* first = points.empty() ? nullptr : points[0].data();
    return view_of_values(std::span(first, 3 * points.size()),
                          {static_cast<py::ssize_t>(points.size()), 3}, std::move(owner));
}

py::array view_of_triangles(std::span<const Triangle> triangles,
                            std::shared_ptr<const void> owner) {
    static_assert(sizeof(Triangle) == 3 * sizeof(std::int32_t));
    const std::int32_t* first = triangles.empty() ? nullptr : triangles[0].data();
    return view_of_values(std::span(first, 3 * triangles.size()),
                          {static_cast<py::ssize_t>(triangles.size()), 3}, std::move(owner));
}

py::array array_of_points(std::vector<Vec3> points) {
    auto owner = std::make_shared<const std::vector<Vec3>>(std::move(points));
    return view_of_points(*owner, owner);
}

py::array array_of(const Vec3& v) { return py::array_t<double>(3, v.data()); }

py::array array_of(const Mat3& m) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = m;
    return py::array_t<double>({3, 3}, rows.data());
}

py::array array_of(const Transform& t) {
    Eigen::Matrix<double, 4, 4, Eigen::RowMajor> rows = Mat4::Identity();
    rows.topLeftCorner<3, 3>() = t.rotation.toRotationMatrix();
    rows.topRightCorner<3, 1>() = t.translation;
    return py::array_t<double>({4, 4}, rows.data());
}

std::vector<Vec3> points_of(py::handle value, const char* name) {
    const auto array = rows_of_three<Doubles>(value, name);
    const auto at = array.unchecked<2>();
    std::vector<Vec3> points(static_cast<std::size_t>(array.shape(0)));
    for (py::ssize_t i = 0; i < array.shape(0); ++i) {
        const Vec3 p(at(i, 0), at(i, 1), at(i, 2));
        if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kFurthest) {
            throw py::value_error(
                fmt::format("{}: number {} is not finite or beyond {} m", name, i, kFurthest));
        }
        points[static_cast<std::size_t>(i)] = p;
    }
    return points;
}

std::vector<Triangle> triangles_of(py::handle value, std::size_t point_count) {
    // Numbers with a fraction would be cut without a word.
    const py::array given = py::array::ensure(value);
    if (!given) {
        PyErr_Clear();
        throw py::type_error(
            fmt::format("triangles: {}, not an array of numbers", describe_array(value)));
    }
    if (given.size() > 0 && given.dtype().kind() != 'i' && given.dtype().kind() != 'u') {
        throw py::type_error(
            fmt::format("triangles: {}, not an array of whole numbers", describe_array(value)));
    }
    const auto array = rows_of_three<Wholes>(given, "triangles");
    const auto at = array.unchecked<2>();
    std::vector<Triangle> triangles(static_cast<std::size_t>(array.shape(0)));
    for (py::ssize_t i = 0; i < array.shape(0); ++i) {
        for (py::ssize_t k = 0; k < 3; ++k) {
            if (at(i, k) < 0 || at(i, k) >= static_cast<std::int64_t>(point_count)) {
                throw py::index_error(
                    fmt::format("triangle {} names point {} of {}", i, at(i, k), point_count));
            }
            triangles[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(at(i, k));
        }
    }
    return triangles;
}

Vec3 vector_of(py::handle value, double limit, const char* name) {
    const Doubles array = Doubles::ensure(value);
    if (!array) {
        PyErr_Clear();
        throw py::type_error(fmt::format("{}: {}, not three numbers", name, describe_array(value)));
    }
    if (array.ndim() != 1 || array.shape(0) != 3) {
        throw py::value_error(
            fmt::format("{}: {}, not three numbers", name, describe_array(value)));
    }
    const Vec3 v(array.data()[0], array.data()[1], array.data()[2]);
    if (!v.allFinite() || v.cwiseAbs().maxCoeff() > limit) {
        throw py::value_error(fmt::format("{} is not finite or beyond {}", name, limit));
    }
    return v;
}

Vec3 direction_of(py::handle value, const char* name) {
    const Vec3 v = vector_of(value, 1e100, name);
    const double length = v.stableNorm();
    if (!(length > 1e-100)) throw py::value_error(fmt::format("{} has no length", name));
    return v / length;
}

std::filesystem::path path_of(py::handle value) {
    PyObject* encoded = nullptr;
    // Raises TypeError for what is no path and ValueError for one with a NUL.
    if (!PyUnicode_FSConverter(value.ptr(), &encoded)) throw py::error_already_set();
    const auto bytes = py::reinterpret_steal<py::bytes>(encoded);
    return std::string(bytes);
}

}  // namespace ductile::python
