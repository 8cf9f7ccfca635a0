// SPDX-License-Identifier: MIT
// Looks for what press does badly. "hunt": random pairs of real meshes in random poses and depths;
// each ends in a result under the limits of its residuals, in one above them that says so, or as it
// was with a reason; pairs are counted by kind, and what was said by sentence; a pair that ends
// without its sentence fails the hunt. "sharp": twelve bodies with edges go into a ball
// step by step; how far does a vertex move at one step at the most, over the step?
// "rounded": what bodies with edges cost beside the same rounded.
// Usage: press_hunt hunt FOLDER [PAIRS [SEED [OUT]]], press_hunt sharp or press_hunt rounded. A
// folder that is not there is skipped, and counted as such. Into OUT the pairs above a limit are
// written, soft and rigid as OBJ.
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/file.h>
#include <ductile/core/rng.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/io/read_model.h>
#include <ductile/sim/press_recording.h>
#include <ductile/solids/solids.h>

#include <deform/press/sharp_shapes.h>
#include <fmt/format.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

using namespace ductile;

namespace {

constexpr std::int32_t kMeshPoints = 3000;               // Of real meshes, for a hunt of minutes.
constexpr double kLeastDepth = 0.02, kMostDepth = 0.25;  // Of the soft body's size.

struct Found {
    std::string name;
    std::shared_ptr<const SurfaceAsset> asset;  ///< Its box about the origin, 1 m in size.
    const TriMesh& mesh() const { return asset->surface; }
};

/// Box diagonal over the root of three, as press counts size.
double size_of(const TriMesh& mesh) { return bounds(mesh.points).diagonal() / std::sqrt(3.0); }

std::vector<Found> read_folder(const std::filesystem::path& folder, int& unreadable) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".md") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Found> found;
    for (const std::filesystem::path& file : files) {
        const Result<Model> model = read_model(file);
        if (!model) {
            ++unreadable;
            continue;
        }
        Result<PreparedAsset> prepared =
            prepare_asset(model.value(), {.scale = 1.0, .surface_points = kMeshPoints});
        if (!prepared || prepared.value().asset.surface.triangles.empty()) {
            ++unreadable;
            continue;
        }
        SurfaceAsset asset = std::move(prepared.value().asset);
        const Vec3 centre = bounds(asset.surface.points).centre();
        const double size = size_of(asset.surface);
        for (auto* points :
             {&asset.surface.points, &asset.render.points, &asset.render.file_vertices.points}) {
            for (Vec3& p : *points) p = (p - centre) / size;
        }
        found.push_back(
            {file.filename().string(), std::make_shared<const SurfaceAsset>(std::move(asset))});
    }
    return found;
}

/// The rigid mesh turned anyhow, its farthest place against a random normal of the soft one put
/// some way below that place.
TriMesh pushed_in(const TriMesh& soft, const TriMesh& rigid, double depth, Rng& rng) {
    TriMesh turned = test::placed(rigid, {test::random_rotation(rng), Vec3::Zero()});
    const Triangle& t = soft.triangles[rng.next() % soft.triangles.size()];
    const Vec3 at = (soft.points[t[0]] + soft.points[t[1]] + soft.points[t[2]]) / 3.0;
    const Vec3 area = area_vector(soft.points, t);
    const Vec3 normal = area.norm() > 0 ? Vec3(area.normalized()) : Vec3(Vec3::UnitY());
    Vec3 lowest = turned.points[turned.triangles[0][0]];
    for (const Triangle& face : turned.triangles) {
        for (const std::int32_t v : face) {
            if (turned.points[v].dot(normal) < lowest.dot(normal)) lowest = turned.points[v];
        }
    }
    return test::placed(std::move(turned), {Quat::Identity(), at - depth * normal - lowest});
}

/// Whether edges of either mesh go through the other, counted without press.
bool do_cross(const TriMesh& soft, const TriMesh& rigid) {
    const SurfaceQuery second(rigid.points, rigid.triangles);
    const MeshCrossings found = find_crossings(soft.points, soft.triangles, second);
    return !found.of_first.empty() || !found.of_second.empty();
}

/// Whether all that is above a limit is said.
bool says_what_is_left(const PressReport& r, double size) {
    const std::vector<std::string> due = residual_notes(*r.left, size);
    return std::all_of(due.begin(), due.end(), [&](const std::string& note) {
        return std::find(r.notes.begin(), r.notes.end(), note) != r.notes.end();
    });
}

constexpr std::string_view kSilent = "SILENT: ";

std::string kind_of(const PressReport& r, const TriMesh& soft, const TriMesh& rigid) {
    const auto said = [&](std::string_view kind) {
        return fmt::format("{}{}", r.notes.empty() ? kSilent : "", kind);
    };
    if (r.overlaps == 0 && r.notes.empty() && !do_cross(soft, rigid)) return "no overlap";
    if (r.overlaps == 0) return said("no overlap, and why");
    if (r.zones == 0) return said("left as it was, and why");
    if (r.fallbacks > 0) return said("some of it left as it was, and why");
    const double size = size_of(soft);
    if (!says_what_is_left(r, size)) return fmt::format("{}above a limit", kSilent);
    return residual_notes(*r.left, size).empty() ? "pressed, under all limits"
                                                 : "pressed, above a limit, and says so";
}

/// A note without its numbers: notes alike are counted together.
std::string without_numbers(const std::string& note) {
    return std::regex_replace(note, std::regex("[0-9][0-9.e-]*"), "#");
}

void write_mesh(const TriMesh& mesh, const std::filesystem::path& path) {
    std::string text;
    for (const Vec3& p : mesh.points) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const Triangle& t : mesh.triangles) {
        text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    if (!write_file(path, text)) fmt::print("{} could not be written\n", path.string());
}

/// What a scene would make of a pair, its mesh made finer where that helps.
Result<PressReport> press_pair(const Found& soft, const TriMesh& rigid) {
    Recording recording;
    recording.bodies.resize(2);
    recording.bodies[0].asset = soft.asset;
    auto by = std::make_shared<SurfaceAsset>();
    by->surface = rigid;
    recording.bodies[1].asset = std::move(by);
    recording.frames.emplace_back().bodies.resize(2);
    const PressTask task{.soft = 0, .refines_itself = true, .by = {1}, .setup = {}};
    PressReport report;
    const auto keep = [&](std::size_t, const Pressed& pressed) { report = pressed.report; };
    const auto done = press_recording(recording, std::span(&task, 1), {.on_frame = keep});
    return done ? Result<PressReport>(report) : done.error();
}

int hunt(const std::filesystem::path& folder, int pairs, std::uint64_t seed,
         const std::filesystem::path& out) {
    if (!std::filesystem::is_directory(folder)) {
        fmt::print("skipped: {} is no folder; 0 of {} pairs\n", folder.string(), pairs);
        return 0;
    }
    int unreadable = 0;
    const std::vector<Found> meshes = read_folder(folder, unreadable);
    fmt::print("{} meshes, {} not readable\n", meshes.size(), unreadable);
    if (meshes.empty()) return 0;
    Rng rng(seed);
    std::map<std::string, int> kinds;
    std::map<std::string, int> limits;
    std::map<std::string, int> notes;
    int silent = 0;
    for (int i = 0; i < pairs; ++i) {
        const Found& soft = meshes[rng.next() % meshes.size()];
        const Found& rigid = meshes[rng.next() % meshes.size()];
        const double depth = rng.uniform(kLeastDepth, kMostDepth);
        const TriMesh placed = pushed_in(soft.mesh(), rigid.mesh(), depth, rng);
        const Result<PressReport> pressed = press_pair(soft, placed);
        if (!pressed) {
            ++kinds["refused: " + pressed.error().what];
            continue;
        }
        const std::string kind = kind_of(pressed.value(), soft.mesh(), placed);
        ++kinds[kind];
        silent += kind.starts_with(kSilent);
        std::set<std::string> said;
        for (const std::string& note : pressed.value().notes) said.insert(without_numbers(note));
        for (const std::string& note : said) ++notes[note];
        const PressResiduals left = pressed.value().left.value_or(PressResiduals{});
        if (!out.empty()) {
            fmt::print(
                "{:3} {} < {}, {:.2f} deep: {:.1f} %, {} folds, {:.1f}, {} crossings, {} sharp; "
                "{}\n",
                i, soft.name, rigid.name, depth, 100 * left.depth_left, left.folds,
                left.worst_stretch, left.self_crossings, left.sharp_edges, kind);
            if (kind.starts_with("pressed")) {
                write_mesh(soft.mesh(), out / fmt::format("{:03}-soft.obj", i));
                write_mesh(placed, out / fmt::format("{:03}-rigid.obj", i));
            }
        }
        const PressResidualLimits most;
        limits["depth left"] += left.depth_left > most.depth_left;
        limits["folds"] += left.folds > most.folds;
        limits["stretch"] += left.worst_stretch > most.worst_stretch;
        limits["self-crossings"] += left.self_crossings > most.self_crossings;
        limits["sharp soft edges"] += left.sharp_edges > most.sharp_edges;
    }
    for (const auto& [kind, count] : kinds) fmt::print("{:4}  {}\n", count, kind);
    fmt::print("above a limit:");
    for (const auto& [name, count] : limits) fmt::print("  {} {}", name, count);
    fmt::print("\nsaid, by pairs:\n");
    for (const auto& [note, count] : notes) fmt::print("{:4}  {}\n", count, note);
    return silent > 0 ? 1 : 0;
}

int sweep_sharp() {
    constexpr double kStep = 1e-3;
    const TriMesh soft =
        make_solid({.kind = SolidKind::Sphere, .size = Vec3::Ones(), .resolution = 0.05})
            .value()
            .surface;
    int over = 0, sweeps = 0;
    for (const test::SharpShape& shape : test::sharp_shapes()) {
        const PressRigid by = PressRigid::make(shape.mesh).value();
        for (const double stiffness : {0.05, 0.1, 0.25}) {
            const Presser presser =
                Presser::make(soft, {.options = {.stiffness = stiffness, .extent = 0.35}}).value();
            Pressed last = unpressed(soft.points);
            double most = 0.0;
            int unmoved = 0;
            const std::clock_t start = std::clock();
            for (int i = 1; i <= 190; ++i) {
                Pressed now =
                    presser.press(soft.points, by, shape.pressed_in(0.5, kStep * i)).value();
                const bool is_same = now.report.zones == last.report.zones &&
                                     now.report.overlaps == last.report.overlaps;
                unmoved += now.report.overlaps > 0 && now.report.zones == 0;
                for (std::size_t v = 0; is_same && v < now.points.size(); ++v) {
                    most = std::max(most, (now.points[v] - last.points[v]).norm() / kStep);
                }
                last = std::move(now);
            }
            const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            fmt::print(
                "{:<34} stiffness {:.2f}: moves {:5.1f} steps at most, {:2} frames without "
                "a zone, {:.1f} ms a frame\n",
                shape.name, stiffness, most, unmoved, ms / 190);
            over += most > 50;
            ++sweeps;
        }
    }
    fmt::print("{} of {} sweeps move a vertex by more than 50 steps at once\n", over, sweeps);
    return 0;
}

/// What a rigid solid turned onto an edge or corner costs in a ball, and the same rounded:
/// processor time in ms a frame, the faster of two turns in which both take their places.
int compare_rounded() {
    const TriMesh soft =
        make_solid({.kind = SolidKind::Sphere, .size = Vec3(2, 2, 2), .resolution = 0.05})
            .value()
            .surface;
    const Presser presser = Presser::make(soft, {}).value();
    const auto ms_of = [&](SolidKind kind, double rounding, double turn) {
        SolidOptions options{.kind = kind, .size = Vec3(0.8, 0.8, 0.8), .resolution = 0.05};
        options.rounding = rounding;
        TriMesh mesh = make_solid(options).value().surface;
        const Quat by(Eigen::AngleAxisd(turn, Vec3(1, 0, 0.7).normalized()));
        double lowest = kInfinity;
        for (Vec3& p : mesh.points) {
            p = by * p;
            lowest = std::min(lowest, p.y());
        }
        const PressRigid rigid = PressRigid::make(std::move(mesh)).value();
        constexpr int kFrames = 40;
        const std::clock_t start = std::clock();
        for (int i = 1; i <= kFrames; ++i) {
            const double depth = 0.4 * i / kFrames;  // of a ball of radius 1
            const Transform pose{Quat::Identity(), Vec3(0, 1.0 - depth - lowest, 0)};
            if (!presser.press(soft.points, rigid, pose)) return kInfinity;
        }
        return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kFrames;
    };
    for (const SolidKind kind : {SolidKind::Box, SolidKind::Cylinder}) {
        for (const double turn : {0.0, 0.25 * kPi, 0.35 * kPi}) {
            double sharp = kInfinity, rounded = kInfinity;
            for (int round = 0; round < 2; ++round) {
                sharp = std::min(sharp, ms_of(kind, 0.0, turn));
                rounded = std::min(rounded, ms_of(kind, 0.1, turn));
            }
            fmt::print(
                "{:<9} turned by {:.2f}: sharp {:5.1f} ms, rounded {:5.1f} ms, {:.2f} times\n",
                kind == SolidKind::Box ? "box" : "cylinder", turn, sharp, rounded, sharp / rounded);
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "sharp") return sweep_sharp();
    if (what == "rounded") return compare_rounded();
    if (what == "hunt" && argc > 2) {
        return hunt(argv[2], argc > 3 ? std::atoi(argv[3]) : 200,
                    argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1, argc > 5 ? argv[5] : "");
    }
    fmt::print(
        "usage: press_hunt hunt FOLDER [PAIRS [SEED [OUT]]], or press_hunt sharp, or press_hunt "
        "rounded\n");
    return 2;
}
