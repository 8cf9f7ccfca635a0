// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field_view.h>
#include <ductile/core/result.h>

namespace ductile {

// The ranges of a field list, asked of values that are already in memory: what passes here is what
// `read_fields` (core/json_fields.h) takes back from a file.

/// Error: not a number, or outside the field's range. `where`: "/" and the field's name.
Status check_range(const Field& field, double value);

/// The same for every number of a value, in the order of its lists; the first Error.
Status check_value_ranges(const FieldView& value, const std::string& pointer);

template <class T>
Status check_ranges(const T& value) {
    // Field lists take a reference that may be written to; this visitor only reads.
    return check_value_ranges({Field{}, view_of(const_cast<T&>(value))}, "");
}

}  // namespace ductile
