// SPDX-License-Identifier: MIT
#include "write_caches.h"

#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/table/tables.h>
#include <ductile/export/usd/usd.h>
#include <ductile/scene/surroundings.h>

namespace ductile::cli {
namespace {

Status write_usd_stage(const Scene& scene, const Recording& recording, OutputWriter& writer,
                       std::vector<std::string>& notes) {
    return writer.write("usd", scene.name + ".usda", [&](const auto& path) -> Status {
        const UsdOptions options{.split = scene.outputs.usd_split, .damage = scene.outputs.damage};
        Result<UsdReport> report = write_usd(recording, path, options, writer.checkpoint("usd"),
                                             surroundings(scene, recording));
        if (!report) return report.error();
        if (!report.value().note.empty()) notes.push_back(report.value().note);
        return {};
    });
}

}  // namespace

Status write_caches(const Scene& scene, const Recording& recording, OutputWriter& writer,
                    std::vector<std::string>& notes) {
    const SceneOutputs& wanted = scene.outputs;
    if (wanted.usd) {
        if (Status done = write_usd_stage(scene, recording, writer, notes); !done) return done;
    }
    // Every other one is a folder: NAME_pc2 and so on.
    const auto write = [&](bool is_wanted, const char* stage, const char* kind,
                           auto&& writes) -> Status {
        if (!is_wanted) return {};
        return writer.write(stage, scene.name + "_" + kind, [&](const auto& folder) {
            return writes(folder, writer.checkpoint(stage));
        });
    };
    const auto caches_of = [&](PointCacheKind kind) {
        return [&, kind](const auto& folder, const Checkpoint& checkpoint) {
            return write_point_caches(recording, kind, wanted.cache_space, folder, checkpoint);
        };
    };
    Status done = write(wanted.pc2, "pc2", "pc2", caches_of(PointCacheKind::Pc2));
    if (done) done = write(wanted.mdd, "mdd", "mdd", caches_of(PointCacheKind::Mdd));
    if (done) {
        done = write(wanted.obj_sequence, "obj_sequence", "obj",
                     [&](const auto& folder, const Checkpoint& go) {
                         return write_obj_sequence(recording, folder, scene.name, go);
                     });
    }
    if (done) {
        done = write(wanted.ply_sequence, "ply_sequence", "ply",
                     [&](const auto& folder, const Checkpoint& go) {
                         return write_ply_sequence(recording, folder, scene.name, go);
                     });
    }
    if (!done) return done;
    return write(wanted.csv, "csv", "csv", [&](const auto& folder, const Checkpoint& go) {
        return write_tables(recording, folder, go);
    });
}

}  // namespace ductile::cli
