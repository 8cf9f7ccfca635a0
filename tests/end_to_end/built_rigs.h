// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/build_rig.h>
#include <ductile/scene/rig_file.h>

#include <doctest/doctest.h>
#include <support/reason.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace ductile::test {

inline RigFile rig_file(const std::string& text, const std::filesystem::path& folder = {}) {
    LoadedRigFile loaded = parse_rig(text, "r.json", {}, folder);
    REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : loaded.errors[0].text()));
    return std::move(loaded.rig);
}

inline BuiltRig built_rig(const RigFile& file) {
    Result<BuiltRig> built = build_rig(file);
    REQUIRE_MESSAGE(built.ok(), reason(built));
    return std::move(built).value();
}

inline Error refused_rig(const std::string& text, const std::filesystem::path& folder = {}) {
    const Result<BuiltRig> built = build_rig(rig_file(text, folder));
    REQUIRE(!built.ok());
    return built.error();
}

inline double pose_difference(const RigPose& a, const RigPose& b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
        worst = std::max(worst, (a.moves[i].translation - b.moves[i].translation).norm());
        worst = std::max(worst, a.moves[i].rotation.angularDistance(b.moves[i].rotation));
    }
    return worst;
}

inline void check_same_bits(const Rig& a, const Rig& b) {
    CHECK(a.weights.start == b.weights.start);
    CHECK(a.weights.handle == b.weights.handle);
    CHECK(a.weights.weight == b.weights.weight);
    CHECK(a.cell == b.cell);
    REQUIRE(a.handles.size() == b.handles.size());
    for (std::size_t i = 0; i < a.handles.size(); ++i) {
        CHECK(a.handles[i].name == b.handles[i].name);
        CHECK(a.handles[i].place == b.handles[i].place);
    }
    REQUIRE(a.poses.size() == b.poses.size());
    for (std::size_t p = 0; p < a.poses.size(); ++p) {
        CHECK(a.poses[p].name == b.poses[p].name);
        for (std::size_t i = 0; i < a.handles.size(); ++i) {
            CHECK(a.poses[p].moves[i].translation == b.poses[p].moves[i].translation);
            CHECK(a.poses[p].moves[i].rotation.coeffs() == b.poses[p].moves[i].rotation.coeffs());
        }
    }
}

}  // namespace ductile::test
