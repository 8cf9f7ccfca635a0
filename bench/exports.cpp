// SPDX-License-Identifier: MIT
// What files cost: a scene's recording in every format, bytes per frame and seconds to write,
// beside its raw positions (frames x render vertices x 12 bytes, over all bodies), written to the
// same disk in the same run. `bench_exports SCENE FOLDER [FRAMES]`; the folder must be empty.
// Sequences of meshes are large: only every tenth frame is written, and counted tenfold.
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/table/tables.h>
#include <ductile/export/track/body_poser.h>
#include <ductile/export/usd/usd.h>
#include <ductile/scene/build.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/scene_file.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

using namespace ductile;

namespace {

constexpr int kSequenceStride = 10;

Result<Recording> record(Scene scene, int frames) {
    scene.duration = frames / scene.frame_rate;  // however long it lasts by itself
    const auto bodies = prepare_bodies(scene);
    if (!bodies) return bodies.error();
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    if (const auto ids = populate(scene, bodies.value(), simulation, recorder); !ids) {
        return ids.error();
    }
    if (const Status ran = run_frames(scene, simulation, recorder, {.max_frames = frames}); !ran) {
        return ran.error();
    }
    fmt::print("{} hits, shapes {:016x}\n", simulation.report().hits, simulation.shape_hash());
    return std::move(recorder).finish(simulation);
}

double raw_bytes(const Recording& recording) {
    double vertices = 0.0;
    for (const RecordedBody& body : recording.bodies) {
        if (body.asset) vertices += static_cast<double>(body.asset->render.points.size());
    }
    return 12.0 * vertices * static_cast<double>(recording.frames.size());
}

// The rival: nothing but the floats.
Status write_raw(const Recording& recording, const std::filesystem::path& path) {
    Result<FileWriter> file = FileWriter::open(path);
    if (!file) return file.error();
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (!BodyPoser::can_show(recording, b)) continue;
        BodyPoser poser(recording, b);
        std::vector<Eigen::Vector3f> places;
        for (std::size_t f = 0; f < recording.frames.size(); ++f) {
            poser.show(f);
            places.clear();
            for (const Vec3& p : poser.points()) {
                places.push_back(poser.pose_w().point(p).cast<float>());
            }
            const auto* bytes = reinterpret_cast<const char*>(places.data());
            if (Status done = file.value().append({bytes, 12 * places.size()}); !done) return done;
        }
    }
    return file.value().finish();
}

double bytes_in(const std::filesystem::path& folder) {
    double sum = 0.0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) sum += static_cast<double>(entry.file_size());
    }
    return sum;
}

class Bench {
public:
    Bench(std::filesystem::path folder, double raw, double frames)
        : folder_(std::move(folder)), raw_(raw), frames_(frames) {}

    /// `factor`: how much of the whole was written.
    template <class Writer>
    bool measure(const char* name, double factor, Writer&& writer) {
        const auto begin = std::chrono::steady_clock::now();
        const Status done = writer(folder_ / "part");
        const auto end = std::chrono::steady_clock::now();
        if (!done) {
            fmt::print(stderr, "{}: {}\n", name, done.error().text());
            return false;
        }
        const double seconds = factor * std::chrono::duration<double>(end - begin).count();
        const double bytes = factor * bytes_in(folder_);
        fmt::print("| {} | {:.1f} | {:.0f} | {:.3f} | {:.1f} |\n", name, 1e-6 * bytes,
                   1e-3 * bytes / frames_, bytes / raw_, seconds);
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            std::filesystem::remove_all(entry.path());
        }
        return true;
    }

private:
    std::filesystem::path folder_;
    double raw_, frames_;
};

Recording thinned(const Recording& recording) {
    Recording few = recording;
    few.frames.clear();
    few.energy.clear();
    for (std::size_t f = 0; f < recording.frames.size(); f += kSequenceStride) {
        few.frames.push_back(recording.frames[f]);
    }
    return few;
}

bool measure_all(const Recording& recording, Bench& bench) {
    const auto usd = [](const Recording& r, const UsdOptions& options) {
        return [&r, options](const std::filesystem::path& path) -> Status {
            const Result<UsdReport> report = write_usd(r, path.string() + ".usda", options);
            if (!report) return report.error();
            fmt::print(stderr, "USD was estimated at {:.0f} MB\n", 1e-6 * report.value().estimate);
            return {};
        };
    };
    const auto caches = [&](PointCacheKind kind) {
        return [&, kind](const std::filesystem::path& path) {
            return write_point_caches(recording, kind, CacheSpace::World, path);
        };
    };
    const Recording few = thinned(recording);
    return bench.measure("raw positions", 1,
                         [&](const auto& p) { return write_raw(recording, p); }) &&
           bench.measure("GLB", 1, [&](const auto& p) { return write_glb(recording, p); }) &&
           bench.measure(
               "GLB without damage", 1,
               [&](const auto& p) { return write_glb(recording, p, {.damage = false}); }) &&
           bench.measure("USD, split", 1, usd(recording, {})) &&
           bench.measure("USD without velocities and damage", 1,
                         usd(recording, {.velocities = false, .damage = false})) &&
           bench.measure("PC2 and OBJ", 1, caches(PointCacheKind::Pc2)) &&
           bench.measure("MDD and OBJ", 1, caches(PointCacheKind::Mdd)) &&
           bench.measure("OBJ sequence", kSequenceStride,
                         [&](const auto& p) { return write_obj_sequence(few, p, "frame"); }) &&
           bench.measure("PLY sequence", kSequenceStride,
                         [&](const auto& p) { return write_ply_sequence(few, p, "frame"); }) &&
           bench.measure("CSV", 1, [&](const auto& p) { return write_tables(recording, p); });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        fmt::print(stderr, "bench_exports SCENE.json EMPTY_FOLDER [FRAMES]\n");
        return 1;
    }
    const std::filesystem::path folder = argv[2];
    if (const Status made = make_folder(folder); !made || !std::filesystem::is_empty(folder)) {
        fmt::print(stderr, "{}: must be an empty folder\n", folder.string());
        return 1;
    }
    const LoadedScene loaded = load_scene(argv[1]);
    for (const Error& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
    if (!loaded.ok()) return 1;
    const int frames = argc > 3 ? std::atoi(argv[3]) : 240;
    const Result<Recording> recording = record(loaded.scene, frames);
    if (!recording) {
        fmt::print(stderr, "{}\n", recording.error().text());
        return 1;
    }
    const double raw = raw_bytes(recording.value());
    fmt::print("{} bodies, {} frames, {:.1f} MB of raw positions\n",
               recording.value().bodies.size(), frames, 1e-6 * raw);
    fmt::print("| format | MB | kB per frame | of raw | seconds |\n|---|---|---|---|---|\n");
    Bench bench(folder, raw, frames);
    return measure_all(recording.value(), bench) ? 0 : 1;
}
