// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/body_shape.h>
#include <ductile/io/load_asset.h>
#include <ductile/material/material.h>
#include <ductile/record/recording.h>

#include "command.h"
#include "input_files.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <memory>

namespace ductile::cli {
namespace {

// Lists longer than this are cut short in text; --json has all of it.
constexpr std::size_t kListed = 12;

struct InfoArgs {
    std::vector<std::string> files;
    std::vector<std::string> overrides;
    std::string material = "steel";
    std::string picture;
    bool is_json = false;
    bool has_collider = true;
    ViewArgs view;  ///< Of the picture.
};

/// A mesh file as a body: what `info` reports.
struct Body {
    AssetReport report;
    std::shared_ptr<const SurfaceAsset> asset;
    double mass = 0.0;  ///< [kg]
    std::size_t pieces = 0;
    double collider_error = 0.0;  ///< As a share of its size.
};

Result<Body> make_body(const std::string& file, const AssetOptions& options, const InfoArgs& args,
                       ProgressBar& bar) {
    const Result<Material> material = find_material(args.material);
    if (!material) return material.error();
    bar.show("read", 0.0);
    Result<PreparedAsset> prepared = load_asset(file, options, {.stop = stop_flag()});
    if (!prepared) return prepared.error();
    Body body;
    body.report = std::move(prepared.value().report);
    body.asset = std::make_shared<const SurfaceAsset>(std::move(prepared.value().asset));
    const double thickness = prepared.value().thickness;
    const auto refuse = [&](const Error& error) { return Error{error.what, file, error.hint}; };
    if (!args.has_collider) {
        const Result<MassProperties> mass =
            mass_properties(body.asset->surface.points, body.asset->surface.triangles,
                            {material.value().density, thickness}, body.asset->is_sheet);
        if (!mass) return refuse(mass.error());
        body.mass = mass.value().mass;
        return body;
    }
    bar.show("collider", 0.0);
    const auto checkpoint = [&](double share) -> Status {
        if (is_stopped(stop_flag())) return stopped_error();
        bar.show("collider", 0.8 * share);
        return {};
    };
    const auto shape = make_body_shape(
        body.asset, {.material = material.value(), .thickness = thickness}, {}, checkpoint);
    if (!shape) return refuse(shape.error());
    const BodyShape& made = *shape.value();
    body.mass = made.mass.mass;
    body.pieces = made.pieces.top.size();
    bar.show("collider", 0.8);
    body.collider_error =
        collider_error(made.pieces, {made.pieces.top}, made.rest(), made.triangles()).worst() /
        made.size;
    return body;
}

Json json_of(const std::string& file, const Body& body, const InfoArgs& args) {
    Json json = write_fields(body.report);
    json["name"] = file;
    json["body"] = {{"material", args.material}, {"mass_kg", body.mass}};
    if (args.has_collider) {
        json["body"]["pieces"] = body.pieces;
        json["body"]["collider_error_percent"] = 100.0 * body.collider_error;
    }
    return json;
}

void print_line(std::string_view title, const std::string& text) {
    if (!text.empty()) print_out("  {:<11} {}\n", title, text);
}

// "3 welded, 2 flipped": what there is nothing of is left out.
std::string mend_summary(const MendReport& m) {
    std::string text;
    const auto add = [&](std::int64_t count, std::string_view what) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(m.welded, "vertices welded");
    add(m.unused_points, "unused points left out");
    add(m.collapsed_faces, "collapsed faces dropped");
    add(m.copied_faces, "copies of faces dropped");
    add(m.back_sides, "back sides dropped");
    add(m.fins, "folded flaps dropped");
    add(m.faces_without_area, "faces without area dropped");
    add(m.slivers, "slivers kept");
    add(m.nonmanifold_edges, "edges of more than two faces taken apart");
    add(m.twisted_edges, "twisted edges cut");
    add(m.split_points, "points split");
    add(m.flipped_faces, "faces turned");
    return text.empty() ? "nothing" : text;
}

std::string file_summary(const FileReport& f) {
    std::string vertices = counted(f.vertices, "vertex", "vertices");
    if (f.split_vertices > f.vertices) {
        vertices += fmt::format(" ({} with seams split)", f.split_vertices);
    }
    std::string text = fmt::format("{}, {}, {} in {}", f.format, vertices,
                                   counted(f.triangles, "triangle", "triangles"),
                                   counted(f.parts, "part", "parts"));
    text += ", " + counted(f.looks, "material", "materials");
    if (f.textures > 0) text += ", " + counted(f.textures, "texture", "textures");
    if (f.skins > 0) text += ", " + counted(f.skins, "skin", "skins");
    if (f.animations > 0) text += ", " + counted(f.animations, "animation", "animations");
    std::string without;
    if (!f.has_normals) without += " normals";
    if (!f.has_uvs) without += without.empty() ? " UVs" : " or UVs";
    return without.empty() ? text : text + ", without" + without;
}

void print_surface(const SurfaceReport& s) {
    std::string text = fmt::format("{}, {}", counted(s.points, "point", "points"),
                                   counted(s.triangles, "triangle", "triangles"));
    if (s.is_simplified) {
        text += fmt::format(", simplified: off by {:.3g} mm at most", 1000.0 * s.deviation);
    }
    print_line("surface", text);
    text = fmt::format("{}: {} closed, {} sheet", counted(s.components, "component", "components"),
                       s.closed, s.sheets);
    if (s.holes > 0) text += ", " + counted(s.holes, "hole", "holes");
    if (s.sheets > 0) text += fmt::format(", sheets {:.3g} mm thick", 1000.0 * s.thickness);
    print_line("", text);
    print_line("", fmt::format("area {:.4g} m^2, volume of solids {:.4g} m^3", s.area, s.volume));
}

void print_text(const std::string& file, const Body& body, const InfoArgs& args) {
    const AssetReport& r = body.report;
    print_out("{}\n", file);
    print_line("file", file_summary(r.file));
    const PlacementReport& p = r.placement;
    print_line("unit", fmt::format("{:.6g} m{}: {}", p.metres_per_unit,
                                   p.is_scale_guessed ? " (guessed)" : "", p.scale_reason));
    print_line("up", fmt::format("{}{}: {}", enum_names(p.up)[static_cast<std::size_t>(p.up)],
                                 p.is_up_guessed ? " (guessed)" : "", p.up_reason));
    print_line("size",
               fmt::format("{:.4g} x {:.4g} x {:.4g} m, y up", p.size.x(), p.size.y(), p.size.z()));
    const Vec3 middle = bounds(body.asset->surface.points).centre();
    print_line("middle", fmt::format("{:.4g}, {:.4g}, {:.4g} m in the file's axes: what a scene's "
                                     "position places, and from where its hits count",
                                     middle.x(), middle.y(), middle.z()));
    print_line("mended", mend_summary(r.mended));
    print_surface(r.surface);
    if (r.parts.size() > 1) {
        for (std::size_t i = 0; i < std::min(r.parts.size(), kListed); ++i) {
            const PartReport& part = r.parts[i];
            print_line(i == 0 ? "parts" : "",
                       fmt::format("{} ({}, {})", part.name,
                                   enum_names(part.role)[static_cast<std::size_t>(part.role)],
                                   counted(part.triangles, "triangle", "triangles")));
        }
        if (r.parts.size() > kListed) {
            print_line("", fmt::format("... and {} more", r.parts.size() - kListed));
        }
    }
    print_line("mass", fmt::format("{:.4g} kg of {}", body.mass, args.material));
    if (args.has_collider) {
        print_line("collider", fmt::format("{}, off by {:.2g} % of its size at most",
                                           counted(static_cast<std::int64_t>(body.pieces),
                                                   "convex piece", "convex pieces"),
                                           100.0 * body.collider_error));
    }
    for (std::size_t i = 0; i < r.notes.size(); ++i) print_line(i == 0 ? "notes" : "", r.notes[i]);
}

// The body on the ground, from in front and a little above.
Status draw(const Body& body, const ViewArgs& view, const std::filesystem::path& path) {
    const Box box = bounds(body.asset->render.points);
    const Vec3 middle = 0.5 * (box.lower + box.upper);
    Recording recording;
    RecordedBody& shown = recording.bodies.emplace_back();
    shown.name = "body";
    shown.asset = body.asset;
    BodyFrame& at = recording.frames.emplace_back().bodies.emplace_back();
    at.pose_w.translation = Vec3(-middle.x(), -box.lower.y(), -middle.z());
    return write_view(recording, view, 32, path);
}

int info(const InfoArgs& args) {
    if (const Status fine = check_view(args.view, !args.picture.empty()); !fine) {
        print_error(fine.error());
        return kBadInput;
    }
    AssetOptions options;
    if (const auto errors = set_fields(options, args.overrides); !errors.empty()) {
        print_errors(errors);
        return kBadInput;
    }
    int exit_code = kFine;
    Json all = Json::array();
    for (const std::string& file : args.files) {
        ProgressBar bar(args.is_json, /*is_for_terminals*/ true);
        const Result<Body> body = make_body(file, options, args, bar);
        bar.finish_stage();
        if (!body) {
            print_error(error_to_print(body.error()));
            exit_code = exit_code_after(kBadInput);
            if (interrupt_signal() != 0) break;
            continue;
        }
        if (args.is_json) {
            all.push_back(json_of(file, body.value(), args));
        } else {
            print_text(file, body.value(), args);
        }
        if (args.picture.empty()) continue;
        bar.show("picture", 0.0);
        if (const Status drawn = draw(body.value(), args.view, args.picture); !drawn) {
            print_error(error_to_print(drawn.error()));
            exit_code = exit_code_after(kFailed);
        }
    }
    if (args.is_json && !all.empty()) {
        print_out("{}", json_text(args.files.size() == 1 ? all[0] : all));
    }
    return exit_code;
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<InfoArgs>();
    CLI::App* command =
        app.add_subcommand("info", "show what a mesh file holds and what body it becomes");
    command->add_option("file", args->files, "mesh files: OBJ, PLY, STL, OFF, glTF, FBX, DAE ...")
        ->type_name("FILE")
        ->required();
    command->add_flag("--json", args->is_json, "as JSON, with nothing left out");
    add_overrides(*command, args->overrides,
                  "change how it is read, as in --set scale=0.0254; may be repeated: the fields of "
                  "mesh_options in docs/scene-format.md");
    command->add_option("--material", args->material, "the card to weigh it with [steel]")
        ->type_name("NAME");
    add_view_options(*command, args->view);
    command->add_option("--picture", args->picture, "draw it into this PNG")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->add_flag_callback(
        "--no-collider", [args] { args->has_collider = false; },
        "do not cut collision pieces: faster");
    command->callback([args, &exit_code] {
        if (!args->picture.empty() && args->files.size() > 1) {
            print_error({"one picture needs one mesh file", "--picture", ""});
            exit_code = kBadInput;
            return;
        }
        if (!args->picture.empty()) {
            const Paths files(args->files.begin(), args->files.end());
            if (const Status fine = check_outputs({args->picture}, files); !fine) {
                print_error(fine.error());
                exit_code = kBadInput;
                return;
            }
            catch_interrupts();
            clean_when_cut_off(std::filesystem::path(args->picture).parent_path());
        }
        exit_code = info(*args);
    });
}

}  // namespace ductile::cli
