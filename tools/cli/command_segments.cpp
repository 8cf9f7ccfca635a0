// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/geom/pieces/clusters.h>
#include <ductile/io/load_asset.h>
#include <ductile/record/recording.h>

#include "command.h"
#include "filmed_body.h"
#include "interrupt.h"
#include "mark_mesh.h"
#include "patch_motions.h"
#include "picture.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ductile::cli {
namespace {

struct SegmentsArgs {
    std::string file, body;
    std::vector<std::string> overrides;
    std::string picture;
    bool is_json = false;
    ClusterOptions clusters{.count = 128, .scale = ClusterScale::ClusterSize};
    ViewArgs view;  ///< Of the picture.
};

Status draw_segments(const TriMesh& surface, const Clusters& segments, const SegmentsArgs& args) {
    const Box box = bounds(surface.points);
    Recording recording;
    MarkMesh faces("patches");
    for (std::size_t f = 0; f < surface.triangles.size(); ++f) {
        faces.add_triangle(surface.points, surface.triangles[f],
                           distinct_colour(static_cast<std::size_t>(segments.of_face[f]), 0.3));
    }
    recording.bodies.push_back(std::move(faces).body("body"));
    BodyFrame& at = recording.frames.emplace_back().bodies.emplace_back();
    at.pose_w.translation = Vec3(-box.centre().x(), -box.lower.y(), -box.centre().z());
    return write_view(recording, args.view, 32, args.picture);
}

// Areas of the segments, ascending [m^2].
std::vector<double> segment_areas(const TriMesh& surface, const Clusters& segments) {
    std::vector<double> areas(segments.representatives.size(), 0.0);
    for (std::size_t f = 0; f < surface.triangles.size(); ++f) {
        areas[static_cast<std::size_t>(segments.of_face[f])] +=
            0.5 * area_vector(surface.points, surface.triangles[f]).norm();
    }
    std::sort(areas.begin(), areas.end());
    return areas;
}

void print_segments(const TriMesh& surface, const Clusters& segments, const SegmentsArgs& args) {
    const std::vector<double> areas = segment_areas(surface, segments);
    if (args.is_json) {
        Json json;
        json["name"] = args.file;
        json["faces"] = surface.triangles.size();
        json["segments"] = areas.size();
        json["rounds"] = segments.rounds;
        json["searches"] = segments.searches;
        json["areas_m2"] = areas;
        json["of_face"] = segments.of_face;
        print_out("{}", json_text(json));
        return;
    }
    print_out("{}\n", args.file);
    print_out("  {} faces in {} segments of {:.3g} to {:.3g} m^2, half of them above {:.3g}\n",
              surface.triangles.size(), areas.size(), areas.front(), areas.back(),
              areas[areas.size() / 2]);
    print_out("  {} rounds, as much work as {:.1f} searches over all faces\n", segments.rounds,
              segments.searches);
}

int show_segments(const SegmentsArgs& args) {
    AssetOptions options;
    if (const auto errors = set_fields(options, args.overrides); !errors.empty()) {
        print_errors(errors);
        return kBadInput;
    }
    ProgressBar bar(args.is_json, /*is_for_terminals*/ true);
    bar.show("read", 0.0);
    Result<PreparedAsset> prepared = load_asset(args.file, options, {.stop = stop_flag()});
    if (!prepared) {
        print_error(error_to_print(prepared.error()));
        return exit_code_after(kBadInput);
    }
    const TriMesh& surface = prepared.value().asset.surface;
    bar.show("segments", 0.0);
    const Clusters segments = cluster_faces(surface.points, surface.triangles, {}, args.clusters);
    bar.finish_stage();
    print_segments(surface, segments, args);
    if (args.picture.empty()) return kFine;
    if (const Status drawn = draw_segments(surface, segments, args); !drawn) {
        print_error(error_to_print(drawn.error()));
        return exit_code_after(kFailed);
    }
    return kFine;
}

Json motion_row(const PatchMotion& m) {
    Json row;
    row["patch"] = m.patch;
    for (int i = 0; i < 3; ++i) {
        row["middle_m"].push_back(m.middle_b[i]);
        row["shift_m"].push_back(m.shift_b[i]);
        row["turn_rad"].push_back(m.turn_b[i]);
    }
    return row;
}

void print_motions(std::span<const PatchMotion> motions, const SegmentsArgs& args) {
    Json json;
    json["name"] = args.body;
    json["patches"] = motions.size();
    json["moved"] = Json::array();
    double shift = 0.0;
    std::vector<double> turns;
    for (const PatchMotion& m : motions) {
        if (!m.has_moved) continue;
        json["moved"].push_back(motion_row(m));
        shift = std::max(shift, m.shift_b.norm());
        turns.push_back(m.turn_b.norm());
    }
    if (args.is_json) {
        print_out("{}", json_text(json));
        return;
    }
    if (turns.empty()) {
        print_out("{}: none of its {} patches moved\n", args.body, motions.size());
        return;
    }
    // A patch that is folded up has no turn to speak of: the middle one, not the largest.
    const auto middle = turns.begin() + std::ssize(turns) / 2;
    std::nth_element(turns.begin(), middle, turns.end());
    print_out(
        "{}: {} of {} patches moved, by up to {:.3g} m, half of them turned by {:.3g} degrees "
        "or more\n",
        args.body, turns.size(), motions.size(), shift, *middle * 180.0 / kPi);
}

// How the patches of a scene's body moved.
int show_motions(const SegmentsArgs& args) {
    const std::optional<Scene> scene = open_scene(args.file, args.overrides);
    if (!scene) return kBadInput;
    ProgressBar bar(args.is_json, /*is_for_terminals*/ true);
    const Result<FilmedBody> filmed = film_body(*scene, args.body, bar.callback());
    bar.finish_stage();
    if (!filmed) {
        print_error(error_to_print(filmed.error()));
        return exit_code_after(kBadInput);
    }
    const Result<std::vector<PatchMotion>> motions = patch_motions(filmed.value());
    if (!motions) {
        print_error(motions.error());
        return kBadInput;
    }
    print_motions(motions.value(), args);
    if (args.picture.empty()) return kFine;
    const Recording recording = draw_patch_motions(filmed.value(), motions.value());
    if (const Status drawn = write_view(recording, args.view, 32, args.picture); !drawn) {
        print_error(error_to_print(drawn.error()));
        return exit_code_after(kFailed);
    }
    return kFine;
}

}  // namespace

void add_segments(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<SegmentsArgs>();
    CLI::App* command =
        app.add_subcommand("segments",
                           "cut a mesh into patches of faces that face alike, or show how "
                           "those of a scene's metal shell moved");
    command
        ->add_option("file", args->file,
                     "a mesh file: OBJ, PLY, STL, OFF, glTF, FBX, DAE ...; with --body a scene")
        ->type_name("FILE")
        ->required();
    CLI::Option* body =
        command
            ->add_option("--body", args->body,
                         "run the scene and show how the patches of this body moved; it needs the "
                         "layer `shell`")
            ->type_name("NAME")
            ->check(not_empty);
    command->add_option("--count", args->clusters.count, "how many patches [128]")
        ->type_name("N")
        ->excludes(body)
        ->check(in_range(1, 1e6));
    command
        ->add_option("--reach", args->clusters.reach,
                     "how far a patch reaches from its middle [m], instead of their number")
        ->type_name("LENGTH")
        ->excludes(body)
        ->check(in_range(0, 1e6));
    command
        ->add_option("--distance-weight", args->clusters.distance_weight,
                     "share of distance against angle [0.5]")
        ->type_name("SHARE")
        ->excludes(body)
        ->check(in_range(0, 1));
    add_overrides(*command, args->overrides,
                  "change how it is read, as in --set scale=0.0254, or the scene; may be repeated");
    command->add_flag("--json", args->is_json,
                      "as JSON, with the patch of every face, or every motion");
    add_view_options(*command, args->view);
    command->add_option("--picture", args->picture, "draw them into this PNG")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->callback([args, &exit_code] {
        if (const Status fine = begin_picture(args->view, args->picture, args->file); !fine) {
            print_error(fine.error());
            exit_code = kBadInput;
            return;
        }
        exit_code = args->body.empty() ? show_segments(*args) : show_motions(*args);
    });
}

}  // namespace ductile::cli
