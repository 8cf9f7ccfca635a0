// SPDX-License-Identifier: MIT
// Real meshes the whole way: file, body, a hundred dents, a fall, GLB.
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/export/glb/glb.h>
#include <ductile/io/read_model.h>
#include <ductile/scene/build.h>
#include <ductile/sim/recorder.h>

#include <doctest/doctest.h>
#include <support/sanitized.h>
#include <support/skip.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace ductile;
using namespace ductile::test;

namespace {

// Sanitized code is ten times slower.
const std::uintmax_t kLargestFile = kIsSanitized ? 60'000 : std::uintmax_t(512) << 20;
constexpr int kDents = 100;
constexpr int kSteps = 300;
constexpr double kLeastRadius = 0.03;  // Of a dent, in sizes.
constexpr double kStep = 1.0 / 240.0;
// What a dented collider may be off by where its body at rest is better, as a share of its size.
constexpr double kDentedError = 0.04;

std::vector<std::filesystem::path> mesh_files(const char* name) {
    std::vector<std::filesystem::path> files;
    std::error_code ec;
    std::filesystem::directory_iterator entry(real_file(name), ec);
    for (const std::filesystem::directory_iterator end; !ec && entry != end; entry.increment(ec)) {
        const std::string kind = entry->path().extension().string();
        const bool is_mesh = kind == ".obj" || kind == ".ply" || kind == ".off" || kind == ".stl" ||
                             kind == ".glb" || kind == ".mesh" || kind == ".msh";
        if (is_mesh && entry->file_size() <= kLargestFile) files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    REQUIRE_FALSE(files.empty());
    return files;
}

Scene scene_of(const std::filesystem::path& file) {
    Scene scene;
    SceneBody body;
    body.name = "body";
    body.mesh = file.string();
    body.layers.dent.emplace();
    scene.bodies.push_back(body);
    return scene;
}

// A Gaussian dent somewhere on the surface, pushed in against its normal.
DentHit random_dent(const BodyShape& shape, Rng& rng) {
    DentHit hit;
    const auto v = static_cast<std::size_t>(rng.uniform() * double(shape.rest().size()));
    hit.position_b = shape.rest()[v];
    hit.direction_b = -shape.normals[v];
    hit.radius = rng.uniform(kLeastRadius, 0.15) * shape.size;
    hit.depth = rng.uniform(0.05, 0.3) * hit.radius;
    hit.total_limit = 0.35 * shape.smallest_extent + 0.02 * shape.size;
    return hit;
}

struct Run {
    std::vector<PreparedBody> bodies;
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation simulation{*engine, {}};
    Recorder recorder{30.0};
    ObjectId id;
    double rest_error = 0.0;  ///< Of the collider, as a share of the body's size.

    const BodyShape& shape() const { return *bodies[0].shape(); }
    double error() const {
        return collider_error(shape().pieces, simulation.cut(id), simulation.state(id).points(),
                              shape().triangles())
                   .worst() /
               shape().size;
    }
};

// Empty if the mesh survives; else what went wrong.
std::string fall(const std::filesystem::path& file, Run& run) {
    Scene scene = scene_of(file);
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    if (!bodies) return bodies.error().text();
    run.bodies = std::move(bodies).value();
    const BodyShape& shape = run.shape();
    // Its lowest point a tenth of its size above the ground.
    run.bodies[0].placement.pose_w.translation.y() = 0.1 * shape.size - shape.box.lower.y();
    const auto ids = populate(scene, run.bodies, run.simulation, run.recorder);
    if (!ids) return ids.error().text();
    run.id = ids.value()[0];
    run.rest_error = run.error();
    Rng rng(7);
    for (int i = 0; i < kDents; ++i) {
        const double time = rng.uniform(0.0, (kSteps - 20) * kStep);
        const Status hit = run.simulation.schedule_hit(run.id, time, 0.0, random_dent(shape, rng));
        if (!hit) return hit.error().text();
    }
    run.recorder.capture(run.simulation);
    for (int i = 0; i < kSteps; ++i) {
        run.simulation.step(kStep);
        if (i % 8 == 7) run.recorder.capture(run.simulation);
    }
    for (const Vec3& p : run.simulation.state(run.id).points()) {
        if (!p.allFinite()) return "a point is not finite";
    }
    const auto motion = run.simulation.motion(run.id);
    if (!is_finite(motion.pose_w.translation)) return "the pose is not finite";
    if (motion.pose_w.translation.norm() > 100.0 * shape.size) return "it flew away";
    return "";
}

// How many numbers of two lists differ after both were rounded to float.
template <class Vector>
std::size_t differences(std::span<const Vector> a, std::span<const Vector> b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        count += a[i].template cast<float>() != b[i].template cast<float>();
    }
    return count;
}

// Points and UVs of the vertices that a triangle needs: GLB carries no others.
RenderMesh without_unused(const RenderMesh& mesh) {
    std::vector<std::uint8_t> is_used(mesh.points.size(), 0);
    for (const Triangle& t : mesh.triangles) {
        for (const std::int32_t v : t) is_used[v] = 1;
    }
    RenderMesh out;
    for (std::size_t v = 0; v < is_used.size(); ++v) {
        if (!is_used[v]) continue;
        out.points.push_back(mesh.points[v]);
        if (!mesh.uvs.empty()) out.uvs.push_back(mesh.uvs[v]);
    }
    return out;
}

// All vertices of a model in the order of its nodes, in one row.
ModelMesh in_one(const Model& model) {
    ModelMesh all;
    for (const ModelNode& node : model.nodes) {
        if (node.mesh < 0) continue;
        const ModelMesh& mesh = model.meshes[node.mesh];
        all.points.insert(all.points.end(), mesh.points.begin(), mesh.points.end());
        all.uvs.insert(all.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
    }
    return all;
}

}  // namespace

TEST_CASE("every real mesh survives a hundred dents and a fall") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    for (const std::filesystem::path& file : mesh_files("meshes")) {
        CAPTURE(file.filename().string());
        Run run;
        const std::string trouble = fall(file, run);
        CHECK_MESSAGE(trouble.empty(), trouble);
        if (!trouble.empty()) continue;
        const SimReport& report = run.simulation.report();
        // Hits are placed where the body was at rest. Where the only vertex there has been pushed
        // away by earlier ones further than a later one reaches, and edges are longer than that,
        // it finds nothing; that is told.
        const auto missed = std::count_if(
            report.incidents.begin(), report.incidents.end(), [](const Incident& incident) {
                return incident.what.find("touches nothing") != std::string::npos;
            });
        const bool is_coarse = run.shape().edge > kLeastRadius * run.shape().size;
        CHECK(missed <= (is_coarse ? 2 : 0));
        CHECK(report.hits >= kDents - report.fallbacks - missed);
        const double error = run.error();
        CHECK(error <= std::max(kDentedError, 1.25 * run.rest_error));
        MESSAGE(file.filename().string(), ": ", run.shape().rest().size(), " points, ",
                run.simulation.cut(run.id).active.size(), " pieces, collider error at rest ",
                100 * run.rest_error, " %, dented ", 100 * error, " %, fallbacks ",
                report.fallbacks);

        // What the file brought comes out as it was; dents are morph targets beside it.
        const RenderMesh& drawn = run.bodies[0].asset()->render;
        const Recording recording = std::move(run.recorder).finish(run.simulation);
        const Result<std::string> glb = glb_bytes(recording);
        REQUIRE(glb.ok());
        const Result<Model> back =
            read_model(std::as_bytes(std::span(glb.value())), "out.glb", ReadContext{});
        REQUIRE(back.ok());
        const ModelMesh all = in_one(back.value());
        std::vector<Look> used;
        for (std::size_t l = 0; l < drawn.looks.size(); ++l) {
            const bool is_used =
                std::find(drawn.triangle_looks.begin(), drawn.triangle_looks.end(),
                          static_cast<std::int32_t>(l)) != drawn.triangle_looks.end();
            if (is_used) used.push_back(drawn.looks[l]);
        }
        REQUIRE(back.value().looks.size() >= 1);
        for (const Look& look : used) {
            const bool is_kept = std::any_of(
                back.value().looks.begin(), back.value().looks.end(), [&](const Look& other) {
                    return other.name == look.name &&
                           (other.base_colour - look.base_colour).norm() < 1e-6;
                });
            CHECK_MESSAGE(is_kept, look.name);
        }
        if (drawn.parts.size() == back.value().meshes.size() && drawn.looks.size() == 1) {
            const RenderMesh used_only = without_unused(drawn);
            CHECK(differences<Vec3>(all.points, used_only.points) == 0);
            if (!all.uvs.empty()) CHECK(differences<Vec2>(all.uvs, used_only.uvs) == 0);
        }
    }
}

TEST_CASE("a broken mesh is refused with a message, or falls like any other") {
    DUCTILE_NEEDS_REAL_FILE("meshes-hostile");
    std::size_t refused = 0, fell = 0;
    for (const std::filesystem::path& file : mesh_files("meshes-hostile")) {
        CAPTURE(file.filename().string());
        Run run;
        const std::string trouble = fall(file, run);
        if (run.bodies.empty()) {
            // The body's pointer, then the file's own name and what is wrong with it.
            CHECK(trouble.starts_with("#/bodies/body: "));
            CHECK(trouble.find(file.filename().string()) != std::string::npos);
            ++refused;
            continue;
        }
        CHECK_MESSAGE(trouble.empty(), trouble);
        const double error = run.error();
        CHECK(std::isfinite(error));
        ++fell;
    }
    MESSAGE(refused, " refused, ", fell, " fell");
}
