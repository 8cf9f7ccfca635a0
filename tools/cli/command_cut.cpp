// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/export/glb/glb.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/geom/cut/cut_parts.h>
#include <ductile/geom/mass.h>
#include <ductile/io/load_asset.h>
#include <ductile/record/recording.h>

#include "command.h"
#include "input_files.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

namespace ductile::cli {
namespace {

/// What --set changes.
struct CutSettings {
    AssetOptions mesh;
    PatternOptions pattern;
    GlueOptions glue;
    double density = 2400.0;  ///< [kg/m^3]
};
template <class Visitor>
void visit_fields(CutSettings& s, Visitor&& field) {
    field(Field{"mesh", "", 0, 0, "how the file is read"}, s.mesh);
    field(Field{"pattern", "", 0, 0, "what it is cut along"}, s.pattern);
    field(Field{"glue", "", 0, 0, "what holds the pieces together"}, s.glue);
    field(Field{"density", "kg/m^3", 1.0, 30000.0, "mass per volume"}, s.density);
}

struct CutArgs {
    std::string file;
    std::vector<std::string> overrides;
    std::string picture, output;
    bool is_json = false;
    std::int32_t cells = 0;  ///< 0: as the pattern has it.
    double apart = 0.25;     ///< Of the way from the middle, that pieces are drawn further out.
    std::vector<double> impulse, at;
    double energy = 0.0;
    double held_below = -kInfinity;  ///< Pieces whose middle lies lower are held [m].
    ViewArgs view;
};

/// Walls look as what was never in the weather.
Look inner_look(const SurfaceAsset& asset) {
    Look look = asset.render.looks.empty() ? Look{} : asset.render.looks[0];
    look.name = "inside";
    look.texture = nullptr;
    look.base_colour = Vec3(0.62, 0.36, 0.2);
    look.metallic = 0.0;
    look.roughness = 0.9;
    return look;
}

Result<std::vector<GluePiece>> glue_pieces(const CutMesh& cut, double density, double held_below) {
    std::vector<GluePiece> pieces;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
        const TriMesh mesh = piece_surface(cut, std::span(&p, 1)).mesh;
        const Result<MassProperties> mass =
            mass_properties(mesh.points, mesh.triangles, {density, 0.0});
        if (!mass) {
            return Error{"a piece has no mass of its own, so an impact cannot be answered",
                         "--impulse", mass.error().what};
        }
        pieces.push_back({mass.value().mass, mass.value().centre_b, mass.value().inertia_b,
                          mass.value().centre_b.y() < held_below});
    }
    return pieces;
}

std::int32_t nearest_piece(const CutMesh& cut, const Vec3& place) {
    double best_sq = kInfinity;
    std::int32_t best = 0;
    for (const CutFace& face : cut.faces) {
        if (face.source < 0) continue;
        const Vec3 middle = (cut.points[face.corners[0]] + cut.points[face.corners[1]] +
                             cut.points[face.corners[2]]) /
                            3.0;
        if ((middle - place).squaredNorm() < best_sq) {
            best_sq = (middle - place).squaredNorm();
            best = face.behind;
        }
    }
    return best;
}

Result<GlueBreak> strike(const CutMesh& cut, const CutSettings& settings, const CutArgs& args) {
    Result<std::vector<GluePiece>> pieces = glue_pieces(cut, settings.density, args.held_below);
    if (!pieces) return pieces.error();
    Result<GlueSolver> solver =
        GlueSolver::make(std::move(pieces.value()), cut.joints, settings.glue);
    if (!solver) return solver.error();
    GlueImpact impact;
    impact.point = Vec3(args.at[0], args.at[1], args.at[2]);
    impact.impulse = Vec3(args.impulse[0], args.impulse[1], args.impulse[2]);
    impact.piece = nearest_piece(cut, impact.point);
    impact.energy = args.energy;
    return solver.value().answer(impact);
}

/// A body for each group of pieces, drawn apart.
Recording exploded(const SurfaceAsset& asset, const CutMesh& cut,
                   std::span<const std::int32_t> group, double apart) {
    const AssetCutter cutter(asset, cut, inner_look(asset));
    const Box box = bounds(asset.surface.points);
    Recording recording;
    Frame& frame = recording.frames.emplace_back();
    const std::int32_t count = *std::max_element(group.begin(), group.end()) + 1;
    double lowest = kInfinity;
    for (std::int32_t g = 0; g < count; ++g) {
        std::vector<std::int32_t> members;
        for (std::size_t p = 0; p < group.size(); ++p) {
            if (group[p] == g) members.push_back(static_cast<std::int32_t>(p));
        }
        auto made = std::make_shared<SurfaceAsset>(cutter.make(members));
        const Box own = bounds(made->surface.points);
        BodyFrame at;
        at.pose_w.translation = apart * (own.centre() - box.centre());
        lowest = std::min(lowest, own.lower.y() + at.pose_w.translation.y());
        RecordedBody& body = recording.bodies.emplace_back();
        body.name = fmt::format("piece-{}", g + 1);
        body.shapes.push_back(made->surface.points);
        body.asset = std::move(made);
        frame.bodies.push_back(at);
    }
    for (BodyFrame& at : frame.bodies) {
        at.pose_w.translation += Vec3(-box.centre().x(), -lowest, -box.centre().z());
    }
    return recording;
}

void print_cut(const TriMesh& surface, const CutMesh& cut, const std::optional<GlueBreak>& broken,
               const CutArgs& args) {
    std::vector<double> volumes;
    for (const CutPiece& piece : cut.pieces) volumes.push_back(piece.volume);
    const double sum = std::accumulate(volumes.begin(), volumes.end(), 0.0);
    const double whole = volume(surface.points, surface.triangles);
    double glue = 0.0;
    for (const CutJoint& joint : cut.joints) glue += joint.area;
    if (args.is_json) {
        Json json;
        json["name"] = args.file;
        json["faces"] = surface.triangles.size();
        json["pieces"] = cut.pieces.size();
        json["joints"] = cut.joints.size();
        json["glue_m2"] = glue;
        json["volumes_m3"] = volumes;
        json["whole_m3"] = whole;
        json["slivers_joined"] = cut.joined;
        json["open_faces"] = cut.open_triangles;
        json["crosses_itself"] = cut.crosses_itself;
        if (broken) {
            json["broken_joints"] = broken->broken;
            json["broken_m2"] = broken->area;
            json["broken_energy_j"] = broken->energy;
            json["worst_stress_over_strength"] = broken->worst;
            json["groups"] = broken->group;
        }
        print_out("{}", json_text(json));
        return;
    }
    print_out("{}\n", args.file);
    print_out("  {} faces in {} pieces with {} faces between them, {:.3g} m^2\n",
              surface.triangles.size(), cut.pieces.size(), cut.joints.size(), glue);
    if (whole > 0 && sum > 0) {
        print_out("  volumes sum to {:.6g} m^3, the whole's but for {:.1e} of it\n", sum,
                  std::abs(sum - whole) / whole);
    }
    if (cut.joined > 0) print_out("  {} slivers joined a neighbour\n", cut.joined);
    if (broken) {
        print_out(
            "  the impact stresses glue to {:.3g} of its strength: {} faces break, {:.3g} m^2 "
            "for {:.3g} J, into {} groups\n",
            broken->worst, broken->broken.size(), broken->area, broken->energy, broken->groups);
    }
}

std::vector<std::string> cut_notes(const CutMesh& cut) {
    std::vector<std::string> notes;
    if (cut.crosses_itself) {
        notes.emplace_back("the mesh crosses itself: its cuts have no walls, and nothing is glued");
    } else if (cut.open_triangles > 0) {
        notes.push_back(fmt::format("{} faces belong to open sheets: their cuts have no walls",
                                    cut.open_triangles));
    }
    return notes;
}

int show_cut(const CutArgs& args) {
    CutSettings settings;
    if (args.cells > 0) settings.pattern.cells = args.cells;
    if (const auto errors = set_fields(settings, args.overrides); !errors.empty()) {
        print_errors(errors);
        return kBadInput;
    }
    ProgressBar bar(args.is_json, /*is_for_terminals*/ true);
    bar.show("read", 0.0);
    Result<PreparedAsset> prepared = load_asset(args.file, settings.mesh, {.stop = stop_flag()});
    if (!prepared) {
        print_error(error_to_print(prepared.error()));
        return exit_code_after(kBadInput);
    }
    const SurfaceAsset& asset = prepared.value().asset;
    bar.show("cut", 0.0);
    const Box box = bounds(asset.surface.points);
    const Vec3 centre = args.at.empty() ? box.centre() : Vec3(args.at[0], args.at[1], args.at[2]);
    const Result<CellPattern> pattern = make_pattern(settings.pattern, box, centre);
    if (!pattern) {
        print_error(pattern.error());
        return kBadInput;
    }
    const Result<CutMesh> cut = cut_by_pattern(asset, pattern.value(), {}, asset.is_sheet);
    if (!cut) {
        print_error(cut.error());
        return kBadInput;
    }
    std::optional<GlueBreak> broken;
    std::vector<std::int32_t> group(cut.value().pieces.size());
    std::iota(group.begin(), group.end(), 0);
    if (!args.impulse.empty()) {
        Result<GlueBreak> answer = strike(cut.value(), settings, args);
        if (!answer) {
            print_error(answer.error());
            return kBadInput;
        }
        broken = std::move(answer.value());
        group = broken->group;
    }
    bar.finish_stage();
    print_cut(asset.surface, cut.value(), broken, args);
    if (!args.is_json) print_notes(cut_notes(cut.value()));
    if (args.picture.empty() && args.output.empty()) return kFine;
    const Recording recording = exploded(asset, cut.value(), group, args.apart);
    Status written;
    if (!args.output.empty()) written = write_glb(recording, args.output);
    if (written && !args.picture.empty())
        written = write_view(recording, args.view, 48, args.picture);
    if (!written) {
        print_error(error_to_print(written.error()));
        return exit_code_after(kFailed);
    }
    return kFine;
}

std::optional<Error> cut_args_error(const CutArgs& args) {
    if (const Status fine = check_view(args.view, !args.picture.empty()); !fine) {
        return fine.error();
    }
    if (args.impulse.empty() != args.at.empty()) {
        return Error{"an impact needs its impulse and its place", "--impulse, --at", "give both"};
    }
    if (!args.impulse.empty() && !(args.energy > 0)) {
        return Error{"an impact without energy breaks nothing", "--energy", "give it some"};
    }
    Paths outputs;
    for (const std::string& name : {args.picture, args.output}) {
        if (!name.empty()) outputs.emplace_back(name);
    }
    if (const Status fine = check_outputs(outputs, {args.file}); !fine) return fine.error();
    return std::nullopt;
}

void add_impact_options(CLI::App& command, CutArgs& args) {
    const auto add_vector = [&](const char* name, std::vector<double>& to, const char* help) {
        command.add_option(name, to, help)
            ->type_name("X,Y,Z")
            ->delimiter(',')
            ->expected(3)
            ->check(in_range(-1e9, 1e9));
    };
    add_vector("--impulse", args.impulse,
               "strike it with this impulse [N s] and part only what breaks");
    add_vector("--at", args.at,
               "where it is struck, in the mesh's frame [m]; centre of the pattern");
    command.add_option("--energy", args.energy, "that the impact has for breaking [J]")
        ->type_name("ENERGY")
        ->check(in_range(0, 1e12));
    command
        .add_option("--held-below", args.held_below,
                    "pieces whose middle lies lower are held [m]; else it is free")
        ->type_name("HEIGHT")
        ->check(in_range(-1e6, 1e6));
}

}  // namespace

void add_cut(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<CutArgs>();
    CLI::App* command = app.add_subcommand("cut", "cut a mesh into pieces that fit, and break it");
    command->add_option("file", args->file, "a mesh file: OBJ, PLY, STL, OFF, glTF, FBX, DAE ...")
        ->type_name("FILE")
        ->required();
    command->add_option("--cells", args->cells, "about how many cells its box is cut into [32]")
        ->type_name("N")
        ->check(in_range(1, 1e4));
    add_overrides(*command, args->overrides,
                  "change the pattern, the glue or how it is read, as in --set "
                  "pattern.kind=rings; may be repeated");
    add_impact_options(*command, *args);
    command->add_option("--apart", args->apart, "how far apart pieces are drawn [0.25]")
        ->type_name("SHARE")
        ->check(in_range(0, 10));
    command->add_flag("--json", args->is_json, "as JSON, with the volume of every piece");
    add_view_options(*command, args->view);
    command->add_option("--picture", args->picture, "draw the pieces into this PNG")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->add_option("-o,--out", args->output, "write the pieces into this GLB")
        ->type_name("FILE")
        ->check(ends_in(".glb"));
    command->callback([args, &exit_code] {
        if (const std::optional<Error> wrong = cut_args_error(*args)) {
            print_error(*wrong);
            exit_code = kBadInput;
            return;
        }
        for (const std::string& name : {args->picture, args->output}) {
            if (name.empty()) continue;
            catch_interrupts();
            clean_when_cut_off(std::filesystem::path(name).parent_path());
        }
        exit_code = show_cut(*args);
    });
}

}  // namespace ductile::cli
