// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/recording.h>

#include <filesystem>
#include <string>

namespace ductile {

// A recording as comma-separated values (RFC 4180, a line feed after each line, UTF-8): a line of
// names with their units, then a line per entry. Numbers are read back as the same doubles. Bodies
// are called by their names, in quotes where they hold a comma, a quote or a line feed. All
// require: check_recording is content.

/// Every blow, marks or not: time, both bodies (empty: not among the filmed ones), place, normal,
/// approach speed, effective mass, damage impulse.
std::string impacts_table(const Recording& recording);

/// Every hit: time, body, kind of record, place in the body's frame, size and its unit.
std::string hits_table(const Recording& recording);

/// The energy ledger, a line per frame; only the line of names if none was kept.
std::string energy_table(const Recording& recording);

/// A line per frame and body that is present: pose, and what its shape has become
/// (shape_measures.h; empty for a body without a surface). Measured once per shape, in parallel.
Result<std::string> bodies_table(const Recording& recording, const Checkpoint& checkpoint = {});

/// All four as impacts.csv, hits.csv, energy.csv and bodies.csv in a folder that appears whole.
/// Error: what check_recording refuses, a folder that cannot be written or holds anything else.
Status write_tables(const Recording& recording, const std::filesystem::path& folder,
                    const Checkpoint& checkpoint = {});

}  // namespace ductile
