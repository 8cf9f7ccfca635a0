// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_fields.h>
#include <ductile/core/math.h>
#include <ductile/geom/tri_mesh.h>

#include "errors.h"
#include <pybind11/numpy.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ductile::python {

// ---- options: keyword arguments and dicts are what scene files hold -----------------------------

/// A Python value as JSON: None, bool, int, float, str, dict with str keys, sequences, numpy arrays
/// and scalars, paths. Raises TypeError for others, ValueError for numbers that are not finite, for
/// whole numbers beyond 64 bits and for nesting beyond 64.
Json json_of(py::handle value);
/// The other way round.
py::object object_of(const Json& json);

/// Reads keyword arguments into an options struct by its field list. Raises ductile.Error with
/// every mistake; an unknown name comes with the nearest known one.
template <class T>
void read_options(const py::dict& options, T& into) {
    std::vector<Error> errors;
    read_fields(json_of(options), into, "", errors);
    if (!errors.empty()) raise(errors);
}
template <class T>
T options_of(const py::dict& options) {
    T out;
    read_options(options, out);
    return out;
}
template <class T>
py::object fields_of(const T& value) {
    return object_of(write_fields(value));
}

/// A function's help: `text`, and under it a line for every field of its options.
std::string help_with(std::string_view text, std::span<const FieldLine> lines);
template <class T>
std::string help_of(std::string_view text) {
    return help_with(text, field_lines<T>());
}

// ---- arrays ------------------------------------------------------------------------------------

/// A read-only array over memory that `owner` keeps: no copy, and safe whatever becomes of the
/// object it was asked from.
py::array view_of_points(std::span<const Vec3> points, std::shared_ptr<const void> owner);
py::array view_of_triangles(std::span<const Triangle> triangles, std::shared_ptr<const void> owner);
/// `values` row by row in an array of this shape. Requires: as many as that.
template <class T>
py::array view_of_values(std::span<const T> values, std::vector<py::ssize_t> shape,
                         std::shared_ptr<const void> owner);
/// The same with an array of its own, which takes the vector over without a copy.
py::array array_of_points(std::vector<Vec3> points);
template <class T>
py::array array_of_values(std::vector<T> values, std::vector<py::ssize_t> shape);

py::array array_of(const Vec3& v);
py::array array_of(const Mat3& m);
/// 4 x 4, homogeneous.
py::array array_of(const Transform& t);

/// (n, 3) numbers as points; every coordinate within `kFurthest` [m] of 0. `name` is for errors.
std::vector<Vec3> points_of(py::handle value, const char* name);
inline constexpr double kFurthest = 1e6;
/// (n, 3) whole numbers in [0, point_count).
std::vector<Triangle> triangles_of(py::handle value, std::size_t point_count);
/// Three finite numbers, each at most `limit` from 0.
Vec3 vector_of(py::handle value, double limit, const char* name);
/// The same, of unit length. Raises ValueError for one without a length.
Vec3 direction_of(py::handle value, const char* name);

/// A str or os.PathLike. Raises ValueError for one with a NUL in it.
std::filesystem::path path_of(py::handle value);

// ---- templates ---------------------------------------------------------------------------------

namespace detail {
py::capsule keeper(std::shared_ptr<const void> owner);
void make_read_only(py::array& array);
}  // namespace detail

template <class T>
py::array view_of_values(std::span<const T> values, std::vector<py::ssize_t> shape,
                         std::shared_ptr<const void> owner) {
    py::array array(py::dtype::of<T>(), std::move(shape), {}, values.data(),
                    detail::keeper(std::move(owner)));
    detail::make_read_only(array);
    return array;
}

template <class T>
py::array array_of_values(std::vector<T> values, std::vector<py::ssize_t> shape) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    return py::array(py::dtype::of<T>(), std::move(shape), {}, owner->data(),
                     detail::keeper(owner));
}

}  // namespace ductile::python
