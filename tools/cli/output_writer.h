// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>

#include "folder_lock.h"
#include "interrupt.h"
#include "run_scene.h"
#include "world.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace ductile::cli {

/// Writes one output after another into the folder of a run and notes those that are there.
class OutputWriter {
public:
    OutputWriter(const FolderLock& lock, const Progress& progress, Stopwatch& watch,
                 RunResult& result)
        : lock_(lock), progress_(progress), watch_(watch), result_(result) {}

    /// Calls writer(path of `name` in the folder), a file or a folder. Error: the writer's; that
    /// the folder is not there any more.
    template <class Writer>
    Status write(const char* stage, const std::string& name, Writer&& writer) {
        if (Status on = go_on(); !on) return on;
        if (Status ours = lock_.check(); !ours) return ours;
        if (progress_) progress_(stage, 0.0);
        const std::filesystem::path path = lock_.folder() / name;
        if (Status done = writer(path); !done) {
            // Whatever it says of its file: without the folder there is none.
            if (Status ours = lock_.check(); !ours) return ours;
            return done;
        }
        result_.files.push_back(path);
        watch_.lap(stage);
        return {};
    }

    /// Error: a file that was written is not there any more. To be asked at the end.
    Status check_files() const {
        if (Status ours = lock_.check(); !ours) return ours;
        std::error_code ec;
        for (const std::filesystem::path& file : result_.files) {
            if (std::filesystem::exists(file, ec)) continue;
            return Error{"was written, and removed before the run was done", file.string(),
                         "run again, and leave the folder until it is done"};
        }
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
    const FolderLock& lock_;
    const Progress& progress_;
    Stopwatch& watch_;
    RunResult& result_;
};

}  // namespace ductile::cli
