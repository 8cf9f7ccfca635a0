// SPDX-License-Identifier: MIT
// A ball goes through a wall of bricks and a pane of glass. Both are scored once, at rest; what is
// about to be struck falls apart before the engine solves the collision. With a folder it leaves
// pictures and a GLB there:
//     example_break_wall out
#include <ductile/deform/layers.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/export/glb/glb.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/render/renderer.h>
#include <ductile/sim/recorder.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace ductile;

namespace {

constexpr double kStep = 1.0 / 240.0;
constexpr int kStepsPerFrame = 4;
constexpr int kFrames = 75;

std::shared_ptr<const SurfaceAsset> painted(const SolidOptions& options, const Look& look) {
    SurfaceAsset asset = make_solid(options).value();
    asset.render.looks[0] = look;
    return std::make_shared<const SurfaceAsset>(std::move(asset));
}

/// A world with a floor, filmed.
struct FilmedWorld {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation simulation{*engine, {}};
    Recorder recorder{1.0 / (kStep * kStepsPerFrame)};

    FilmedWorld() {
        BodyDesc floor;
        floor.motion = Motion::Static;
        floor.collider = HalfSpaceCollider{};
        (void)simulation.add_rigid(floor, 1e3);
    }

    Status add_slab(const char* name, const Vec3& size, double x, const Look& look,
                    const Material& material, const FractureOptions& options) {
        const auto asset = painted({.size = size, .resolution = 0.5}, look);
        LayerOptions layers;
        layers.fracture = options;
        auto rules = make_layers(layers);
        if (!rules) return rules.error();
        const auto shape = make_body_shape(asset, {.material = material}, rules.value());
        if (!shape) return shape.error();
        DeformableDesc desc;
        desc.name = name;
        desc.motion = Motion::Static;
        desc.restitution = 0.05;
        desc.pose_w.translation = Vec3(x, 0.5 * size.y(), 0);
        const Result<ObjectId> id = simulation.add_deformable(desc, shape.value());
        if (!id) return id.error();
        recorder.watch(id.value(), name, asset, true);
        return {};
    }

    ObjectId add_ball(double x, double radius, double density, double speed) {
        BodyDesc ball;
        ball.collider = SphereCollider{radius};
        ball.mass = sphere_mass(radius, density);
        ball.pose_w.translation = Vec3(x, 1.15, 1.2);
        ball.velocity_w = Vec3(0, 0.5, -speed);
        const ObjectId id = simulation.add_rigid(ball, 2 * radius).value();
        const Vec3 size = Vec3::Constant(2 * radius);
        Look look;
        look.base_colour = Vec3(0.12, 0.12, 0.13);
        look.metallic = 0.9;
        look.roughness = 0.35;
        recorder.watch(id, "ball", painted({.kind = SolidKind::Sphere, .size = size}, look), false);
        return id;
    }

    Recording film() {
        for (int frame = 0; frame < kFrames; ++frame) {
            recorder.capture(simulation);
            for (int k = 0; k < kStepsPerFrame; ++k) simulation.step(kStep);
        }
        return std::move(recorder).finish(simulation);
    }
};

// Held by its lowest course.
FractureOptions bricks() {
    FractureOptions options;
    options.pattern.kind = PatternKind::Bricks;
    options.pattern.brick = Vec3(0.25, 0.125, 0.12);
    options.handed_on = 0.0;  // mortar is soft: what flies off does not drag the rest along
    options.anchored = {{Vec3(-2, -2, -1), Vec3(2, -0.9, 1)}};
    options.inner_colour = Vec3(0.5, 0.3, 0.22);
    return options;
}

// Held by its rim.
FractureOptions glass() {
    FractureOptions options;
    options.pattern.kind = PatternKind::Rings;
    options.pattern.axis = Vec3::UnitZ();
    options.pattern.cells = 90;
    options.pattern.first_ring = 0.03;
    options.centre = Vec3(0.0, 0.15, 0.0);
    options.handed_on = 0.9;
    options.anchored = {{Vec3(-2, -2, -1), Vec3(2, -0.9, 1)}, {Vec3(-2, 0.9, -1), Vec3(2, 2, 1)}};
    options.inner_colour = Vec3(0.35, 0.6, 0.5);
    return options;
}

Result<Image> draw_frame(Renderer& renderer, const Frame& frame) {
    RenderOptions options;
    options.width = 400;
    options.height = 320;
    options.samples = 32;
    return renderer.draw(frame, {Vec3(5.0, 2.2, 4.6), Vec3(0.1, 0.85, -0.4), 31.0}, options);
}

Status write_all(const Recording& recording, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    if (Status written = write_glb(recording, folder / "break_wall.glb"); !written) return written;
    Result<Renderer> renderer = Renderer::make(recording);
    if (!renderer) return renderer.error();
    std::vector<Image> pictures;
    std::vector<std::string> captions;
    for (const std::size_t frame : {std::size_t(4), std::size_t(12), std::size_t(60)}) {
        Result<Image> picture = draw_frame(renderer.value(), recording.frames[frame]);
        if (!picture) return picture.error();
        pictures.push_back(std::move(picture.value()));
        captions.push_back(fmt::format("{:.2f} s", recording.frames[frame].time));
    }
    const Result<Image> sheet = contact_sheet(pictures, captions, 3);
    if (!sheet) return sheet.error();
    return write_png(folder / "break_wall.png", sheet.value());
}

}  // namespace

int main(int count, char** arguments) {
    FilmedWorld world;
    Material brick, pane;
    brick.density = 1900.0;
    brick.youngs_modulus = 15e9;
    brick.tensile_strength = 0.5e6;  // of mortar between bricks
    brick.fracture_energy = 20.0;
    pane = find_material("glass").value();
    Look red, clear;
    red.base_colour = Vec3(0.42, 0.13, 0.08);
    red.roughness = 0.9;
    clear.base_colour = Vec3(0.75, 0.9, 0.85);
    clear.roughness = 0.05;
    clear.opacity = 0.35;
    Status added = world.add_slab("wall", Vec3(2.0, 2.0, 0.12), -1.15, red, brick, bricks());
    if (added) {
        added = world.add_slab("pane", Vec3(1.6, 2.0, 0.012), 1.1, clear, pane, glass());
    }
    if (!added) return fmt::print(stderr, "{}\n", added.error().text()), 1;
    const ObjectId first = world.add_ball(-1.15, 0.18, 7850, 18.0);
    const ObjectId second = world.add_ball(1.1, 0.08, 2000, 14.0);
    const Recording recording = world.film();
    const auto behind = [&](ObjectId ball) {
        return world.simulation.motion(ball).pose_w.translation.z() < -0.3;
    };
    fmt::print("{} objects, {:.3f} m^2 broken for {:.1f} J\n", world.simulation.objects().size(),
               world.simulation.report().broken_area, world.simulation.report().broken_energy);
    for (const Incident& incident : world.simulation.report().incidents) {
        fmt::print("{}: {}\n", incident.body, incident.what);
    }
    if (count > 1) {
        if (const Status written = write_all(recording, arguments[1]); !written) {
            return fmt::print(stderr, "{}\n", written.error().text()), 1;
        }
    }
    return behind(first) && behind(second) ? 0 : 1;  // the tests run this: both must go through
}
