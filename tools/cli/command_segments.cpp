// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/geom/pieces/clusters.h>
#include <ductile/io/load_asset.h>
#include <ductile/record/recording.h>

#include "command.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ductile::cli {
namespace {

struct SegmentsArgs {
    std::string file;
    std::vector<std::string> overrides;
    std::string picture;
    bool is_json = false;
    ClusterOptions clusters{.count = 128, .scale = ClusterScale::ClusterSize};
    ViewArgs view;  ///< Of the picture.
};

// Every triangle with corners of its own, in the colour of its segment.
std::shared_ptr<const SurfaceAsset> coloured(const TriMesh& surface, const Clusters& segments) {
    auto asset = std::make_shared<SurfaceAsset>();
    RenderMesh& mesh = asset->render;
    mesh.looks.emplace_back().roughness = 0.5;
    for (std::size_t f = 0; f < surface.triangles.size(); ++f) {
        const Triangle& t = surface.triangles[f];
        const Vec3 normal = area_vector(surface.points, t).normalized();
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        for (const std::int32_t v : t) {
            mesh.points.push_back(surface.points[static_cast<std::size_t>(v)]);
            mesh.normals.push_back(is_finite(normal) ? normal : Vec3(Vec3::UnitY()));
            mesh.colours.push_back(
                distinct_colour(static_cast<std::size_t>(segments.of_face[f]), 0.3).homogeneous());
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.triangle_looks.push_back(0);
    }
    mesh.uvs.assign(mesh.points.size(), Vec2::Zero());
    asset->surface = {mesh.points, mesh.triangles};
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        asset->anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    return asset;
}

Status draw_segments(const TriMesh& surface, const Clusters& segments, const SegmentsArgs& args) {
    const Box box = bounds(surface.points);
    Recording recording;
    RecordedBody& shown = recording.bodies.emplace_back();
    shown.name = "body";
    shown.asset = coloured(surface, segments);
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

}  // namespace

void add_segments(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<SegmentsArgs>();
    CLI::App* command =
        app.add_subcommand("segments", "cut a mesh into patches of faces that face alike");
    command->add_option("file", args->file, "a mesh file: OBJ, PLY, STL, OFF, glTF, FBX, DAE ...")
        ->type_name("FILE")
        ->required();
    command->add_option("--count", args->clusters.count, "how many patches [128]")
        ->type_name("N")
        ->check(in_range(1, 1e6));
    command
        ->add_option("--reach", args->clusters.reach,
                     "how far a patch reaches from its middle [m], instead of their number")
        ->type_name("LENGTH")
        ->check(in_range(0, 1e6));
    command
        ->add_option("--distance-weight", args->clusters.distance_weight,
                     "share of distance against angle [0.5]")
        ->type_name("SHARE")
        ->check(in_range(0, 1));
    add_overrides(*command, args->overrides,
                  "change how it is read, as in --set scale=0.0254; may be repeated");
    command->add_flag("--json", args->is_json, "as JSON, with the patch of every face");
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
        exit_code = show_segments(*args);
    });
}

}  // namespace ductile::cli
