// SPDX-License-Identifier: MIT
// Times cutting a mesh into cells, walls and interpolation included, beside the plain way: every
// cell clips the whole surface by its planes, one after the other, without walls. Making bodies of
// the pieces that can fall beside the cut. And answers of glue beside its factorisation, and beside
// one dense one. Of a folder: which of its meshes can break, made of concrete, and
// how. Usage: bench_cut MESH, or bench_cut FOLDER
#include <ductile/core/hash.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/fracture/fracture_deformer.h>
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/deform/fracture/score.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/geom/cut/cut_cells.h>
#include <ductile/geom/mass.h>
#include <ductile/io/load_asset.h>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <vector>

using namespace ductile;

namespace {

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Call>
double timed_cut(int rounds, Call&& call) {
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        const double from = processor_ms();
        call();
        ms.push_back(processor_ms() - from);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

// Sutherland and Hodgman 1974: all triangles, plane by plane. Returns the area that is left.
double clip_all(const TriMesh& mesh, std::span<const Vec3> sites, std::size_t cell) {
    double area = 0.0;
    std::vector<Vec3> polygon, next;
    for (const Triangle& t : mesh.triangles) {
        polygon = {mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]};
        for (std::size_t s = 0; s < sites.size() && !polygon.empty(); ++s) {
            if (s == cell) continue;
            const Vec3 n = sites[s] - sites[cell];
            const double offset = 0.5 * n.dot(sites[s] + sites[cell]);
            next.clear();
            for (std::size_t k = 0; k < polygon.size(); ++k) {
                const Vec3 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
                const double at_a = n.dot(a) - offset, at_b = n.dot(b) - offset;
                if (at_a <= 0) next.push_back(a);
                if ((at_a < 0) != (at_b < 0)) next.push_back(a + at_a / (at_a - at_b) * (b - a));
            }
            polygon.swap(next);
        }
        for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
            area += 0.5 * (polygon[k] - polygon[0]).cross(polygon[k + 1] - polygon[0]).norm();
        }
    }
    return area;
}

void time_glue(const CutMesh& cut) {
    std::vector<GluePiece> pieces;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
        const TriMesh mesh = piece_surface(cut, std::span(&p, 1)).mesh;
        const MassProperties m = mass_properties(mesh.points, mesh.triangles, {2400, 0.0}).value();
        pieces.push_back({m.mass, m.centre_b, m.inertia_b});
    }
    GlueOptions options;
    options.strength = 1e12;
    const double factor =
        timed_cut(3, [&] { (void)GlueSolver::make(pieces, cut.joints, options); });
    const GlueSolver holds = GlueSolver::make(pieces, cut.joints, options).value();
    GlueImpact impact;
    impact.point = pieces[0].centre;
    impact.impulse = Vec3(1000, 200, -300);
    impact.energy = 1e9;
    const double first = timed_cut(5, [&] { (void)holds.answer(impact); });
    options.strength = 1e5;
    const GlueSolver breaks = GlueSolver::make(pieces, cut.joints, options).value();
    GlueBreak broken;
    const double whole = timed_cut(3, [&] { broken = breaks.answer(impact); });
    // As large as the springs' own, with anything in it.
    const auto unknowns = static_cast<Eigen::Index>(6 * pieces.size());
    const Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(unknowns, unknowns) * double(unknowns) +
                                  Eigen::MatrixXd::Ones(unknowns, unknowns);
    Eigen::VectorXd solved;
    const double one_dense = timed_cut(
        3, [&] { solved = dense.llt().solve(Eigen::VectorXd::LinSpaced(unknowns, 0.0, 1.0)); });
    fmt::print(
        "  glue of {} pieces, {} faces: factor {:.1f} ms, an answer that breaks nothing "
        "{:.2f} ms, one that breaks {} faces in {} solves {:.1f} ms; one dense solve {:.1f} ms "
        "(check {:.3g})\n",
        pieces.size(), cut.joints.size(), factor, first, broken.broken.size(), broken.solves, whole,
        one_dense, solved.norm());
}

// Of all pieces, as a simulation makes them when a body falls apart altogether [ms].
double time_falling(const SurfaceAsset& asset, int cells) {
    FractureOptions options;
    options.pattern.cells = cells;
    BodyShapeOptions body;
    body.material = find_material("concrete").value();
    const auto shape = make_body_shape(std::make_shared<const SurfaceAsset>(asset), body,
                                       {make_layer(options, LayerFiles{}).value()});
    if (!shape) return fmt::print("{}\n", shape.error().text()), 0.0;
    const auto& data = *shape.value()->data<FractureData>();
    return timed_cut(1, [&] {
        for (const std::int32_t piece : data.pieces()) {
            (void)data.part_shape(std::span(&piece, 1), shape.value());
        }
    });
}

Result<std::shared_ptr<const Score>> score_of(const std::filesystem::path& file) {
    Result<PreparedAsset> prepared = load_asset(file, {});
    if (!prepared) return prepared.error();
    BodyShapeOptions body;
    body.material = find_material("concrete").value();
    body.thickness = prepared.value().thickness;
    const auto asset = std::make_shared<const SurfaceAsset>(std::move(prepared.value().asset));
    const auto shape = make_mutable_body_shape(asset, body, {}, {}, PieceTree{});
    if (!shape) return shape.error();
    return Score::make(*shape.value(), {}, shape.value()->box.centre());
}

// What a layer `fracture` makes of every mesh of a folder.
void score_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".md") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    int broken = 0, shells = 0;
    for (const std::filesystem::path& file : files) {
        const auto score = score_of(file);
        const std::string name = file.filename().string();
        if (!score) {
            fmt::print("{:<30} {}\n", name, score.error().text());
            continue;
        }
        ++broken;
        shells += score.value()->is_shell();
        fmt::print("{:<30} {} pieces, {} joints{}\n", name, score.value()->cut().pieces.size(),
                   score.value()->cut().joints.size(),
                   score.value()->is_shell() ? ", as a shell" : "");
    }
    fmt::print("{} of {} can break, {} of them as shells\n", broken, files.size(), shells);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return fmt::print(stderr, "usage: bench_cut MESH, or bench_cut FOLDER\n"), 1;
    if (std::filesystem::is_directory(arguments[1])) return score_folder(arguments[1]), 0;
    const auto prepared = load_asset(arguments[1], {});
    if (!prepared) return fmt::print(stderr, "{}\n", prepared.error().text()), 1;
    const SurfaceAsset& asset = prepared.value().asset;
    const Box box = bounds(asset.surface.points);
    CutOptions options;
    options.looks_for_crossings = false;
    for (const int cells : {64, 512}) {
        PatternOptions of;
        of.cells = cells;
        const CellPattern pattern = make_pattern(of, box, box.centre()).value();
        CutMesh cut;
        const double ms =
            timed_cut(5, [&] { cut = cut_cells(asset.surface, pattern, options).value(); });
        const double shapes = timed_cut(1, [&] {
            const AssetCutter cutter(asset, cut, {});
            for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
                (void)cutter.make(std::span(&p, 1));
            }
        });
        // Every eighth cell: all would take minutes.
        double area = 0.0;
        const double rival = 8.0 * timed_cut(1, [&] {
                                 for (std::size_t c = 0; c < pattern.sites.size(); c += 8) {
                                     area += clip_all(asset.surface, pattern.sites, c);
                                 }
                             });
        Hasher hasher;
        hasher.add(std::span<const Vec3>(cut.points));
        fmt::print(
            "{} cells: {} pieces in {:.1f} ms, drawn shapes of all {:.1f} ms; every cell "
            "clipping all {:.0f} ms, ratio 1/{:.0f}; bodies of all that can fall {:.0f} ms; hash "
            "{:016x}\n",
            cells, cut.pieces.size(), ms, shapes, rival, rival / ms, time_falling(asset, cells),
            hasher.value());
        time_glue(cut);
    }
    return 0;
}
