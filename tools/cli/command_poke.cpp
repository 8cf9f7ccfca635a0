// SPDX-License-Identifier: MIT
// One impact on one body, without any motion: for finding out what its example poses make of it.
#include <ductile/deform/body_state.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/scene/build.h>

#include "command.h"
#include "input_files.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace ductile::cli {
namespace {

// An impact that nobody described: as hard as a fall from two storeys.
constexpr double kUsualSpeed = 8.0;

struct PokeArgs {
    std::string scene, body, out;
    std::vector<double> at, impulse;
    std::vector<std::string> overrides;
    std::int32_t width = 640, height = 480;
    bool is_quiet = false;
    ViewArgs view;
};

Vec3 vec_of(const std::vector<double>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// The layer of a body that has example poses; null: it has none.
const Layer* example_layer(const BodyShape& shape) {
    for (const Layer& layer : shape.layers) {
        if (dynamic_cast<const ExampleData*>(layer.data.get())) return &layer;
    }
    return nullptr;
}

// The scene with nothing but the body that is asked for, or the first that has example poses.
Result<Scene> scene_of_body(const Scene& scene, const std::string& name) {
    Scene alone = scene;
    std::erase_if(alone.bodies, [&](const SceneBody& body) {
        return name.empty() ? !body.layers.example.has_value() : body.name != name;
    });
    if (alone.bodies.empty()) {
        return Error{
            name.empty() ? "no body of the scene has example poses" : "the scene has no such body",
            name, "give a body the layer `example` with a rig"};
    }
    alone.bodies.resize(1);
    alone.bodies[0].copies = {};
    alone.hits.clear();
    alone.camera = {};
    alone.outputs.poster_camera.reset();
    return alone;
}

/// What an impact made of a body.
struct Poked {
    BodyImpact impact;
    std::vector<HitRecord> records;
    std::vector<Vec3> points;
    std::vector<ExampleRow> rows;
};

Poked poke(const BodyShape& shape, const PokeArgs& args) {
    const Layer& layer = *example_layer(shape);
    Poked out;
    const double mass = shape.mass.mass;
    const Vec3 impulse =
        args.impulse.empty() ? Vec3(-kUsualSpeed * mass, 0, 0) : vec_of(args.impulse);
    const Vec3 way = impulse.normalized();
    const Vec3 near =
        args.at.empty() ? Vec3(shape.mass.centre_b - shape.size * way) : vec_of(args.at);
    out.impact.point_b = shape.rest_surface->closest_point(near).position;
    out.impact.starts_b = {out.impact.point_b};
    out.impact.normal_b = -way;
    out.impact.damage_impulse = impulse.norm();
    out.impact.effective_mass = mass;
    Response response;
    layer.rule->respond(out.impact, {shape, *shape.rest_surface, layer.data.get()}, response);
    Journal journal;
    for (const HitRecord& record : response.records) journal.add(0.0, 0.0, record);
    out.records = std::move(response.records);
    out.points = shape_at(shape, journal, 1.0);
    out.rows = rows_at(shape, journal, 1.0);
    return out;
}

void print_poke(const BodyShape& shape, const Poked& poked) {
    const double speed = poked.impact.damage_impulse / shape.mass.mass;
    print_out("{:.4g} N s, {:.3g} m/s of speed for its {:.4g} kg, at {:.3g}, {:.3g}, {:.3g}\n",
              poked.impact.damage_impulse, speed, shape.mass.mass, poked.impact.point_b.x(),
              poked.impact.point_b.y(), poked.impact.point_b.z());
    if (poked.records.empty()) {
        print_out("nothing changes: it is below the yield speed, or no pose goes that way\n");
        return;
    }
    for (const PoseChange& c : std::get<ExampleHit>(poked.records[0]).changes) {
        print_out("  {}: {:+.1f} % where it is struck\n", c.pose, 100.0 * c.change);
    }
    double furthest = 0.0;
    for (std::size_t v = 0; v < poked.points.size(); ++v) {
        furthest = std::max(furthest, (poked.points[v] - shape.rest()[v]).norm());
    }
    const double before = volume(shape.rest(), shape.triangles());
    const double after = volume(poked.points, shape.triangles());
    const std::size_t crossings = count_self_crossings(poked.points, shape.triangles());
    const std::size_t at_rest = count_self_crossings(shape.rest(), shape.triangles());
    print_out(
        "  moves by up to {:.3g} m; volume {:+.1f} %; edges that cross the body: {}, at rest {}\n",
        furthest, before != 0.0 ? 100.0 * (after / before - 1.0) : 0.0, crossings, at_rest);
}

// The body at rest, then poked, both standing on the ground.
Recording recorded(const PreparedBody& body, const Poked& poked) {
    Recording recording;
    RecordedBody& shown = recording.bodies.emplace_back();
    shown.name = body.name;
    shown.asset = body.asset();
    shown.shapes = {body.asset()->surface.points, poked.points};
    shown.shares.resize(2);
    const auto* data = body.shape()->data<ExampleData>();
    for (const RigPose& pose : data->rig().poses) shown.poses.push_back(pose.name);
    for (const ExampleRow& row : poked.rows) {
        for (const double share : row.first(data->pose_count())) {
            shown.shares[1].push_back(static_cast<std::uint8_t>(std::lround(255.0 * share)));
        }
    }
    for (std::int32_t shape = 0; shape < 2; ++shape) {
        Frame& frame = recording.frames.emplace_back();
        frame.time = shape;
        Transform pose;
        pose.translation.y() = -bounds(shown.shapes[static_cast<std::size_t>(shape)]).lower.y();
        frame.bodies.push_back({pose, shape, true});
    }
    return recording;
}

Result<Image> sheet_of(const Scene& scene, const Recording& recording, bool is_quiet) {
    Result<SceneView> made = SceneView::make(scene, recording);
    if (!made) return made.error();
    SceneView& view = made.value();
    if (!is_quiet) print_notes(view.notes());
    view.options.stop = stop_flag();
    std::vector<Image> images;
    for (std::size_t k = 0; k < 3; ++k) {
        view.options.colour_by = k == 2 ? ColourBy::Example : ColourBy::None;
        Result<Image> image = view.draw(std::min<std::size_t>(k, 1));
        if (!image) return image.error();
        images.push_back(std::move(image).value());
    }
    const std::vector<std::string> captions = {"before", "after", "shares of poses"};
    return contact_sheet(images, captions, 3);
}

int run_poke(const PokeArgs& args) {
    const auto fail = [](const Error& error, int code) {
        print_error(error);
        return exit_code_after(code);
    };
    std::optional<Scene> whole = open_scene(args.scene, args.overrides);
    if (!whole) return kBadInput;
    Result<Scene> scene = scene_of_body(*whole, args.body);
    if (!scene) return fail(scene.error(), kBadInput);
    set_view(args.view, scene.value().camera);
    scene.value().picture.width = args.width;
    scene.value().picture.height = args.height;
    const std::filesystem::path out =
        args.out.empty() ? std::filesystem::path("out") / (whole->name + "_poke.png")
                         : std::filesystem::path(args.out);
    if (const Status fine = check_outputs({out}, scene_inputs(*whole)); !fine) {
        return fail(fine.error(), kBadInput);
    }
    clean_when_cut_off(out.parent_path());
    const auto bodies = prepare_bodies(scene.value(), {}, stop_flag());
    if (!bodies) return fail(bodies.error(), kBadInput);
    const PreparedBody& body = bodies.value()[0];
    if (!body.shape() || !example_layer(*body.shape())) {
        return fail(
            {"the body has no example poses", body.name, "give it the layer `example` with a rig"},
            kBadInput);
    }
    const Poked poked = poke(*body.shape(), args);
    if (!args.is_quiet) print_poke(*body.shape(), poked);
    const Result<Image> sheet = sheet_of(scene.value(), recorded(body, poked), args.is_quiet);
    if (!sheet) return fail(sheet.error(), kFailed);
    if (Status done = write_png(out, sheet.value()); !done) return fail(done.error(), kFailed);
    if (!args.is_quiet) print_out("Open:\n  {}\n", out.string());
    return kFine;
}

}  // namespace

void add_poke(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<PokeArgs>();
    CLI::App* command = app.add_subcommand(
        "poke", "strike a body once, without motion, and draw what its example poses make of it");
    command->add_option("scene", args->scene, "a scene file, or the name of a built-in scene")
        ->type_name("SCENE")
        ->required();
    command->add_option("body", args->body, "its name [the first with example poses]")
        ->type_name("BODY");
    command
        ->add_option("--at", args->at, "where, in the body's frame [where the impulse comes from]")
        ->type_name("X Y Z")
        ->expected(3);
    command->add_option("--impulse", args->impulse, "in N s [8 m/s times its mass, along -x]")
        ->type_name("X Y Z")
        ->expected(3)
        ->check(in_range(-1e9, 1e9));
    add_overrides(*command, args->overrides);
    command->add_option("-o,--out", args->out, "the picture [out/SCENE_poke.png]")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->add_option("--width", args->width, "pixels across, of one picture [640]")
        ->type_name("PIXELS")
        ->check(in_range(16, 4096));
    command->add_option("--height", args->height, "pixels down [480]")
        ->type_name("PIXELS")
        ->check(in_range(16, 4096));
    add_view_options(*command, args->view);
    command->add_flag("-q,--quiet", args->is_quiet, "print errors only");
    command->callback([args, &exit_code] {
        catch_interrupts();
        if (!args->impulse.empty() && vec_of(args->impulse).isZero()) {
            print_error({"an impulse needs a length", "--impulse", ""});
            exit_code = kBadInput;
            return;
        }
        exit_code = run_poke(*args);
    });
}

}  // namespace ductile::cli
