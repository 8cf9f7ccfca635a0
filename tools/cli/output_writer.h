// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>

#include "interrupt.h"
#include "run_scene.h"
#include "world.h"

#include <filesystem>
#include <string>

namespace ductile::cli {

/// Writes one output after another and notes those that are there.
class OutputWriter {
public:
    OutputWriter(const RunOptions& options, const Progress& progress, Stopwatch& watch,
                 RunResult& result)
        : options_(options), progress_(progress), watch_(watch), result_(result) {}

    /// Calls writer(path of `name` in the folder for outputs), a file or a folder.
    template <class Writer>
    Status write(const char* stage, const std::string& name, Writer&& writer) {
        if (Status on = go_on(); !on) return on;
        if (progress_) progress_(stage, 0.0);
        const std::filesystem::path path = options_.out / name;
        if (Status done = writer(path); !done) return done;
        result_.files.push_back(path);
        watch_.lap(stage);
        return {};
    }

    /// For writers that tell how far they are: shows it, and stops them when asked to.
    Checkpoint checkpoint(const char* stage) const {
        return [this, stage](double share) {
            if (progress_) progress_(stage, share);
            return go_on();
        };
    }

private:
    const RunOptions& options_;
    const Progress& progress_;
    Stopwatch& watch_;
    RunResult& result_;
};

}  // namespace ductile::cli
