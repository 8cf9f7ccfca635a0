// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/hit.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>

#include "busy.h"
#include <pybind11/pybind11.h>

#include <memory>
#include <string_view>
#include <vector>

namespace ductile::python {

/// The journals of a run, as Python holds them.
struct RunJournals {
    explicit RunJournals(JournalFile journals) : file(std::move(journals)) {}

    JournalFile file;  ///< Of a scene that check_scene is content with; a body of it each.
    std::vector<PreparedBody> bodies;  ///< Of the scene; made when shapes are first asked for.
    Busy busy;
};

/// A record from its kind and the names and values of its fields. Raises ValueError for a kind that
/// is not there, ductile.Error for a record without sense.
HitRecord record_of(const std::string& kind, const pybind11::dict& fields);

/// What a call says that takes a record: the fields of every kind.
std::string help_of_records(const std::string& what);

/// A time that journals can bear [s]: finite and within 1e9 of 0.
double time_of(double time);

}  // namespace ductile::python
