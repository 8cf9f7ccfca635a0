// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_fields.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>

#include <chrono>
#include <memory>
#include <vector>

namespace ductile::cli {

/// A scene that was simulated: its bodies as they ended, and the film of how they got there.
struct World {
    std::vector<PreparedBody> bodies;
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> simulation;
    std::vector<ObjectId> ids;
    Recording recording;
    std::vector<PressResult> pressed;  ///< What the press did to it.
};

/// Wall-clock time per stage, for the report.
class Stopwatch {
public:
    /// Seconds since the last call (or the start), added up under `stage`.
    void lap(const char* stage) {
        const auto now = std::chrono::steady_clock::now();
        const double passed = std::chrono::duration<double>(now - last_).count();
        seconds_[stage] = seconds_.value(stage, 0.0) + passed;
        last_ = now;
    }
    const Json& seconds() const { return seconds_; }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    Json seconds_ = Json::object();
};

}  // namespace ductile::cli
